#pragma once
#include <vector>

#include "config/node.h"

namespace attnscope {

// Values that are easy to write wrongly.
inline const std::vector<ConfigNode>& odd_values() {
  static const std::vector<ConfigNode> kValues{
      ConfigNode(7),
      ConfigNode(1e-5),
      ConfigNode(true),
      ConfigNode("word"),
      ConfigNode("a, b: c"),
      ConfigNode("# no"),
      ConfigNode("it's"),
      ConfigNode(""),
      ConfigNode("12"),
      ConfigNode("two\nlines"),
      ConfigNode(),
      ConfigNode(ConfigNode::List{}),
      ConfigNode(ConfigNode::List{1, "x"}),
      ConfigNode(ConfigNode::Dict{{"k", ConfigNode(1)}, {"l", ConfigNode("y")}})};
  return kValues;
}

}  // namespace attnscope
