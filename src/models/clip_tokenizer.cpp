#include "models/clip_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <utf8proc.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "models/clip_bpe.h"
#include "models/clip_token_finder.h"
#include "models/clip_unicode.h"

namespace attnscope {
namespace {

// transformers' pattern. The text is normalized already, a space is its only white space.
std::string pattern_text() {
  const std::string letters = letter_class(), numbers = number_class();
  return R"(<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|)"
         "[" +
         letters + "]+|[" + numbers + "]|[^ " + letters + numbers + "]+";
}

struct FreePcre {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
using Pattern = std::unique_ptr<pcre2_code, FreePcre>;

Pattern compile(const std::string& pattern) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  Pattern code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.c_str()), pattern.size(), PCRE2_UTF | PCRE2_UCP,
                             &error, &offset, nullptr));
  if (!code)
    throw Error("this PCRE2 cannot compile the tokenizer's pattern", {}, "A PCRE2 with Unicode support is needed.");
  return code;
}

// Calls visit(begin, end) for each match in text[begin, end).
template <class Visit>
void each_match(const pcre2_code* pattern, const std::string& text, std::size_t begin, std::size_t end, Visit visit) {
  std::unique_ptr<pcre2_match_data, FreePcre> data(pcre2_match_data_create(1, nullptr));
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  while (begin < end) {
    if (pcre2_match(pattern, subject, end, begin, PCRE2_NO_UTF_CHECK, data.get(), nullptr) < 0) return;
    const PCRE2_SIZE* found = pcre2_get_ovector_pointer(data.get());
    visit(found[0], found[1]);
    begin = found[1];
  }
}

struct Token {
  int64_t id;
  ByteRange source;
  int word;  // which pre-token it is part of
};

// Text for people: bytes that are not UTF-8 are written as <0xE2>.
std::string readable(const std::string& bytes) {
  std::string out;
  const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(bytes.data());
  for (std::size_t at = 0; at < bytes.size();) {
    int32_t c = 0;
    const auto count = utf8proc_iterate(data + at, static_cast<utf8proc_ssize_t>(bytes.size() - at), &c);
    if (count > 0) {
      out += bytes.substr(at, static_cast<std::size_t>(count));
      at += static_cast<std::size_t>(count);
    } else {
      static const char* const digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      out += {'<', '0', 'x', digits[byte >> 4], digits[byte & 15], '>'};
    }
  }
  return out;
}

}  // namespace

struct ClipTokenizer::Impl {
  explicit Impl(const ClipTokenizerFiles& files)
      : bpe(files.vocab, files.merges, files.unk_token, files.vocab_file, files.merges_file),
        pattern(compile(pattern_text())),
        max_length(files.model_max_length) {
    int64_t largest = 0;
    for (const auto& [entry, id] : files.vocab) largest = std::max(largest, id);
    entries.resize(static_cast<std::size_t>(largest) + 1);
    for (const auto& [entry, id] : files.vocab) entries[id] = entry;
    register_added(files);
    bos = added_ids.at(files.bos_token), eos = added_ids.at(files.eos_token), pad = added_ids.at(files.pad_token);
  }

  // A token that the vocabulary does not have gets the next free id.
  void register_added(const ClipTokenizerFiles& files) {
    const auto vocab_size = static_cast<int64_t>(files.vocab.size());
    int64_t largest = -1;
    std::unordered_map<std::string, const AddedToken*> latest;
    for (const AddedToken& token : files.added_tokens) {
      latest[token.content] = &token;
      if (added_ids.count(token.content)) continue;
      const auto known = files.vocab.find(token.content);
      const int64_t id = known != files.vocab.end() ? known->second : std::max(vocab_size, largest + 1);
      largest = std::max(largest, id);
      added_ids[token.content] = id;
      if (id >= static_cast<int64_t>(entries.size())) entries.resize(id + 1);
      entries[id] = token.content;
    }
    for (const auto& [content, token] : latest) {
      const int64_t id = added_ids.at(content);
      if (token->normalized)
        normalized_tokens.add(*token, clip_normalize(content, {0, static_cast<int>(content.size())}).text, id);
      else
        raw_tokens.add(*token, content, id);
    }
  }

  std::string piece_text(int64_t id) const {
    return added_ids.count(entries[id]) ? entries[id] : readable(ClipBpe::bytes_of(entries[id]));
  }

  void tokenize_word(const AlignedText& text, std::size_t begin, std::size_t end, int word,
                     std::vector<Token>& out) const {
    for (const ClipBpe::Piece& piece : bpe.encode(std::string_view(text.text).substr(begin, end - begin))) {
      ByteRange source = text.source[begin + piece.begin];
      for (int i = piece.begin; i < piece.end; ++i) {
        source.first = std::min(source.first, text.source[begin + i].first);
        source.second = std::max(source.second, text.source[begin + i].second);
      }
      out.push_back({piece.id, source, word});
    }
  }

  // A special token's text that was not taken as one (it stood in other case) is cut once more by the byte-level step.
  void split_word(const AlignedText& text, std::size_t begin, std::size_t end, int word,
                  std::vector<Token>& out) const {
    const std::string_view piece = std::string_view(text.text).substr(begin, end - begin);
    if (piece == "<|startoftext|>" || piece == "<|endoftext|>") {
      tokenize_word(text, begin, begin + 2, word, out);
      tokenize_word(text, begin + 2, end - 2, word, out);
      tokenize_word(text, end - 2, end, word, out);
    } else {
      tokenize_word(text, begin, end, word, out);
    }
  }

  std::vector<Token> tokenize(const std::string& prompt) const {
    std::vector<Token> tokens;
    int word = 0;
    decode_utf8(prompt, {0, static_cast<int>(prompt.size())});
    for (const auto& [begin, end, special] : raw_tokens.split(prompt)) {
      const ByteRange range(static_cast<int>(begin), static_cast<int>(end));
      if (special >= 0) {
        tokens.push_back({special, range, word++});
        continue;
      }
      const AlignedText text = clip_normalize(prompt, range);
      for (const auto& [from, to, id] : normalized_tokens.split(text.text)) {
        if (id >= 0) {
          tokens.push_back({id, {text.source[from].first, text.source[to - 1].second}, word++});
          continue;
        }
        each_match(pattern.get(), text.text, from, to,
                   [&](std::size_t first, std::size_t last) { split_word(text, first, last, word++, tokens); });
      }
    }
    return tokens;
  }

  Encoding assemble(const std::vector<Token>& tokens, std::size_t count) const {
    Encoding encoding;
    const auto push = [&](int64_t id, ByteRange span) {
      encoding.ids.push_back(id);
      encoding.pieces.push_back(piece_text(id));
      encoding.spans.push_back(span);
    };
    push(bos, {-1, -1});
    for (std::size_t i = 0; i < count; ++i) push(tokens[i].id, tokens[i].source);
    push(eos, {-1, -1});
    encoding.length = static_cast<int>(encoding.ids.size());
    return encoding;
  }

  ClipBpe bpe;
  Pattern pattern;
  ClipTokenFinder raw_tokens, normalized_tokens;
  std::unordered_map<std::string, int64_t> added_ids;
  std::vector<std::string> entries;  // by id
  int64_t bos = 0, eos = 0, pad = 0;
  int max_length;
};

ClipTokenizer::ClipTokenizer(const std::string& folder) : ClipTokenizer(read_clip_tokenizer_files(folder)) {}
ClipTokenizer::ClipTokenizer(const ClipTokenizerFiles& files) : impl_(std::make_unique<Impl>(files)) {}
ClipTokenizer::~ClipTokenizer() = default;
ClipTokenizer::ClipTokenizer(ClipTokenizer&&) noexcept = default;
ClipTokenizer& ClipTokenizer::operator=(ClipTokenizer&&) noexcept = default;

int ClipTokenizer::model_max_length() const { return impl_->max_length; }
int64_t ClipTokenizer::bos_token_id() const { return impl_->bos; }
int64_t ClipTokenizer::eos_token_id() const { return impl_->eos; }
int64_t ClipTokenizer::pad_token_id() const { return impl_->pad; }

const std::string& ClipTokenizer::token(int64_t id) const {
  static const std::string none;
  return id >= 0 && id < static_cast<int64_t>(impl_->entries.size()) ? impl_->entries[id] : none;
}

Encoding ClipTokenizer::encode_all(const std::string& text) const {
  const std::vector<Token> tokens = impl_->tokenize(text);
  return impl_->assemble(tokens, tokens.size());
}

Encoding ClipTokenizer::encode(const std::string& text) const {
  const std::vector<Token> tokens = impl_->tokenize(text);
  const auto room = static_cast<std::size_t>(impl_->max_length) - 2;
  const std::size_t count = std::min(tokens.size(), room);
  Encoding encoding = impl_->assemble(tokens, count);
  if (tokens.size() > room) {
    std::size_t lost = room;
    while (lost > 0 && tokens[lost - 1].word == tokens[lost].word) --lost;
    encoding.truncated = true;
    encoding.lost_begin = tokens[lost].source.first;
    encoding.lost_text = text.substr(encoding.lost_begin, tokens.back().source.second - encoding.lost_begin);
  }
  const auto length = static_cast<std::size_t>(impl_->max_length);
  encoding.ids.resize(length, impl_->pad);
  encoding.pieces.resize(length, impl_->piece_text(impl_->pad));
  encoding.spans.resize(length, {-1, -1});
  return encoding;
}

}  // namespace attnscope
