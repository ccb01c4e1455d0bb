#pragma once
#include <memory>
#include <string>

#include "config/node.h"
#include "config/yaml_document.h"
#include "config/yaml_limits.h"

namespace attnscope {

// [begin, end) of a text's bytes.
struct ByteSpan {
  std::size_t begin = 0, end = 0;
  bool operator==(const ByteSpan&) const = default;
};

// A YAML text with what was read of it: the nodes as they are written and, after read(), the tree they stand for.
// Places are bytes. A text whose last line has no line end is treated as if it had one (TextEdits takes it away again).
class YamlText {
 public:
  // Throws what YamlSource and YamlDocument throw.
  YamlText(std::string bytes, std::string file);
  YamlText(const YamlText&) = delete;
  YamlText& operator=(const YamlText&) = delete;

  // Makes the tree. Throws what load_yaml_text throws. A text without any value is an empty dict.
  void read(const YamlLimits& limits);
  const std::shared_ptr<const ConfigNode>& tree() const { return tree_; }

  const std::string& bytes() const { return bytes_; }
  const YamlSource& source() const { return source_; }
  // The node is nullptr for a text without any value.
  const YamlUse& root() const { return root_; }
  // Whether the root is nothing that is written, so that a file may lack it.
  bool is_blank() const { return !root_.node || root_.start.index == root_.end.index; }

  // What its lines end with.
  const std::string& newline() const { return newline_; }
  bool unfinished() const { return bytes_.size() > text_begin_ && bytes_.back() != '\n'; }
  // Behind the last line, with the line end that may be missing.
  std::size_t end() const { return bytes_.size() + (unfinished() ? newline_.size() : 0); }
  // It has numbers such as 4e-5.
  bool short_exponents() const { return short_exponents_; }
  // All its keys and texts are in double quotes and its dicts and lists in brackets.
  bool is_json() const { return is_json_; }
  bool has_anchors() const { return has_anchors_; }
  // The blanks that a dict below a key is indented by.
  std::size_t indent_step() const { return indent_step_; }

  std::size_t offset(const YamlMark& mark) const { return source_.byte_offset(mark.index); }
  std::size_t line_start(std::size_t at) const;
  // Behind the line that `at` is in; `at` itself when it is at a line's start.
  std::size_t line_end(std::size_t at) const;
  // Where the line's content ends: before its line end.
  std::size_t line_stop(std::size_t at) const;
  std::size_t skip_blanks(std::size_t at) const;
  // Whether only blanks stand before `at` in its line.
  bool starts_line(std::size_t at) const;
  // Blanks from the line's start to `at`, where only ASCII stands before it.
  std::size_t column(std::size_t at) const { return at - line_start(at); }

 private:
  struct Habits;

  std::string bytes_;
  YamlSource source_;
  YamlDocument document_;
  YamlUse root_;
  std::shared_ptr<const ConfigNode> tree_;
  std::string newline_;
  std::size_t text_begin_ = 0;  // behind a byte order mark
  bool short_exponents_ = false;
  bool is_json_ = false;
  bool has_anchors_ = false;
  std::size_t indent_step_ = 2;
};

}  // namespace attnscope
