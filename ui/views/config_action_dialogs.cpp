#include <QClipboard>
#include <QColorDialog>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "config/writer.h"
#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "views/config_actions.h"
#include "views/config_tree_view.h"
#include "views/text_dialog.h"
#include "worker/failure.h"
#include "worker/path_probe.h"

// The clipboard, and the dialogs for values that need more than a line.
namespace attnscope::ui {

// Dict members with their keys, list items as a list.
void ConfigActions::copy() {
  const QModelIndexList rows = this->rows();
  if (rows.isEmpty()) return;
  ConfigNode::Dict members;
  ConfigNode::List items;
  for (const QModelIndex& row : rows) {
    const ConfigPath path = m_model->pathAt(row);
    const ConfigNode* around = m_model->nodeAt(row.parent());
    if (around && around->is_dict() && !ConfigNode(members).find_key(path.back()))
      members.emplace_back(path.back(), *m_model->nodeAt(row));
    items.push_back(*m_model->nodeAt(row));
  }
  const bool keyed = members.size() == items.size();
  QGuiApplication::clipboard()->setText(qstr(to_yaml(keyed ? ConfigNode(members) : ConfigNode(items))));
}

void ConfigActions::copyValue() {
  const QModelIndex index = m_view->currentIndex();
  const ConfigNode* node = index.isValid() ? m_model->nodeAt(index) : nullptr;
  if (node) QGuiApplication::clipboard()->setText(node->is_scalar() ? rawText(*node) : qstr(to_yaml(*node)));
}

void ConfigActions::copyPath() {
  QStringList lines;
  for (const ConfigPath& path : paths()) lines << pathText(path);
  if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void ConfigActions::copyDotlist() {
  QStringList lines;
  for (const QModelIndex& row : rows())
    lines << row.data(ConfigTreeModel::PathRole).toString() + QLatin1Char('=') +
                 qstr(value_text(*m_model->nodeAt(row)));
  if (!lines.isEmpty()) QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void ConfigActions::paste() {
  const ConfigPath at = m_model->pathAt(m_view->currentIndex());
  const QString name = at.empty() ? tr("Paste") : tr("Paste at %1").arg(pathText(at));
  change(name, config_edits::paste(at, QGuiApplication::clipboard()->text().toStdString()));
}

void ConfigActions::openMore(const QModelIndex& index, ValueType type, const QString& text) {
  const ConfigPath path = m_model->pathAt(index);
  if (type == ValueType::Path)
    openPath(path, text);
  else if (type == ValueType::Color)
    openColor(path, text);
  else
    openText(path, text);
}

QString ConfigActions::located(const QString& path) const {
  if (path.isEmpty()) return path;
  return QDir(QFileInfo(m_document->path()).path()).absoluteFilePath(path);
}

void ConfigActions::openPath(const ConfigPath& path, const QString& text) {
  const QString full = located(text);
  const auto state = m_probe->state(full);
  const bool folder = state ? state == PathProbe::State::Folder : QFileInfo(text).suffix().isEmpty();
  auto* dialog = new QFileDialog(m_view, tr("Choose %1").arg(pathText(path)), QFileInfo(full).path());
  dialog->setObjectName(QStringLiteral("pathDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, [this, path, text](const QString& chosen) {
    const bool relative = !text.isEmpty() && QDir::isRelativePath(text);
    const QDir folder(QFileInfo(m_document->path()).path());
    commit(path, ConfigNode((relative ? folder.relativeFilePath(chosen) : chosen).toStdString()));
  });
  dialog->open();
}

void ConfigActions::openColor(const ConfigPath& path, const QString& text) {
  auto* dialog = new QColorDialog(QColor(text), m_view);
  dialog->setObjectName(QStringLiteral("colorDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Choose %1").arg(pathText(path)));
  connect(dialog, &QColorDialog::colorSelected, this,
          [this, path](const QColor& color) { commit(path, ConfigNode(color.name().toStdString())); });
  dialog->open();
}

void ConfigActions::openText(const ConfigPath& path, const QString& text) {
  const ConfigSchema* schema = m_model->snapshot().schema;
  const SchemaEntry* entry = schema ? schema->find(path) : nullptr;
  auto* dialog = new TextDialog(pathText(path), entry ? qstr(entry->help) : QString(), m_view);
  dialog->setText(text);
  connect(dialog, &QDialog::accepted, this, [this, dialog, path, text] {
    QString typed = dialog->text();
    // A text that ends with its line goes on doing so, and its `|` block stays one.
    if (text.endsWith(u'\n') && !typed.endsWith(u'\n')) typed += u'\n';
    if (typed != text) commit(path, ConfigNode(typed.toStdString()));
  });
  dialog->show();
  dialog->activateWindow();
}

// The comments are in the text, which is read off this thread.
void ConfigActions::editComment() {
  const QModelIndex index = m_view->currentIndex();
  if (!index.isValid()) return;
  const ConfigPath path = m_model->pathAt(index);
  m_pool.start([this, path, bytes = m_document->bytes().toStdString()] {
    try {
      const EditableConfig::Comments comments = EditableConfig(bytes, "").comments(path);
      QMetaObject::invokeMethod(
          this, [this, path, comments] { openComment(path, comments); }, Qt::QueuedConnection);
    } catch (...) {
      QMetaObject::invokeMethod(
          this,
          [this, failure = describeFailure(std::current_exception())] {
            Q_EMIT m_document->editRefused(failure, false);
          },
          Qt::QueuedConnection);
    }
  });
}

void ConfigActions::openComment(const ConfigPath& path, const EditableConfig::Comments& comments) {
  auto* dialog = new TextDialog(tr("Comment of %1").arg(pathText(path)), tr("Lines above it, without #"), m_view);
  dialog->setObjectName(QStringLiteral("commentDialog"));
  dialog->setText(qstr(comments.above));
  QLineEdit* behind = dialog->addLine(tr("&Behind the value"), QStringLiteral("commentBehind"));
  behind->setText(qstr(comments.behind));
  connect(dialog, &QDialog::accepted, this, [this, dialog, behind, path, comments] {
    const EditableConfig::Comments now{dialog->text().toStdString(), behind->text().toStdString()};
    if (now == comments) return;
    change(tr("Comment %1").arg(pathText(path)),
           [path, now](EditableConfig& config) { return config.set_comments(path, now); });
  });
  dialog->show();
  dialog->activateWindow();
}

}  // namespace attnscope::ui
