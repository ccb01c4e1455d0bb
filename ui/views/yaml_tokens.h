#pragma once
#include <QList>
#include <QStringView>

namespace attnscope::ui {

// What a part of a line of YAML is, for its colour.
enum class YamlToken { Key, Text, Number, Constant, Missing, Comment, Reference, Tag, Expression, Mark };

struct YamlSpan {
  int at, length;  // in UTF-16 units
  YamlToken token;
  bool operator==(const YamlSpan&) const = default;
};

// Appends the parts of one line in the order in which they are coloured: an expression comes after the text that holds
// it. `before` is what the call for the line above returned, or -1: which quotes, brackets and block scalars are open.
// A line that is no valid YAML gets the colours of what it looks like.
int scanYamlLine(QStringView line, int before, QList<YamlSpan>& spans);

}  // namespace attnscope::ui
