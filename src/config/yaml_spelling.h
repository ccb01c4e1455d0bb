#pragma once
#include <string>

#include "config/node.h"
#include "config/yaml_document.h"

namespace attnscope {

// Where a value will stand, and what it should look like.
struct YamlPlace {
  bool flow = false;
  const YamlNode* like = nullptr;  // a scalar whose quotes and number form are kept; nullptr: none
  bool short_exponents = false;    // the file has numbers such as 4e-5, which plain YAML 1.1 readers take for text
  bool json = false;               // keys and texts are in double quotes
};

// A value in one line: scalars with the quotes they need, dicts and lists in flow style.
std::string spell_value(const ConfigNode& value, const YamlPlace& place);
std::string spell_key(const ConfigKey& key, const YamlPlace& place);

// A dict or list in block style, its entries at `column`: without the first one's indentation and the last line end.
// Short lists stand in one line.
struct YamlBlock {
  std::size_t column = 0;
  std::size_t step = 2;  // of what is below a key
  std::string newline = "\n";
};
std::string spell_block(const ConfigNode& value, const YamlBlock& block, const YamlPlace& place);

}  // namespace attnscope
