#include "config/yaml_text.h"

#include "config/yaml_constructor.h"

namespace attnscope {

using Kind = YamlNode::Kind;
using Style = YamlNode::Style;

// What a text's own way of writing is.
struct YamlText::Habits {
  bool short_exponents = false, anchors = false;
  bool all_quoted = true, all_flow = true;
  int step = 0;

  void note(const YamlNode& node, int column) {
    anchors = anchors || !node.anchor.empty();
    if (node.kind == Kind::scalar) {
      note_scalar(node);
      return;
    }
    all_flow = all_flow && node.flow;
    for (const YamlUse& item : node.items)
      if (!item.alias) note(*item.node, -1);
    for (const auto& [key, value] : node.entries) {
      all_quoted = all_quoted && key.node->style == Style::double_quoted && !value.alias;
      if (!node.flow && step == 0 && column >= 0 && key.start.column > column) step = key.start.column - column;
      if (!value.alias) note(*value.node, node.flow ? -1 : key.start.column);
    }
  }

  void note_scalar(const YamlNode& node) {
    const bool plain = node.style == Style::plain;
    all_quoted = all_quoted && (plain ? node.tag != yaml_tags::kString : node.style == Style::double_quoted);
    short_exponents =
        short_exponents || (plain && node.tag == yaml_tags::kFloat && node.value.find('.') == std::string::npos &&
                            node.value.find_first_of("eE") != std::string::npos);
  }
};

YamlText::YamlText(std::string bytes, std::string file)
    : bytes_(std::move(bytes)),
      source_(bytes_, std::move(file)),
      document_(source_),
      newline_(bytes_.find("\r\n") != std::string::npos ? "\r\n" : "\n"),
      text_begin_(bytes_.starts_with("\xEF\xBB\xBF") ? 3 : 0) {
  if (YamlNode* node = document_.root()) {
    root_ = {node, node->start, node->end, false};
    Habits habits;
    habits.note(*node, -1);
    short_exponents_ = habits.short_exponents;
    has_anchors_ = habits.anchors;
    is_json_ = node->flow && habits.all_flow && habits.all_quoted;
    if (habits.step > 0) indent_step_ = static_cast<std::size_t>(habits.step);
  }
}

void YamlText::read(const YamlLimits& limits) {
  check_yaml_limits(source_, document_, limits);
  ConfigNode root = construct_yaml(source_, document_);
  if (!root.is_scalar()) check_tree(root);
  if (root.is_null() && is_blank()) {
    root = ConfigNode(ConfigNode::Dict{});
    root.set_place({source_.file()});
  }
  tree_ = std::make_shared<const ConfigNode>(std::move(root));
}

std::size_t YamlText::line_start(std::size_t at) const {
  const auto found = at == 0 ? std::string::npos : bytes_.rfind('\n', at - 1);
  return found == std::string::npos ? text_begin_ : found + 1;
}

std::size_t YamlText::line_end(std::size_t at) const {
  if (at <= bytes_.size() && at > 0 && bytes_[at - 1] == '\n') return at;
  const auto found = bytes_.find('\n', at);
  return found == std::string::npos ? end() : found + 1;
}

std::size_t YamlText::line_stop(std::size_t at) const {
  const auto found = std::min(bytes_.find('\n', at), bytes_.size());
  return found > at && bytes_[found - 1] == '\r' ? found - 1 : found;
}

std::size_t YamlText::skip_blanks(std::size_t at) const {
  return std::min(bytes_.find_first_not_of(" \t", at), bytes_.size());
}

bool YamlText::starts_line(std::size_t at) const { return skip_blanks(line_start(at)) >= at; }

}  // namespace attnscope
