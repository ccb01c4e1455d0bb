#include "config/interpolation.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <vector>

namespace attnscope {
namespace {

class Resolver {
 public:
  explicit Resolver(const ConfigNode& source) : source_(source) {}

  ConfigNode resolve(const ConfigNode& node) {
    ConfigNode resolved = node;
    if (node.is_dict()) {
      for (auto& [key, value] : resolved.members()) value = resolve(value);
    } else if (node.is_list()) {
      for (ConfigNode& item : resolved.items()) item = resolve(item);
    } else if (node.kind() == ConfigNode::Kind::string && node.as_string().find("${") != std::string::npos) {
      resolved = resolve_text(node.as_string(), node.place());
      resolved.set_place(node.place());
    }
    return resolved;
  }

 private:
  ConfigNode resolve_text(const std::string& text, const ConfigPlace& place) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const auto open = text.find("${", at);
      if (open == std::string::npos) return ConfigNode(out + text.substr(at));
      out += text.substr(at, open - at);
      if (!out.empty() && out.back() == '\\' && open > at) {
        out.back() = '$';
        out += '{';
        at = open + 2;
        continue;
      }
      const auto close = text.find('}', open);
      if (close == std::string::npos) throw ConfigError("${ is not closed in \"" + text + "\"", place);
      ConfigNode value = look_up(text.substr(open + 2, close - open - 2), place);
      if (open == 0 && close + 1 == text.size()) return value;
      if (!value.is_scalar()) throw ConfigError(describe(value) + " cannot be put into text: " + text, place);
      out += value.is_null() ? "None" : value.text();
      at = close + 1;
    }
    return ConfigNode(out);
  }

  ConfigNode look_up(const std::string& inside, const ConfigPlace& place) {
    const std::string whole = "${" + inside + "}";
    if (inside.rfind("oc.env:", 0) == 0) return environment(inside.substr(7), place);
    if (inside.empty() || inside.front() == '.' || inside.find_first_of(":{$ ") != std::string::npos) {
      throw ConfigError("cannot be resolved: " + whole, place,
                        "Known are ${key.path} from the top of the config and ${oc.env:NAME,default}.");
    }
    std::deque<ConfigNode> on_the_way;  // values of references that the path goes through
    const ConfigNode* node = &source_;
    for (const std::string& step : split_key(inside)) {
      if (node->kind() == ConfigNode::Kind::string) node = &on_the_way.emplace_back(follow(*node, whole, place));
      node = node->select("[" + step + "]");
      if (!node) throw ConfigError("there is no \"" + inside + "\" that " + whole + " could stand for", place);
    }
    return follow(*node, whole, place);
  }

  ConfigNode follow(const ConfigNode& target, const std::string& whole, const ConfigPlace& place) {
    if (std::find(open_.begin(), open_.end(), &target) != open_.end()) {
      throw ConfigError(whole + " refers to itself", place);
    }
    open_.push_back(&target);
    ConfigNode value = resolve(target);
    open_.pop_back();
    return value;
  }

  static ConfigNode environment(const std::string& arguments, const ConfigPlace& place) {
    const auto comma = arguments.find(',');
    const std::string name = arguments.substr(0, comma);
    if (const char* value = std::getenv(name.c_str())) return ConfigNode(value);
    if (comma == std::string::npos) throw ConfigError("the environment variable " + name + " is not set", place);
    const auto start = arguments.find_first_not_of(' ', comma + 1);
    return ConfigNode(start == std::string::npos ? std::string() : arguments.substr(start));
  }

  const ConfigNode& source_;
  std::vector<const ConfigNode*> open_;  // the references being followed
};

}  // namespace

void resolve_interpolations(ConfigNode& root) {
  ConfigNode resolved = Resolver(root).resolve(root);
  root = std::move(resolved);
}

}  // namespace attnscope
