#include "case_runner.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>

#include "config/dump.h"
#include "config/hcp_config.h"
#include "config/hydra_compose.h"
#include "config/hydra_override.h"
#include "config/instantiate.h"
#include "config/merge.h"
#include "config/python_text.h"
#include "config/resolve.h"
#include "config/yaml_constructor.h"
#include "config/yaml_loader.h"

namespace attnscope {
namespace {

// Sets variables for one case.
class Environment {
 public:
  explicit Environment(const Json& variables) {
    for (const auto& [name, value] : variables.items()) {
      const char* old = std::getenv(name.c_str());
      old_[name] = old ? std::optional<std::string>(old) : std::nullopt;
      set(name, value.is_null() ? std::nullopt : std::optional<std::string>(value.get<std::string>()));
    }
  }
  ~Environment() {
    for (const auto& [name, value] : old_) set(name, value);
  }

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
      ::setenv(name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name.c_str());
    }
  }
  std::map<std::string, std::optional<std::string>> old_;
};

// `test` gives its argument, or a list of several; `sum` adds a list.
ResolverRegistry test_resolvers(const Json& names) {
  ResolverRegistry registry;
  for (const Json& name : names) {
    if (name == "test") {
      const ResolverFunction echo = [](const ResolverCall& call) -> ResolvedValue {
        if (call.arguments.size() == 1) return call.arguments[0];
        ConfigNode::List list;
        for (const ResolvedValue& value : call.arguments) {
          list.push_back(value.is_node() ? call.resolver.to_plain(value.cursor, true) : value.value);
        }
        return ConfigNode(list);
      };
      registry.add("test", echo);
      registry.add("ns1.ns2.test", echo);
    } else if (name == "sum") {
      registry.add("sum", [](const ResolverCall& call) -> ResolvedValue {
        const ResolvedValue& list = call.arguments.at(0);
        const ConfigNode plain = list.is_node() ? call.resolver.to_plain(list.cursor, true) : list.value;
        int64_t total = 0;
        for (const ConfigNode& item : plain.items()) total += item.as_int();
        return ConfigNode(total);
      });
    }
  }
  return registry;
}

// The toy module that targets of the cases name.
TargetRegistry test_targets() {
  using Kind = TargetRegistry::Kind;
  TargetRegistry registry;
  registry.kind = [](const std::string& target) {
    for (const char* name : {"reg.rec", "reg.rec2", "reg.add", "reg.boom", "reg.Cls.make"})
      if (target == name) return Kind::callable;
    return target == "reg.__name__" ? Kind::value : Kind::none;
  };
  registry.describe = [](const std::string&) { return "'reg' of type 'str'"; };
  registry.call = [](const TargetCall& call) -> ConfigNode {
    if (call.target == "reg.boom") throw ConfigKindError("ValueError", "boom");
    if (call.target == "reg.add" && !call.partial) {
      int64_t sum = 0;
      for (const auto& [key, value] : call.keywords) sum += value.as_int();
      for (const ConfigNode& value : call.arguments) sum += value.as_int();
      return sum;
    }
    return ConfigNode::Dict{{call.partial ? "$partial" : "$call", call.target},
                            {"args", ConfigNode(call.arguments)},
                            {"kwargs", ConfigNode(call.keywords)}};
  };
  return registry;
}

class CaseRunner {
 public:
  CaseRunner(const Json& test, const std::string& folder)
      : test_(test), args_(test.value("args", Json::object())), folder_(folder) {}

  std::string run() {
    const Environment environment(args_.value("env", Json::object()));
    const bool wants_error = test_["op"] == "error";
    const std::string op = wants_error ? args_["op"].get<std::string>() : test_["op"].get<std::string>();
    const Json& want = test_["expected"];
    try {
      registry_ = test_resolvers(args_.value("resolvers", Json::array()));
      const Json got = run_op(op);
      if (wants_error) return "want " + want.dump() + " got " + got.dump();
      if (std::string text = difference(want, got); !text.empty()) return text;
      return test_.contains("types") ? compare_types() : "";
    } catch (const ConfigKindError& error) {
      if (wants_error) return compare_error(want, error);
      return "want " + want.dump() + " got " + error.kind() + " " + error.what();
    } catch (const std::exception& error) {
      return "want " + want.dump() + " got the exception " + error.what();
    }
  }

 private:
  std::string compare_types() const {
    Json want = test_["types"], got = Json::object();
    if (keyed_results_.empty()) {
      got = types_of(result_);
    } else {
      for (const auto& [key, node] : keyed_results_) {
        const Json types = types_of(node, key);
        for (const auto& [path, type] : types.items()) got[path] = type;
      }
    }
    for (const auto& [path, type] : want.items()) {
      if (!got.contains(path) || got[path] != type) {
        return "want type " + type.dump() + " at " + path + " got " +
               (got.contains(path) ? got[path].dump() : "nothing");
      }
    }
    return got.size() == want.size() ? "" : "want types " + want.dump() + " got " + got.dump();
  }

  Json result(ConfigNode node) {
    result_ = std::move(node);
    return json_of_node(result_);
  }

  std::string file_text(const std::string& name) const { return read_config_file(folder_ + "/" + name); }

  // A file of a case; "@name" stands for a sample file.
  std::string case_text(const Json& text) const {
    const auto value = text.get<std::string>();
    return value.starts_with("@") ? file_text(value.substr(1)) : value;
  }

  ConfigNode load(const std::string& text) const {
    ConfigNode root = load_yaml_text(text, "case", YamlLimits::reference());
    if (root.is_null()) return ConfigNode(ConfigNode::Dict{});
    if (root.kind() == ConfigNode::Kind::string) return ConfigNode(ConfigNode::Dict{{root.as_string(), ConfigNode()}});
    if (root.is_scalar()) throw ConfigKindError("AssertionError", "", root.place());
    return root;
  }

  ConfigNode load_base() const {
    ConfigNode root = args_.contains("file") ? load(file_text(args_["file"])) : load(test_.value("yaml", ""));
    if (args_.value("struct", false)) root.set_flag(ConfigNode::Flag::struct_, true);
    return root;
  }

  ConfigNode plain(const ConfigNode& root, bool resolve) const {
    ConfigResolver resolver(root, registry_);
    return resolver.to_plain(resolver.root(), resolve, args_.value("throw_on_missing", false));
  }

  Json run_op(const std::string& op) {
    if (op == "resolve") return resolve();
    if (op == "select") return select();
    if (op == "merge") return merge();
    if (op == "override") return override();
    if (op == "instantiate") return instantiate();
    if (op == "compose") return compose();
    if (op == "access") return access();
    if (op == "dump") {
      const ConfigNode root = load_base();
      return omegaconf_yaml(plain(root, args_.value("resolve", false)), args_.value("sort_keys", false));
    }
    if (op == "missing_keys") {
      const ConfigNode root = load_base();
      std::vector<std::string> keys = ConfigResolver(root, registry_).missing_keys();
      std::sort(keys.begin(), keys.end());
      return keys;
    }
    if (op == "resolve_inplace") {
      ConfigNode root = load_base();
      resolve_in_place(root, registry_);
      return result(std::move(root));
    }
    throw ConfigError("the op " + op + " is not known", {});
  }

  Json resolve() {
    const ConfigNode root = load_base();
    const ConfigNode tree = plain(root, args_.value("resolve", true));
    if (!args_.contains("paths_only")) return result(tree);
    Json got = Json::object();
    for (const auto& path : args_["paths_only"]) add_keyed(got, path, *tree.select(path.get<std::string>()));
    return got;
  }

  void add_keyed(Json& got, const std::string& key, const ConfigNode& node) {
    keyed_results_.emplace_back(key, node);
    got[key] = json_of_node(node);
  }

  ConfigNode select_one(ConfigResolver& resolver, const std::string& key) const {
    const ConfigCursor from =
        args_.contains("from") ? resolver.select(resolver.root(), args_["from"]) : resolver.root();
    SelectOptions options;
    options.throw_on_missing = args_.value("throw_on_missing", false);
    options.throw_on_resolution_failure = args_.value("throw_on_resolution_failure", true);
    const ConfigCursor found = resolver.select(from, key, options);
    if (!found || found->is_missing()) return args_.contains("default") ? node_of_json(args_["default"]) : ConfigNode();
    return found.is_container() ? resolver.to_plain(found, true) : found.node();
  }

  Json select() {
    const ConfigNode root = load_base();
    ConfigResolver resolver(root, registry_);
    if (args_.contains("key")) return result(select_one(resolver, args_["key"]));
    Json got = Json::object();
    for (const auto& key : args_["keys"]) add_keyed(got, key, select_one(resolver, key));
    return got;
  }

  Json merge() {
    if (args_.contains("dialect")) return merge_hcp();
    std::vector<ConfigNode> others;
    ConfigNode root = load_base();
    for (const Json& text : args_["with"]) others.push_back(load(text));
    root = merge_configs(std::move(root), others, registry_);
    return result(plain(root, args_.value("resolve", false)));
  }

  Json merge_hcp() {
    const Json& files = args_["files"];
    const auto read = [&](const std::string& path) {
      if (!files.contains(path)) throw ConfigKindError("FileNotFoundError", "file not found", {path});
      return case_text(files[path]);
    };
    ConfigNode root = load_hcp_config(args_["path"], read, args_["dialect"] == "hcp2");
    if (args_.contains("cli")) root = merge_configs(std::move(root), {tree_from_dotlist(args_["cli"])}, registry_);
    if (!args_.contains("select")) return result(plain(root, args_.value("resolve", false)));
    Json got = Json::object();
    ConfigResolver resolver(root, registry_);
    for (const auto& key : args_["select"]) add_keyed(got, key, select_one(resolver, key));
    return got;
  }

  Json override() {
    ConfigNode root = load_base();
    const std::string style = args_["style"];
    const Json& overrides = args_["overrides"];
    if (style == "dotlist") {
      root = merge_configs(std::move(root), {tree_from_dotlist(overrides.get<std::vector<std::string>>())}, registry_);
    } else if (style == "dotlist_inplace") {
      for (const auto& text : overrides) ConfigEditor(root, registry_).update_from_dotlist(text);
    } else if (style == "update") {
      for (const Json& each : overrides) {
        ConfigEditor(root, registry_)
            .update(each["key"], node_of_json(each.value("value", Json())),
                    {.merge = each.value("merge", true), .force_add = each.value("force_add", false)});
      }
    } else {
      std::vector<HydraOverride> parsed;
      for (const auto& text : overrides) parsed.push_back(parse_hydra_override(text));
      apply_hydra_overrides(root, parsed);
    }
    return result(plain(root, args_.value("resolve", false)));
  }

  Json instantiate() {
    const ConfigNode root = load_base();
    const std::string key = args_.value("key", "");
    if (args_["style"] == "ldm") return result(instantiate_ldm(root, key, test_targets()));
    return result(instantiate_hydra(root, key, node_of_json(args_.value("kwargs", Json())), test_targets()));
  }

  Json compose() {
    const Json& files = args_["files"];
    ConfigFolder folder;
    folder.read = [&](const std::string& path) -> std::optional<std::string> {
      return files.contains(path) ? std::optional<std::string>(case_text(files[path])) : std::nullopt;
    };
    folder.has_group = [&](const std::string& path) {
      for (const auto& [name, text] : files.items())
        if (name.starts_with(path + "/")) return true;
      return false;
    };
    const ConfigNode root =
        compose_hydra(folder, args_.value("config", "config"), args_.value("overrides", std::vector<std::string>()));
    return result(plain(root, args_.value("resolve", false)));
  }

  Json access() {
    const ConfigNode root = load_base();
    ConfigResolver resolver(root, registry_);
    ConfigCursor at = resolver.root();
    for (const Json& step : args_["path"]) {
      const ConfigKey key =
          step.is_string() ? ConfigKey(step.get<std::string>()) : ConfigKey::integer(node_of_json(step).digits());
      at = resolver.access(at, key);
    }
    return result(resolver.to_plain(at, true));
  }

  const Json& test_;
  const Json args_;
  const std::string& folder_;
  ResolverRegistry registry_;
  ConfigNode result_;
  std::vector<std::pair<std::string, ConfigNode>> keyed_results_;
};

}  // namespace

std::string run_config_case(const Json& test, const std::string& folder) { return CaseRunner(test, folder).run(); }

}  // namespace attnscope
