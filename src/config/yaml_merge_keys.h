#pragma once
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/origin.h"
#include "config/yaml_document.h"

namespace attnscope {

using YamlEntries = std::vector<std::pair<YamlUse, YamlUse>>;

// The keys and values of dicts with those that `<<` brings in.
class YamlMergeKeys {
 public:
  YamlMergeKeys(const YamlSource& source, const ConfigOrigin& origin) : source_(source), origin_(origin) {}

  // Those of `<<` stand before the dict's own, and may name the same keys: own keys win; of merged ones the later do,
  // so that of a list, which is taken from its end, the first dict wins. The node's own entries when nothing is merged.
  // ConfigKindError "ConstructorError" with the dict's key path: a key given twice, `<<` of something else than dicts.
  const YamlEntries& entries(const YamlNode& yaml, uint32_t dict);
  // Whether this is a plain "=" as a key of a dict that was asked for: text there, an error elsewhere.
  bool is_value_key(const YamlNode& key) const { return value_keys_.count(&key) > 0; }

 private:
  [[noreturn]] void fail(const std::string& message, const YamlMark& mark, std::string key, const char* hint) const;
  void check_twice(const YamlNode& yaml, uint32_t dict) const;
  void add_merged(YamlEntries& merged, const YamlUse& value, uint32_t dict);

  const YamlSource& source_;
  const ConfigOrigin& origin_;
  std::unordered_map<const YamlNode*, YamlEntries> merged_;
  std::unordered_set<const YamlNode*> value_keys_;
};

}  // namespace attnscope
