#include "views/config_text_pane.h"

#include <QKeyEvent>
#include <QTextBlock>
#include <QVBoxLayout>

#include "documents/config_document.h"
#include "views/elided_label.h"
#include "views/find_bar.h"
#include "views/yaml_text_edit.h"

namespace attnscope::ui {

namespace {

enum class Command { None, Find, FindNext, FindPrevious, GoToLine };

Command commandOf(const QKeyEvent* event) {
  if (event->matches(QKeySequence::Find)) return Command::Find;
  if (event->key() == Qt::Key_F3 && event->modifiers() == Qt::NoModifier) return Command::FindNext;
  if (event->key() == Qt::Key_F3 && event->modifiers() == Qt::ShiftModifier) return Command::FindPrevious;
  if (event->key() == Qt::Key_G && event->modifiers() == Qt::ControlModifier) return Command::GoToLine;
  return Command::None;
}

}  // namespace

ConfigTextPane::ConfigTextPane(ConfigDocument* document, QWidget* parent) : QWidget(parent), m_document(document) {
  setObjectName(QStringLiteral("configText"));
  setAccessibleName(tr("Config as text"));
  m_editor = new YamlTextEdit(this);
  m_find = new FindBar(m_editor, this);
  m_status = new ElidedLabel(this, Qt::ElideRight);
  m_status->setObjectName(QStringLiteral("textStatus"));
  m_status->setAccessibleName(tr("Place in the text"));
  m_status->setContentsMargins(8, 2, 8, 2);
  setFocusProxy(m_editor);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_editor, 1);
  column->addWidget(m_find);
  column->addWidget(m_status);

  connect(m_editor, &YamlTextEdit::typed, document, &ConfigDocument::replaceText);
  connect(m_editor, &YamlTextEdit::typingEnded, document, &ConfigDocument::endTyping);
  connect(m_editor, &YamlTextEdit::cursorMoved, this, &ConfigTextPane::cursorMoved);
  connect(m_editor, &QPlainTextEdit::cursorPositionChanged, this, &ConfigTextPane::updateStatus);
  connect(document, &ConfigDocument::textReplaced, m_editor, &YamlTextEdit::applyChange);
  connect(document, &ConfigDocument::opened, this, &ConfigTextPane::readAgain);
  connect(document, &ConfigDocument::snapshotChanged, this, &ConfigTextPane::onSnapshot);
  connect(m_find, &FindBar::lineChosen, m_editor, [this](int line) {
    m_editor->showPlace(line, 1);
    Q_EMIT cursorMoved(m_editor->textCursor().position());
  });
  readAgain();
}

void ConfigTextPane::showPlace(int line, int column) { m_editor->showPlace(line, column); }
void ConfigTextPane::select(int position, int length) { m_editor->select(position, length); }

void ConfigTextPane::readAgain() {
  if (const QString text = m_document->text(); text != m_editor->text()) m_editor->setText(text);
  onSnapshot();
}

void ConfigTextPane::onSnapshot() {
  QList<ConfigIssue> own;
  for (const ConfigIssue& issue : m_document->snapshot().issues)
    if (issue.file.isEmpty() || issue.file == m_document->path()) own.append(issue);
  m_editor->setIssues(own);
  updateStatus();
}

void ConfigTextPane::updateStatus() {
  const QTextCursor cursor = m_editor->textCursor();
  QString text = tr("Line %1, column %2").arg(cursor.blockNumber() + 1).arg(cursor.positionInBlock() + 1);
  const QString issue = m_editor->issueOfLine(cursor.blockNumber() + 1);
  if (!issue.isEmpty()) text += QStringLiteral(" · ") + QString(issue).replace(u'\n', QStringLiteral(" · "));
  m_status->setText(text);
  m_status->setToolTip(issue);
}

bool ConfigTextPane::event(QEvent* event) {
  // Before the window's own keys for the same.
  if (event->type() == QEvent::ShortcutOverride && commandOf(static_cast<QKeyEvent*>(event)) != Command::None) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

void ConfigTextPane::keyPressEvent(QKeyEvent* event) {
  switch (commandOf(event)) {
    case Command::Find: m_find->find(); return;
    case Command::FindNext: m_find->findNext(); return;
    case Command::FindPrevious: m_find->findPrevious(); return;
    case Command::GoToLine: m_find->goToLine(); return;
    case Command::None: break;
  }
  if (event->key() == Qt::Key_Escape && m_find->isVisible())
    m_find->close();
  else
    QWidget::keyPressEvent(event);
}

}  // namespace attnscope::ui
