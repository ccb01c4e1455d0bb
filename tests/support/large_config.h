#pragma once
#include <cstdio>
#include <string>

namespace attnscope {

// A config of that many leaves, as people write them: sections of dicts with numbers, texts, lists, comments and a few
// expressions; about 25 bytes a leaf.
inline std::string large_config(std::size_t leaves) {
  std::string out = "# a large config\nseed: 42\n";
  char line[160];
  std::size_t written = 1;
  for (std::size_t section = 0; written < leaves; ++section) {
    std::snprintf(line, sizeof line, "section_%04zu:   # part %zu\n", section, section);
    out += line;
    for (std::size_t group = 0; group < 5 && written < leaves; ++group) {
      std::snprintf(line, sizeof line, "  group_%zu:\n", group);
      out += line;
      for (std::size_t i = 0; i < 8 && written < leaves; ++i, ++written) {
        switch (i) {
          case 0: std::snprintf(line, sizeof line, "    learning_rate: %zue-5\n", section % 9 + 1); break;
          case 1: std::snprintf(line, sizeof line, "    steps: %zu\n", section * 10 + group); break;
          case 2: std::snprintf(line, sizeof line, "    name: \"layer %zu.%zu\"\n", section, group); break;
          case 3: std::snprintf(line, sizeof line, "    enabled: %s   # or not\n", group % 2 ? "true" : "false"); break;
          case 4: std::snprintf(line, sizeof line, "    path: data/part%zu/video%zu.mp4\n", section, group); break;
          case 5: std::snprintf(line, sizeof line, "    size: [%zu, 512]\n", 64 + section % 64), ++written; break;
          case 6: std::snprintf(line, sizeof line, "    scale: 0.%03zu\n", section % 1000); break;
          default: std::snprintf(line, sizeof line, group == 0 ? "    seed: ${seed}\n" : "    mode: linear\n");
        }
        out += line;
      }
    }
  }
  return out;
}

}  // namespace attnscope
