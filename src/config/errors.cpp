#include "config/errors.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attnscope {

ConfigKindError ConfigKindError::at(const ConfigPlace& place) const {
  ConfigKindError error(kind_, message(), place, hint());
  error.located_ = true;
  return error;
}

ConfigKindError ConfigKindError::as(std::string kind) const {
  ConfigKindError error(std::move(kind), message(), place(), hint());
  error.located_ = located_;
  return error;
}

bool ConfigKindError::is_resolution_error() const {
  static constexpr std::array<std::string_view, 5> kKinds{
      "InterpolationResolutionError", "UnsupportedInterpolationType", "InterpolationKeyError",
      "InterpolationToMissingValueError", "InterpolationValidationError"};
  return std::find(kKinds.begin(), kKinds.end(), kind_) != kKinds.end();
}

bool ConfigKindError::is_omegaconf_error() const {
  static constexpr std::array<std::string_view, 12> kKinds{"MissingMandatoryValue",
                                                           "KeyValidationError",
                                                           "ValidationError",
                                                           "UnsupportedValueType",
                                                           "ReadonlyConfigError",
                                                           "ConfigKeyError",
                                                           "ConfigAttributeError",
                                                           "ConfigTypeError",
                                                           "ConfigIndexError",
                                                           "ConfigValueError",
                                                           "ConfigCycleDetectedException",
                                                           "GrammarParseError"};
  return is_resolution_error() || std::find(kKinds.begin(), kKinds.end(), kind_) != kKinds.end();
}

}  // namespace attnscope
