#include "case_runner.h"

namespace attnscope {
namespace {

constexpr const char* kGrammarPrefix = "GrammarParseError raised while resolving interpolation: ";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string shown(const ConfigKindError& error) {
  return error.kind() + " \"" + error.message() + "\" at " + error.place().text();
}

}  // namespace

std::string compare_error(const Json& want, const ConfigKindError& got) {
  const std::string wrong = "want " + want.dump() + " got " + shown(got);
  if (want["kind"] != got.kind()) return wrong;
  if (want.value("origin", "") == "yaml") {
    const bool same_place = (!want.contains("line") || want["line"] == got.place().line) &&
                            (!want.contains("column") || want["column"] == got.place().column);
    return same_place ? "" : wrong;
  }
  if (want.contains("full_key") && want["full_key"] != got.place().key) return wrong;
  if (got.kind() == "GrammarParseError") return {};
  if (want.contains("message_full")) return want["message_full"] == got.message() ? "" : wrong;
  const std::string message = want.value("message", "");
  if (message.starts_with(kGrammarPrefix)) return got.message().starts_with(kGrammarPrefix) ? "" : wrong;
  return message.empty() || message == first_line(got.message()) ? "" : wrong;
}

}  // namespace attnscope
