// Each line of the input is an override: a dotlist's, and one of Hydra's command line. What is accepted is applied.
#include "config/dump.h"
#include "config/hydra_override.h"
#include "config/layers.h"
#include "config/override.h"
#include "config/yaml_loader.h"
#include "fuzz.h"

using namespace attnscope;
using namespace attnscope::fuzz;

namespace {

constexpr const char* kBase = R"(a: 1
b: {c: x, d: [1, {e: 2}, [3]], f: '${a}'}
g: ${b}
h: ${b.d}
1: one
m: ???
n: null
db@backup: mysql
)";

const ConfigNode& base() {
  static const ConfigNode tree = load_yaml_text(kBase, "base");
  return tree;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  silence_log();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::vector<std::string> lines = lines_of(view_of(data, size));
  accepted([&] {
    ConfigNode merged = base();
    ConfigEditor(merged).merge(tree_from_dotlist(lines));
    omegaconf_yaml(merged);
  });
  ConfigNode dotlist = base(), plain = base();
  std::vector<HydraOverride> hydra;
  for (const std::string& line : lines) {
    accepted([&] { ConfigEditor(dotlist).update_from_dotlist(line); });
    accepted([&] { apply_override(plain, line); });
    accepted([&] {
      hydra.push_back(parse_hydra_override(line));
      ConfigNode alone = base();
      apply_hydra_overrides(alone, {hydra.back()});
    });
  }
  omegaconf_yaml(dotlist);
  omegaconf_yaml(plain);
  accepted([&] {
    ConfigNode all = base();
    apply_hydra_overrides(all, hydra);
  });
  accepted([&] {
    MergedConfig merged({{.name = "base", .tree = std::make_shared<ConfigNode>(base())},
                         {.kind = ConfigLayer::Kind::overrides, .name = "lines", .overrides = lines}});
    for (const auto& [key, value] : merged.tree().members()) merged.blame({key});
  });
  return 0;
}
