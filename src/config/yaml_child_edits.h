#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/text_edits.h"
#include "config/yaml_children.h"

namespace attnscope {

// A child that will stand in a container.
struct NewChild {
  std::size_t index = 0;  // before which child that stands there now
  // From its key or dash on, without the last line end; lines below the first with their whole indentation.
  std::string text;
  std::string above;   // whole comment lines
  std::string behind;  // in brackets: a comment with the blanks before it
};

// Takes children out of a dict or list that is not empty, and puts new ones in. Comments above children that go stay.
class ChildEdits {
 public:
  // `self` is the container as a child of its own container; nullopt for the root.
  ChildEdits(const YamlText& text, const YamlNode& container, std::optional<YamlChild> self);

  const YamlNode& container() const { return container_; }
  const std::vector<YamlChild>& children() const { return children_; }
  // Of the children of a block.
  std::size_t column() const { return text_.column(children_.front().begin); }

  void remove(std::size_t index) { removed_[index] = true; }
  // With the comment lines directly above it.
  void take(std::size_t index);
  // In order of index.
  void insert(NewChild child) { inserted_.push_back(std::move(child)); }

  void finish(TextEdits& edits) const;

  // Where the comments directly above a child begin; its own line when there are none.
  std::size_t comments_above(std::size_t index) const;
  // In brackets: whether a child has lines of its own, and where they end.
  std::optional<std::size_t> own_lines_end(std::size_t index) const;

 private:
  std::optional<std::size_t> kept_before(std::size_t index) const;
  std::optional<std::size_t> kept_from(std::size_t index) const;
  std::vector<const NewChild*> inserted_behind(std::optional<std::size_t> kept) const;
  bool has_comment(std::size_t begin, std::size_t end) const;
  std::size_t lines_begin(std::size_t index) const;

  void finish_block(TextEdits& edits) const;
  void empty_block(TextEdits& edits) const;
  void insert_block_front(TextEdits& edits) const;
  void remove_inline_run(TextEdits& edits, std::size_t stop) const;

  void finish_flow(TextEdits& edits) const;
  void empty_flow(TextEdits& edits) const;
  void remove_flow_run(TextEdits& edits, std::size_t first, std::size_t stop) const;
  void insert_flow_behind(TextEdits& edits, std::size_t index) const;
  void insert_flow_front(TextEdits& edits) const;
  void remove_alone(TextEdits& edits, std::size_t index) const;

  const YamlText& text_;
  const YamlNode& container_;
  std::optional<YamlChild> self_;
  std::vector<YamlChild> children_;
  std::vector<bool> removed_, taken_;
  std::vector<NewChild> inserted_;
};

}  // namespace attnscope
