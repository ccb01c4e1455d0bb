// Each line of the input is a value of a tree; every interpolation in it is parsed and resolved.
#include "config/grammar.h"
#include "config/resolve.h"
#include "fuzz.h"

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

// Keys that inputs can refer to, with lists and dicts on the way: a, b.c, b.d[0], b.e[1].f, …
ConfigNode tree_of(const std::vector<std::string>& lines) {
  const auto line = [&](std::size_t i) { return i < lines.size() ? ConfigNode(lines[i]) : ConfigNode(1.5); };
  ConfigNode::List rest;
  for (std::size_t i = 5; i < lines.size(); ++i) rest.emplace_back(lines[i]);
  return ConfigNode::Dict{
      {"a", line(0)},
      {"b", ConfigNode::Dict{{"c", line(1)},
                             {"d", ConfigNode::List{line(2), true, ConfigNode()}},
                             {"e", ConfigNode::List{1, ConfigNode::Dict{{"f", line(3)}, {"g", "???"}}}}}},
      {"h", line(4)},
      {ConfigKey::integer("1"), "one"},
      {"rest", std::move(rest)}};
}

void visit(ConfigResolver& resolver, const ConfigCursor& cursor) {
  accepted([&] { resolver.dereference(cursor); });
  accepted([&] { resolver.to_plain(cursor, true); });
  if (!cursor.is_container()) return;
  if (cursor->is_dict()) {
    for (const auto& [key, value] : cursor->members()) visit(resolver, cursor.child(key, value));
  } else {
    for (std::size_t i = 0; i < cursor->items().size(); ++i) visit(resolver, cursor.item(i));
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  silence_log();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::vector<std::string> lines = lines_of(view_of(data, size));
  ConfigNode root = tree_of(lines);
  for (const std::string& line : lines) {
    accepted([&] { parse_interpolation(line); });
    accepted([&] { parse_grammar_element(line); });
  }
  {
    ConfigResolver resolver(root);
    visit(resolver, resolver.root());
    for (std::size_t i = 0; i < lines.size() && i < 4; ++i) {
      accepted([&] { resolver.select(resolver.root(), lines[i]); });
      accepted([&] {
        resolver.select(resolver.root(), lines[i], {.throw_on_missing = true, .throw_on_resolution_failure = false});
      });
    }
    accepted([&] { resolver.missing_keys(); });
  }
  accepted([&] { resolve_in_place(root); });
  return 0;
}
