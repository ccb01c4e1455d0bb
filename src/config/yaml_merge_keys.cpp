#include "config/yaml_merge_keys.h"

#include <string_view>

#include "config/node.h"

namespace attnscope {
namespace {

bool is_text(const YamlNode& node) { return node.kind == YamlNode::Kind::scalar && node.tag == yaml_tags::kString; }

}  // namespace

void YamlMergeKeys::fail(const std::string& message, const YamlMark& mark, std::string key, const char* hint) const {
  throw ConfigKindError("ConstructorError", message, source_.place(mark, std::move(key)), hint);
}

void YamlMergeKeys::check_twice(const YamlNode& yaml, uint32_t dict) const {
  constexpr std::size_t kFew = 16;  // so few are compared sooner than hashed
  const YamlEntries& entries = yaml.entries;
  const auto fail_at = [&](const YamlNode& key) {
    fail("the key is given twice", key.start, join_key(origin_.key(dict), key.value), "Remove one of the two.");
  };
  if (entries.size() <= kFew) {
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const YamlNode& key = *entries[i].first.node;
      if (!is_text(key)) continue;
      for (std::size_t k = 0; k < i; ++k)
        if (is_text(*entries[k].first.node) && entries[k].first.node->value == key.value) fail_at(key);
    }
    return;
  }
  std::unordered_set<std::string_view> own;
  own.reserve(entries.size());
  for (const auto& [key, value] : entries)
    if (is_text(*key.node) && !own.insert(key.node->value).second) fail_at(*key.node);
}

const YamlEntries& YamlMergeKeys::entries(const YamlNode& yaml, uint32_t dict) {
  if (const auto known = merged_.find(&yaml); known != merged_.end()) return known->second;
  check_twice(yaml, dict);
  bool merges = false;
  for (const auto& [key, value] : yaml.entries) {
    merges = merges || key.node->tag == yaml_tags::kMerge;
    if (key.node->tag == yaml_tags::kValue) value_keys_.insert(key.node);
  }
  if (!merges) return yaml.entries;
  std::unordered_set<std::string_view> own;
  YamlEntries merged, kept;
  for (const auto& [key, value] : yaml.entries) {
    if (key.node->tag == yaml_tags::kMerge) {
      add_merged(merged, value, dict);
    } else {
      if (is_text(*key.node)) own.insert(key.node->value);
      kept.emplace_back(key, value);
    }
  }
  YamlEntries all;
  for (const auto& [key, value] : merged)
    if (key.node->tag != yaml_tags::kString || !own.count(key.node->value)) all.emplace_back(key, value);
  all.insert(all.end(), kept.begin(), kept.end());
  return merged_[&yaml] = std::move(all);
}

void YamlMergeKeys::add_merged(YamlEntries& merged, const YamlUse& value, uint32_t dict) {
  const auto add = [&](const YamlNode& source) {
    const YamlEntries& part = entries(source, dict);
    merged.insert(merged.end(), part.begin(), part.end());
  };
  const auto not_a_dict = [&](const YamlNode& node) {
    fail("<< needs a dict, or a list of dicts", node.start, origin_.key(dict),
         "Name an anchored dict, such as <<: *base.");
  };
  if (value.node->kind == YamlNode::Kind::mapping) {
    add(*value.node);
  } else if (value.node->kind == YamlNode::Kind::sequence) {
    for (const YamlUse& item : value.node->items) {
      if (item.node->kind != YamlNode::Kind::mapping) not_a_dict(*item.node);
      entries(*item.node, dict);
    }
    for (auto item = value.node->items.rbegin(); item != value.node->items.rend(); ++item) add(*item->node);
  } else {
    not_a_dict(*value.node);
  }
}

}  // namespace attnscope
