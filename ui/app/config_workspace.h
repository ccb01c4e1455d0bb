#pragma once
#include <functional>
#include <memory>

#include <QUndoGroup>
#include <QWidget>

#include "models/config_issues_model.h"
#include "worker/autosave_store.h"
#include "worker/run_data.h"

class QStackedLayout;
class QTabWidget;

namespace attnscope::ui {

class ConfigDocument;
class ConfigEditor;

// The configs that are open, one a tab: opening, saving, closing, and what is kept for the case of a crash.
class ConfigWorkspace : public QWidget {
  Q_OBJECT

 public:
  // Unsaved texts are kept below `autosaveRoot`; empty: not at all.
  explicit ConfigWorkspace(const QString& autosaveRoot, QWidget* parent = nullptr);
  ~ConfigWorkspace() override;

  void openFile(const QString& path);  // one that is open comes to the front
  ConfigEditor* current() const;
  ConfigDocument* currentDocument() const;
  ConfigDocument* documentOf(const QString& path) const;  // nullptr: not open
  QUndoGroup* undoGroup() { return &m_undo; }
  ConfigIssuesModel* issues() { return &m_issues; }

  void save();
  void saveAs();
  void saveMerged();
  void revert();
  void showChanges();  // between the current document and its file
  void closeCurrent();
  // Asks about each document that is not saved; calls `closed` when none is left that must stay.
  void closeAll(const std::function<void()>& closed);
  bool hasUnsaved() const;
  // The place in the text; a file that is not open is opened.
  void showPlace(const QString& file, int line, int column);

  // Opens texts that a crash left behind, or forgets them.
  void recover(const QList<UnsavedText>& texts);
  void forget(const QList<UnsavedText>& texts);

 Q_SIGNALS:
  void currentChanged();   // another document, or none
  void documentChanged();  // the current one: its name, its modified mark
  void snapshotChanged();  // the current one's
  void opened(const QString& path);
  void saved(const QString& path);
  void said(const QString& text);
  void failed(const attnscope::ui::Failure& failure);
  // Something that can be done about what happened.
  void offered(const QString& text, const QString& detail, const QString& action, const std::function<void()>& act);
  void leftBehind(const QList<attnscope::ui::UnsavedText>& texts);

 private:
  ConfigEditor* add();
  void addTab(ConfigEditor* editor);
  void connectDocument(ConfigEditor* editor);
  ConfigEditor* editorOf(const QString& path) const;
  void close(int index);
  void ask(ConfigEditor* editor, const std::function<void()>& closed);
  void drop(ConfigEditor* editor);
  void showTab(ConfigEditor* editor);
  void onCurrent();

  QUndoGroup m_undo;
  ConfigIssuesModel m_issues;
  QTabWidget* m_tabs;
  QStackedLayout* m_stack;
  QString m_autosaveRoot;
  std::unique_ptr<AutosaveFolder> m_autosave;
  struct Place {
    int line = 0, column = 0;
  };
  QHash<QString, Place> m_places;  // to go to once the file is open
};

}  // namespace attnscope::ui
