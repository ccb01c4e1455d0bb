// config_cases FILE.json…: runs files of config cases or byte-exact edits, prints each failing id with what was wanted
// and what came, and ends with "N passed, N failed".
#include <filesystem>
#include <fstream>
#include <iostream>

#include "case_runner.h"

int main(int argc, char** argv) {
  using namespace attnscope;
  if (argc < 2) {
    std::cerr << "usage: config_cases FILE.json...\n";
    return 2;
  }
  int passed = 0, failed = 0;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    std::ifstream in(path);
    Json cases;
    try {
      cases = Json::parse(in);
    } catch (const std::exception& error) {
      std::cerr << path.string() << ": " << error.what() << "\n";
      return 2;
    }
    for (const Json& test : cases) {
      const std::string folder = path.parent_path().empty() ? "." : path.parent_path().string();
      const bool edit = test.contains("changes");
      const std::string wrong = edit ? run_config_edit(test, folder) : run_config_case(test, folder);
      ++(wrong.empty() ? passed : failed);
      if (!wrong.empty()) std::cout << test.value("id", "?") << ": " << wrong << "\n";
    }
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
