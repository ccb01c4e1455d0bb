#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace attnscope {

// One pickle, changed so that libtorch's unpickler reads what torch.save writes for model.state_dict().
struct PickleStream {
  std::string bytes;
  std::size_t length = 0;  // of the pickle as it stands in the file
};

// libtorch turns an OrderedDict into None and knows no attributes on one (state dicts carry `_metadata`). Here an empty
// OrderedDict becomes an empty dict, and `dict + attributes` the tuple (dict, attributes). Nothing else changes: what
// a pickle asks for is still for the unpickler to refuse. LoadError (naming `file`): cut off, or an opcode that
// torch.save does not write.
PickleStream plain_dicts(std::string_view pickle, const std::string& file);

}  // namespace attnscope
