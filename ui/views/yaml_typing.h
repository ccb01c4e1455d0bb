#pragma once
#include <QTextCursor>

// What keys do in YAML text beyond typing. Each call is one change of the text.
namespace attnscope::ui::typing {

// The spaces of one step of indentation, as the text has them; two where it has none.
int indentWidth(const QTextDocument& text);

// Spaces up to the next step, or the selected lines one step in.
void indent(QTextCursor& cursor);
// The lines of the selection one step out.
void unindent(QTextCursor& cursor);
// A new line, indented as the one before; a step more behind what opens a dict or block.
void newLine(QTextCursor& cursor);
// Takes a step of indentation before the cursor. False when there is none to take: an ordinary backspace then.
bool backspaceIndent(QTextCursor& cursor);
// Puts "# " before every line of the selection, or takes it when all of them have it. Empty lines stay.
void toggleComment(QTextCursor& cursor);

}  // namespace attnscope::ui::typing
