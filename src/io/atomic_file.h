#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

struct stat;

namespace attnscope {

// The folder lets no file be replaced, while the file that is there could be written into.
class FolderNotWritable : public WriteError {
 public:
  using WriteError::WriteError;
};

// Writes a file so that a reader sees either the old content or all of the new one: a temporary file in the same
// folder, fsync, rename. Keeps the old file's mode, and its owner and group where that is permitted; where the group
// cannot be kept, it gets no more than all others had. Writes through a symbolic link to its target. Something that is
// not a regular file (a pipe, /dev/stdout) is written directly. Every failure is a WriteError that names the file;
// until commit() the old file is untouched, and without it nothing stays behind.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

 private:
  [[noreturn]] void fail(const char* doing, int error) const;
  [[noreturn]] void fail_for_folder(int error) const;
  void open_temporary(const struct stat* old);
  bool take_over(const struct stat& old) const;

  std::string path_;       // as given, for messages
  std::string target_;     // with links resolved
  std::string temporary_;  // empty: written directly, or committed
  int fd_ = -1;
};

void write_file_atomic(const std::string& path, std::string_view content);
// Into the file as it is, for folders that take no new file. A crash or a full disk meanwhile leaves neither the old
// content nor the new one. WriteError.
void write_file_direct(const std::string& path, std::string_view content);

}  // namespace attnscope
