#include "views/add_dialog.h"

#include <algorithm>

#include <QComboBox>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "models/config_value.h"
#include "views/theme.h"
#include "views/value_edit.h"

namespace attnscope::ui {

AddDialog::AddDialog(const ConfigNode& container, const SchemaEntry* entry, QWidget* parent)
    : QDialog(parent),
      m_entry(entry),
      m_list(container.is_list()),
      m_help(new QLabel(this)),
      m_problem(new QLabel(this)) {
  setObjectName(QStringLiteral("addDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(m_list ? tr("Add an item") : tr("Add a key"));
  setAccessibleName(windowTitle());
  auto* form = new QFormLayout(this);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  if (container.is_dict()) {
    for (const auto& [key, value] : container.members()) m_taken.push_back(key.text());
    m_key = new QComboBox(this);
    m_key->setObjectName(QStringLiteral("addKey"));
    m_key->setAccessibleName(tr("Key"));
    m_key->setEditable(true);
    m_key->setInsertPolicy(QComboBox::NoInsert);
    m_key->completer()->setFilterMode(Qt::MatchContains);
    m_key->completer()->setCompletionMode(QCompleter::PopupCompletion);
    if (entry)
      for (const SchemaEntry& member : entry->members) {
        if (member.name == "*" || container.find(member.name)) continue;
        m_key->addItem(qstr(member.name));
        m_key->setItemData(m_key->count() - 1, qstr(member.summary()), Qt::ToolTipRole);
      }
    m_key->setCurrentIndex(-1);
    m_key->lineEdit()->setPlaceholderText(m_key->count() > 0 ? tr("Down lists the known keys") : tr("name"));
    form->addRow(tr("&Key"), m_key);
    connect(m_key, &QComboBox::currentTextChanged, this, &AddDialog::onKey);
  }
  m_value = new ValueEdit(ValueType::Yaml, nullptr, this);
  m_value->setObjectName(QStringLiteral("addValue"));
  m_value->setPlaceholderText(tr("30, true, text, \"30\"; nothing is null"));
  form->addRow(tr("&Value"), m_value);
  for (QLabel* label : {m_help, m_problem}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    form->addRow(label);
  }
  m_help->setForegroundRole(QPalette::PlaceholderText);
  QPalette red = m_problem->palette();
  red.setColor(QPalette::WindowText, theme::broken(red));
  m_problem->setPalette(red);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_add = buttons->button(QDialogButtonBox::Ok);
  m_add->setText(tr("Add"));
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_value, &QLineEdit::textChanged, this, &AddDialog::check);
  resize(fontMetrics().averageCharWidth() * 56, sizeHint().height());
  onKey();
}

QString AddDialog::key() const { return m_key ? m_key->currentText().trimmed() : QString(); }

const SchemaEntry* AddDialog::chosen() const {
  if (!m_entry) return nullptr;
  return m_list ? m_entry->child(index_key(0)) : m_entry->member(key().toStdString());
}

ConfigNode AddDialog::value() const {
  const SchemaEntry* entry = chosen();
  const QString text = m_value->text();
  if (text.isEmpty() && entry && (entry->type == SchemaEntry::Type::dict || entry->type == SchemaEntry::Type::list))
    return emptyValue(entry->type == SchemaEntry::Type::dict ? ValueType::Dict : ValueType::List);
  ParsedValue parsed =
      entry && !text.isEmpty() ? parseValue(text, valueType(ConfigNode(), entry), entry) : parseYamlScalar(text);
  return parsed.node.value_or(ConfigNode());
}

// A key that is known brings its default along.
void AddDialog::onKey() {
  const SchemaEntry* entry = chosen();
  m_help->setText(entry ? qstr(entry->summary()) : QString());
  if (!m_value->isModified())
    m_value->setText(entry && entry->default_value && entry->default_value->is_scalar()
                         ? editText(*entry->default_value, valueType(ConfigNode(), entry))
                         : QString());
  check();
}

void AddDialog::check() {
  const SchemaEntry* entry = chosen();
  const QString text = m_value->text();
  QString problem;
  if (m_key && std::find(m_taken.begin(), m_taken.end(), key().toStdString()) != m_taken.end())
    problem = tr("“%1” is there already.").arg(key());
  else if (const ParsedValue parsed = entry && !text.isEmpty() ? parseValue(text, valueType(ConfigNode(), entry), entry)
                                                               : parseYamlScalar(text);
           !parsed.node)
    problem = tr("Expected: %1").arg(parsed.error);
  m_problem->setText(problem);
  m_add->setEnabled(problem.isEmpty() && (m_list || !key().isEmpty()));
}

}  // namespace attnscope::ui
