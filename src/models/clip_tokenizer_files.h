#pragma once
#include <string>
#include <vector>

#include "models/clip_bpe.h"

namespace attnscope {

// A token found in the text as it stands, before byte-pair encoding.
struct AddedToken {
  std::string content;
  bool single_word = false;  // only as a word of its own
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space after it
  bool normalized = false;   // looked for in the normalized text, so in any case
  bool special = false;
  bool operator==(const AddedToken&) const = default;
};

// What a tokenizer folder says, put together as transformers 5.24's from_pretrained does.
struct ClipTokenizerFiles {
  ClipVocab vocab;
  ClipMerges merges;
  std::vector<AddedToken> added_tokens;  // in registration order; of two with the same content the last counts
  std::string bos_token, eos_token, unk_token, pad_token;
  int model_max_length = 77;
  std::string vocab_file, merges_file;  // for messages
};

// Reads tokenizer.json, or vocab.json and merges.txt when there is none; tokenizer_config.json, special_tokens_map.json
// and added_tokens.json are optional. A folder that names no model_max_length gets CLIP's 77.
// Throws LoadError naming the file for anything missing, damaged or not supported.
ClipTokenizerFiles read_clip_tokenizer_files(const std::string& folder);

}  // namespace attnscope
