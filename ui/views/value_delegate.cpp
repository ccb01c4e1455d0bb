#include "views/value_delegate.h"

#include <QComboBox>
#include <QEvent>
#include <QTimer>

#include "models/config_tree_model.h"
#include "views/value_edit.h"

namespace attnscope::ui {

ValueDelegate::ValueDelegate(ConfigTreeModel* model, PathCheck isThere, QObject* parent)
    : QStyledItemDelegate(parent), m_model(model), m_isThere(std::move(isThere)) {}

QWidget* ValueDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
  if (index.column() == ConfigTreeModel::Key) {
    auto* edit = new QLineEdit(parent);
    edit->setObjectName(QStringLiteral("keyEdit"));
    edit->setAccessibleName(tr("Key"));
    edit->setFrame(false);
    edit->setAutoFillBackground(true);
    return edit;
  }
  const bool asYaml = std::exchange(m_asYaml, false);
  const auto type = asYaml ? ValueType::Yaml : ValueType(index.data(ConfigTreeModel::TypeRole).toInt());
  const SchemaEntry* entry = m_model->entryAt(index);
  if (type == ValueType::Boolean || (type == ValueType::Choice && entry)) return choiceEditor(parent, index, type);
  auto* edit = new ValueEdit(type, asYaml ? nullptr : entry, parent);
  connect(edit, &ValueEdit::moreRequested, this, [this, edit, type, at = QPersistentModelIndex(index)] {
    auto* self = const_cast<ValueDelegate*>(this);
    const QString text = edit->text();
    Q_EMIT self->closeEditor(edit, RevertModelCache);
    Q_EMIT self->moreRequested(at, type, text);
  });
  return edit;
}

QWidget* ValueDelegate::choiceEditor(QWidget* parent, const QModelIndex& index, ValueType type) const {
  auto* combo = new QComboBox(parent);
  combo->setObjectName(QStringLiteral("choiceEdit"));
  combo->setAccessibleName(tr("Value of %1").arg(index.data(ConfigTreeModel::PathRole).toString()));
  const SchemaEntry* entry = m_model->entryAt(index);
  if (type == ValueType::Boolean) {
    combo->addItems({QStringLiteral("true"), QStringLiteral("false")});
  } else {
    for (const std::string& choice : entry->choices) combo->addItem(qstr(choice));
  }
  if (entry && entry->nullable) combo->addItem(QStringLiteral("null"));
  auto* self = const_cast<ValueDelegate*>(this);
  connect(combo, &QComboBox::activated, this, [self, combo] {
    Q_EMIT self->commitData(combo);
    Q_EMIT self->closeEditor(combo);
  });
  QTimer::singleShot(0, combo, &QComboBox::showPopup);
  return combo;
}

void ValueDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
  if (auto* combo = qobject_cast<QComboBox*>(editor)) {
    combo->setCurrentIndex(combo->findText(valueText(*m_model->nodeAt(index))));
    return;
  }
  auto* edit = qobject_cast<ValueEdit*>(editor);
  if (!edit) {
    QStyledItemDelegate::setEditorData(editor, index);
    return;
  }
  if (edit->isModified()) return;  // a new snapshot does not take away what is being typed
  const QString text = editText(*m_model->nodeAt(index), edit->type());
  edit->begin(text);
  if (m_refused && m_refused->path == m_model->pathAt(index) && m_refused->was == text) {
    edit->selectAll();
    edit->insert(m_refused->text);
  }
}

void ValueDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
  auto* self = const_cast<ValueDelegate*>(this);
  if (auto* combo = qobject_cast<QComboBox*>(editor)) {
    const ConfigNode* node = m_model->nodeAt(index);
    if (combo->currentIndex() < 0 || combo->currentText() == valueText(*node)) return;
    const auto type = ValueType(index.data(ConfigTreeModel::TypeRole).toInt());
    if (const ParsedValue value = parseValue(combo->currentText(), type, m_model->entryAt(index)); value.node)
      Q_EMIT self->valueCommitted(index, *value.node);
    return;
  }
  auto* edit = qobject_cast<ValueEdit*>(editor);
  if (!edit) {
    model->setData(index, qobject_cast<QLineEdit*>(editor)->text());
    return;
  }
  if (edit->text() == edit->initialText()) return;
  const ParsedValue value = edit->parsed();
  if (!value.node) {
    m_refused = {m_model->pathAt(index), edit->text(), edit->initialText()};
    Q_EMIT self->refused(tr("“%1” was not taken. Expected: %2. Enter edits it again.").arg(edit->text(), value.error));
    return;
  }
  m_refused.reset();
  const ConfigNode* node = m_model->nodeAt(index);
  if (!(*value.node == *node) || rawText(*value.node) != rawText(*node))
    Q_EMIT self->valueCommitted(index, *value.node);
}

// A line that cannot be taken is left all the same, but what was typed is kept for the next time.
bool ValueDelegate::eventFilter(QObject* watched, QEvent* event) {
  auto* edit = qobject_cast<ValueEdit*>(watched);
  if (edit && event->type() == QEvent::FocusOut && !edit->hasAcceptableInput()) Q_EMIT commitData(edit);
  return QStyledItemDelegate::eventFilter(watched, event);
}

void ValueDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                         const QModelIndex& index) const {
  QRect room = option.rect;
  if (index.column() == ConfigTreeModel::Key) {
    QStyledItemDelegate::updateEditorGeometry(editor, option, index);
    room = editor->geometry();
    room.setRight(option.rect.right());
  }
  if (qobject_cast<QComboBox*>(editor)) room.setHeight(std::max(room.height(), editor->sizeHint().height()));
  editor->setGeometry(room);
}

}  // namespace attnscope::ui
