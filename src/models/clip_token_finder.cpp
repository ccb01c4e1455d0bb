#include "models/clip_token_finder.h"

#include <utf8proc.h>

#include <algorithm>

#include "models/clip_normalizer.h"

namespace attnscope {
namespace {

// What a regular expression's \w matches: letters, marks, decimal and letter numbers, connectors.
bool word_character(int32_t c) {
  const auto category = utf8proc_category(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) || category == UTF8PROC_CATEGORY_PC;
}

// The characters that end before, and begin at, a byte of valid UTF-8; 0 at the text's ends.
int32_t character_at(const std::string& text, std::size_t at) {
  int32_t c = 0;
  if (at < text.size()) {
    utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                     static_cast<utf8proc_ssize_t>(text.size() - at), &c);
  }
  return c;
}

int32_t character_before(const std::string& text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t begin = at - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return character_at(text, begin);
}

std::size_t utf8_length(int32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

}  // namespace

void ClipTokenFinder::add(const AddedToken& token, const std::string& content, int64_t id) {
  if (!content.empty()) needles_.push_back({token, content, id});
}

const ClipTokenFinder::Needle* ClipTokenFinder::longest_at(const std::string& text, std::size_t at) const {
  const Needle* best = nullptr;
  for (const Needle& needle : needles_) {
    const bool found = text.compare(at, needle.content.size(), needle.content) == 0;
    if (found && (!best || needle.content.size() > best->content.size())) best = &needle;
  }
  return best;
}

std::vector<ClipTokenFinder::Part> ClipTokenFinder::split(const std::string& text) const {
  std::vector<Part> parts;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Needle* found = longest_at(text, at);
    if (!found) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + found->content.size();
    at = end;
    if (found->token.single_word &&
        (word_character(character_before(text, begin)) || word_character(character_at(text, end))))
      continue;
    if (found->token.lstrip) {
      while (begin > done && is_white_space(character_before(text, begin)))
        begin -= utf8_length(character_before(text, begin));
    }
    if (found->token.rstrip) {
      while (end < text.size() && is_white_space(character_at(text, end))) end += utf8_length(character_at(text, end));
    }
    if (done < begin) parts.push_back({done, begin, -1});
    parts.push_back({begin, end, found->id});
    done = end;
    at = std::max(at, end);
  }
  if (done < text.size()) parts.push_back({done, text.size(), -1});
  return parts;
}

}  // namespace attnscope
