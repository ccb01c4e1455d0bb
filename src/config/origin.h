#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace attnscope {

// Where the nodes of one file were written and how they were spelled there. The nodes share it: each holds no more than
// the number of its entry, and a key path is put together when it is asked for.
class ConfigOrigin {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;  // a parent's number when there is no parent

  explicit ConfigOrigin(std::string file) : file_(std::move(file)) {}
  // One node at a place.
  ConfigOrigin(ConfigPlace place, std::string_view text);

  // The number of the new entry. Lines and columns from 1.
  uint32_t add_root(int line, int column);
  uint32_t add_member(uint32_t parent, std::string_view name, int line, int column);
  uint32_t add_item(uint32_t parent, std::size_t index, int line, int column);
  void set_text(uint32_t entry, std::string_view text);
  // Gives back the memory that was kept for more entries.
  void finish();

  ConfigPlace place(uint32_t entry) const;
  std::string key(uint32_t entry) const;
  std::string_view text(uint32_t entry) const;

 private:
  static constexpr uint32_t kItem = UINT32_MAX;  // as the length of a name: that of a list item, which is a number
  struct Entry {
    std::size_t name = 0, text = 0;  // offsets in texts_; a list item's index
    uint32_t name_length = 0, text_length = 0;
    uint32_t parent = kNone;
    int line = 0, column = 0;
  };

  uint32_t add(const Entry& entry);

  std::string file_;
  std::string texts_;
  std::vector<Entry> entries_;
};

}  // namespace attnscope
