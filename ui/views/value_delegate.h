#pragma once
#include <functional>

#include <QStyledItemDelegate>

#include "config/path.h"
#include "models/config_value.h"

namespace attnscope::ui {

class ConfigTreeModel;
class ValueEdit;

// Draws the cells of the config form and gives each value the editor of its type. Enter and leaving an editor commit,
// Esc does not. What cannot be a value is never committed and comes back when the cell is edited again.
class ValueDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  // Whether the file that a cell of a path names is there; nullopt when that is not known.
  using PathCheck = std::function<std::optional<bool>(const QString& path)>;

  ValueDelegate(ConfigTreeModel* model, PathCheck isThere, QObject* parent);

  // The next editor takes any YAML scalar.
  void editNextAsYaml() { m_asYaml = true; }

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void setEditorData(QWidget* editor, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 Q_SIGNALS:
  void valueCommitted(const QModelIndex& index, const attnscope::ConfigNode& value);
  // The button of an editor: a file, colour or text dialog is to be opened, starting with `text`.
  void moreRequested(const QModelIndex& index, attnscope::ui::ValueType type, const QString& text);
  // An editor was left with what cannot be the value.
  void refused(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* choiceEditor(QWidget* parent, const QModelIndex& index, ValueType type) const;
  void drawValue(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, QRect room) const;
  void drawKey(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index, QRect room) const;

  ConfigTreeModel* m_model;
  PathCheck m_isThere;
  mutable bool m_asYaml = false;
  // What was typed last and could not be taken, and where.
  struct Refused {
    ConfigPath path;
    QString text, was;
  };
  mutable std::optional<Refused> m_refused;
};

}  // namespace attnscope::ui
