#include "config/yaml_constructor.h"

#include <deque>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "config/grammar.h"
#include "config/python_text.h"
#include "config/scalar.h"

namespace attnscope {
namespace {

constexpr std::string_view kBinary = "tag:yaml.org,2002:binary";
constexpr std::string_view kTimestamp = "tag:yaml.org,2002:timestamp";
constexpr std::string_view kSet = "tag:yaml.org,2002:set";

// ASCII only; blanks and line breaks may stand between.
std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    int value = -1;
    if (c >= 'A' && c <= 'Z') value = c - 'A';
    if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
    if (c >= '0' && c <= '9') value = c - '0' + 52;
    if (c == '+') value = 62;
    if (c == '/') value = 63;
    if (c == '=') break;
    if (value < 0) continue;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++count == 4) {
      for (const int shift : {16, 8, 0}) out += static_cast<char>(bits >> shift);
      bits = 0;
      count = 0;
    }
  }
  if (count == 1) return std::nullopt;
  if (count == 2) out += static_cast<char>(bits >> 4);
  if (count == 3) {
    out += static_cast<char>(bits >> 10);
    out += static_cast<char>(bits >> 2);
  }
  return out;
}

class Constructor {
 public:
  explicit Constructor(const YamlSource& source) : source_(source) {}

  ConfigNode construct(const YamlUse& root) {
    ConfigNode node = begin(root, {});
    node.set_place(source_.place(root.start));
    enqueue(root, node);
    // Level by level, as PyYAML does: of two errors the one further out is told.
    while (!waiting_.empty()) {
      const auto [yaml, target] = waiting_.front();
      waiting_.pop_front();
      if (yaml->kind == YamlNode::Kind::sequence) {
        fill_list(*yaml, *target);
      } else {
        fill_dict(*yaml, *target);
      }
    }
    return node;
  }

 private:
  using Entries = std::vector<std::pair<YamlUse, YamlUse>>;

  [[noreturn]] void fail(const std::string& message, const YamlMark& mark, const std::string& key,
                         const std::string& hint = {}) const {
    throw ConfigKindError("ConstructorError", message, source_.place(mark, key), hint);
  }

  void enqueue(const YamlUse& use, ConfigNode& node) {
    if (!node.is_scalar()) waiting_.emplace_back(use.node, &node);
  }

  // A scalar, or an empty dict or list that is filled later.
  ConfigNode begin(const YamlUse& use, const std::string& key) {
    const YamlNode& yaml = *use.node;
    if (yaml.kind == YamlNode::Kind::scalar) return scalar(yaml, key);
    const bool mapping = yaml.kind == YamlNode::Kind::mapping;
    if (yaml.tag == kSet) unsupported("set", yaml, key);
    if (yaml.tag != (mapping ? yaml_tags::kMap : yaml_tags::kSequence)) unknown_tag(yaml, key);
    return mapping ? ConfigNode(ConfigNode::Dict{}) : ConfigNode(ConfigNode::List{});
  }

  [[noreturn]] void unsupported(const std::string& type, const YamlNode& yaml, const std::string& key) const {
    throw ConfigKindError("UnsupportedValueType", "Value '" + type + "' is not a supported primitive type",
                          source_.place(yaml.start, key), "Leave the tag out.");
  }

  [[noreturn]] void unknown_tag(const YamlNode& yaml, const std::string& key) const {
    if (yaml.tag == yaml_tags::kValue) fail("a lone = has no meaning", yaml.start, key, "Put it in quotes.");
    fail("the tag " + yaml.tag + " is not supported", yaml.start, key, "Leave the tag out.");
  }

  ConfigNode scalar(const YamlNode& yaml, const std::string& key) const {
    const std::string& text = yaml.value;
    const std::string& tag = yaml.tag;
    ConfigNode node = typed_scalar(yaml, key);
    if (yaml.style == YamlNode::Style::plain && tag != yaml_tags::kString) node.set_text(text);
    return node;
  }

  ConfigNode typed_scalar(const YamlNode& yaml, const std::string& key) const {
    const std::string& text = yaml.value;
    const std::string& tag = yaml.tag;
    const auto not_of_type = [&](const char* kind, const std::string& message, const char* type) {
      throw ConfigKindError(kind, message, source_.place(yaml.start, key), "\"" + text + "\" is not " + type + ".");
    };
    if (tag == yaml_tags::kString) return text;
    if (tag == yaml_tags::kNull) return {};
    if (tag == yaml_tags::kInteger) {
      if (auto value = parse_integer(text)) return std::move(*value);
      if (const auto digits = python_int(text)) return *parse_integer(*digits);
      not_of_type("ValueError", "invalid literal for int() with base 10: " + python_quoted(text), "a whole number");
    }
    if (tag == yaml_tags::kFloat) {
      if (const auto value = parse_float(text)) return *value;
      if (const auto whole = parse_integer(text); whole && text.find(':') == std::string::npos && python_is_float(text))
        return whole->as_float();
      if (python_is_float(text)) return parse_python_float(text);
      not_of_type("ValueError", "could not convert string to float: " + python_quoted(text), "a number");
    }
    if (tag == yaml_tags::kBoolean) {
      if (const auto value = parse_boolean(text)) return *value;
      not_of_type("KeyError", python_quoted(text), "a boolean");
    }
    if (tag == kBinary) {
      if (auto bytes = decode_base64(text)) return ConfigNode::Bytes{std::move(*bytes)};
      fail("the text is not base64", yaml.start, key);
    }
    if (tag == kTimestamp) unsupported(text.size() <= 10 ? "date" : "datetime", yaml, key);
    unknown_tag(yaml, key);
  }

  void fill_list(const YamlNode& yaml, ConfigNode& list) {
    const std::string path = list.place().key;
    list.items().reserve(yaml.items.size());
    for (const YamlUse& use : yaml.items) {
      const std::string key = join_key(path, list.items().size());
      ConfigNode item = begin(use, key);
      item.set_place(source_.place(use.start, key));
      list.items().push_back(std::move(item));
    }
    for (std::size_t i = 0; i < yaml.items.size(); ++i) enqueue(yaml.items[i], list.items()[i]);
  }

  void fill_dict(const YamlNode& yaml, ConfigNode& dict) {
    const std::string path = dict.place().key;
    const Entries& entries = flattened(yaml, path);
    std::unordered_map<std::string, std::size_t> text_keys;
    std::vector<std::pair<YamlUse, std::size_t>> uses;  // and the place among the members
    auto& members = dict.members();
    members.reserve(entries.size());
    for (const auto& [key_use, value_use] : entries) {
      ConfigKey key = make_key(*key_use.node, yaml, path);
      std::size_t at = members.size();
      if (key.is_string()) {
        at = text_keys.emplace(key.text(), at).first->second;
      } else {
        for (std::size_t i = 0; i < members.size() && at == members.size(); ++i)
          if (members[i].first == key) at = i;
      }
      if (at == members.size()) members.emplace_back(std::move(key), ConfigNode());
      auto& [name, value] = members[at];  // the first spelling of an equal key stays
      const std::string child_path = join_key(path, name.text());
      value = begin(value_use, child_path);
      // The key's line is what one looks for, a value may start further down.
      const bool at_value = value.is_scalar() && !value.is_null();
      value.set_place(source_.place(at_value ? value_use.start : key_use.start, child_path));
      uses.emplace_back(value_use, at);
    }
    std::vector<const YamlUse*> last(members.size());
    for (const auto& [use, at] : uses) last[at] = &use;
    for (std::size_t i = 0; i < members.size(); ++i) enqueue(*last[i], members[i].second);
  }

  ConfigKey make_key(const YamlNode& yaml, const YamlNode& mapping, const std::string& path) {
    if (yaml.kind != YamlNode::Kind::scalar) {
      begin({.node = const_cast<YamlNode*>(&yaml)}, path);  // an unknown tag is told first
      fail("a key must be text or a number", yaml.start, path, "Put the key in quotes.");
    }
    if (value_keys_.count(&yaml)) return yaml.value;
    const ConfigNode node = typed_scalar(yaml, path);
    switch (node.kind()) {
      case ConfigNode::Kind::null: return ConfigKey::null();
      case ConfigNode::Kind::boolean: return ConfigKey::boolean(node.as_bool());
      case ConfigNode::Kind::integer: return ConfigKey::integer(node.digits());
      case ConfigNode::Kind::floating: return ConfigKey::floating(node.as_float());
      case ConfigNode::Kind::bytes: return ConfigKey::bytes(node.as_bytes());
      default: return node.as_string();
    }
  }

  // The entries with those of `<<` before them. Own keys win; of merged ones the later do, so that of a list, which is
  // taken from its end, the first dict wins.
  const Entries& flattened(const YamlNode& yaml, const std::string& path) {
    Entries& entries = flat_.try_emplace(&yaml, yaml.entries).first->second;
    std::unordered_set<std::string_view> own;
    for (const auto& [key, value] : entries) {
      if (key.node->kind != YamlNode::Kind::scalar || key.node->tag != yaml_tags::kString) continue;
      if (!own.insert(key.node->value).second) {
        fail("the key is given twice", key.node->start, join_key(path, key.node->value), "Remove one of the two.");
      }
    }
    Entries merged, kept;
    for (const auto& [key, value] : entries) {
      if (key.node->tag == yaml_tags::kMerge) {
        add_merged(merged, yaml, value, path);
      } else {
        if (key.node->tag == yaml_tags::kValue) value_keys_.insert(key.node);
        kept.emplace_back(key, value);
      }
    }
    if (merged.empty() && kept.size() == entries.size()) return entries;
    Entries all;
    for (const auto& [key, value] : merged)
      if (key.node->tag != yaml_tags::kString || !own.count(key.node->value)) all.emplace_back(key, value);
    all.insert(all.end(), kept.begin(), kept.end());
    return flat_[&yaml] = std::move(all);
  }

  void add_merged(Entries& merged, const YamlNode& yaml, const YamlUse& value, const std::string& path) {
    const auto add = [&](const YamlNode& source) {
      const Entries part = flattened(source, path);
      merged.insert(merged.end(), part.begin(), part.end());
    };
    const auto not_a_dict = [&](const YamlNode& node) {
      fail("<< needs a dict, or a list of dicts", node.start, path, "Name an anchored dict, such as <<: *base.");
    };
    if (value.node->kind == YamlNode::Kind::mapping) {
      add(*value.node);
    } else if (value.node->kind == YamlNode::Kind::sequence) {
      for (const YamlUse& item : value.node->items) {
        if (item.node->kind != YamlNode::Kind::mapping) not_a_dict(*item.node);
        flattened(*item.node, path);
      }
      for (auto item = value.node->items.rbegin(); item != value.node->items.rend(); ++item) add(*item->node);
    } else {
      not_a_dict(*value.node);
    }
  }

  const YamlSource& source_;
  std::deque<std::pair<const YamlNode*, ConfigNode*>> waiting_;
  std::unordered_map<const YamlNode*, Entries> flat_;
  std::unordered_set<const YamlNode*> value_keys_;
};

// A whole number and the text that spells it would be one name in a path.
void check_keys(const ConfigNode& dict) {
  std::unordered_set<std::string_view> texts, numbers;
  for (const auto& [key, value] : dict.members()) {
    if (key.kind() == ConfigKey::Kind::null) {
      ConfigPlace place = value.place();
      place.key = dict.place().key;
      throw ConfigKindError("KeyValidationError", "Incompatible key type 'NoneType'", place, "Put the key in quotes.")
          .at(place);
    }
    if (!key.is_string() && !key.is_integer()) continue;
    const std::string& text = key.text();
    if ((key.is_string() ? numbers : texts).count(text)) {
      const std::string quoted = python_quoted(text);
      throw ConfigKindError("KeyValidationError",
                            "Conflicting integer and string keys: " +
                                (key.is_string() ? text + " and " + quoted : quoted + " and " + text))
          .at(value.place());
    }
    (key.is_string() ? texts : numbers).insert(text);
  }
}

}  // namespace

ConfigNode construct_yaml(const YamlSource& source, const YamlDocument& document) {
  if (!document.root()) return {};
  YamlNode* root = document.root();
  return Constructor(source).construct({root, root->start, root->end, false});
}

void check_tree(ConfigNode& node) {
  if (node.is_list()) {
    for (ConfigNode& item : node.items()) check_tree(item);
  } else if (node.is_dict()) {
    check_keys(node);
    for (auto& [key, value] : node.members()) check_tree(value);
  } else if (node.kind() == ConfigNode::Kind::string) {
    node.unescape_missing();
    if (node.is_interpolation()) {
      try {
        parse_interpolation(node.as_string());
      } catch (const ConfigKindError& error) {
        throw error.at(node.place());
      }
    }
  }
}

}  // namespace attnscope
