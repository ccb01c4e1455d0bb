#include "config/text_edits.h"

#include <algorithm>
#include <tuple>

namespace attnscope {

void refuse_edit(const std::string& why, const ConfigPlace& place, const std::string& hint) {
  throw ConfigKindError("EditRefused", "cannot be changed without touching other bytes: " + why, place, hint);
}

BytePatches TextEdits::patches() const {
  std::vector<Edit> sorted = edits_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Edit& a, const Edit& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  std::vector<Edit> merged;
  for (Edit& edit : sorted) {
    if (edit.begin > edit.end || (!merged.empty() && edit.begin < merged.back().end)) refuse_edit("two changes meet");
    if (!merged.empty() && edit.begin == merged.back().end) {
      merged.back().end = edit.end;
      merged.back().inserted += edit.inserted;
    } else {
      merged.push_back(std::move(edit));
    }
  }
  if (!merged.empty() && merged.back().end > text_.bytes().size()) end_without_newline(merged.back());
  if (merged.size() > 1 && merged.back().begin < merged[merged.size() - 2].end) refuse_edit("two changes meet");
  BytePatches out;
  for (Edit& edit : merged) {
    std::string removed = text_.bytes().substr(edit.begin, edit.end - edit.begin);
    if (removed != edit.inserted) out.push_back({edit.begin, std::move(removed), std::move(edit.inserted)});
  }
  return out;
}

// The edit reaches over the line end that the text lacks: what comes out lacks it too.
void TextEdits::end_without_newline(Edit& last) const {
  const std::string& bytes = text_.bytes();
  const std::string& newline = text_.newline();
  if (last.inserted.ends_with(newline)) {
    last.inserted.erase(last.inserted.size() - newline.size());
    if (last.begin > bytes.size()) last.inserted.insert(0, newline);
  } else if (last.inserted.empty() && last.begin > 0 && bytes[last.begin - 1] == '\n') {
    --last.begin;
    if (last.begin > 0 && bytes[last.begin - 1] == '\r') --last.begin;
  }
  last.begin = std::min(last.begin, bytes.size());
  last.end = bytes.size();
}

}  // namespace attnscope
