#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/yaml_source.h"

namespace attnscope {

struct YamlNode;

// Where a node is used: an alias is a second use of a node that was written elsewhere.
struct YamlUse {
  YamlNode* node = nullptr;
  YamlMark start, end;  // of the node with its anchor and tag, or of the alias
  bool alias = false;
};

// A node as it is written, with its tag resolved. Its tag and anchor live as long as the document.
struct YamlNode {
  enum class Kind : uint8_t { scalar, sequence, mapping };
  enum class Style : uint8_t { plain, single_quoted, double_quoted, literal, folded };

  Kind kind = Kind::scalar;
  Style style = Style::plain;
  bool flow = false;
  std::string_view tag;  // in full, such as "tag:yaml.org,2002:int"; see yaml_tags
  std::string value;
  std::string_view anchor;
  YamlMark start;    // with the anchor and tag
  YamlMark content;  // without them
  YamlMark end;      // of block lists and dicts: of the last one in it
  std::vector<YamlUse> items;
  std::vector<std::pair<YamlUse, YamlUse>> entries;
};

namespace yaml_tags {
inline constexpr const char* kString = "tag:yaml.org,2002:str";
inline constexpr const char* kInteger = "tag:yaml.org,2002:int";
inline constexpr const char* kFloat = "tag:yaml.org,2002:float";
inline constexpr const char* kBoolean = "tag:yaml.org,2002:bool";
inline constexpr const char* kNull = "tag:yaml.org,2002:null";
inline constexpr const char* kMerge = "tag:yaml.org,2002:merge";
inline constexpr const char* kValue = "tag:yaml.org,2002:value";
inline constexpr const char* kMap = "tag:yaml.org,2002:map";
inline constexpr const char* kSequence = "tag:yaml.org,2002:seq";
}  // namespace yaml_tags

// The tag of a plain scalar without one.
const char* plain_tag(std::string_view text);

// One YAML document: its nodes. Nodes stay where they are when the document moves.
class YamlDocument {
 public:
  // ConfigKindError "ScannerError", "ParserError", "ComposerError", at the place where libyaml finds it.
  explicit YamlDocument(const YamlSource& source);

  // nullptr for an empty text.
  YamlNode* root() const { return root_; }
  // How many nodes are written.
  std::size_t size() const { return size_; }
  bool has_aliases() const { return has_aliases_; }

  YamlNode& add();
  void note_alias() { has_aliases_ = true; }
  // The text, kept as long as the document.
  std::string_view keep(std::string_view text) { return *names_.emplace(text).first; }

 private:
  std::vector<std::vector<YamlNode>> nodes_;  // in blocks that do not grow, so that nodes stay where they are
  std::set<std::string, std::less<>> names_;
  YamlNode* root_ = nullptr;
  std::size_t size_ = 0;
  bool has_aliases_ = false;
};

}  // namespace attnscope
