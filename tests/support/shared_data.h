#pragma once
#include <cstdlib>
#include <string>

namespace attnscope {

// The folder beside the project that holds executed cases and real configs; it need not be there.
inline std::string shared_folder() {
  const char* folder = std::getenv("ATTNSCOPE_SHARED_DIR");
  return folder ? folder : ATTNSCOPE_SOURCE_DIR "/../shared";
}
inline std::string real_configs_folder() { return shared_folder() + "/data/real-configs"; }

}  // namespace attnscope
