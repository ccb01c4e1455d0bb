#pragma once

namespace attnscope {

// Cores this process may use: the smaller of its CPU affinity and its cgroup's quota (rounded up), at least 1.
int available_cores();

}  // namespace attnscope
