#pragma once
#include <map>
#include <string>

namespace attnscope::bench {

// Seconds spent in each libtorch operator that the calling thread started while this object lives; operators inside
// operators count as the outer one.
class OpTimes {
 public:
  OpTimes();
  ~OpTimes();
  OpTimes(const OpTimes&) = delete;
  OpTimes& operator=(const OpTimes&) = delete;
  const std::map<std::string, double>& seconds() const;

 private:
  uint64_t handle_;
};

}  // namespace attnscope::bench
