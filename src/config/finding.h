#pragma once
#include <string>

#include "base/error.h"

namespace attnscope {

// Something a check found in a config that loads.
struct ConfigFinding {
  enum class Level { warning, error };
  Level level = Level::error;
  std::string message;
  ConfigPlace place;
  std::string hint;
};

}  // namespace attnscope
