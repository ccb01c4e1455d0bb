#include "views/value_edit.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>
#include <QValidator>

#include "views/icons.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {

// Lets everything be typed, and says when it is no value yet.
class ValueValidator : public QValidator {
 public:
  explicit ValueValidator(ValueEdit* edit) : QValidator(edit), m_edit(edit) {}

  State validate(QString& text, int&) const override {
    return text == m_edit->initialText() || m_edit->parsed().node ? Acceptable : Intermediate;
  }

 private:
  ValueEdit* m_edit;
};

QString moreIcon(ValueType type) {
  switch (type) {
    case ValueType::Path: return QStringLiteral("folder");
    case ValueType::Color: return QStringLiteral("colour");
    case ValueType::Text:
    case ValueType::LongText: return QStringLiteral("expand-text");
    default: return {};
  }
}

}  // namespace

ValueEdit::ValueEdit(ValueType type, const SchemaEntry* entry, QWidget* parent)
    : QLineEdit(parent), m_type(type), m_entry(entry) {
  setObjectName(QStringLiteral("valueEdit"));
  setAccessibleName(tr("Value"));
  setFrame(false);
  setAutoFillBackground(true);
  setTextMargins(1, 0, 1, 0);
  QString expected = expectedText(entry);
  if (expected.isEmpty()) expected = typeName(type);
  setPlaceholderText(expected);
  if (const QString name = moreIcon(type); !name.isEmpty()) {
    m_more = addAction(icon(name), TrailingPosition);
    m_more->setObjectName(QStringLiteral("more"));
    m_more->setText(type == ValueType::Path    ? tr("Choose a file or folder (Alt+Down)")
                    : type == ValueType::Color ? tr("Choose a colour (Alt+Down)")
                                               : tr("Edit in a larger box (Alt+Down)"));
    m_more->setToolTip(m_more->text());
    for (QToolButton* button : findChildren<QToolButton*>()) button->setAccessibleName(m_more->text());
    connect(m_more, &QAction::triggered, this, &ValueEdit::moreRequested);
  }
  setValidator(new ValueValidator(this));
  connect(this, &QLineEdit::textChanged, this, &ValueEdit::check);
}

void ValueEdit::begin(const QString& text) {
  m_initial = text;
  setText(text);
  selectAll();
}

void ValueEdit::check() {
  const QString error = hasAcceptableInput() ? QString() : tr("Expected: %1").arg(parsed().error);
  if (error == toolTip()) return;
  setToolTip(error);
  setAccessibleDescription(error);
  if (error.isEmpty())
    QToolTip::hideText();
  else if (isVisible())
    QToolTip::showText(mapToGlobal(QPoint(0, height())), error, this);
  update();
}

void ValueEdit::keyPressEvent(QKeyEvent* event) {
  const bool upDown = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (event->key() == Qt::Key_Down && event->modifiers() & Qt::AltModifier && m_more) {
    m_more->trigger();
    return;
  }
  if (upDown && (m_type == ValueType::Integer || m_type == ValueType::Number)) {
    const int steps = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    const QString stepped =
        steppedNumber(text(), event->key() == Qt::Key_Up ? steps : -steps, m_type == ValueType::Integer, m_entry);
    if (stepped != text()) {
      selectAll();
      insert(stepped);  // can be undone in the line, and counts as typed
      selectAll();
    }
    return;
  }
  QLineEdit::keyPressEvent(event);
}

void ValueEdit::paintEvent(QPaintEvent* event) {
  QLineEdit::paintEvent(event);
  QPainter painter(this);
  painter.setPen(hasAcceptableInput() ? palette().color(QPalette::Highlight) : theme::broken(palette()));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace attnscope::ui
