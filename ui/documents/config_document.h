#pragma once
#include <deque>
#include <optional>

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QObject>
#include <QThread>
#include <QTimer>
#include <QUndoStack>

#include "documents/config_commands.h"
#include "worker/config_snapshot.h"
#include "worker/run_data.h"

namespace attnscope::ui {

class ConfigWorker;

// A config file that is edited. The text is the truth: the form and the text pane both change it, each change is one
// entry of the undo stack, and what the text means comes back from the worker as a snapshot. Nothing here reads, writes
// or parses on the GUI thread.
class ConfigDocument : public QObject {
  Q_OBJECT

 public:
  explicit ConfigDocument(QObject* parent = nullptr);
  ~ConfigDocument() override;

  void open(const QString& path);  // answers with opened() or openFailed()
  // A recovered text, over the file as it is now: one undo step. Answers like open().
  void restore(const QString& path, const QByteArray& bytes);
  void save();                       // saved() or saveFailed()
  void saveAs(const QString& path);  // whatever is there is replaced
  void saveDirectly();               // into the file itself: for folders where no file can be put beside it
  void revert();                     // reads the file again: one undo step; reverted() or openFailed()
  void keepMine();                   // what the file holds now will be overwritten
  // What a form would write, as it stands now: formReady() or formFailed(). saveForm() writes it, too.
  void requestForm(SaveForm form);
  void saveForm(SaveForm form, const QString& path);

  QString path() const { return m_path; }
  QString name() const;  // the file's, for tabs and titles
  bool isModified() const { return m_modified; }
  QUndoStack* undoStack() { return &m_undo; }
  const QByteArray& bytes() const { return m_bytes; }
  const QByteArray& savedBytes() const { return m_savedBytes; }
  const QByteArray& diskBytes() const { return m_diskBytes; }  // what another program wrote: after changedOnDisk()

  // The newest snapshot; it lags the text by some milliseconds while isBusy().
  const ConfigSnapshot& snapshot() const { return m_snapshot; }
  // What of it would run: the text, or what the layers make of it.
  ConfigText shownText() const { return {m_bytes, m_snapshot.merged ? m_snapshot.shown : nullptr}; }
  bool isBusy() const { return m_snapshot.revision != m_revision || !m_edits.empty(); }

  // The text as a pane shows it: no byte order mark, "\n" line ends. Positions are in its UTF-16 units.
  QString text() const;
  // What was typed into the pane. Typing merges into one undo step until endTyping().
  void replaceText(int position, int removed, const QString& inserted);
  void endTyping() { ++m_typing; }
  // A byte of the file as a position of the text, and back.
  int positionOfByte(qsizetype byte) const;
  qsizetype byteOfPosition(int position) const;
  int positionOfLine(int line, int column) const;  // both from 1
  void requestPathAt(int position);                // answers with pathFound()

  // An edit of the form: becomes one undo step named `name` when the worker has done it; editRefused() when it cannot.
  // Edits are done in the order in which they were asked for.
  void edit(const QString& name, const ConfigEdit& edit);
  // The same for values: paths in the tree that is shown, which need not be in this document yet.
  void setValue(const ConfigPath& path, const ConfigNode& value);
  void setValues(const QString& name, const std::vector<std::pair<ConfigPath, ConfigNode>>& values);

  const QList<LayerSpec>& layers() const { return m_layers; }
  void setLayers(const QString& name, const QList<LayerSpec>& layers);  // one undo step

  // Where the text is kept while it is not saved; empty: nowhere. The file goes when there is nothing to keep.
  void setAutosave(const QString& file);
  void dropAutosave();  // what is not saved is not wanted

 Q_SIGNALS:
  void opened();
  void openFailed(const attnscope::ui::Failure& failure);
  void reverted();
  void saved(const QString& path);
  // `direct`: saveDirectly() would work.
  void saveFailed(const attnscope::ui::Failure& failure, bool direct);
  void snapshotChanged();
  // The text changed: by an edit of the form, an undo or a reload. Not said for replaceText().
  void textReplaced(int position, int removed, const QString& inserted);
  void modifiedChanged(bool modified);
  void pathChanged();
  void layersChanged();
  void pathFound(const attnscope::ConfigPath& path);
  // `beside`: the value comes from an alias or `<<`, and overrideBeside() would write it here alone.
  void editRefused(const attnscope::ui::Failure& failure, bool beside);
  void edited(const QString& name);  // an edit of the form was done
  void formReady(attnscope::ui::SaveForm form, const QByteArray& text);
  void formSaved(attnscope::ui::SaveForm form, const QString& path);
  void formFailed(attnscope::ui::SaveForm form, const attnscope::ui::Failure& failure);
  void changedOnDisk(bool gone);

 public Q_SLOTS:
  void overrideBeside();  // what was refused last

 private:
  friend class ConfigPatchCommand;
  friend class ConfigLayersCommand;
  enum class Loading { Open, Restore, Revert };
  struct Edit {
    QString name;
    ConfigEdit apply;
    ConfigEdit beside;  // another way, when it is refused
    QString besideName;
  };

  void applyPatches(const BytePatches& patches, PatchOrigin origin);
  void applyLayers(const QList<LayerSpec>& layers);
  void connectWorker();
  void load(const QString& path, Loading what);
  void onLoaded(const QByteArray& bytes);
  void onEditDone(const BytePatches& patches, const ConfigSnapshot& snapshot);
  void onEditFailed(const Failure& failure, bool beside);
  std::pair<ConfigPath, ConfigNode> placeInOwn(const ConfigPath& path, const ConfigNode& value) const;
  void setSnapshot(const ConfigSnapshot& snapshot);
  void write(const QString& path, const std::optional<QByteArray>& expected, bool direct);
  void onSaved(const QString& path, const QByteArray& bytes);
  void sendText();
  void sendEdit();
  void setSavedBytes(const QByteArray& bytes);
  void setPath(const QString& path);
  void updateModified();
  void watch();
  void autosave();
  template <class Call>
  void post(Call call);

  QUndoStack m_undo;
  QThread m_thread;
  ConfigWorker* m_worker;
  QFileSystemWatcher m_watcher;
  QTimer m_watchTimer, m_autosaveTimer;
  QString m_path, m_autosave;
  QByteArray m_bytes, m_savedBytes, m_diskBytes, m_restored;
  QList<LayerSpec> m_layers{{LayerSpec::Kind::Document, {}, {}, true}};
  ConfigSnapshot m_snapshot;
  std::deque<Edit> m_edits;
  std::optional<Edit> m_refused;
  Loading m_loading = Loading::Open;
  quint64 m_revision = 0, m_job = 0;
  int m_typing = 1;
  bool m_modified = false;
  bool m_open = false;
  bool m_differs = false;  // changedOnDisk() was said
};

}  // namespace attnscope::ui
