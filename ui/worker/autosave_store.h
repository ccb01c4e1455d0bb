#pragma once
#include <memory>

#include <QByteArray>
#include <QList>
#include <QString>

class QLockFile;

namespace attnscope::ui {

// A text that was not saved when the program ended.
struct UnsavedText {
  QString path;      // of the config file
  QByteArray bytes;  // its text
  QString keptIn;    // the file that holds it
};

// Texts that are not saved yet, so that a crash loses nothing: a folder for each running program, locked while it runs,
// with a file for each document.
class AutosaveFolder {
 public:
  // Below `root`, which is made when it is not there. Touches the disk: call once, at the start.
  explicit AutosaveFolder(const QString& root);
  ~AutosaveFolder();  // an empty folder goes with it

  // The name of a file for one more document.
  QString newFile();

 private:
  QString m_folder;
  std::unique_ptr<QLockFile> m_lock;
  int m_count = 0;
};

// Call these on a worker's thread.
namespace autosave_store {
// Failures are logged: the document itself is not touched by them.
void write(const QString& file, const QString& path, const QByteArray& bytes);
void remove(const QString& file);
// What programs that do not run any more left below `root`.
QList<UnsavedText> leftBehind(const QString& root);
// Forgets them.
void forget(const QList<UnsavedText>& texts);
}  // namespace autosave_store

}  // namespace attnscope::ui
