#include "models/clip_tokenizer_files.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/json_file.h"
#include "models/clip_added_tokens.h"

namespace attnscope {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int64_t kLargestId = int64_t{1} << 24;
json read_object(const fs::path& path) {
  if (!fs::exists(path)) return json::object();
  json value = read_json_file(path.string());
  if (!value.is_object()) throw LoadError("a JSON object is needed here", path.string());
  return value;
}

void set_vocab(ClipTokenizerFiles& files, const json& vocab, const std::string& key) {
  if (!vocab.is_object() || vocab.empty())
    throw LoadError("the vocabulary is not an object of tokens and ids", files.vocab_file, key);
  files.vocab.reserve(vocab.size());
  for (const auto& [entry, id] : vocab.items()) {
    if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() > kLargestId)
      throw LoadError("a token's id is a whole number from 0 to " + std::to_string(kLargestId), files.vocab_file,
                      entry);
    files.vocab.emplace(entry, id.get<int64_t>());
  }
}

void read_merges_text(ClipTokenizerFiles& files) {
  std::ifstream in(files.merges_file, std::ios::binary);
  if (!in) throw LoadError("cannot be read", files.merges_file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.starts_with("#version")) continue;
    const auto space = line.find(' ');
    if (space == std::string::npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string::npos) {
      throw LoadError("a line holds two tokens with one space between them, not \"" + line + "\"", files.merges_file,
                      "line " + std::to_string(number));
    }
    files.merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
}

void read_vocab_and_merges(ClipTokenizerFiles& files, const fs::path& folder) {
  files.vocab_file = (folder / "vocab.json").string();
  files.merges_file = (folder / "merges.txt").string();
  for (const std::string& file : {files.vocab_file, files.merges_file}) {
    if (!fs::exists(file)) {
      throw LoadError("no such file", file, {},
                      "A tokenizer folder holds vocab.json and merges.txt, or tokenizer.json.");
    }
  }
  set_vocab(files, read_json_file(files.vocab_file), {});
  read_merges_text(files);
}

void set_merges(ClipTokenizerFiles& files, const json& merges) {
  if (!merges.is_array()) throw LoadError("a list of merges is needed", files.merges_file, "model.merges");
  files.merges.reserve(merges.size());
  for (const json& merge : merges) {
    const auto bad = [&] {
      return LoadError("a merge is two tokens, not " + merge.dump(), files.merges_file, "model.merges");
    };
    if (merge.is_string()) {
      const auto text = merge.get<std::string>();
      const auto space = text.find(' ');
      if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) throw bad();
      files.merges.emplace_back(text.substr(0, space), text.substr(space + 1));
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      files.merges.emplace_back(merge[0].get<std::string>(), merge[1].get<std::string>());
    } else {
      throw bad();
    }
  }
}

// Normalizer and pre-tokenizer of the file do not count: CLIPTokenizer always uses its own.
void read_tokenizer_json(ClipTokenizerFiles& files, const json& tokenizer, const std::string& path) {
  files.vocab_file = files.merges_file = path;
  const json model = tokenizer.value("model", json::object());
  const std::string type = model.is_object() ? model.value("type", "BPE") : "";
  if (type != "BPE")
    throw LoadError("a tokenizer of type \"" + type + "\" is not CLIP's", path, "model.type", "CLIP's type is BPE.");
  set_vocab(files, model.value("vocab", json()), "model.vocab");
  set_merges(files, model.value("merges", json()));
  const json processor = tokenizer.value("post_processor", json());
  if (processor.is_object() && processor.value("type", "") != "RobertaProcessing") {
    throw LoadError("post-processor \"" + processor.value("type", "") + "\" is not supported", path,
                    "post_processor.type", "CLIP's is RobertaProcessing.");
  }
}

// Left out, or the "no limit" number transformers writes: CLIP's own length.
int read_max_length(const json& config, const std::string& file) {
  const auto found = config.find(config.contains("model_max_length") ? "model_max_length" : "max_len");
  if (found == config.end() || found->is_null()) return 77;
  if (!found->is_number() || found->get<double>() < 2)
    throw LoadError("a number of 2 or more is needed, not " + found->dump(), file, "model_max_length");
  return found->get<double>() > 1e6 ? 77 : static_cast<int>(found->get<double>());
}

void check_side(const json& config, const char* key, const std::string& file) {
  const auto found = config.find(key);
  if (found != config.end() && !found->is_null() && *found != "right")
    throw LoadError(found->dump() + " is not supported, only \"right\"", file, key);
}

}  // namespace

ClipTokenizerFiles read_clip_tokenizer_files(const std::string& folder) {
  const fs::path root(folder);
  if (!fs::is_directory(root)) {
    throw LoadError(fs::exists(root) ? "is not a folder" : "no such folder", folder, {},
                    "A tokenizer folder holds vocab.json and merges.txt, or tokenizer.json.");
  }
  const std::string config_file = (root / "tokenizer_config.json").string();
  const json config = read_object(config_file);
  const fs::path tokenizer_file = root / "tokenizer.json";
  json tokenizer_json;
  if (fs::exists(tokenizer_file)) tokenizer_json = read_object(tokenizer_file);

  ClipTokenizerFiles files;
  if (tokenizer_json.is_object())
    read_tokenizer_json(files, tokenizer_json, tokenizer_file.string());
  else
    read_vocab_and_merges(files, root);

  check_side(config, "padding_side", config_file);
  check_side(config, "truncation_side", config_file);
  const json special_map = read_object(root / "special_tokens_map.json");
  const json added = read_object(root / "added_tokens.json");
  set_added_tokens(files, {root.string(), config, special_map, added, tokenizer_json});
  files.model_max_length = read_max_length(config, config_file);
  return files;
}

}  // namespace attnscope
