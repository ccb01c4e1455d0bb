#pragma once
#include <string>

#include "io/safetensors.h"

namespace attnscope {

// The tensors of a .bin / .pt state dict, through libtorch's restricted unpickler: tensors, numbers, text and plain
// containers; no code is ever run or imported. A dict under "state_dict" is taken instead of the whole; entries that
// are no tensors are left out with a warning. Reads torch's zip format (tensors are CPU views of the mapped file where
// it stores them uncompressed) and the one from before torch 1.6 (tensors are copies). LoadError: anything else in the
// pickle ("refused: posix.system"), tensors that reach outside their storage, a TorchScript program, a file of a
// big-endian machine, not a torch file.
NamedTensors read_torch_pickle(const std::string& path);

}  // namespace attnscope
