#include "config/yaml_edit.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "config/errors.h"
#include "config/python_text.h"
#include "config/scalar.h"
#include "config/writer.h"
#include "config/yaml_constructor.h"
#include "config/yaml_loader.h"
#include "config/yaml_spelling.h"

namespace attnscope {
namespace {

using Kind = YamlNode::Kind;
using Style = YamlNode::Style;

[[noreturn]] void refuse(const std::string& why, const ConfigPlace& place = {}) {
  throw ConfigKindError("EditRefused", "cannot be changed without touching other bytes: " + why, place);
}

// Which items of two lists are the same, in order: pairs of indices, with one past the ends as the last.
std::vector<std::pair<std::size_t, std::size_t>> common_items(const ConfigNode::List& a, const ConfigNode::List& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) pairs.emplace_back(head, head), ++head;
  while (tail + head < a.size() && tail + head < b.size() && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const std::size_t rows = a.size() - head - tail, columns = b.size() - head - tail;
  std::vector<std::vector<uint32_t>> longest(rows + 1, std::vector<uint32_t>(columns + 1));
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      longest[i][j] =
          a[head + i] == b[head + j] ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    if (a[head + i] == b[head + j]) {
      pairs.emplace_back(head + i++, head + j++);
    } else {
      ++(longest[i + 1][j] >= longest[i][j + 1] ? i : j);
    }
  }
  for (std::size_t k = tail; k > 0; --k) pairs.emplace_back(a.size() - k, b.size() - k);
  pairs.emplace_back(a.size(), b.size());
  return pairs;
}

class Editor {
 public:
  Editor(std::string_view bytes, const std::string& file)
      : bytes_(bytes),
        source_(bytes, file),
        document_(source_),
        newline_(bytes.find("\r\n") != std::string_view::npos ? "\r\n" : "\n") {
    if (document_.root()) note_numbers(*document_.root(), 0);
  }

  std::string run(const ConfigNode& current, const ConfigNode& wanted) {
    YamlNode* root = document_.root();
    if (!root) {
      if (current == wanted || (wanted.is_dict() && wanted.members().empty())) return std::string(bytes_);
      std::string text(bytes_);
      if (!text.empty() && text.back() != '\n') text += newline_;
      return text + to_yaml(wanted);
    }
    change({root, root->start, root->end, false}, current, wanted, nullptr, false);
    settle_aliases();
    return apply();
  }

  std::string set_scalar(const std::string& path, const std::string& text) {
    YamlUse use{document_.root()};
    const YamlUse* key = nullptr;
    for (const std::string& step : split_key(path)) {
      const YamlUse* next = nullptr;
      const auto digits = python_int(step);
      if (use.node && use.node->kind == Kind::sequence && digits) {
        const auto index = static_cast<std::size_t>(list_index(*digits));
        if (index < use.node->items.size()) next = &use.node->items[index];
      } else if (use.node) {
        for (const auto& [name, value] : use.node->entries) {
          if (name.node->value != step) continue;
          key = &name;
          next = &value;
        }
      }
      if (!next) refuse("there is no " + path);
      use = *next;
    }
    ConfigNode value = use.node->style == Style::plain ? parse_plain_scalar(text) : ConfigNode(text);
    replace_value(use, value, key, false);
    return apply();
  }

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };

  void add(std::size_t begin, std::size_t end, std::string text) { edits_.push_back({begin, end, std::move(text)}); }
  std::size_t offset(const YamlMark& mark) const { return source_.byte_offset(mark.index); }

  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < at) refuse("two changes meet");
      out += bytes_.substr(at, edit.begin - at);
      out += edit.text;
      at = edit.end;
    }
    return out + std::string(bytes_.substr(at));
  }

  // Whether the file writes numbers such as 4e-5.
  void note_numbers(const YamlNode& node, int level) {
    if (node.kind == Kind::scalar && node.style == Style::plain && node.tag == yaml_tags::kFloat &&
        node.value.find('.') == std::string::npos && node.value.find_first_of("eE") != std::string::npos) {
      short_exponents_ = true;
    }
    for (const YamlUse& item : node.items)
      if (!item.alias) note_numbers(*item.node, level + 1);
    for (const auto& [key, value] : node.entries)
      if (!value.alias) note_numbers(*value.node, level + 1);
  }

  YamlPlace place(bool flow, const YamlNode* like) const { return {flow, like, short_exponents_}; }

  // `key` is the one the value stands under.
  void change(const YamlUse& use, const ConfigNode& current, const ConfigNode& wanted, const YamlUse* key, bool flow) {
    if (use.alias) {
      aliases_.push_back({use, wanted, flow});
      return;
    }
    wanted_.emplace(use.node, wanted);
    if (current.is_dict() && wanted.is_dict() && share_a_key(current, wanted)) {
      change_dict(use, current, wanted, flow || use.node->flow);
    } else if (current.is_list() && wanted.is_list() && !current.items().empty() && !wanted.items().empty()) {
      change_list(use, current, wanted, flow || use.node->flow);
    } else if (!(current == wanted)) {
      if (current.is_list() && wanted.is_list() && use.node->flow && current.items().empty()) {
        const std::string inside = spell_value(wanted, place(true, nullptr));
        add(offset(use.node->content), offset(use.node->end), inside);
      } else {
        replace_value(use, wanted, key, flow);
      }
    }
  }

  static bool share_a_key(const ConfigNode& a, const ConfigNode& b) {
    return std::any_of(b.members().begin(), b.members().end(),
                       [&](const auto& member) { return a.find_key(member.first) != nullptr; });
  }

  // Aliases follow the anchor when they are wanted to be the same as it; else they get a value of their own.
  void settle_aliases() {
    for (const auto& [use, wanted, flow] : aliases_) {
      const auto anchor = wanted_.find(use.node);
      if (anchor != wanted_.end() && anchor->second == wanted) continue;
      add(offset(use.start), offset(use.end), spell_value(wanted, place(flow, nullptr)));
    }
  }

  void replace_value(const YamlUse& use, const ConfigNode& value, const YamlUse* key, bool flow) {
    const YamlNode& node = *use.node;
    const bool scalar = node.kind == Kind::scalar;
    const bool block = scalar && (node.style == Style::literal || node.style == Style::folded);
    if (node.style == Style::literal && scalar && value.kind() == ConfigNode::Kind::string &&
        rewrite_literal(node, value))
      return;
    const std::string text = spell_value(value, place(flow, scalar && !block ? &node : nullptr));
    // A tag goes with the type that it names.
    const bool keeps_tag = !node.anchor.empty() || node.tag == tag_of(value);
    const std::size_t begin = offset(keeps_tag ? node.content : node.start);
    std::size_t end = offset(node.end);
    if (scalar && !block) {
      const bool empty = begin == end;
      const bool after_indicator = empty && begin > 0 && bytes_[begin - 1] != ' ';
      add(begin, end, (after_indicator ? " " : "") + text);
    } else if (node.flow) {
      add(begin, end, text);
    } else {
      // A block goes from the end of the line above, where the key's colon or the dash stands.
      while (end > begin && (bytes_[end - 1] == '\n' || bytes_[end - 1] == '\r')) --end;
      if (block || !key) {
        add(begin, end, text);
      } else {
        const std::size_t colon = bytes_.find(':', offset(key->end));
        add(colon + 1, end, " " + text);
      }
    }
  }

  static const char* tag_of(const ConfigNode& value) {
    switch (value.kind()) {
      case ConfigNode::Kind::null: return yaml_tags::kNull;
      case ConfigNode::Kind::boolean: return yaml_tags::kBoolean;
      case ConfigNode::Kind::integer: return yaml_tags::kInteger;
      case ConfigNode::Kind::floating: return yaml_tags::kFloat;
      case ConfigNode::Kind::list: return yaml_tags::kSequence;
      case ConfigNode::Kind::dict: return yaml_tags::kMap;
      default: return yaml_tags::kString;
    }
  }

  // Keeps the header and indentation of a `|` block; false when they cannot hold the text.
  bool rewrite_literal(const YamlNode& node, const ConfigNode& value) {
    const std::string& text = value.as_string();
    const std::size_t begin = offset(node.content);
    const std::size_t header_end = bytes_.find('\n', begin);
    if (header_end == std::string_view::npos || text.empty() || text.front() == ' ' || text.front() == '\n')
      return false;
    const std::string_view header = bytes_.substr(begin, header_end - begin);
    const std::size_t first = bytes_.find_first_not_of(' ', header_end + 1);
    const bool strip = header.find('-') != std::string_view::npos, keep = header.find('+') != std::string_view::npos;
    if (keep || strip == (text.back() == '\n') || first == std::string_view::npos) return false;
    const std::string indent(first - header_end - 1, ' ');
    std::string lines;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\n', at), text.size());
      lines += (end == at ? "" : indent) + text.substr(at, end - at) + newline_;
      at = end + 1;
    }
    const std::size_t end = offset(node.end);
    if (!lines.empty() && bytes_[end - 1] != '\n') lines.erase(lines.size() - newline_.size());
    add(header_end + 1, end, lines);
    return true;
  }

  void change_dict(const YamlUse& use, const ConfigNode& current, const ConfigNode& wanted, bool flow) {
    const auto& entries = use.node->entries;
    std::vector<const ConfigNode*> own(entries.size());
    std::unordered_set<const ConfigNode*> in_entries;
    bool merges = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const YamlNode& key = *entries[i].first.node;
      merges = merges || key.tag == yaml_tags::kMerge;
      if (key.tag == yaml_tags::kMerge) continue;
      own[i] = current.find_key(key_of(key));
      in_entries.insert(own[i]);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!own[i]) {
        ++kept;
        continue;
      }
      const ConfigNode* target = wanted.find_key(key_of(*entries[i].first.node));
      if (target) {
        ++kept;
        change(entries[i].second, *own[i], *target, &entries[i].first, flow);
      } else {
        remove_entry(use, i, flow);
      }
    }
    if (kept == 0) refuse("all keys would go", source_.place(use.start));
    for (const auto& [key, value] : wanted.members()) {
      const ConfigNode* before = current.find_key(key);
      if (before && (in_entries.count(before) || *before == value)) continue;
      insert_entry(use, key, value, flow);
    }
    if (merges)
      for (const auto& [key, value] : current.members())
        if (!in_entries.count(&value) && !wanted.find_key(key)) refuse("the key " + key.text() + " comes from <<");
  }

  static ConfigKey key_of(const YamlNode& node) {
    if (node.tag == yaml_tags::kString) return node.value;
    const ConfigNode value = parse_plain_scalar(node.value);
    switch (value.kind()) {
      case ConfigNode::Kind::integer: return ConfigKey::integer(value.digits());
      case ConfigNode::Kind::floating: return ConfigKey::floating(value.as_float());
      case ConfigNode::Kind::boolean: return ConfigKey::boolean(value.as_bool());
      default: return node.value;
    }
  }

  std::size_t line_start(std::size_t at) const { return at == 0 ? 0 : bytes_.rfind('\n', at - 1) + 1; }
  // Behind the line that the content ending at `at` ends in; `at` itself when it is at a line's start.
  std::size_t line_end(std::size_t at) const {
    if (at > 0 && bytes_[at - 1] == '\n') return at;
    const auto end = bytes_.find('\n', at);
    return end == std::string_view::npos ? bytes_.size() : end + 1;
  }

  // Whole lines behind what ends at `at`.
  void insert_lines(std::size_t at, const std::string& text) {
    const std::size_t end = line_end(at);
    const bool unfinished = end == bytes_.size() && !bytes_.ends_with('\n');
    add(end, end, unfinished ? newline_ + text : text + newline_);
  }

  std::string indented(const std::string& first, const ConfigNode& value, std::size_t indent, const YamlNode* like) {
    const std::string pad(indent, ' ');
    if (value.is_scalar() || (value.is_dict() ? value.members().empty() : true))
      return pad + first + " " + spell_value(value, place(false, like));
    std::string text = pad + first, lines = to_yaml(value);
    for (std::size_t at = 0; at < lines.size();) {
      const auto end = lines.find('\n', at);
      text += newline_ + pad + "  " + lines.substr(at, end - at);
      at = end + 1;
    }
    return text;
  }

  void insert_entry(const YamlUse& use, const ConfigKey& key, const ConfigNode& value, bool flow) {
    const auto& entries = use.node->entries;
    const YamlUse& last = entries.back().second;
    if (flow) {
      const std::size_t at = offset(last.end);
      add(at, at, ", " + spell_key(key, true) + ": " + spell_value(value, place(true, nullptr)));
    } else {
      const std::size_t column = static_cast<std::size_t>(entries.front().first.start.column);
      insert_lines(std::max(offset(last.end), offset(entries.back().first.end)),
                   indented(spell_key(key, false) + ":", value, column, nullptr));
    }
  }

  void remove_entry(const YamlUse& use, std::size_t i, bool flow) {
    const auto& entries = use.node->entries;
    const std::size_t begin = offset(entries[i].first.start), end = offset(entries[i].second.end);
    if (flow)
      return remove_flow(begin, end, i + 1 < entries.size() ? offset(entries[i + 1].first.start) : 0,
                         i > 0 ? offset(entries[i - 1].second.end) : 0);
    remove_block(begin, std::max(end, offset(entries[i].first.end)),
                 i + 1 < entries.size() ? offset(entries[i + 1].first.start) : 0);
  }

  // Items of a flow collection, with the comma behind them or, of the last ones, before them.
  void remove_flow(std::size_t begin, std::size_t end, std::size_t next, std::size_t previous) {
    if (next > 0) {
      add(begin, next, "");
    } else {
      add(previous > 0 ? previous : begin, end, "");
    }
  }

  // Its lines; when it begins behind a dash, up to what follows it.
  void remove_block(std::size_t begin, std::size_t end, std::size_t next) {
    const std::size_t start = line_start(begin);
    if (bytes_.substr(start, begin - start).find_first_not_of(' ') == std::string_view::npos) {
      const std::size_t stop = line_end(end);
      const bool unfinished = stop == bytes_.size() && !bytes_.ends_with('\n') && start > 0;
      const std::size_t shift = unfinished ? newline_.size() : 0;
      add(start - shift, stop, "");
    } else if (next > 0) {
      add(begin, next, "");
    } else {
      refuse("the last key behind a dash");
    }
  }

  // Where the dash of a block item stands.
  std::size_t dash_of(const YamlUse& item) const {
    std::size_t at = offset(item.start);
    while (at > 0 && bytes_[at - 1] != '-') --at;
    return at == 0 ? 0 : at - 1;
  }

  void change_list(const YamlUse& use, const ConfigNode& current, const ConfigNode& wanted, bool flow) {
    const auto& items = use.node->items;
    std::size_t a = 0, b = 0;
    for (const auto& [same_a, same_b] : common_items(current.items(), wanted.items())) {
      for (; a < same_a && b < same_b; ++a, ++b) change(items[a], current.items()[a], wanted.items()[b], nullptr, flow);
      if (a < same_a) remove_items(use, a, same_a, flow);
      for (; b < same_b; ++b) insert_item(use, same_a, wanted.items()[b], flow);
      a = same_a + 1;
      b = same_b + 1;
      if (same_a < items.size()) change(items[same_a], current.items()[same_a], wanted.items()[same_b], nullptr, flow);
    }
  }

  void remove_items(const YamlUse& use, std::size_t first, std::size_t last, bool flow) {
    const auto& items = use.node->items;
    if (flow) {
      const std::size_t begin = offset(items[first].start), end = offset(items[last - 1].end);
      return remove_flow(begin, end, last < items.size() ? offset(items[last].start) : 0,
                         first > 0 ? offset(items[first - 1].end) : 0);
    }
    for (std::size_t i = first; i < last; ++i)
      remove_block(dash_of(items[i]), offset(items[i].end), i + 1 < items.size() ? dash_of(items[i + 1]) : 0);
  }

  // Before the item `at`; behind the last one when there is none.
  void insert_item(const YamlUse& use, std::size_t at, const ConfigNode& value, bool flow) {
    const auto& items = use.node->items;
    const YamlNode* like = nullptr;
    if (value.kind() == ConfigNode::Kind::string) like = items[at > 0 ? at - 1 : 0].node;
    if (like && (like->kind != Kind::scalar || like->tag != yaml_tags::kString || like->style > Style::double_quoted))
      like = nullptr;
    if (flow) {
      const std::string text = spell_value(value, place(true, like));
      const std::size_t position = at > 0 ? offset(items[at - 1].end) : offset(items[0].start);
      add(position, position, at > 0 ? ", " + text : text + ", ");
      return;
    }
    const std::size_t dash = dash_of(items[0]);
    const std::size_t indent = dash - line_start(dash);
    if (bytes_.substr(line_start(dash), indent).find_first_not_of(' ') != std::string_view::npos)
      refuse("a list in a list's line");
    const std::string text = indented("-", value, indent, like);
    if (at > 0) {
      insert_lines(offset(items[at - 1].end), text);
    } else {
      add(line_start(dash), line_start(dash), text + newline_);
    }
  }

  struct AliasUse {
    YamlUse use;
    ConfigNode wanted;
    bool flow;
  };

  std::string_view bytes_;
  YamlSource source_;
  YamlDocument document_;
  std::string newline_;
  bool short_exponents_ = false;
  std::vector<Edit> edits_;
  std::unordered_map<const YamlNode*, ConfigNode> wanted_;
  std::vector<AliasUse> aliases_;
};

}  // namespace

std::string edit_yaml(std::string_view bytes, const std::string& file, const ConfigNode& wanted) {
  const ConfigNode current = load_yaml_text(bytes, file);
  std::string edited = Editor(bytes, file).run(current, wanted);
  ConfigNode again;
  try {
    again = load_yaml_text(edited, file);
    if (again.is_null() && wanted.is_dict()) again = ConfigNode(ConfigNode::Dict{});
  } catch (const ConfigError& error) {
    refuse(std::string("what would be written does not read back: ") + error.what(), {file});
  }
  if (!(again == wanted)) refuse("what would be written reads back as something else", {file});
  return edited;
}

std::string edit_yaml_scalar(std::string_view bytes, const std::string& file, const std::string& path,
                             const std::string& text) {
  return Editor(bytes, file).set_scalar(path, text);
}

}  // namespace attnscope
