#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include "views/line_number_area.h"
#include "views/yaml_highlighter.h"
#include "views/yaml_text_edit.h"
#include "views/yaml_typing.h"

namespace attnscope::ui {

namespace {

bool isComment(const QKeyEvent* event) {
  // Where "/" needs Shift, that counts as well.
  return event->key() == Qt::Key_Slash && (event->modifiers() & ~Qt::ShiftModifier) == Qt::ControlModifier;
}

}  // namespace

bool YamlTextEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) ||
        QKeySequence(key->keyCombination()) == QKeySequence(QStringLiteral("Ctrl+Y"))) {
      event->ignore();  // the window's: one undo for the form and the text
      return true;
    }
    if (isComment(key)) {
      event->accept();
      return true;
    }
  }
  return QPlainTextEdit::event(event);
}

void YamlTextEdit::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
  if (isReadOnly()) {
    QPlainTextEdit::keyPressEvent(event);
  } else if (isComment(event)) {
    toggleComment();
  } else if (plain && event->key() == Qt::Key_Tab) {
    edit(typing::indent);
  } else if (event->key() == Qt::Key_Backtab) {
    edit(typing::unindent);
  } else if (plain && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
    edit(typing::newLine);
  } else if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_Backspace) {
    QTextCursor cursor = textCursor();
    if (!typing::backspaceIndent(cursor)) QPlainTextEdit::keyPressEvent(event);
  } else {
    QPlainTextEdit::keyPressEvent(event);
  }
}

void YamlTextEdit::toggleComment() { edit(typing::toggleComment); }

// A change that is an undo step of its own.
void YamlTextEdit::edit(void (*change)(QTextCursor&)) {
  Q_EMIT typingEnded();
  QTextCursor cursor = textCursor();
  change(cursor);
  ensureCursorVisible();
  Q_EMIT typingEnded();
}

bool YamlTextEdit::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
  auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), issueAt(cursorForPosition(help->pos()).position()), viewport());
  return true;
}

void YamlTextEdit::focusOutEvent(QFocusEvent* event) {
  Q_EMIT typingEnded();
  QPlainTextEdit::focusOutEvent(event);
}

void YamlTextEdit::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  // Undo and redo are the window's, for the form and the text alike.
  for (QAction* action : menu->actions())
    if (action->objectName() == QLatin1String("edit-undo") || action->objectName() == QLatin1String("edit-redo"))
      menu->removeAction(action);
  if (!menu->actions().isEmpty() && menu->actions().first()->isSeparator()) menu->removeAction(menu->actions().first());
  menu->addSeparator();
  QAction* comment = menu->addAction(tr("Comment or Uncomment\tCtrl+/"), this, &YamlTextEdit::toggleComment);
  comment->setEnabled(!isReadOnly());
  menu->popup(event->globalPos());
}

// While it is hidden it has no size to go to a place in.
void YamlTextEdit::showEvent(QShowEvent* event) {
  QPlainTextEdit::showEvent(event);
  horizontalScrollBar()->setValue(0);
  ensureCursorVisible();
}

void YamlTextEdit::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  m_numbers->setGeometry(inside.left(), inside.top(), m_numbers->widthFor(blockCount()), inside.height());
}

void YamlTextEdit::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    m_highlighter->setPalette(palette());
    updateSelections();
  } else if (event->type() == QEvent::ApplicationFontChange) {
    useFixedFont();
  }
}

// A file that is dropped is opened by the window, not written into the text as its address.
bool YamlTextEdit::canInsertFromMimeData(const QMimeData* source) const {
  return !source->hasUrls() && QPlainTextEdit::canInsertFromMimeData(source);
}

void YamlTextEdit::updateMargin() {
  setViewportMargins(m_numbers->widthFor(blockCount()), 0, 0, 0);
  const QRect inside = contentsRect();
  m_numbers->setGeometry(inside.left(), inside.top(), m_numbers->widthFor(blockCount()), inside.height());
}

void YamlTextEdit::useFixedFont() {
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPointSizeF(std::max(fixed.pointSizeF(), QApplication::font().pointSizeF()));
  setFont(fixed);
  updateMargin();
}

}  // namespace attnscope::ui
