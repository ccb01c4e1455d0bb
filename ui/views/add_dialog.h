#pragma once
#include <vector>

#include <QDialog>

#include "config/node.h"
#include "config/schema.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace attnscope::ui {

class ValueEdit;

// Asks for a new key of a dict, or a new item of a list. Offers the keys that the schema knows and the dict lacks, each
// with its help and default. Deletes itself.
class AddDialog : public QDialog {
  Q_OBJECT

 public:
  // `container` is looked at only here. `entry`: the container's; may be null.
  AddDialog(const ConfigNode& container, const SchemaEntry* entry, QWidget* parent);

  QString key() const;
  ConfigNode value() const;  // null while what was typed is none

 private:
  const SchemaEntry* chosen() const;
  void onKey();
  void check();

  const SchemaEntry* m_entry;
  std::vector<std::string> m_taken;
  bool m_list;
  QComboBox* m_key = nullptr;
  ValueEdit* m_value = nullptr;
  QLabel *m_help, *m_problem;
  QPushButton* m_add;
};

}  // namespace attnscope::ui
