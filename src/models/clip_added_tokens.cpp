#include "models/clip_added_tokens.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"

namespace attnscope {
namespace {

using nlohmann::json;

const char* const kNamedTokens[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                    "pad_token", "cls_token", "mask_token"};

// A special token as a config gives it: a plain string, or an AddedToken with its flags.
struct NamedToken {
  AddedToken token;
  bool plain = true;
  bool operator==(const NamedToken&) const = default;
};

NamedToken plain_token(const std::string& content) { return {{.content = content, .special = true}, true}; }

NamedToken parse_token(const json& value, const std::string& file, const std::string& key, bool special = false) {
  if (value.is_string()) return plain_token(value.get<std::string>());
  if (!value.is_object() || !value.contains("content") || !value["content"].is_string())
    throw LoadError("a token is a string or an object with \"content\"", file, key);
  const auto flag = [&](const char* name, bool otherwise) {
    const auto found = value.find(name);
    if (found == value.end() || found->is_null()) return otherwise;
    if (!found->is_boolean()) throw LoadError("true or false is needed", file, key + "." + name);
    return found->get<bool>();
  };
  AddedToken token{.content = value["content"].get<std::string>()};
  token.single_word = flag("single_word", false);
  token.lstrip = flag("lstrip", false);
  token.rstrip = flag("rstrip", false);
  token.special = special || flag("special", false);
  token.normalized = flag("normalized", !token.special);
  return {token, false};
}

class Registration {
 public:
  explicit Registration(const TokenSources& sources) : sources_(sources) {
    const std::string file = path("tokenizer_config.json");
    for (const char* name : kNamedTokens) set_named(name, sources.config, file, false);
    add_extra(sources.config, file);
    if (sources.config.contains("added_tokens_decoder")) {
      read_decoder(file);
    } else {
      for (const char* name : kNamedTokens) set_named(name, sources.special_map, path("special_tokens_map.json"), true);
      add_extra(sources.special_map, path("special_tokens_map.json"));
      read_added_file();
      read_tokenizer_json();
    }
    for (auto& [name, named] : named_) {
      for (const auto& [id, token] : decoder_)
        if (named && token.content == named->token.content) named = NamedToken{token, false};
    }
  }

  std::string named(const std::string& name, const std::string& otherwise) {
    const auto found = named_.emplace(name, plain_token(otherwise)).first;
    if (!found->second || found->second->token.content.empty()) {
      throw LoadError("CLIP's tokenizer cannot do without it", path("tokenizer_config.json"), name,
                      "Give the token, for example \"" + otherwise + "\".");
    }
    return found->second->token.content;
  }

  // In the order transformers registers them: the files' added tokens by id, the named ones, the extra ones.
  std::vector<AddedToken> tokens() const {
    std::vector<NamedToken> list;
    for (const auto& [id, token] : decoder_) list.push_back({token, false});
    const std::size_t known = list.size();
    const auto add = [&](const NamedToken& token) {
      const bool registered = std::any_of(list.begin(), list.begin() + known, [&](const NamedToken& other) {
        return other.token.content == token.token.content;
      });
      if (!registered && std::find(list.begin(), list.end(), token) == list.end()) list.push_back(token);
    };
    for (const char* name : kNamedTokens)
      if (const auto found = named_.find(name); found != named_.end() && found->second) add(*found->second);
    for (const NamedToken& token : extra_) add(token);
    std::vector<AddedToken> tokens;
    for (NamedToken& token : list) {
      for (const auto& [name, named] : named_)
        if (named && named->token.content == token.token.content) token.token.special = true;
      if (!token.token.content.empty()) tokens.push_back(token.token);
    }
    return tokens;
  }

 private:
  std::string path(const char* name) const { return sources_.folder + "/" + name; }

  void set_named(const char* name, const json& from, const std::string& file, bool special) {
    const auto found = from.find(name);
    if (found == from.end()) return;
    named_[name] = found->is_null() ? std::nullopt : std::optional(parse_token(*found, file, name, special));
  }

  void add_extra(const json& from, const std::string& file) {
    for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
      const auto found = from.find(key);
      if (found == from.end() || found->is_null()) continue;
      if (!found->is_structured()) throw LoadError("a list of tokens is needed", file, key);
      for (const json& value : *found) extra_.push_back(parse_token(value, file, key));
    }
  }

  void read_decoder(const std::string& file) {
    const json& decoder = sources_.config["added_tokens_decoder"];
    if (!decoder.is_object()) throw LoadError("an object of ids and tokens is needed", file, "added_tokens_decoder");
    for (const auto& [id, value] : decoder.items()) {
      const std::string key = "added_tokens_decoder." + id;
      if (id.empty() || id.size() > 9 || id.find_first_not_of("0123456789") != std::string::npos)
        throw LoadError("an id is a whole number", file, key);
      if (!value.is_object()) throw LoadError("a token object is needed", file, key);
      decoder_[std::stoll(id)] = parse_token(value, file, key).token;
    }
  }

  void read_added_file() {
    for (const auto& [content, id] : sources_.added.items()) {
      if (!id.is_number_integer()) throw LoadError("an id is a whole number", path("added_tokens.json"), content);
      bool special = false;
      for (const NamedToken& token : extra_) special = special || token.token.content == content;
      for (const auto& [name, named] : named_) special = special || (named && named->token.content == content);
      decoder_[id.get<int64_t>()] = {.content = content, .normalized = !special, .special = special};
    }
  }

  void read_tokenizer_json() {
    if (!sources_.tokenizer_json.is_object() || !sources_.tokenizer_json.contains("added_tokens")) return;
    for (const json& value : sources_.tokenizer_json["added_tokens"]) {
      if (!value.is_object() || !value.contains("id") || !value["id"].is_number_integer())
        throw LoadError("an added token has an \"id\"", path("tokenizer.json"), "added_tokens");
      decoder_[value["id"].get<int64_t>()] = parse_token(value, path("tokenizer.json"), "added_tokens").token;
    }
  }

  const TokenSources& sources_;
  std::map<std::string, std::optional<NamedToken>> named_;  // null in the file: nullopt
  std::vector<NamedToken> extra_;
  // Keeps the order only: a token's id comes from the vocabulary or is the next free one.
  std::map<int64_t, AddedToken> decoder_;
};

}  // namespace

void set_added_tokens(ClipTokenizerFiles& files, const TokenSources& sources) {
  Registration registration(sources);
  files.bos_token = registration.named("bos_token", "<|startoftext|>");
  files.eos_token = registration.named("eos_token", "<|endoftext|>");
  files.unk_token = registration.named("unk_token", "<|endoftext|>");
  files.pad_token = registration.named("pad_token", "<|endoftext|>");
  files.added_tokens = registration.tokens();
}

}  // namespace attnscope
