#pragma once
#include <string>
#include <vector>

namespace attnscope::ui {

// What the window was started with. Read before there is a QApplication, so that help needs no display.
struct CommandLine {
  bool help = false;
  bool version = false;
  bool session = true;  // false: neither read nor write what is remembered
  std::string path;
  std::string error;  // what is wrong with the command line; empty: nothing
};

// Qt's own options (-platform, -style…) are passed over.
CommandLine parseCommandLine(const std::vector<std::string>& arguments);

extern const char* const kHelpText;

}  // namespace attnscope::ui
