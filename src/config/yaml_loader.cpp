#include "config/yaml_loader.h"

#include <sys/stat.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "config/scalar.h"

namespace attnscope {
namespace {

constexpr int kMostLevels = 200;
constexpr std::size_t kMostNodes = 1'000'000;  // after aliases are copied; a few lines of YAML can ask for billions

// Offset of the first byte that is not UTF-8, or npos.
std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return i;
    uint32_t code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) return i;
      code = code << 6 | (next & 0x3F);
    }
    if ((length == 3 && (code < 0x800 || (code >= 0xD800 && code < 0xE000))) ||
        (length == 4 && (code < 0x10000 || code > 0x10FFFF))) {
      return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  ConfigPlace place(std::size_t offset, const std::string& key = {}) const {
    const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
    const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto characters = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                                          [](char c) { return (c & 0xC0) != 0x80; });
    return {source_, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<int>(characters), key};
  }

  // The mark counts bytes in its line, people count characters.
  ConfigPlace place(const YAML::Mark& mark, const std::string& key) const {
    if (mark.is_null()) return {source_, 0, 0, key};
    ConfigPlace found = place(offset(mark), key);
    found.line = mark.line + 1;
    return found;
  }

  // What usually is wrong with a line that does not parse.
  std::string line_hint(int number) const {
    std::istringstream lines{std::string(text_)};
    std::string line;
    for (int i = 0; i < number; ++i) std::getline(lines, line);
    const std::string indent = line.substr(0, line.find_first_not_of(" \t"));
    if (indent.find('\t') != std::string::npos) return "A tab stands in the indentation of this line: use spaces.";
    if (line.find(": ") != line.rfind(": ")) return "Put text that holds \": \" in quotes.";
    return {};
  }

  ConfigNode build(const YAML::Node& yaml, const std::string& key, int level = 0) {
    if (level > kMostLevels) {
      throw ConfigError("nested too deeply, or an alias stands inside its own anchor", place(yaml.Mark(), key));
    }
    if (++nodes_ > kMostNodes) throw ConfigError("the aliases expand to too many values", place(yaml.Mark(), key));
    if (!yaml.IsScalar()) refuse_tag(yaml, key);
    ConfigNode node = yaml.IsMap()        ? build_dict(yaml, key, level)
                      : yaml.IsSequence() ? build_list(yaml, key, level)
                                          : build_scalar(yaml, key);
    node.set_place(place(yaml.Mark(), key));
    return node;
  }

 private:
  ConfigNode build_scalar(const YAML::Node& yaml, const std::string& key) const {
    if (yaml.IsNull() || !yaml.IsDefined()) return {};
    const std::string& tag = yaml.Tag();
    const std::string& text = yaml.Scalar();
    if (tag == "?" || tag.empty()) return parse_plain_scalar(text);
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return ConfigNode(text);
    const auto typed = [&](auto value, const char* type) {
      if (!value) throw ConfigError("\"" + text + "\" is not " + type, place(yaml.Mark(), key));
      return ConfigNode(*value);
    };
    if (tag == "tag:yaml.org,2002:int") return typed(parse_integer(text), "a whole number");
    if (tag == "tag:yaml.org,2002:bool") return typed(parse_boolean(text), "a boolean");
    if (tag == "tag:yaml.org,2002:float") {
      const auto whole = parse_integer(text);
      return whole ? ConfigNode(whole->as_float()) : typed(parse_float(text), "a number");
    }
    refuse_tag(yaml, key);
    return {};
  }

  // Of containers, only the tags that say what they are anyway; of scalars, those that are not handled above.
  void refuse_tag(const YAML::Node& yaml, const std::string& key) const {
    const std::string& tag = yaml.Tag();
    if (tag.empty() || tag == "?" || tag == (yaml.IsMap() ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq")) return;
    if (yaml.IsNull() && (tag == "!" || tag == "tag:yaml.org,2002:null")) return;
    throw ConfigError("the tag " + tag + " is not supported", place(yaml.Mark(), key), "Leave the tag out.");
  }

  ConfigNode build_list(const YAML::Node& yaml, const std::string& key, int level) {
    ConfigNode::List items;
    for (const YAML::Node& item : yaml) {
      refuse_tab(yaml, item.Mark(), key);
      items.push_back(build(item, join_key(key, items.size()), level + 1));
    }
    return items;
  }

  ConfigNode build_dict(const YAML::Node& yaml, const std::string& key, int level) {
    ConfigNode dict{ConfigNode::Dict{}};
    ConfigNode merged{ConfigNode::Dict{}};
    for (const auto& entry : yaml) {
      refuse_tab(yaml, entry.first.Mark(), key);
      if (!entry.first.IsScalar()) {
        throw ConfigError("a key must be text or a number", place(entry.first.Mark(), key));
      }
      if (yaml.Style() != YAML::EmitterStyle::Flow) refuse_missing_colon(entry.first, entry.second, key);
      const std::string& name = entry.first.Scalar();
      if (name == "<<" && entry.first.Tag() == "?") {
        add_merged(merged, entry, key, level);
        continue;
      }
      if (dict.find(name)) {
        throw ConfigError("the key is given twice", place(entry.first.Mark(), join_key(key, name)),
                          "Remove one of the two.");
      }
      ConfigNode value = build(entry.second, join_key(key, name), level + 1);
      // The key's line is what one looks for, a value may start further down.
      value.set_place(
          place(value.is_scalar() && !value.is_null() ? entry.second.Mark() : entry.first.Mark(), join_key(key, name)));
      dict.set(name, std::move(value));
    }
    for (const auto& [name, value] : merged.members())
      if (!dict.find(name)) dict.set(name, value);
    return dict;
  }

  // The value of `<<`: a dict, or a list of dicts of which the first wins.
  void add_merged(ConfigNode& merged, const std::pair<YAML::Node, YAML::Node>& entry, const std::string& key,
                  int level) {
    const ConfigNode source = build(entry.second, key, level + 1);
    for (const ConfigNode& part : source.is_list() ? source.items() : ConfigNode::List{source}) {
      if (!part.is_dict()) throw ConfigError("<< needs a dict", place(entry.first.Mark(), key));
      for (const auto& [name, value] : part.members())
        if (!merged.find(name)) merged.set(name, value);
    }
  }

  std::size_t offset(const YAML::Mark& mark) const {
    std::size_t start = 0;
    for (int line = 0; line < mark.line; ++line) {
      const auto end = text_.find('\n', start);
      if (end == std::string_view::npos) break;
      start = end + 1;
    }
    return std::min(start + static_cast<std::size_t>(mark.column), text_.size());
  }

  // yaml-cpp takes a last line without a colon ("steps 30") for a key.
  void refuse_missing_colon(const YAML::Node& name, const YAML::Node& value, const std::string& key) const {
    if (!value.IsNull() || name.Tag() != "?" || name.Mark().is_null()) return;
    const auto after = text_.find_first_not_of(" \t", offset(name.Mark()) + name.Scalar().size());
    if (after == std::string_view::npos || text_[after] == '\n' || text_[after] == '\r' || text_[after] == '#') {
      throw ConfigError("there is no \":\" after \"" + name.Scalar() + "\"", place(name.Mark(), key),
                        "Write key: value.");
    }
  }

  // yaml-cpp takes tabs for indentation, YAML does not: the nesting then is not what it looks like.
  void refuse_tab(const YAML::Node& container, const YAML::Mark& mark, const std::string& key) const {
    if (container.Style() == YAML::EmitterStyle::Flow || mark.is_null()) return;
    const auto end = offset(mark);
    const auto start = text_.substr(0, end).rfind('\n') + 1;
    const std::string_view before = text_.substr(start, end - start);
    if (before.find_first_not_of(" \t-") != std::string_view::npos) return;
    const auto tab = before.find('\t');
    if (tab != std::string_view::npos) {
      throw ConfigError("a tab stands in the indentation", place(start + tab, key), "Use spaces.");
    }
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t nodes_ = 0;
};

}  // namespace

ConfigNode load_yaml_text(std::string_view text, const std::string& source) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  TreeBuilder builder(text, source);
  if (const auto bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    throw ConfigError("is not UTF-8 text", builder.place(bad), "Save the file as UTF-8.");
  }
  if (const auto bad = text.find('\0'); bad != std::string_view::npos) {
    throw ConfigError("is not a text file (it holds a zero byte)", builder.place(bad));
  }
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(std::string(text));
  } catch (const YAML::Exception& error) {
    const ConfigPlace place = builder.place(error.mark, {});
    throw ConfigError("not valid YAML: " + error.msg, place, builder.line_hint(place.line));
  }
  if (documents.size() > 1) {
    throw ConfigError("holds more than one document", builder.place(documents[1].Mark(), {}), "Keep one.");
  }
  return documents.empty() ? ConfigNode() : builder.build(documents[0], {});
}

ConfigNode load_yaml_file(const std::string& path) {
  const ConfigPlace file{path};
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) throw ConfigError("no such file", file, "Check the path.");
    throw ConfigError("cannot be read: " + std::string(std::strerror(errno)), file);
  }
  if (S_ISDIR(info.st_mode)) throw ConfigError("is a folder, not a config file", file);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  if (!in.is_open() || in.bad()) throw ConfigError("cannot be read", file);
  ConfigNode root = load_yaml_text(content.view(), path);
  if (root.is_null()) {
    root = ConfigNode(ConfigNode::Dict{});
    root.set_place(file);
  }
  if (root.is_scalar()) throw ConfigError("must hold keys and values, not just " + describe(root), root.place());
  return root;
}

}  // namespace attnscope
