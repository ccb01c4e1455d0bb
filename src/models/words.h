#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/clip_tokenizer.h"

namespace attnscope {

// A word of a prompt, or several in a row.
struct Word {
  std::string text;              // as the prompt has it
  std::vector<int> tokens;       // positions in the encoding, rising; empty when all of it fell off
  std::vector<ByteRange> spans;  // of each token
  int begin = 0, end = 0;        // bytes of the prompt
  bool lost = false;             // some or all of it fell off at the tokenizer's length
};

// The words of a prompt in order: white space ends one, punctuation around a word is not part of it and not a word
// ("circle," gives "circle"); an apostrophe, hyphen or underscore inside stays ("don't", "low-poly"), as do '.' and ','
// between digits. A word given twice is there twice. Tokens are found by their spans in the prompt.
std::vector<Word> split_words(const std::string& prompt, const Encoding& encoding);

// The word (or words in a row: "red circle") that `query` names, in any case and any Unicode normal form; "a#2" is the
// second "a". What is no word of its own may be a part of one: a side of a hyphen or apostrophe, characters of a script
// written without spaces. Throws ConfigError at `place` naming the word, the prompt's words and the nearest one; also
// for a word of which no token is left.
Word find_word(const std::vector<Word>& words, const std::string& query, const ConfigPlace& place = {});

// {"ids", "tokens", "length", "words": [{"text", "tokens"}], "truncated", "lost"}; ids and tokens with padding.
nlohmann::ordered_json tokenize_json(const ClipTokenizer& tokenizer, const std::string& text);

}  // namespace attnscope
