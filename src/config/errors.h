#pragma once
#include <string>

#include "base/error.h"

namespace attnscope {

// A ConfigError that also says which of the reference's errors it is: "InterpolationKeyError", "ScannerError", … (the
// names of OmegaConf, PyYAML, Hydra and Python). The text is the reference's own, except for YAML errors.
class ConfigKindError : public ConfigError {
 public:
  ConfigKindError(std::string kind, std::string message, ConfigPlace place = {}, std::string hint = {})
      : ConfigError(std::move(message), std::move(place), std::move(hint)), kind_(std::move(kind)) {}

  const std::string& kind() const { return kind_; }
  // Whether the key it happened at is known; until then the container that notices adds it.
  bool located() const { return located_; }
  ConfigKindError at(const ConfigPlace& place) const;
  ConfigKindError as(std::string kind) const;
  // An interpolation that cannot be resolved, of whatever cause.
  bool is_resolution_error() const;
  // One of OmegaConf's own errors, as opposed to Python's and Hydra's.
  bool is_omegaconf_error() const;

 private:
  std::string kind_;
  bool located_ = false;
};

}  // namespace attnscope
