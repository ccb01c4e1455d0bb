#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace attnscope {

// Every failure a user can meet: what happened, where (file, key or module path; may be empty) and what to do
// (may be empty). what() joins the three. Caught in two places only: the CLI's main and the window's worker.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string message, std::string where = {}, std::string hint = {});

  const std::string& message() const { return message_; }
  const std::string& where() const { return where_; }
  const std::string& hint() const { return hint_; }
  // The process exit code this error stands for: 1 failed, 2 usage, 3 config or input, 130 cancelled.
  virtual int exit_code() const { return 1; }

 private:
  std::string message_, where_, hint_;
};

// A command line that cannot be understood.
class UsageError : public Error {
 public:
  using Error::Error;
  int exit_code() const override { return 2; }
};

// A place in a config: file, line and column from 1 (0 = unknown), and the key path such as "model.path".
struct ConfigPlace {
  std::string file;
  int line = 0;
  int column = 0;
  std::string key;
  std::string text() const;  // "file:line:column (key)" with the unknown parts left out
};

class ConfigError : public Error {
 public:
  ConfigError(std::string message, ConfigPlace place, std::string hint = {});
  const ConfigPlace& place() const { return place_; }
  int exit_code() const override { return 3; }

 private:
  ConfigPlace place_;
};

// A file (model, video, run folder, tensors) that cannot be read or does not hold what it should. `key` names the
// tensor or JSON field when there is one.
class LoadError : public Error {
 public:
  LoadError(std::string message, const std::string& file, const std::string& key = {}, std::string hint = {});
  int exit_code() const override { return 3; }
};

// A file that cannot be written: disk full, folder not writable.
class WriteError : public Error {
 public:
  using Error::Error;
};

// Tensors whose shapes or dtypes do not fit together.
class ShapeError : public Error {
 public:
  using Error::Error;
};

// An allocation failed. `stage` is what the run was doing.
class OutOfMemoryError : public Error {
 public:
  OutOfMemoryError(const std::string& stage, const std::string& detail, const std::string& hint);
};

// Thrown at the next cancellation point after a CancelToken was set.
class RunCancelled : public Error {
 public:
  RunCancelled();
  int exit_code() const override { return 130; }
};

// `names`' entry closest to `name` by edit distance, or "" when none is near enough to suggest.
template <class Names>
std::string nearest_name(const std::string& name, const Names& names);
// Letters to insert, delete, replace, or swap with their neighbour.
std::size_t edit_distance(const std::string& a, const std::string& b);

template <class Names>
std::string nearest_name(const std::string& name, const Names& names) {
  std::string best;
  std::size_t best_distance = name.size() / 3 + 2;  // further away than this is another word, not a typo
  for (const auto& candidate : names) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace attnscope
