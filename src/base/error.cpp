#include "base/error.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace attnscope {
namespace {

std::string join(const std::string& message, const std::string& where, const std::string& hint) {
  std::string text;
  if (!where.empty()) text += where + ": ";
  text += message;
  if (!hint.empty()) text += "\n  " + hint;
  return text;
}

std::string file_and_key(const std::string& file, const std::string& key) {
  return key.empty() ? file : file + " [" + key + "]";
}

}  // namespace

Error::Error(std::string message, std::string where, std::string hint)
    : std::runtime_error(join(message, where, hint)),
      message_(std::move(message)),
      where_(std::move(where)),
      hint_(std::move(hint)) {}

std::string ConfigPlace::text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line) + (column > 0 ? ":" + std::to_string(column) : "");
  if (!key.empty()) text += text.empty() ? key : " (" + key + ")";
  return text;
}

ConfigError::ConfigError(std::string message, ConfigPlace place, std::string hint)
    : Error(std::move(message), place.text(), std::move(hint)), place_(std::move(place)) {}

LoadError::LoadError(std::string message, const std::string& file, const std::string& key, std::string hint)
    : Error(std::move(message), file_and_key(file, key), std::move(hint)) {}

OutOfMemoryError::OutOfMemoryError(const std::string& stage, const std::string& detail, const std::string& hint)
    : Error("out of memory: " + detail, stage, hint) {}

RunCancelled::RunCancelled() : Error("cancelled") {}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  // Three rows of the optimal string alignment table: a swap of neighbours looks two rows back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace attnscope
