#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace attnscope {

// A file's bytes, mapped into memory. The mapping is private: writing into it changes this process's copy of a page,
// never the file. LoadError: no such file, a folder, not readable.
class MappedFile {
 public:
  static std::shared_ptr<MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const { return path_; }
  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  // Drops the pages that lie wholly in this range from memory; they are read from the file again when used.
  void release(char* begin, std::size_t bytes) const;
  std::string_view text() const { return {data_, size_}; }

 private:
  MappedFile() = default;

  std::string path_;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

// What a file that is not what it should be is instead, and what to do: a Git LFS pointer, a web page; "get it again"
// for anything else.
std::string file_hint(std::string_view content);

// Throws the LoadErrors of MappedFile::open. A byte order mark is left in.
std::string read_file(const std::string& path);

}  // namespace attnscope
