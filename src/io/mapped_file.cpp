#include "io/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace attnscope {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// Opens for reading and says why when that fails.
int open_file(const std::string& path, struct stat& info) {
  if (path.empty()) throw LoadError("no file name given", path);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = errno;
  if (fd < 0 && (error == ENOENT || error == ENOTDIR)) throw LoadError("no such file", path, {}, "Check the path.");
  if (fd < 0) throw LoadError("cannot be read: " + std::string(std::strerror(error)), path);
  if (::fstat(fd, &info) == 0 && !S_ISDIR(info.st_mode)) return fd;
  ::close(fd);
  throw LoadError("is a folder, not a file", path);
}

}  // namespace

std::shared_ptr<MappedFile> MappedFile::open(const std::string& path) {
  struct stat info {};
  const Descriptor file{open_file(path, info)};
  if (!S_ISREG(info.st_mode)) throw LoadError("is not a regular file", path);
  std::shared_ptr<MappedFile> mapped(new MappedFile);
  mapped->path_ = path;
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return mapped;
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.fd, 0);
  if (data == MAP_FAILED) throw LoadError("cannot be mapped: " + std::string(std::strerror(errno)), path);
  mapped->data_ = static_cast<char*>(data);
  mapped->size_ = size;
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void MappedFile::release(char* begin, std::size_t bytes) const {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<uintptr_t>(begin) + page - 1) / page * page;
  const auto end = (reinterpret_cast<uintptr_t>(begin) + bytes) / page * page;
  if (end > first) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

std::string file_hint(std::string_view content) {
  if (content.substr(0, 24) == "version https://git-lfs.") return "It is a Git LFS pointer: run git lfs pull.";
  if (content.substr(0, 9) == "<!DOCTYPE" || content.substr(0, 5) == "<html") {
    return "It is a web page: the download went wrong. Get the file again.";
  }
  return "The file is cut off or damaged; get it again.";
}

std::string read_file(const std::string& path) {
  struct stat info {};
  const Descriptor file{open_file(path, info)};
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.fd, buffer, sizeof buffer);
    if (got == 0) return content;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw LoadError("cannot be read: " + std::string(std::strerror(errno)), path);
    content.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace attnscope
