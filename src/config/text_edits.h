#pragma once
#include <string>
#include <vector>

#include "config/byte_patch.h"
#include "config/yaml_text.h"

namespace attnscope {

// ConfigKindError "EditRefused".
[[noreturn]] void refuse_edit(const std::string& why, const ConfigPlace& place = {}, const std::string& hint = {});

// Changes of a text that are collected in any order.
class TextEdits {
 public:
  explicit TextEdits(const YamlText& text) : text_(text) {}

  // Places may reach to text.end(). Of two insertions at one place the first that was added stands first.
  void add(std::size_t begin, std::size_t end, std::string inserted) {
    edits_.push_back({begin, end, std::move(inserted)});
  }
  void insert(std::size_t at, std::string inserted) { add(at, at, std::move(inserted)); }
  void remove(std::size_t begin, std::size_t end) { add(begin, end, {}); }

  // "EditRefused" when two changes meet. A last line without line end stays one.
  BytePatches patches() const;

 private:
  struct Edit {
    std::size_t begin, end;
    std::string inserted;
  };

  void end_without_newline(Edit& last) const;

  const YamlText& text_;
  std::vector<Edit> edits_;
};

}  // namespace attnscope
