#include "models/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/clip_normalizer.h"

namespace attnscope {
namespace {

enum class Kind { space, punctuation, connector, digit_connector, digit, uncased, other };

Kind kind_of(int32_t c) {
  if (is_white_space(c)) return Kind::space;
  if (c == '\'' || c == 0x2019 || c == '-' || c == 0x2010 || c == 0x2011 || c == '_') return Kind::connector;
  if (c == '.' || c == ',') return Kind::digit_connector;
  const auto category = utf8proc_category(c);
  if (category == UTF8PROC_CATEGORY_CC) return Kind::space;
  if (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) return Kind::punctuation;
  if (c < 0x80 && category >= UTF8PROC_CATEGORY_SM && category <= UTF8PROC_CATEGORY_SO) return Kind::punctuation;
  if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) return Kind::digit;
  return category == UTF8PROC_CATEGORY_LO ? Kind::uncased : Kind::other;
}

bool in_word(Kind kind) { return kind == Kind::digit || kind == Kind::uncased || kind == Kind::other; }

std::vector<CodePoint> code_points(const std::string& text) {
  return decode_utf8(text, {0, static_cast<int>(text.size())}, "the text");
}

// Byte ranges of the words.
std::vector<ByteRange> word_ranges(const std::string& text) {
  const std::vector<CodePoint> points = code_points(text);
  std::vector<ByteRange> ranges;
  bool open = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Kind kind = kind_of(points[i].value);
    const Kind next = i + 1 < points.size() ? kind_of(points[i + 1].value) : Kind::space;
    const bool joins = open && (kind == Kind::connector ? in_word(next)
                                                        : kind == Kind::digit_connector && next == Kind::digit &&
                                                              kind_of(points[i - 1].value) == Kind::digit);
    if (in_word(kind) || joins) {
      if (!open) ranges.emplace_back(points[i].source.first, 0);
      ranges.back().second = points[i].source.second;
      open = true;
    } else {
      open = false;
    }
  }
  return ranges;
}

// For comparing: CLIP's normal form, which is NFC and lower case.
AlignedText normal(const std::string& text) { return clip_normalize(text, {0, static_cast<int>(text.size())}); }

Word merged(const std::vector<Word>& words, std::size_t first, std::size_t count) {
  Word result = words[first];
  for (std::size_t i = first + 1; i < first + count; ++i) {
    const Word& word = words[i];
    result.text += " " + word.text;
    for (std::size_t t = 0; t < word.tokens.size(); ++t) {
      if (!result.tokens.empty() && word.tokens[t] <= result.tokens.back()) continue;
      result.tokens.push_back(word.tokens[t]);
      result.spans.push_back(word.spans[t]);
    }
    result.end = word.end;
    result.lost = result.lost || word.lost;
  }
  return result;
}

Word part_of(const Word& word, int begin, int end) {
  Word part;
  part.text = word.text.substr(static_cast<std::size_t>(begin - word.begin), static_cast<std::size_t>(end - begin));
  part.begin = begin;
  part.end = end;
  int covered = begin;
  for (std::size_t t = 0; t < word.tokens.size(); ++t) {
    const auto [from, to] = word.spans[t];
    if (from >= end || to <= begin) continue;
    part.tokens.push_back(word.tokens[t]);
    part.spans.push_back(word.spans[t]);
    covered = std::max(covered, to);
  }
  part.lost = word.lost && covered < end;
  return part;
}

// Whether a part of a word may begin or end between these two characters.
bool separable(Kind before, Kind after) {
  return !in_word(before) || !in_word(after) || (before == Kind::uncased && after == Kind::uncased);
}

// Occurrences of `wanted` inside words.
std::vector<Word> parts_matching(const std::vector<Word>& words, const std::string& wanted) {
  std::vector<Word> found;
  for (const Word& word : words) {
    const std::vector<CodePoint> points = code_points(word.text);
    std::vector<int> cuts{0};
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (separable(kind_of(points[i - 1].value), kind_of(points[i].value))) cuts.push_back(points[i].source.first);
    }
    cuts.push_back(static_cast<int>(word.text.size()));
    const AlignedText text = normal(word.text);
    for (std::size_t at = text.text.find(wanted); at != std::string::npos;
         at = text.text.find(wanted, at + wanted.size())) {
      const int begin = text.source[at].first, end = text.source[at + wanted.size() - 1].second;
      const auto is_cut = [&](int byte) { return std::find(cuts.begin(), cuts.end(), byte) != cuts.end(); };
      if (is_cut(begin) && is_cut(end)) found.push_back(part_of(word, word.begin + begin, word.begin + end));
    }
  }
  return found;
}

std::vector<Word> words_matching(const std::vector<Word>& words, const std::vector<std::string>& wanted) {
  std::vector<std::string> normals;
  for (const Word& word : words) normals.push_back(normal(word.text).text);
  std::vector<Word> found;
  for (std::size_t i = 0; i + wanted.size() <= words.size(); ++i) {
    if (std::equal(wanted.begin(), wanted.end(), normals.begin() + static_cast<std::ptrdiff_t>(i)))
      found.push_back(merged(words, i, wanted.size()));
  }
  return found;
}

// "a#2" to "a" and 2; 0 when no occurrence is asked for.
std::pair<std::string, std::size_t> split_occurrence(const std::string& query) {
  const auto mark = query.rfind('#');
  if (mark == std::string::npos || mark + 1 == query.size() || query.size() - mark > 7) return {query, 0};
  if (query.find_first_not_of("0123456789", mark + 1) != std::string::npos) return {query, 0};
  return {query.substr(0, mark), static_cast<std::size_t>(std::stoul(query.substr(mark + 1)))};
}

std::string listing(const std::vector<Word>& words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : ", ") + word.text;
  return text.empty() ? "The prompt has no words." : "The prompt's words: " + text + ".";
}

[[noreturn]] void throw_unknown(const std::vector<Word>& words, const std::string& name, const ConfigPlace& place) {
  std::vector<std::string> known;
  for (const Word& word : words) known.push_back(normal(word.text).text);
  const std::string near = nearest_name(normal(name).text, known);
  throw ConfigError("the word \"" + name + "\" is not in the prompt", place,
                    listing(words) + (near.empty() ? "" : " Did you mean \"" + near + "\"?"));
}

}  // namespace

std::vector<Word> split_words(const std::string& prompt, const Encoding& encoding) {
  std::vector<Word> words;
  for (const auto& [begin, end] : word_ranges(prompt)) {
    Word word{prompt.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))};
    word.begin = begin;
    word.end = end;
    for (std::size_t i = 0; i < encoding.spans.size(); ++i) {
      const auto [from, to] = encoding.spans[i];
      if (from < 0 || from >= end || to <= begin) continue;
      word.tokens.push_back(static_cast<int>(i));
      word.spans.push_back(encoding.spans[i]);
    }
    word.lost = encoding.truncated && end > encoding.lost_begin;
    words.push_back(std::move(word));
  }
  return words;
}

Word find_word(const std::vector<Word>& words, const std::string& query, const ConfigPlace& place) {
  const auto [name, occurrence] = split_occurrence(query);
  std::vector<std::string> wanted;
  for (const auto& [begin, end] : word_ranges(name))
    wanted.push_back(normal(name.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin))).text);
  if (wanted.empty()) throw ConfigError("\"" + query + "\" holds no word", place, listing(words));

  std::vector<Word> found = words_matching(words, wanted);
  if (found.empty() && wanted.size() == 1) found = parts_matching(words, wanted.front());
  if (found.empty()) throw_unknown(words, name, place);
  if (occurrence > found.size() || (occurrence == 0 && name.size() != query.size())) {
    throw ConfigError("the prompt has \"" + name + "\" " + std::to_string(found.size()) + " time(s), \"" + query +
                          "\" asks for another",
                      place, "Occurrences are counted from 1.");
  }
  const Word& word = found[occurrence == 0 ? 0 : occurrence - 1];
  if (word.tokens.empty()) {
    throw ConfigError("the word \"" + query + "\" fell off the end of the prompt, which has too many tokens", place,
                      "Shorten the prompt or put the word earlier.");
  }
  return word;
}

nlohmann::ordered_json tokenize_json(const ClipTokenizer& tokenizer, const std::string& text) {
  const Encoding encoding = tokenizer.encode(text);
  nlohmann::ordered_json json;
  json["ids"] = encoding.ids;
  json["tokens"] = encoding.pieces;
  json["length"] = encoding.length;
  json["words"] = nlohmann::ordered_json::array();
  for (const Word& word : split_words(text, encoding)) {
    nlohmann::ordered_json entry;
    entry["text"] = word.text;
    entry["tokens"] = word.tokens;
    if (word.lost) entry["lost"] = true;
    json["words"].push_back(entry);
  }
  json["truncated"] = encoding.truncated;
  json["lost"] = encoding.lost_text;
  return json;
}

}  // namespace attnscope
