#pragma once
#include <unordered_map>
#include <vector>

#include "config/yaml_respell.h"

namespace attnscope {

// Makes a value of a text read as another one, with as few bytes as it knows to: dicts by key, of lists the items that
// stay are found again. "EditRefused" where no such edit is known.
class YamlChange {
 public:
  YamlChange(const YamlText& text, TextEdits& edits) : text_(text), edits_(edits) {}

  // `flow`: the child stands in brackets.
  void change(const YamlChild& child, const ConfigNode& current, const ConfigNode& wanted, bool flow);
  // Call at last: aliases follow their anchor when they are wanted to be the same, else they get a value of their own.
  void settle_aliases();

 private:
  struct AliasUse {
    YamlChild child;
    ConfigNode current, wanted;
    bool flow;
  };

  void change_dict(const YamlChild& child, const ConfigNode& current, const ConfigNode& wanted, bool flow);
  void change_list(const YamlChild& child, const ConfigNode& current, const ConfigNode& wanted, bool flow);

  const YamlText& text_;
  TextEdits& edits_;
  std::unordered_map<const YamlNode*, ConfigNode> wanted_;
  std::vector<AliasUse> aliases_;
};

}  // namespace attnscope
