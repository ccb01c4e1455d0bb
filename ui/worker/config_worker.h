#pragma once
#include <atomic>
#include <optional>

#include <QObject>

#include "worker/describe_config.h"
#include "worker/run_data.h"

namespace attnscope::ui {

// Reads, edits, checks and writes one config document on a thread of its own. Knows the text of one revision; each text
// that comes replaces it.
class ConfigWorker : public QObject {
  Q_OBJECT

 public:
  // The newest revision that is on its way: older texts are not looked at. Set from the window's thread.
  std::atomic<quint64> newest{0};

  // Each answers with one signal.
  // `optional`: a file that is not there is an empty one.
  void load(quint64 job, const QString& path, bool optional);
  // Writes `bytes`, which are read back first. `expected`: what the file holds as far as is known; something else there
  // is not overwritten (nullopt: whatever is there is). `direct`: into the file itself, where it cannot be replaced.
  void save(const QString& path, const QByteArray& bytes, const std::optional<QByteArray>& expected, bool direct);
  void makeForm(SaveForm form, const QString& path);  // writes it when a path is given
  // `beside`: another way for an edit that is refused; whether it would do is said.
  void edit(quint64 revision, const ConfigEdit& edit, const ConfigEdit& beside);
  void findPath(qsizetype byte);
  // Looks whether the file still holds `expected`.
  void checkFile(const QString& path, const QByteArray& expected);

  // A file as it is opened: its text is also what is saved.
  void open(quint64 revision, const QString& path, const QByteArray& bytes, const QList<LayerSpec>& layers);
  void setText(quint64 revision, const QByteArray& bytes);
  void setSaved(const QByteArray& bytes);
  void setLayers(const QString& path, const QList<LayerSpec>& layers);

 Q_SIGNALS:
  void loaded(quint64 job, const QByteArray& bytes);
  void loadFailed(quint64 job, const attnscope::ui::Failure& failure);
  void saveDone(const QString& path, const QByteArray& bytes);
  // `conflict`: the file holds `onDisk`, which is not what was expected. `direct`: the file itself can be written.
  void saveFailed(const attnscope::ui::Failure& failure, bool conflict, bool direct, const QByteArray& onDisk);
  void formReady(attnscope::ui::SaveForm form, const QByteArray& text, const QString& savedTo);
  void formFailed(attnscope::ui::SaveForm form, const attnscope::ui::Failure& failure);
  void editDone(const attnscope::BytePatches& patches, const attnscope::ui::ConfigSnapshot& snapshot);
  void editStale();  // the text is another one by now
  // `beside`: the other way would do.
  void editFailed(const attnscope::ui::Failure& failure, bool beside);
  void snapshotReady(const attnscope::ui::ConfigSnapshot& snapshot);
  void pathFound(const attnscope::ConfigPath& path);
  void fileDiffers(const QByteArray& onDisk, bool gone);

 private:
  void parse();
  void readSaved(const QByteArray& bytes);
  void tell();
  ConfigSnapshot describe();

  ConfigDescriber m_describer;
  std::optional<EditableConfig> m_config;  // of the last text that could be read
  std::optional<ConfigIssue> m_problem;    // why the newest cannot
  std::shared_ptr<const ConfigNode> m_savedTree;
  QByteArray m_bytes;
  bool m_parsed = true;  // m_bytes was looked at: m_config is of it, or m_problem says why not
  QString m_path;
  QList<LayerSpec> m_layers;
  quint64 m_revision = 0;
};

}  // namespace attnscope::ui
