#include "app/command_line.h"

#include <algorithm>

namespace attnscope::ui {

const char* const kHelpText =
    "usage: attnscope [options] [PATH]\n"
    "\n"
    "Opens PATH in a window: a config (.yaml), a video or picture, or a run folder.\n"
    "\n"
    "  -h, --help      this text\n"
    "  -v, --version   the version\n"
    "  --no-session    start as if for the first time, and remember nothing\n"
    "\n"
    "Qt's options (-platform, -style, …) are understood too. Without a display use attnscope-cli.\n";

CommandLine parseCommandLine(const std::vector<std::string>& arguments) {
  static const std::vector<std::string> qtWithValue{
      "platform", "platformpluginpath", "platformtheme", "plugin",  "qwindowtitle", "qwindowgeometry", "qwindowicon",
      "display",  "geometry",           "fontengine",    "session", "style",        "stylesheet"};
  static const std::vector<std::string> qtAlone{"reverse", "widgetcount", "nograb", "dograb", "sync"};
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  CommandLine out;
  bool optionsEnd = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (optionsEnd || argument.size() < 2 || argument[0] != '-') {
      if (!out.path.empty()) {
        out.error = "only one PATH can be opened: " + argument;
        return out;
      }
      out.path = argument;
      continue;
    }
    const std::string name = argument.substr(argument[1] == '-' ? 2 : 1);
    const std::string key = name.substr(0, name.find('='));
    if (argument == "--")
      optionsEnd = true;
    else if (argument == "-h" || argument == "--help")
      out.help = true;
    else if (argument == "-v" || argument == "--version")
      out.version = true;
    else if (argument == "--no-session")
      out.session = false;
    else if (has(qtAlone, key))
      continue;
    else if (has(qtWithValue, key))
      i += name == key ? 1 : 0;
    else {
      out.error = "unknown option: " + argument;
      return out;
    }
  }
  return out;
}

}  // namespace attnscope::ui
