#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace attnscope {
namespace {

// cgroup v2 writes "max 100000" or "<quota> <period>"; v1 keeps the two in files of their own, -1 = no limit.
double cgroup_cores() {
  std::string quota;
  double period = 0;
  if (std::ifstream v2("/sys/fs/cgroup/cpu.max"); v2 >> quota >> period) {
    if (quota != "max" && period > 0) return std::stod(quota) / period;
    return INFINITY;
  }
  double v1_quota = -1;
  std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> v1_quota;
  std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
  return v1_quota > 0 && period > 0 ? v1_quota / period : INFINITY;
}

}  // namespace

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  const int affinity = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  return std::max(1, static_cast<int>(std::min<double>(affinity, std::ceil(cgroup_cores()))));
}

}  // namespace attnscope
