#include "config/yaml_constructor.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "config/python_text.h"
#include "config/scalar.h"
#include "config/yaml_merge_keys.h"

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
  explicit Constructor(const YamlSource& source)
      : source_(source), origin_(std::make_shared<ConfigOrigin>(source.file())), merge_keys_(source, *origin_) {}

  ConfigNode construct(const YamlNode& root) {
    ConfigNode node = begin(root, origin_->add_root(root.start.line + 1, root.start.column + 1));
    enqueue(root, node);
    // Level by level, as PyYAML does: of two errors the one further out is told.
    while (!waiting_.empty()) {
      const Waiting next = waiting_.front();
      waiting_.pop_front();
      if (next.yaml->kind == YamlNode::Kind::sequence) {
        fill_list(*next.yaml, *next.node);
      } else {
        fill_dict(*next.yaml, *next.node);
      }
    }
    origin_->finish();
    return node;
  }

 private:
  // An empty list or dict that is still to be filled.
  struct Waiting {
    const YamlNode* yaml;
    ConfigNode* node;
  };

  [[noreturn]] void fail(const std::string& message, const YamlNode& yaml, uint32_t entry, const char* hint) const {
    throw ConfigKindError("ConstructorError", message, source_.place(yaml.start, origin_->key(entry)), hint);
  }

  void enqueue(const YamlNode& yaml, ConfigNode& node) {
    if (!node.is_scalar()) waiting_.push_back({&yaml, &node});
  }

  // A scalar, or an empty dict or list that is filled later.
  ConfigNode begin(const YamlNode& yaml, uint32_t entry) {
    ConfigNode node = yaml.kind == YamlNode::Kind::scalar ? scalar(yaml, entry) : container(yaml, entry);
    if (yaml.kind == YamlNode::Kind::scalar && yaml.style == YamlNode::Style::plain && yaml.tag != yaml_tags::kString)
      origin_->set_text(entry, yaml.value);
    node.set_origin(origin_, entry);
    return node;
  }

  ConfigNode container(const YamlNode& yaml, uint32_t entry) const {
    const bool mapping = yaml.kind == YamlNode::Kind::mapping;
    if (yaml.tag == kSet) unsupported("set", yaml, entry);
    if (yaml.tag != (mapping ? yaml_tags::kMap : yaml_tags::kSequence)) unknown_tag(yaml, entry);
    return mapping ? ConfigNode(ConfigNode::Dict{}) : ConfigNode(ConfigNode::List{});
  }

  [[noreturn]] void unsupported(const std::string& type, const YamlNode& yaml, uint32_t entry) const {
    throw ConfigKindError("UnsupportedValueType", "Value '" + type + "' is not a supported primitive type",
                          source_.place(yaml.start, origin_->key(entry)), "Leave the tag out.");
  }

  [[noreturn]] void unknown_tag(const YamlNode& yaml, uint32_t entry) const {
    if (yaml.tag == yaml_tags::kValue) fail("a lone = has no meaning", yaml, entry, "Put it in quotes.");
    fail("the tag " + std::string(yaml.tag) + " is not supported", yaml, entry, "Leave the tag out.");
  }

  ConfigNode scalar(const YamlNode& yaml, uint32_t entry) const {
    const std::string& text = yaml.value;
    const std::string_view tag = yaml.tag;
    const auto not_of_type = [&](const char* kind, const std::string& message, const char* type) {
      throw ConfigKindError(kind, message, source_.place(yaml.start, origin_->key(entry)),
                            "\"" + text + "\" is not " + type + ".");
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
      fail("the text is not base64", yaml, entry, "");
    }
    if (tag == kTimestamp) unsupported(text.size() <= 10 ? "date" : "datetime", yaml, entry);
    unknown_tag(yaml, entry);
  }

  void fill_list(const YamlNode& yaml, ConfigNode& list) {
    const uint32_t parent = list.entry();
    auto& items = list.items();
    items.reserve(yaml.items.size());
    for (const YamlUse& use : yaml.items)
      items.push_back(
          begin(*use.node, origin_->add_item(parent, items.size(), use.start.line + 1, use.start.column + 1)));
    for (std::size_t i = 0; i < items.size(); ++i) enqueue(*yaml.items[i].node, items[i]);
  }

  void fill_dict(const YamlNode& yaml, ConfigNode& dict) {
    const uint32_t parent = dict.entry();
    const YamlEntries& entries = merge_keys_.entries(yaml, parent);
    std::unordered_map<ConfigKey, std::size_t, ConfigKeyHash> places;  // among the members
    const bool distinct = &entries == &yaml.entries &&
                          std::all_of(entries.begin(), entries.end(),
                                      [](const auto& entry) { return entry.first.node->tag == yaml_tags::kString; });
    std::vector<const YamlNode*> values;  // of the members
    values.reserve(entries.size());
    auto& members = dict.members();
    members.reserve(entries.size());
    for (const auto& [key_use, value_use] : entries) {
      ConfigKey key = make_key(*key_use.node, parent);
      const std::size_t at = distinct ? members.size() : places.try_emplace(key, members.size()).first->second;
      if (at == members.size()) {
        members.emplace_back().first = std::move(key);
        values.push_back(nullptr);
      }
      auto& [name, value] = members[at];  // the first spelling of an equal key stays
      const YamlNode& node = *value_use.node;
      // The key's line is what one looks for, a value may start further down.
      const bool at_value = node.kind == YamlNode::Kind::scalar && node.tag != yaml_tags::kNull;
      const YamlMark& mark = at_value ? value_use.start : key_use.start;
      value = begin(node, origin_->add_member(parent, name.text(), mark.line + 1, mark.column + 1));
      values[at] = &node;
    }
    for (std::size_t i = 0; i < members.size(); ++i) enqueue(*values[i], members[i].second);
  }

  ConfigKey make_key(const YamlNode& yaml, uint32_t dict) const {
    if (yaml.kind != YamlNode::Kind::scalar) {
      container(yaml, dict);  // an unknown tag is told first
      fail("a key must be text or a number", yaml, dict, "Put the key in quotes.");
    }
    if (yaml.tag == yaml_tags::kString || merge_keys_.is_value_key(yaml)) return yaml.value;
    const ConfigNode node = scalar(yaml, dict);
    switch (node.kind()) {
      case ConfigNode::Kind::null: return ConfigKey::null();
      case ConfigNode::Kind::boolean: return ConfigKey::boolean(node.as_bool());
      case ConfigNode::Kind::integer: return ConfigKey::integer(node.digits());
      case ConfigNode::Kind::floating: return ConfigKey::floating(node.as_float());
      case ConfigNode::Kind::bytes: return ConfigKey::bytes(node.as_bytes());
      default: return node.as_string();
    }
  }

  const YamlSource& source_;
  std::shared_ptr<ConfigOrigin> origin_;
  YamlMergeKeys merge_keys_;
  std::deque<Waiting> waiting_;
};

}  // namespace

ConfigNode construct_yaml(const YamlSource& source, const YamlDocument& document) {
  if (!document.root()) return {};
  return Constructor(source).construct(*document.root());
}

}  // namespace attnscope
