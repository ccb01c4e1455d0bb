#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "models/clip_tokenizer_files.h"

namespace attnscope {

// Finds added tokens in text: leftmost first, of several at one place the longest.
class ClipTokenFinder {
 public:
  // A piece of the text: an added token (with the white space it takes), or what stands between two (id -1).
  struct Part {
    std::size_t begin, end;
    int64_t id;
  };

  // `content` is what is looked for; it may differ from token.content (normalized). Empty ones are left out.
  void add(const AddedToken& token, const std::string& content, int64_t id);
  // The parts in order; together they are the whole text (valid UTF-8).
  std::vector<Part> split(const std::string& text) const;

 private:
  struct Needle {
    AddedToken token;
    std::string content;
    int64_t id;
  };
  const Needle* longest_at(const std::string& text, std::size_t at) const;

  std::vector<Needle> needles_;
};

}  // namespace attnscope
