#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attnscope {

using ClipVocab = std::unordered_map<std::string, int64_t>;
using ClipMerges = std::vector<std::pair<std::string, std::string>>;

// Byte-level byte-pair encoding with "</w>" on the last byte of a word. Vocabulary entries write each byte as a
// printable character, as GPT-2 does.
class ClipBpe {
 public:
  struct Piece {
    int64_t id;
    int begin, end;  // bytes of the word
  };

  // Throws LoadError (naming `vocab_file` or `merges_file`) for a merge whose parts or result the vocabulary lacks, and
  // for an unk token it lacks.
  ClipBpe(const ClipVocab& vocab, const ClipMerges& merges, const std::string& unk_token, const std::string& vocab_file,
          const std::string& merges_file);

  // `word` is not empty. A byte the vocabulary lacks becomes the unk token.
  std::vector<Piece> encode(std::string_view word) const;

  // The bytes an entry of the vocabulary stands for, without "</w>".
  static std::string bytes_of(const std::string& entry);

 private:
  struct Merge {
    int64_t rank, id;
  };
  struct Pair {
    int64_t left, right;
    bool operator==(const Pair&) const = default;
  };
  struct PairHash {
    std::size_t operator()(const Pair& pair) const {
      return static_cast<std::size_t>(pair.left) * 0x9E3779B97F4A7C15u ^ static_cast<std::size_t>(pair.right);
    }
  };

  std::array<int64_t, 256> inner_{}, final_{};  // ids of single bytes, -1 for none
  std::unordered_map<Pair, Merge, PairHash> merges_;
  int64_t unk_ = 0;
};

}  // namespace attnscope
