#include "config/origin.h"

#include "config/node.h"

namespace attnscope {

ConfigOrigin::ConfigOrigin(ConfigPlace place, std::string_view text) : file_(std::move(place.file)) {
  add_member(kNone, place.key, place.line, place.column);
  set_text(0, text);
}

uint32_t ConfigOrigin::add(const Entry& entry) {
  entries_.push_back(entry);
  return static_cast<uint32_t>(entries_.size() - 1);
}

uint32_t ConfigOrigin::add_root(int line, int column) { return add({.line = line, .column = column}); }

uint32_t ConfigOrigin::add_member(uint32_t parent, std::string_view name, int line, int column) {
  const std::size_t offset = texts_.size();
  texts_ += name;
  return add({.name = offset,
              .name_length = static_cast<uint32_t>(name.size()),
              .parent = parent,
              .line = line,
              .column = column});
}

uint32_t ConfigOrigin::add_item(uint32_t parent, std::size_t index, int line, int column) {
  return add({.name = index, .name_length = kItem, .parent = parent, .line = line, .column = column});
}

void ConfigOrigin::set_text(uint32_t entry, std::string_view text) {
  entries_[entry].text = texts_.size();
  entries_[entry].text_length = static_cast<uint32_t>(text.size());
  texts_ += text;
}

void ConfigOrigin::finish() {
  entries_.shrink_to_fit();
  texts_.shrink_to_fit();
}

std::string ConfigOrigin::key(uint32_t entry) const {
  std::vector<const Entry*> steps;
  for (uint32_t at = entry; at != kNone; at = entries_[at].parent) steps.push_back(&entries_[at]);
  std::string key;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const Entry& it = **step;
    key = it.name_length == kItem ? join_key(key, it.name) : join_key(key, texts_.substr(it.name, it.name_length));
  }
  return key;
}

ConfigPlace ConfigOrigin::place(uint32_t entry) const {
  return {file_, entries_[entry].line, entries_[entry].column, key(entry)};
}

std::string_view ConfigOrigin::text(uint32_t entry) const {
  return std::string_view(texts_).substr(entries_[entry].text, entries_[entry].text_length);
}

}  // namespace attnscope
