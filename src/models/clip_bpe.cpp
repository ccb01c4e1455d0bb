#include "models/clip_bpe.h"

#include <functional>
#include <queue>

#include "base/error.h"

namespace attnscope {
namespace {

const std::string kEndOfWord = "</w>";

// The character that writes a byte: itself where Latin-1 has something printable there, else U+0100 and up.
std::array<std::string, 256> make_byte_characters() {
  std::array<std::string, 256> characters;
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
    const int c = printable ? byte : next++;
    if (c < 0x80)
      characters[byte] = static_cast<char>(c);
    else
      characters[byte] = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
  }
  return characters;
}

const std::array<std::string, 256>& byte_characters() {
  static const auto characters = make_byte_characters();
  return characters;
}

struct Symbol {
  int64_t id;
  int begin, end;
  int previous, next;  // -1 for none
};

struct Candidate {
  int64_t rank, id;
  int position;
  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : position > other.position;
  }
};

}  // namespace

ClipBpe::ClipBpe(const ClipVocab& vocab, const ClipMerges& merges, const std::string& unk_token,
                 const std::string& vocab_file, const std::string& merges_file) {
  const auto id_of = [&](const std::string& entry) {
    const auto found = vocab.find(entry);
    return found == vocab.end() ? int64_t{-1} : found->second;
  };
  for (int byte = 0; byte < 256; ++byte) {
    inner_[byte] = id_of(byte_characters()[byte]);
    final_[byte] = id_of(byte_characters()[byte] + kEndOfWord);
  }
  unk_ = id_of(unk_token);
  if (unk_ < 0) throw LoadError("the vocabulary lacks the unk token", vocab_file, unk_token);
  merges_.reserve(merges.size());
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    const auto& [left, right] = merges[rank];
    const int64_t left_id = id_of(left), right_id = id_of(right), id = id_of(left + right);
    if (left_id < 0 || right_id < 0 || id < 0) {
      const std::string& lacking = left_id < 0 ? left : right_id < 0 ? right : left + right;
      throw LoadError(
          "the merge \"" + left + " " + right + "\" needs \"" + lacking + "\", which " + vocab_file + " lacks",
          merges_file, "merge " + std::to_string(rank + 1), "Take the vocabulary and the merges from the same model.");
    }
    merges_[{left_id, right_id}] = {static_cast<int64_t>(rank), id};
  }
}

std::vector<ClipBpe::Piece> ClipBpe::encode(std::string_view word) const {
  const int count = static_cast<int>(word.size());
  std::vector<Symbol> symbols;
  for (int i = 0; i < count; ++i) {
    const auto byte = static_cast<unsigned char>(word[i]);
    const int64_t id = i + 1 == count ? final_[byte] : inner_[byte];
    symbols.push_back({id < 0 ? unk_ : id, i, i + 1, i - 1, i + 1 < count ? i + 1 : -1});
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](int position) {
    if (position < 0 || symbols[position].next < 0) return;
    const auto found = merges_.find({symbols[position].id, symbols[symbols[position].next].id});
    if (found != merges_.end()) queue.push({found->second.rank, found->second.id, position});
  };
  for (int i = 0; i < count; ++i) offer(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = symbols[best.position];
    if (left.begin == left.end || left.next < 0) continue;
    Symbol& right = symbols[left.next];
    const auto found = merges_.find({left.id, right.id});
    if (found == merges_.end() || found->second.id != best.id) continue;  // merged with another neighbour meanwhile
    left.id = best.id;
    left.end = right.end;
    left.next = right.next;
    right.end = right.begin;
    if (left.next >= 0) symbols[left.next].previous = best.position;
    offer(left.previous);
    offer(best.position);
  }
  std::vector<Piece> pieces;
  for (int i = 0; i >= 0 && i < count; i = symbols[i].next)
    pieces.push_back({symbols[i].id, symbols[i].begin, symbols[i].end});
  return pieces;
}

std::string ClipBpe::bytes_of(const std::string& entry) {
  static const auto bytes = [] {
    std::unordered_map<std::string, char> map;
    for (int byte = 0; byte < 256; ++byte) map[byte_characters()[byte]] = static_cast<char>(byte);
    return map;
  }();
  const bool ends = entry.size() > kEndOfWord.size() && entry.ends_with(kEndOfWord);
  const std::string body = ends ? entry.substr(0, entry.size() - kEndOfWord.size()) : entry;
  std::string out;
  for (std::size_t i = 0; i < body.size();) {
    const std::size_t length = static_cast<unsigned char>(body[i]) < 0x80 ? 1 : 2;
    const auto found = bytes.find(body.substr(i, length));
    if (found == bytes.end()) return body;  // a token added as plain text
    out += found->second;
    i += length;
  }
  return out;
}

}  // namespace attnscope
