#pragma once
#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "documents/config_document.h"
#include "models/config_tree_model.h"
#include "views/config_form.h"
#include "views/config_tree_view.h"
#include "views/value_edit.h"

namespace attnscope::ui {

// A config form over a real document in a file of its own, for tests that use it by keyboard and mouse.
class ConfigFormTest : public QObject {
 protected:
  void setUp();
  void tearDown();
  // A form over a file with these bytes, shown and with the keyboard.
  void open(const QByteArray& bytes);
  void settle();
  QModelIndex at(const char* path, int column = ConfigTreeModel::Key) const;
  QString shown(const char* path) const { return at(path, ConfigTreeModel::Value).data().toString(); }
  void select(const char* path);
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(m_form->tree(), key, modifiers); }
  ValueEdit* line() const { return m_form->tree()->findChild<ValueEdit*>(QStringLiteral("valueEdit")); }
  // Enter, a text over what is there, Enter.
  void type(const char* path, const QString& text);
  QString hint() const { return m_form->findChild<QLabel*>(QStringLiteral("configHint"))->text(); }
  QLineEdit* search() const { return m_form->findChild<QLineEdit*>(QStringLiteral("configSearch")); }
  QByteArray text() const { return m_document->bytes(); }

  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ConfigDocument> m_document;
  std::unique_ptr<ConfigForm> m_form;
};

inline const QByteArray kRun =
    "# A run\n"
    "mode: inspect # or edit\n"
    "model:\n"
    "  path: model\n"
    "  dtype: float32\n"
    "  vae_tiling: false\n"
    "input:\n"
    "  video: video.mp4\n"
    "  num_frames: 16\n"
    "source_prompt: a cat\n"
    "num_inference_steps: 20\n"
    "seed: 0\n"
    "heatmaps:\n"
    "  words: [cat, dog]\n"
    "  alpha: 0.6\n";

}  // namespace attnscope::ui
