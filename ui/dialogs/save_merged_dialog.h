#pragma once
#include <QDialog>
#include <QTimer>

#include "worker/config_snapshot.h"
#include "worker/run_data.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace attnscope::ui {

class ConfigDocument;
class DiffView;
class MessageBar;

// Saves a document in one of the forms, after a look at what would be written: of the text as edited the bytes that
// change, of the others the whole text. Not modal; follows the document while it is open.
class SaveMergedDialog : public QDialog {
  Q_OBJECT

 public:
  explicit SaveMergedDialog(ConfigDocument* document, QWidget* parent = nullptr);

  SaveForm form() const;
  void setForm(SaveForm form);

  // Size, place and form, for the session.
  QByteArray saveState() const;
  void restoreState(const QByteArray& state);

 Q_SIGNALS:
  void written(const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void onForm();
  void requestPreview();
  void onFormReady(SaveForm form, const QByteArray& text);
  void onFailed(const Failure& failure);
  void onCompared(int removed, int added);
  void onPath();
  void browse();
  void save();
  void onWritten(const QString& path);
  QString suggestedPath() const;

  ConfigDocument* m_document;
  QButtonGroup* m_forms;
  QLabel *m_help, *m_summary, *m_pathNote;
  DiffView* m_preview;
  QLineEdit* m_path;
  MessageBar* m_message;
  QPushButton* m_save;
  QTimer m_delay;
  bool m_pathChosen = false;  // by the user: another form leaves it
  bool m_saving = false;
  bool m_canSave = false;  // there is something to write
};

}  // namespace attnscope::ui
