#pragma once
#include <string>

#include "config/node.h"

namespace attnscope {

// The text that OmegaConf.to_yaml writes, byte for byte: block style, lists not indented under their key, folded at 80
// columns. For exports that are compared with the reference's; writer.h writes what people edit.
std::string omegaconf_yaml(const ConfigNode& node, bool sort_keys = false);

std::string encode_base64(const std::string& bytes, std::size_t line_length = 0);

}  // namespace attnscope
