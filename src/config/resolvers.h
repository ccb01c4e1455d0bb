#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/cursor.h"

namespace attnscope {

class ConfigResolver;

// What an interpolation gives: a node of the tree, or a plain value.
struct ResolvedValue {
  ConfigCursor cursor;
  ConfigNode value;

  ResolvedValue() = default;
  ResolvedValue(ConfigCursor node) : cursor(std::move(node)) {}
  ResolvedValue(ConfigNode plain) : value(std::move(plain)) {}
  bool is_node() const { return static_cast<bool>(cursor); }
  const ConfigNode& node() const { return cursor ? cursor.node() : value; }
};

// A call `${name:arguments}` at `node`, whose container is `parent`.
struct ResolverCall {
  ConfigResolver& resolver;
  const ConfigCursor& parent;
  const ConfigCursor& node;
  const std::vector<ResolvedValue>& arguments;
};
using ResolverFunction = std::function<ResolvedValue(const ResolverCall&)>;

// The functions that `${name:…}` may call. New ones know OmegaConf's own: oc.env, oc.select, oc.decode, oc.create,
// oc.coerce, oc.deprecated, oc.dict.keys, oc.dict.values.
class ResolverRegistry {
 public:
  struct Entry {
    ResolverFunction function;
    bool uses_cache = false;  // one result for each spelling of the arguments
  };

  ResolverRegistry();
  void add(const std::string& name, ResolverFunction function, bool uses_cache = false);
  const Entry* find(const std::string& name) const;

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace attnscope
