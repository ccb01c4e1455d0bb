#pragma once
#include <yaml.h>

#include "config/yaml_source.h"

namespace attnscope {

// What libyaml, the parser that OmegaConf reads with, finds in a text, piece by piece.
class YamlEvents {
 public:
  explicit YamlEvents(const YamlSource& source);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  // The next one, valid until the next call. ConfigKindError "ScannerError", "ParserError" at the place it finds.
  const yaml_event_t& next();

 private:
  const YamlSource& source_;
  yaml_parser_t parser_;
  yaml_event_t event_{};
};

inline YamlMark to_mark(const yaml_mark_t& mark) {
  return {static_cast<uint32_t>(mark.index), static_cast<int>(mark.line), static_cast<int>(mark.column)};
}

// The error that a parser stopped at, in our words and with a hint.
[[noreturn]] void throw_yaml_error(const YamlSource& source, const yaml_parser_t& parser);

}  // namespace attnscope
