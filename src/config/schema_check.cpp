#include <algorithm>

#include "config/scalar.h"
#include "config/schema.h"

namespace attnscope {
namespace {

using Kind = ConfigNode::Kind;
using Level = ConfigFinding::Level;
using Type = SchemaEntry::Type;

std::vector<std::string> member_names(const SchemaEntry& entry) {
  std::vector<std::string> names;
  for (const SchemaEntry& member : entry.members)
    if (member.name != "*") names.push_back(member.name);
  return names;
}

bool is_text_type(Type type) {
  return type == Type::text || type == Type::path || type == Type::color || type == Type::choice;
}

// Walks a tree beside its schema. Nothing is built as text until something is found.
class Check {
 public:
  Check(bool strict, std::string_view delete_marker) : strict_(strict), delete_marker_(delete_marker) {}

  std::vector<ConfigFinding> run(const SchemaEntry& root, const ConfigNode& node) {
    visit(root, node);
    return std::move(findings_);
  }

 private:
  void add(Level level, const ConfigNode& node, std::string message, std::string hint = {}) {
    findings_.push_back({level, std::move(message), node.place(), std::move(hint)});
  }

  void visit(const SchemaEntry& entry, const ConfigNode& node) {
    switch (node.kind()) {
      case Kind::null:
        if (!entry.nullable && !entry.takes(Type::any)) wrong_type(entry, node);
        return;
      case Kind::string: return visit_text(entry, node);
      case Kind::dict:
        if (entry.takes(Type::dict)) return visit_dict(entry, node);
        break;
      case Kind::list:
        if (entry.takes(Type::list)) {
          if (!entry.items.empty())
            for (const ConfigNode& item : node.items()) visit(entry.items.front(), item);
          return;
        }
        break;
      case Kind::boolean:
        if (entry.takes(Type::boolean)) return;
        break;
      case Kind::integer:
      case Kind::floating:
        if (takes_number(entry, node)) return check_range(entry, node);
        break;
      case Kind::bytes: break;
    }
    if (entry.takes(Type::any)) return;
    const bool spelled = node.kind() == Kind::boolean || node.kind() == Kind::integer || node.kind() == Kind::floating;
    if (spelled && takes_text(entry)) return visit_spelled(entry, node);
    wrong_type(entry, node);
  }

  static bool takes_text(const SchemaEntry& entry) {
    return is_text_type(entry.type) || std::any_of(entry.also.begin(), entry.also.end(), is_text_type);
  }

  static bool takes_number(const SchemaEntry& entry, const ConfigNode& node) {
    return entry.takes(Type::number) || (node.kind() == Kind::integer && entry.takes(Type::integer));
  }

  void check_range(const SchemaEntry& entry, const ConfigNode& node) {
    const double value = node.as_float();
    if (!(value >= entry.range.low && value <= entry.range.high)) wrong_type(entry, node);
  }

  void visit_text(const SchemaEntry& entry, const ConfigNode& node) {
    if (entry.takes(Type::any) || node.is_missing() || node.is_interpolation()) return;
    const std::string& text = node.as_string();
    if (!delete_marker_.empty() && text == delete_marker_) return;
    if (text == "None" && (entry.nullable || !takes_text(entry)) && !is_choice(entry, text))
      return add(strict_ && !takes_text(entry) ? Level::error : Level::warning, node, "\"None\" is text here, not null",
                 "Write null where nothing is meant.");
    if (!takes_text(entry)) return wrong_type(entry, node);
    if (only_choices(entry) && !is_choice(entry, text)) wrong_choice(entry, node, text);
  }

  // A number or a boolean where text is due: YAML reads `no` and `2.1` so.
  void visit_spelled(const SchemaEntry& entry, const ConfigNode& node) {
    const std::string text = node.text();
    if (strict_) {
      if (only_choices(entry) && !is_choice(entry, text)) wrong_choice(entry, node, text);
      return;
    }
    add(Level::warning, node, "should be " + entry.expected() + ", not " + describe(node),
        "Put it in quotes if text is meant.");
  }

  static bool is_choice(const SchemaEntry& entry, const std::string& text) {
    return std::find(entry.choices.begin(), entry.choices.end(), text) != entry.choices.end();
  }

  static bool only_choices(const SchemaEntry& entry) {
    return entry.takes(Type::choice) && !entry.takes(Type::text) && !entry.takes(Type::path);
  }

  void wrong_choice(const SchemaEntry& entry, const ConfigNode& node, const std::string& text) {
    const std::string nearest = nearest_name(text, entry.choices);
    add(Level::error, node, "must be " + entry.expected() + ", not \"" + text + "\"",
        nearest.empty() ? "" : "Did you mean " + nearest + "?");
  }

  void wrong_type(const SchemaEntry& entry, const ConfigNode& node) {
    std::string hint;
    if (node.kind() == Kind::string) hint = unquoted_hint(entry, node.as_string());
    if (node.is_dict() && takes_text(entry)) hint = "Put text that holds \": \" in quotes.";
    add(Level::error, node, "must be " + entry.expected() + ", not " + describe(node), hint);
  }

  // For a number or a boolean in quotes.
  static std::string unquoted_hint(const SchemaEntry& entry, const std::string& text) {
    const Kind kind = parse_plain_scalar(text).kind();
    const bool number = kind == Kind::integer || kind == Kind::floating;
    if (number && (entry.takes(Type::integer) || entry.takes(Type::number))) return "Write the number without quotes.";
    return kind == Kind::boolean && entry.takes(Type::boolean) ? "Write it without quotes." : "";
  }

  void visit_dict(const SchemaEntry& entry, const ConfigNode& node) {
    std::size_t next = 0;  // keys mostly come in the schema's order
    for (const auto& [key, value] : node.members()) {
      const SchemaEntry* member = nullptr;
      if (next < entry.members.size() && entry.members[next].name == key.text()) {
        member = &entry.members[next];
      } else {
        member = entry.member(key);
      }
      if (member) {
        next = static_cast<std::size_t>(member - entry.members.data()) + 1;
        visit(*member, value);
      } else if (!entry.any_key) {
        unknown_key(entry, key, value);
      }
    }
    for (const SchemaEntry& member : entry.members) {
      if (!member.required) continue;
      const ConfigNode* value = node.find(member.name);
      if (value && !(value->is_null() && member.nullable)) continue;
      ConfigPlace place = value ? value->place() : node.place();
      place.key = join_key(node.place().key, member.name);
      missing(member, std::move(place));
    }
  }

  // Of a dict that is not there, the required members are named.
  void missing(const SchemaEntry& entry, ConfigPlace place) {
    const std::size_t before = findings_.size();
    const std::string key = place.key;
    for (const SchemaEntry& member : entry.members) {
      if (!member.required) continue;
      place.key = join_key(key, member.name);
      missing(member, place);
    }
    if (findings_.size() > before) return;
    findings_.push_back({Level::error, "is required", std::move(place), "It must be " + entry.expected() + "."});
  }

  void unknown_key(const SchemaEntry& entry, const ConfigKey& key, const ConfigNode& value) {
    static constexpr int most_hints = 100;  // looking for near names takes far longer than the rest
    std::string nearest;
    if (++unknown_keys_ <= most_hints) nearest = nearest_name(key.text(), member_names(entry));
    add(strict_ ? Level::error : Level::warning, value, "unknown key " + key.text(),
        nearest.empty() ? "" : "Did you mean '" + nearest + "'?");
  }

  bool strict_;
  std::string_view delete_marker_;
  int unknown_keys_ = 0;
  std::vector<ConfigFinding> findings_;
};

}  // namespace

std::vector<ConfigFinding> ConfigSchema::check(const ConfigNode& root) const {
  return Check(strict_, delete_marker_).run(root_, root);
}

}  // namespace attnscope
