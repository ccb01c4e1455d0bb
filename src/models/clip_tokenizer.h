#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/clip_normalizer.h"
#include "models/clip_tokenizer_files.h"

namespace attnscope {

// A prompt as tokens. Entry i of every list speaks of position i of the sequence the text encoder gets.
struct Encoding {
  std::vector<int64_t> ids;         // start, text, end, padding up to the tokenizer's length
  std::vector<std::string> pieces;  // readable text of each; bytes that are no UTF-8 alone as <0xE2>
  std::vector<ByteRange> spans;     // bytes of the prompt each stands for; {-1, -1} for start, end and padding
  int length = 0;                   // positions before the padding, start and end included
  bool truncated = false;           // the prompt had more tokens than fit
  std::string lost_text;            // the part of the prompt that fell off, from the first word with a token lost
  int lost_begin = -1;              // its first byte, -1 when nothing is lost
};

// The tokenizer of CLIP's text encoders, equal to transformers 5.24's CLIPTokenizer id for id.
class ClipTokenizer {
 public:
  // A diffusers `tokenizer` folder. Throws LoadError.
  explicit ClipTokenizer(const std::string& folder);
  explicit ClipTokenizer(const ClipTokenizerFiles& files);
  ~ClipTokenizer();
  ClipTokenizer(ClipTokenizer&&) noexcept;
  ClipTokenizer& operator=(ClipTokenizer&&) noexcept;

  // Exactly model_max_length() positions. Throws ConfigError for a prompt that is not UTF-8.
  Encoding encode(const std::string& text) const;
  // All tokens with start and end, without padding.
  Encoding encode_all(const std::string& text) const;

  int model_max_length() const;
  int64_t bos_token_id() const;
  int64_t eos_token_id() const;
  int64_t pad_token_id() const;
  // The vocabulary's entry ("circle</w>"), "" for an id it does not have.
  const std::string& token(int64_t id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attnscope
