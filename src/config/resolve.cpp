#include "config/resolve.h"

#include <algorithm>

#include "config/python_text.h"
#include "config/scalar.h"

namespace attnscope {
namespace {

constexpr int kMostDepth = 300;

using Step = GrammarInterpolation::Step;

ConfigKindError resolution_error(const std::string& message) { return {"InterpolationResolutionError", message}; }

// "'omegaconf.…'" as Python shows a type.
std::string class_text(const ResolvedValue& value) {
  const ConfigNode& node = value.node();
  if (value.is_node() && value.cursor.is_container()) {
    return node.is_dict() ? "<class 'omegaconf.dictconfig.DictConfig'>" : "<class 'omegaconf.listconfig.ListConfig'>";
  }
  return std::string("<class '") + python_type(node) + "'>";
}

}  // namespace

std::optional<ConfigKey> find_step(const ConfigNode& container, const std::string& step) {
  if (container.is_dict()) {
    const ConfigKey key = container.key_of(step);
    return container.find_key(key) ? std::optional<ConfigKey>(key) : std::nullopt;
  }
  const auto digits = container.is_list() ? python_int(step) : std::nullopt;
  if (!digits || digits->size() > 18) return std::nullopt;
  int64_t index = std::stoll(*digits);
  const auto size = static_cast<int64_t>(container.items().size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) return std::nullopt;
  return ConfigKey::integer(std::to_string(index));
}

const ConfigNode* child_at(const ConfigNode& container, const ConfigKey& key) {
  if (container.is_dict()) return container.find_key(key);
  if (!container.is_list() || !key.is_integer()) return nullptr;
  const int64_t index = list_index(key.text());
  return index >= 0 && index < static_cast<int64_t>(container.items().size())
             ? &container.items()[static_cast<std::size_t>(index)]
             : nullptr;
}

ConfigNode* child_at(ConfigNode& container, const ConfigKey& key) {
  return const_cast<ConfigNode*>(child_at(std::as_const(container), key));
}

ConfigResolver::ConfigResolver(const ConfigNode& root, ResolverRegistry registry)
    : root_(root), registry_(std::move(registry)) {}

ConfigCursor ConfigResolver::dereference(const ConfigCursor& cursor) {
  if (!cursor->is_interpolation()) return cursor;
  const ConfigCursor parent = cursor.parent();
  if (!parent) throw resolution_error("Cannot resolve interpolation for a node without a parent");
  if (depth_ > kMostDepth) throw resolution_error("Recursive interpolation detected");
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } depth(depth_);
  ResolvedValue value;
  try {
    value = evaluate_text(parse_interpolation(cursor->as_string()), {parent, cursor});
  } catch (const ConfigKindError& error) {
    if (error.is_resolution_error()) throw;
    throw resolution_error(error.kind() + " raised while resolving interpolation: " + error.message());
  }
  if (value.is_node()) return value.cursor;
  value.value.unescape_missing();
  if (value.value.is_missing()) {
    throw ConfigKindError("InterpolationToMissingValueError", "Interpolation resolved to a missing value");
  }
  return parent.made(cursor.key(), std::move(value.value), true);
}

ResolvedValue ConfigResolver::evaluate_text(const std::vector<GrammarPiece>& pieces, const Place& place) {
  if (pieces.size() == 1 && pieces[0].interpolation) return evaluate(*pieces[0].interpolation, place);
  return unescape(pieces, place);
}

ResolvedValue ConfigResolver::evaluate(const GrammarInterpolation& interpolation, const Place& place) {
  return interpolation.is_resolver ? call_resolver(interpolation, place) : follow(interpolation, place);
}

ConfigNode ConfigResolver::unescape(const std::vector<GrammarPiece>& pieces, const Place& place) {
  using Type = GrammarPiece::Type;
  std::string text;
  bool literal = false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const GrammarPiece& piece = pieces[i];
    const bool last = i + 1 == pieces.size();
    const bool before_interpolation = !last && pieces[i + 1].interpolation;
    if (piece.interpolation) {
      const ResolvedValue value = evaluate(*piece.interpolation, place);
      literal = literal || value.node().is_literal();
      text += python_str(value.node());
    } else if (piece.type == Type::escaped_inter) {
      text += piece.text.substr(piece.text.size() - (piece.text.size() / 2 + 1));
    } else if (piece.type == Type::escape || (piece.type == Type::backslashes && before_interpolation)) {
      for (std::size_t k = 1; k < piece.text.size(); k += 2) text += piece.text[k];
    } else {
      text += piece.text;
    }
  }
  ConfigNode node(text);
  if (literal && node.is_missing()) {  // a text of question marks that was put together stays text
    node = ConfigNode("\\" + text);
    node.unescape_missing();
  }
  return node;
}

ResolvedValue ConfigResolver::primitive(const std::vector<GrammarPiece>& pieces, const Place& place) {
  using Type = GrammarPiece::Type;
  if (pieces.size() > 1) return unescape(pieces, place);
  const GrammarPiece& piece = pieces[0];
  if (piece.interpolation) return evaluate(*piece.interpolation, place);
  switch (piece.type) {
    case Type::null: return ConfigNode();
    case Type::boolean: return ConfigNode(piece.text.size() == 4);
    case Type::integer: {
      const std::string digits = *python_int(piece.text);
      return digits.size() < 18 ? ConfigNode(int64_t{std::stoll(digits)}) : ConfigNode(ConfigNode::BigInteger{digits});
    }
    case Type::floating: return ConfigNode(parse_python_float(piece.text));
    case Type::blanks: throw ConfigKindError("AssertionError", "WS should never be reached");
    default: return unescape(pieces, place);
  }
}

ConfigNode ConfigResolver::plain_value(const ResolvedValue& value) {
  return value.is_node() && value.cursor.is_container() ? to_plain(value.cursor, true) : value.node();
}

ResolvedValue ConfigResolver::evaluate_element(const GrammarElement& element, const ConfigCursor& parent,
                                               const ConfigCursor& node) {
  const Place place{parent, node};
  ResolvedValue value;
  std::string spelled = element.text;
  if (element.kind == GrammarElement::Kind::list) {
    ConfigNode::List items;
    for (const GrammarElement& item : element.items) items.push_back(plain_value(evaluate_element(item, parent, node)));
    value.value = ConfigNode(std::move(items));
  } else if (element.kind == GrammarElement::Kind::dict) {
    ConfigNode dict{ConfigNode::Dict{}};
    for (std::size_t i = 0; i < element.items.size(); ++i) {
      const ConfigNode key = primitive(element.keys[i], place).node();
      const ConfigNode item = plain_value(evaluate_element(element.items[i], parent, node));
      switch (key.kind()) {
        case ConfigNode::Kind::null: dict.set(ConfigKey::null(), item); break;
        case ConfigNode::Kind::boolean: dict.set(ConfigKey::boolean(key.as_bool()), item); break;
        case ConfigNode::Kind::integer: dict.set(ConfigKey::integer(key.digits()), item); break;
        case ConfigNode::Kind::floating: dict.set(ConfigKey::floating(key.as_float()), item); break;
        default: dict.set(key.as_string(), item);
      }
    }
    value.value = std::move(dict);
  } else if (element.kind == GrammarElement::Kind::quoted) {
    std::vector<GrammarPiece> pieces = element.pieces;
    // Backslashes before the closing quote are escaped ones.
    if (!pieces.empty() && pieces.back().type == GrammarPiece::Type::backslashes)
      pieces.back().type = GrammarPiece::Type::escape;
    value = unescape(pieces, place);  // always text, even of a single interpolation
    if (spelled.size() >= 2) spelled = spelled.substr(1, spelled.size() - 2);
  } else {
    value = primitive(element.pieces, place);
  }
  if (value.node().kind() == ConfigNode::Kind::string && spelled.size() > 3 && spelled.ends_with("???") &&
      spelled.find_first_not_of('\\') == spelled.size() - 3) {
    ConfigNode text(spelled);
    text.unescape_missing();
    return text;
  }
  return value;
}

std::string ConfigResolver::key_of(const Step& step, const Place& place) {
  if (!step.interpolation) {
    std::string text;
    for (std::size_t i = 0; i < step.text.size(); ++i) {
      if (step.text[i] == '\\' && i + 1 < step.text.size()) ++i;
      text += step.text[i];
    }
    return text;
  }
  const ResolvedValue value = evaluate(*step.interpolation, place);
  const ConfigNode& node = value.node();
  if (node.kind() == ConfigNode::Kind::integer) return node.digits();
  if (node.kind() != ConfigNode::Kind::string) {
    throw resolution_error(
        "The following interpolation is used to denote a config key and thus should return a string or integer, but "
        "instead returned `" +
        python_str(node) + "` of type `" + class_text(value) + "`: " + step.interpolation->text);
  }
  return node.as_string();
}

// A reference ${a.b}.
ConfigCursor ConfigResolver::follow(const GrammarInterpolation& interpolation, const Place& place) {
  std::string raw;
  std::vector<std::string> steps;
  std::size_t dots = 0;
  bool first = true, in_brackets = false;
  for (const Step& step : interpolation.path) {
    if (step.type == Step::Type::key) {
      raw += step.text;
      steps.push_back(key_of(step, place));
      first = false;
    } else if (step.type == Step::Type::interpolation) {
      // What a nested one gives is itself a path, outside of brackets.
      std::string value = key_of(step, place);
      raw += value;
      if (in_brackets) {
        const auto expanded = split_key("[" + value + "]");
        steps.insert(steps.end(), expanded.begin(), expanded.end());
      } else {
        if (first) {
          const std::size_t leading = std::min(value.find_first_not_of('.'), value.size());
          dots += leading;
          value.erase(0, leading);
        }
        if (!first || !value.empty()) {
          const auto expanded = split_key(value);
          steps.insert(steps.end(), expanded.begin(), expanded.end());
        }
      }
      first = steps.empty();
    } else {
      raw += step.text;
      if (first && step.type == Step::Type::dot) ++dots;
      in_brackets = step.type == Step::Type::open;
    }
  }
  ConfigCursor from = dots > 0 ? place.parent : place.parent.root();
  for (std::size_t i = 1; i < dots; ++i) {
    from = from.parent();
    if (!from) {
      throw ConfigKindError("InterpolationKeyError",
                            "ConfigKeyError while resolving interpolation: Error resolving key '" + raw + "'");
    }
  }
  const std::string relative = raw.compare(0, dots, std::string(dots, '.')) == 0 ? raw.substr(dots) : raw;
  Selected found;
  try {
    found = select_path(from, steps, relative, {.throw_on_missing = true});
  } catch (const ConfigKindError& error) {
    if (error.kind() != "MissingMandatoryValue") throw;
    throw ConfigKindError("InterpolationToMissingValueError",
                          "MissingMandatoryValue while resolving interpolation: " + error.message());
  }
  if (!found.node) {
    std::string message = "Interpolation key '" + raw + "' not found";
    if (raw != relative) message += " (resolved to '" + from.full_key(relative) + "')";
    throw ConfigKindError("InterpolationKeyError", message);
  }
  if (place.parent.is_within(found.node.node())) throw resolution_error("Interpolation to parent node detected");
  return found.node;
}

ResolvedValue ConfigResolver::call_resolver(const GrammarInterpolation& interpolation, const Place& place) {
  std::string name;
  for (const Step& step : interpolation.path) {
    if (!step.interpolation) {
      name += step.text;
      continue;
    }
    const ResolvedValue value = evaluate(*step.interpolation, place);
    if (value.node().kind() != ConfigNode::Kind::string) {
      throw resolution_error("The name of a resolver must be a string, but the interpolation " +
                             step.interpolation->text + " resolved to `" + python_str(value.node()) +
                             "` which is of type " + class_text(value));
    }
    name += value.node().as_string();
  }
  std::vector<ResolvedValue> arguments;
  std::vector<std::string> spelled;
  for (const GrammarElement& argument : interpolation.arguments) {
    arguments.push_back(evaluate_element(argument, place.parent, place.node));
    spelled.push_back(argument.text);
  }
  const ResolverRegistry::Entry* entry = registry_.find(name);
  if (!entry) throw ConfigKindError("UnsupportedInterpolationType", "Unsupported interpolation type " + name);
  const auto cached = entry->uses_cache ? cache_.find({name, spelled}) : cache_.end();
  if (cached != cache_.end()) return cached->second;
  ResolvedValue result = entry->function({*this, place.parent, place.node, arguments});
  if (!result.is_node()) {
    result.value.unescape_missing();
    if (result.value.is_missing()) {
      throw ConfigKindError("InterpolationToMissingValueError", "Interpolation resolved to a missing value");
    }
  }
  if (entry->uses_cache) cache_.emplace(std::make_pair(name, spelled), result);
  return result;
}

}  // namespace attnscope
