#include "documents/config_document.h"

#include <utility>

#include <QDir>
#include <QFileInfo>

#include "documents/text_positions.h"
#include "worker/autosave_store.h"
#include "worker/config_worker.h"

namespace attnscope::ui {

namespace {

constexpr int kWatchDelay = 150;  // ms: programs that save do it in several steps
constexpr int kAutosaveDelay = 2000;

QString keyText(const ConfigSnapshot& snapshot, const ConfigPath& path) {
  return snapshot.shown ? QString::fromStdString(path_text(*snapshot.shown, path)) : QString();
}

}  // namespace

ConfigDocument::ConfigDocument(QObject* parent) : QObject(parent), m_worker(new ConfigWorker) {
  m_thread.setObjectName(QStringLiteral("config"));
  m_worker->moveToThread(&m_thread);
  connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
  m_watchTimer.setSingleShot(true);
  m_watchTimer.setInterval(kWatchDelay);
  m_autosaveTimer.setSingleShot(true);
  m_autosaveTimer.setInterval(kAutosaveDelay);
  connectWorker();
  connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_watchTimer, qOverload<>(&QTimer::start));
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_watchTimer, qOverload<>(&QTimer::start));
  connect(&m_watchTimer, &QTimer::timeout, this, [this] {
    watch();  // a file that was replaced is no longer watched
    post([path = m_path, bytes = m_savedBytes](ConfigWorker& worker) { worker.checkFile(path, bytes); });
  });
  connect(&m_autosaveTimer, &QTimer::timeout, this, &ConfigDocument::autosave);
  m_thread.start();
}

ConfigDocument::~ConfigDocument() {
  // What was asked for before, such as saving, is done first.
  post([thread = &m_thread](ConfigWorker&) { thread->quit(); });
  m_thread.wait();
}

template <class Call>
void ConfigDocument::post(Call call) {
  QMetaObject::invokeMethod(
      m_worker, [worker = m_worker, call] { call(*worker); }, Qt::QueuedConnection);
}

void ConfigDocument::connectWorker() {
  connect(m_worker, &ConfigWorker::loaded, this, [this](quint64 job, const QByteArray& bytes) {
    if (job == m_job) onLoaded(bytes);
  });
  connect(m_worker, &ConfigWorker::loadFailed, this, [this](quint64 job, const Failure& failure) {
    if (job == m_job) Q_EMIT openFailed(failure);
  });
  connect(m_worker, &ConfigWorker::saveDone, this,
          [this](const QString& path, const QByteArray& bytes) { onSaved(path, bytes); });
  connect(m_worker, &ConfigWorker::saveFailed, this,
          [this](const Failure& failure, bool conflict, bool direct, const QByteArray& onDisk) {
            Q_EMIT saveFailed(failure, direct);
            if (!conflict) return;
            m_diskBytes = onDisk;
            m_differs = true;
            Q_EMIT changedOnDisk(false);
          });
  connect(m_worker, &ConfigWorker::formReady, this, [this](SaveForm form, const QByteArray& text, const QString& path) {
    path.isEmpty() ? Q_EMIT formReady(form, text) : Q_EMIT formSaved(form, path);
  });
  connect(m_worker, &ConfigWorker::formFailed, this, &ConfigDocument::formFailed);
  connect(m_worker, &ConfigWorker::editDone, this, &ConfigDocument::onEditDone);
  connect(m_worker, &ConfigWorker::editStale, this, &ConfigDocument::sendEdit);
  connect(m_worker, &ConfigWorker::editFailed, this, &ConfigDocument::onEditFailed);
  connect(m_worker, &ConfigWorker::snapshotReady, this, &ConfigDocument::setSnapshot);
  connect(m_worker, &ConfigWorker::pathFound, this, &ConfigDocument::pathFound);
  connect(m_worker, &ConfigWorker::fileDiffers, this, [this](const QByteArray& onDisk, bool gone) {
    if (m_differs && onDisk == m_diskBytes) return;
    m_differs = true;
    m_diskBytes = onDisk;
    Q_EMIT changedOnDisk(gone);
  });
}

// ---- The file

void ConfigDocument::open(const QString& path) { load(path, Loading::Open); }

void ConfigDocument::restore(const QString& path, const QByteArray& bytes) {
  m_restored = bytes;
  load(path, Loading::Restore);
}

void ConfigDocument::revert() { load(m_path, Loading::Revert); }

void ConfigDocument::load(const QString& path, Loading what) {
  m_loading = what;
  const quint64 job = ++m_job;
  if (what != Loading::Revert) setPath(path);
  post([job, path, what](ConfigWorker& worker) { worker.load(job, path, what == Loading::Restore); });
}

void ConfigDocument::onLoaded(const QByteArray& bytes) {
  m_differs = false;
  if (m_loading == Loading::Revert) {
    setSavedBytes(bytes);
    const BytePatches patches =
        difference({m_bytes.constData(), std::size_t(m_bytes.size())}, {bytes.constData(), std::size_t(bytes.size())});
    if (!patches.empty()) m_undo.push(new ConfigPatchCommand(*this, tr("Reload"), patches, PatchOrigin::History));
    Q_EMIT reverted();
    return;
  }
  m_bytes = bytes;
  ++m_revision;
  m_open = true;
  m_undo.clear();
  m_savedBytes = bytes;
  m_worker->newest = m_revision;
  post([revision = m_revision, path = m_path, bytes, layers = m_layers](ConfigWorker& worker) {
    worker.open(revision, path, bytes, layers);
  });
  updateModified();
  watch();
  Q_EMIT opened();
  if (m_loading == Loading::Restore) {
    const BytePatches patches = difference({m_bytes.constData(), std::size_t(m_bytes.size())},
                                           {m_restored.constData(), std::size_t(m_restored.size())});
    if (!patches.empty())
      m_undo.push(new ConfigPatchCommand(*this, tr("Recovered changes"), patches, PatchOrigin::History));
  }
}

void ConfigDocument::save() { write(m_path, m_savedBytes, false); }

void ConfigDocument::saveAs(const QString& path) {
  write(path, path == m_path ? std::optional(m_savedBytes) : std::nullopt, false);
}

void ConfigDocument::saveDirectly() { write(m_path, m_savedBytes, true); }

void ConfigDocument::write(const QString& path, const std::optional<QByteArray>& expected, bool direct) {
  endTyping();
  post([path, bytes = m_bytes, expected, direct](ConfigWorker& worker) { worker.save(path, bytes, expected, direct); });
}

void ConfigDocument::onSaved(const QString& path, const QByteArray& bytes) {
  m_differs = false;
  if (path != m_path) {
    setPath(path);
    post([path, layers = m_layers](ConfigWorker& worker) { worker.setLayers(path, layers); });
  }
  setSavedBytes(bytes);
  Q_EMIT saved(path);
}

void ConfigDocument::keepMine() {
  m_differs = false;
  setSavedBytes(m_diskBytes);
}

void ConfigDocument::setSavedBytes(const QByteArray& bytes) {
  m_savedBytes = bytes;
  post([bytes](ConfigWorker& worker) { worker.setSaved(bytes); });
  updateModified();
  watch();
}

void ConfigDocument::setPath(const QString& path) {
  if (path == m_path) return;
  m_path = path;
  if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
    m_watcher.removePaths(watched);
  Q_EMIT pathChanged();
}

QString ConfigDocument::name() const { return QFileInfo(m_path).fileName(); }

void ConfigDocument::watch() {
  if (m_path.isEmpty()) return;
  if (!m_watcher.files().contains(m_path)) m_watcher.addPath(m_path);
  const QString folder = QFileInfo(m_path).path();
  if (!m_watcher.directories().contains(folder)) m_watcher.addPath(folder);
}

void ConfigDocument::updateModified() {
  const bool modified = m_bytes != m_savedBytes;
  if (modified != m_modified) {
    m_modified = modified;
    Q_EMIT modifiedChanged(modified);
  }
  if (!m_autosave.isEmpty()) m_autosaveTimer.start();
}

void ConfigDocument::setAutosave(const QString& file) {
  m_autosave = file;
  if (m_modified) m_autosaveTimer.start();
}

void ConfigDocument::dropAutosave() {
  m_autosaveTimer.stop();
  if (!m_autosave.isEmpty()) post([file = m_autosave](ConfigWorker&) { autosave_store::remove(file); });
  m_autosave.clear();
}

void ConfigDocument::autosave() {
  post([file = m_autosave, path = m_path, bytes = m_modified ? m_bytes : QByteArray()](ConfigWorker&) {
    bytes.isEmpty() ? autosave_store::remove(file) : autosave_store::write(file, path, bytes);
  });
}

void ConfigDocument::requestForm(SaveForm form) { saveForm(form, {}); }

void ConfigDocument::saveForm(SaveForm form, const QString& path) {
  post([form, path](ConfigWorker& worker) { worker.makeForm(form, path); });
}

// ---- The text

QString ConfigDocument::text() const { return TextPositions::shown(m_bytes); }

int ConfigDocument::positionOfByte(qsizetype byte) const { return TextPositions(m_bytes).positionOfByte(byte); }

qsizetype ConfigDocument::byteOfPosition(int position) const { return TextPositions(m_bytes).byteOfPosition(position); }

int ConfigDocument::positionOfLine(int line, int column) const {
  return TextPositions(m_bytes).positionOfLine(line, column);
}

void ConfigDocument::requestPathAt(int position) {
  post([byte = byteOfPosition(position)](ConfigWorker& worker) { worker.findPath(byte); });
}

void ConfigDocument::replaceText(int position, int removed, const QString& inserted) {
  const TextPositions positions(m_bytes);
  const qsizetype begin = positions.byteOfPosition(position), end = positions.byteOfPosition(position + removed);
  const BytePatch patch{std::size_t(begin), m_bytes.mid(begin, end - begin).toStdString(),
                        positions.written(inserted).toStdString()};
  if (patch.removed == patch.inserted) return;
  m_undo.push(new ConfigPatchCommand(*this, tr("Typing"), {patch}, PatchOrigin::Pane, m_typing));
}

void ConfigDocument::applyPatches(const BytePatches& patches, PatchOrigin origin) {
  const QByteArray before = m_bytes;
  m_bytes = QByteArray::fromStdString(apply_patches({before.constData(), std::size_t(before.size())}, patches));
  ++m_revision;
  if (origin != PatchOrigin::Worker) sendText();
  updateModified();
  if (origin == PatchOrigin::Pane) return;
  const TextPositions positions(before);
  for (auto patch = patches.rbegin(); patch != patches.rend(); ++patch) {
    const int begin = positions.positionOfByte(qsizetype(patch->at));
    const int end = positions.positionOfByte(qsizetype(patch->at + patch->removed.size()));
    Q_EMIT textReplaced(begin, end - begin, TextPositions::shown(QByteArray::fromStdString(patch->inserted)));
  }
}

void ConfigDocument::sendText() {
  m_worker->newest = m_revision;
  post([revision = m_revision, bytes = m_bytes](ConfigWorker& worker) { worker.setText(revision, bytes); });
}

void ConfigDocument::setSnapshot(const ConfigSnapshot& snapshot) {
  if (!m_open || snapshot.revision < m_snapshot.revision || snapshot.revision > m_revision) return;
  m_snapshot = snapshot;
  QList<LayerSpec> layers;
  for (const LayerSpec& layer : std::as_const(m_layers)) {
    if (layer.kind == LayerSpec::Kind::Base) continue;
    if (layer.kind == LayerSpec::Kind::Document) {
      for (const QString& base : snapshot.bases) {
        const auto known = std::find_if(m_layers.cbegin(), m_layers.cend(), [&](const LayerSpec& one) {
          return one.kind == LayerSpec::Kind::Base && one.path == base;
        });
        layers.append({LayerSpec::Kind::Base, base, {}, known == m_layers.cend() || known->enabled});
      }
    }
    layers.append(layer);
  }
  const bool others = layers != m_layers;
  m_layers = layers;
  Q_EMIT snapshotChanged();
  if (others) Q_EMIT layersChanged();
}

// ---- Edits of the form

void ConfigDocument::edit(const QString& name, const ConfigEdit& edit) {
  m_edits.push_back({name, edit, {}, {}});
  if (m_edits.size() == 1) sendEdit();
}

void ConfigDocument::setValue(const ConfigPath& path, const ConfigNode& value) {
  const auto in = placeInOwn(path, value);
  const QString key = keyText(m_snapshot, path);
  m_edits.push_back({tr("Set %1").arg(key), [in](EditableConfig& config) { return config.set(in.first, in.second); },
                     [in](EditableConfig& config) { return config.override_beside(in.first, in.second); },
                     tr("Override %1").arg(key)});
  if (m_edits.size() == 1) sendEdit();
}

void ConfigDocument::setValues(const QString& name, const std::vector<std::pair<ConfigPath, ConfigNode>>& values) {
  std::vector<std::pair<ConfigPath, ConfigNode>> in;
  for (const auto& [path, value] : values) in.push_back(placeInOwn(path, value));
  edit(name, [in](EditableConfig& config) { return config.set_all(in); });
}

std::pair<ConfigPath, ConfigNode> ConfigDocument::placeInOwn(const ConfigPath& path, const ConfigNode& value) const {
  if (!m_snapshot.own || m_snapshot.own == m_snapshot.shown) return {path, value};
  // A merge replaces lists whole: an item of a list that this document lacks takes the list along.
  ConfigPath at;
  for (const ConfigKey& key : path) {
    const ConfigNode* shown = node_at(*m_snapshot.shown, at);
    if (shown && shown->is_list() && !node_at(*m_snapshot.own, at)) {
      ConfigNode list = *shown;
      ConfigNode* item = node_at(list, ConfigPath(path.begin() + std::ptrdiff_t(at.size()), path.end()));
      if (item) *item = value;
      return {at, list};
    }
    at.push_back(key);
  }
  return {path, value};
}

void ConfigDocument::sendEdit() {
  if (m_edits.empty()) return;
  post([revision = m_revision, edit = m_edits.front()](ConfigWorker& worker) {
    worker.edit(revision, edit.apply, edit.beside);
  });
}

void ConfigDocument::onEditDone(const BytePatches& patches, const ConfigSnapshot& snapshot) {
  if (m_edits.empty()) return;
  if (snapshot.revision != m_revision + (patches.empty() ? 0 : 1)) {
    sendEdit();  // the text was changed meanwhile
    return;
  }
  const Edit done = std::move(m_edits.front());
  m_edits.pop_front();
  endTyping();
  if (!patches.empty()) {
    m_worker->newest = m_revision + 1;
    m_undo.push(new ConfigPatchCommand(*this, done.name, patches, PatchOrigin::Worker));
  }
  setSnapshot(snapshot);
  Q_EMIT edited(done.name);
  sendEdit();
}

void ConfigDocument::onEditFailed(const Failure& failure, bool beside) {
  if (m_edits.empty()) return;
  m_refused = std::move(m_edits.front());
  m_edits.pop_front();
  Q_EMIT editRefused(failure, beside);
  sendEdit();
}

void ConfigDocument::overrideBeside() {
  if (!m_refused || !m_refused->beside) return;
  const Edit refused = *std::exchange(m_refused, std::nullopt);
  edit(refused.besideName, refused.beside);
}

// ---- Layers

void ConfigDocument::setLayers(const QString& name, const QList<LayerSpec>& layers) {
  if (layers != m_layers) m_undo.push(new ConfigLayersCommand(*this, name, layers));
}

void ConfigDocument::applyLayers(const QList<LayerSpec>& layers) {
  m_layers = layers;
  post([path = m_path, layers](ConfigWorker& worker) { worker.setLayers(path, layers); });
  Q_EMIT layersChanged();
}

}  // namespace attnscope::ui
