#include "views/text_dialog.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace attnscope::ui {

TextDialog::TextDialog(const QString& title, const QString& help, QWidget* parent)
    : QDialog(parent), m_box(new QPlainTextEdit(this)) {
  setObjectName(QStringLiteral("textDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(title);
  setAccessibleName(title);
  m_box->setObjectName(QStringLiteral("textBox"));
  m_box->setAccessibleName(title);
  m_box->setTabChangesFocus(true);
  auto* hint = new QLabel(help, this);
  hint->setWordWrap(true);
  hint->setTextFormat(Qt::PlainText);
  hint->setForegroundRole(QPalette::PlaceholderText);
  hint->setVisible(!help.isEmpty());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Ok)->setToolTip(tr("Take this text (Ctrl+Enter)"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(hint);
  column->addWidget(m_box, 1);
  column->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 16);
}

QLineEdit* TextDialog::addLine(const QString& label, const QString& name) {
  auto* line = new QLineEdit(this);
  line->setObjectName(name);
  line->setAccessibleName(label);
  auto* text = new QLabel(label, this);
  text->setBuddy(line);
  auto* row = new QHBoxLayout;
  row->addWidget(text);
  row->addWidget(line, 1);
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->insertLayout(column->count() - 1, row);
  setTabOrder(m_box, line);
  return line;
}

QString TextDialog::text() const { return m_box->toPlainText(); }

void TextDialog::setText(const QString& text) {
  m_box->setPlainText(text);
  m_box->moveCursor(QTextCursor::End);
}

void TextDialog::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && event->modifiers() & Qt::ControlModifier) {
    accept();
    return;
  }
  QDialog::keyPressEvent(event);
}

}  // namespace attnscope::ui
