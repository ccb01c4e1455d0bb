#pragma once
#include <functional>
#include <memory>

#include <QByteArray>
#include <QObject>
#include <QUndoStack>

#include "config/editable_config.h"
#include "worker/config_snapshot.h"
#include "worker/run_data.h"

namespace attnscope::ui {

class ConfigController;

// An edit, carried out on the worker's copy. Throws ConfigError when it cannot be done.
using ConfigEdit = std::function<BytePatches(EditableConfig&)>;

// A layer as the panel lists it.
struct LayerSpec {
  enum class Kind { Document, Base, File, Overrides };  // Base: named by a file's `_base_`, not to be edited
  Kind kind = Kind::File;
  QString path;           // of a Base or File
  QStringList overrides;  // key=value texts
  bool enabled = true;
  bool operator==(const LayerSpec&) const = default;
};

// How the merged config is written.
enum class SaveForm { AsEdited, Resolved, OnlyChanges, Dotlist };

// A config file that is edited. The text is the truth: the form and the text pane both change it, each change is one
// entry of the undo stack, and what the text means comes back from the worker as a snapshot. Nothing here reads, writes
// or parses on the GUI thread.
class ConfigDocument : public QObject {
  Q_OBJECT

 public:
  explicit ConfigDocument(QObject* parent = nullptr);
  ~ConfigDocument() override;

  void open(const QString& path);  // answers with opened() or openFailed()
  void restore(const QString& path, const QByteArray& bytes);  // a recovered text: modified, over the file as it is
  void save();                     // saved() or saveFailed(); a file that changed on disk meanwhile is not overwritten
  void saveAs(const QString& path);
  void overwrite();                // save() although the file changed
  void revert();                   // reads the file again; one undo step
  // What a form would write, as it stands now: formReady() or formFailed(). saveForm() writes it.
  void requestForm(SaveForm form);
  void saveForm(SaveForm form, const QString& path);

  QString path() const { return m_path; }
  QString name() const;  // the file's, for tabs and titles
  bool isModified() const { return !m_undo.isClean(); }
  QUndoStack* undoStack() { return &m_undo; }
  const QByteArray& bytes() const { return m_bytes; }
  const QByteArray& savedBytes() const { return m_savedBytes; }

  // The newest snapshot; it lags the text by a few milliseconds while `isBusy()`.
  const ConfigSnapshot& snapshot() const { return m_snapshot; }
  bool isBusy() const { return m_snapshot.revision != m_revision; }

  // The text as a pane shows it: no byte order mark, "\n" line ends. Positions are in its UTF-16 units.
  QString text() const;
  // What was typed into the pane. Typing at one place merges into one undo step until endTyping().
  void replaceText(int position, int removed, const QString& inserted);
  void endTyping();
  // A byte of the file as a position of the text, and back.
  int positionOfByte(qsizetype byte) const;
  qsizetype byteOfPosition(int position) const;
  int positionOfLine(int line, int column) const;  // both from 1

  // An edit of the form: becomes one undo step named `name` when the worker has done it; editRefused() when it cannot.
  // Edits are done in the order in which they were asked for.
  void edit(const QString& name, ConfigEdit edit);
  // The same for a value: `path` in the tree that is shown, which need not be in this document yet.
  void setValue(const ConfigPath& path, const ConfigNode& value);
  // The text of a node as it is written, for the clipboard.
  QString yamlOf(const ConfigPath& path) const;

  const QList<LayerSpec>& layers() const { return m_layers; }
  void setLayers(const QString& name, const QList<LayerSpec>& layers);  // one undo step

 Q_SIGNALS:
  void opened();
  void openFailed(const attnscope::ui::Failure& failure);
  void saved(const QString& path);
  void saveFailed(const attnscope::ui::Failure& failure);
  void snapshotChanged();
  // The text changed: by an edit of the form, an undo or a reload. Not said for replaceText().
  void textReplaced(int position, int removed, const QString& inserted);
  void modifiedChanged(bool modified);
  void pathChanged();
  void layersChanged();
  // `beside`: the value comes from an alias or `<<`, and overrideBeside() would write it here alone.
  void editRefused(const attnscope::ui::Failure& failure, bool beside);
  void edited(const QString& name);  // an edit of the form was done
  void formReady(attnscope::ui::SaveForm form, const QByteArray& before, const QByteArray& after);
  void formFailed(attnscope::ui::SaveForm form, const attnscope::ui::Failure& failure);
  void changedOnDisk(bool gone);

 public Q_SLOTS:
  void overrideBeside();  // what was refused last

 private:
  friend class ConfigPatchCommand;
  friend class ConfigLayersCommand;
  void applyPatches(const BytePatches& patches, bool fromPane);

  QUndoStack m_undo;
  ConfigController* m_controller;
  QString m_path;
  QByteArray m_bytes, m_savedBytes;
  QList<LayerSpec> m_layers;
  ConfigSnapshot m_snapshot;
  quint64 m_revision = 0;
};

}  // namespace attnscope::ui
