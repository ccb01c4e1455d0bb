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

[[noreturn]] void fail_at(const std::string& path, const char* doing, int error) {
  const std::string message = std::string(doing) + ": " + std::strerror(error);
  switch (error) {
    case ENOSPC:
    case EDQUOT: throw WriteError("disk full: " + message, path, "Free some space or choose another folder.");
    case EACCES:
    case EPERM:
    case EROFS: throw WriteError("not writable: " + message, path, "Choose a folder you may write to.");
    case ENOENT:
    case ENOTDIR: throw WriteError("its folder does not exist", path, "Make the folder first.");
    default: throw WriteError(message, path);
  }
}

bool write_all(int fd, const void* data, std::size_t bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, at, std::min(bytes, kMostAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  if (path.empty()) throw WriteError("no file name given");
  target_ = follow_links(path);
  struct stat info {};
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) throw WriteError("is a folder, not a file", path_, "Give a file name.");
  if (exists && ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) {
    throw WriteError(std::string("not writable: ") + std::strerror(errno), path_,
                     "The file is read-only: allow writing it, or write another one.");
  }
  if (exists && !S_ISREG(info.st_mode)) {
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail("cannot write", errno);
    return;
  }
  open_temporary(exists ? &info : nullptr);
}

void AtomicFile::open_temporary(const struct stat* old) {
  const fs::path folder = fs::path(target_).parent_path();
  // Nobody else may read it until it has the old file's owner and mode.
  const mode_t mode = old ? 0600 : 0666;
  do {
    temporary_ = (folder / (".attnscope-" + random_name() + ".tmp")).string();
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ >= 0 && (!old || take_over(*old))) return;
  const int error = errno;
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(temporary_.c_str());
  } else if (old && (error == EACCES || error == EPERM)) {
    fail_for_folder(error);
  }
  fail("cannot write", error);
}

// Gives the new file the old one's owner, group and mode, in this order: a change of owner clears bits of the mode.
bool AtomicFile::take_over(const struct stat& old) const {
  struct stat own {};
  if (::fstat(fd_, &own) != 0) return false;
  mode_t mode = old.st_mode & 07777;
  bool same = own.st_uid == old.st_uid && own.st_gid == old.st_gid;
  if (!same) same = ::fchown(fd_, old.st_uid, old.st_gid) == 0;
  if (!same) {
    // Only root gives files away; a group can be kept by its members.
    const bool group = own.st_gid == old.st_gid || ::fchown(fd_, static_cast<uid_t>(-1), old.st_gid) == 0;
    if (!group) mode &= ~static_cast<mode_t>(070) | (mode & 07) << 3;
    mode &= 0777;  // set-id bits were meant for the old owner
  }
  return ::fchmod(fd_, mode) == 0;
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (!write_all(fd_, data, bytes)) fail("cannot write", errno);
}

void AtomicFile::commit() {
  // Pipes and terminals cannot be synced, and need not be.
  if (!temporary_.empty() && ::fsync(fd_) != 0) fail("cannot write", errno);
  if (::close(std::exchange(fd_, -1)) != 0) fail("cannot write", errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    // A folder such as /tmp takes new files, and lets only a file's owner replace it.
    if ((errno == EACCES || errno == EPERM) && ::access(target_.c_str(), F_OK) == 0) fail_for_folder(errno);
    fail("cannot replace", errno);
  }
  temporary_.clear();
  const fs::path folder = fs::path(target_).parent_path();
  const int folder_fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_fd >= 0) {
    ::fsync(folder_fd);  // the content is safe already; some file systems refuse this
    ::close(folder_fd);
  }
}

void AtomicFile::fail_for_folder(int error) const {
  throw FolderNotWritable(std::string("its folder lets no file be replaced: ") + std::strerror(error), path_,
                          "The file itself can be written directly; a crash meanwhile would leave half a file.");
}

void AtomicFile::fail(const char* doing, int error) const { fail_at(path_, doing, error); }

void write_file_atomic(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void write_file_direct(const std::string& path, std::string_view content) {
  // Not truncated at once: a disk that is full takes what fits into the old length.
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) fail_at(path, "cannot write", errno);
  bool done = write_all(fd, content.data(), content.size());
  struct stat info {};
  if (done && ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
    done = ::ftruncate(fd, static_cast<off_t>(content.size())) == 0 && ::fsync(fd) == 0;
  const int error = errno;
  if (::close(fd) != 0 && done) fail_at(path, "cannot write", errno);
  if (!done) fail_at(path, "cannot write", error);
}

}  // namespace attnscope
