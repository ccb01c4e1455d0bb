#include "io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "base/error.h"

namespace attnscope {
namespace fs = std::filesystem;
namespace {

std::string follow_links(const std::string& path) {
  fs::path target(path);
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == 40) throw WriteError("too many levels of symbolic links", path);
    const fs::path next = fs::read_symlink(target, error);
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

std::string random_name() {
  static thread_local std::mt19937_64 engine{std::random_device{}()};
  static constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string name(8, ' ');
  for (char& letter : name) letter = kLetters[engine() % (sizeof kLetters - 1)];
  return name;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  if (path.empty()) throw WriteError("no file name given");
  target_ = follow_links(path);
  struct stat info {};
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) throw WriteError("is a folder, not a file", path_, "Give a file name.");
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot write", errno);
  if (exists && !S_ISREG(info.st_mode)) {
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail("cannot write", errno);
    return;
  }
  open_temporary(exists ? static_cast<int>(info.st_mode & 07777) : -1);
}

void AtomicFile::open_temporary(int old_mode) {
  const fs::path folder = fs::path(target_).parent_path();
  do {
    temporary_ = (folder / (".attnscope-" + random_name() + ".tmp")).string();
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ >= 0 && (old_mode < 0 || ::fchmod(fd_, static_cast<mode_t>(old_mode)) == 0)) return;
  const int error = errno;
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(temporary_.c_str());
  }
  fail("cannot write", error);
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd_, at, std::min(bytes, kMostAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  // Pipes and terminals cannot be synced, and need not be.
  if (!temporary_.empty() && ::fsync(fd_) != 0) fail("cannot write", errno);
  if (::close(std::exchange(fd_, -1)) != 0) fail("cannot write", errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot replace", errno);
  temporary_.clear();
  const fs::path folder = fs::path(target_).parent_path();
  const int folder_fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_fd >= 0) {
    ::fsync(folder_fd);  // the content is safe already; some file systems refuse this
    ::close(folder_fd);
  }
}

void AtomicFile::fail(const char* doing, int error) const {
  const std::string message = std::string(doing) + ": " + std::strerror(error);
  switch (error) {
    case ENOSPC:
    case EDQUOT: throw WriteError("disk full: " + message, path_, "Free some space or choose another folder.");
    case EACCES:
    case EPERM:
    case EROFS: throw WriteError("not writable: " + message, path_, "Choose a folder you may write to.");
    case ENOENT:
    case ENOTDIR: throw WriteError("its folder does not exist", path_, "Make the folder first.");
    default: throw WriteError(message, path_);
  }
}

void write_file_atomic(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void write_file_direct(const std::string& path, std::string_view content) {
  const auto fail = [&](int error) { throw WriteError(std::string("cannot write: ") + std::strerror(error), path); };
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) fail(errno);
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t written = ::write(fd, content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    done += static_cast<std::size_t>(written);
  }
  int error = done < content.size() ? errno : 0;
  if (error == 0 && ::ftruncate(fd, static_cast<off_t>(content.size())) != 0) error = errno;
  if (error == 0 && ::fsync(fd) != 0) error = errno;
  if (::close(fd) != 0 && error == 0) error = errno;
  if (error != 0) fail(error);
}

}  // namespace attnscope
