#include "worker/config_worker.h"

#include <QFile>
#include <QFileInfo>

#include "config/dump.h"
#include "config/only_changes.h"
#include "config/resolve.h"
#include "config/yaml_loader.h"
#include "io/atomic_file.h"
#include "worker/failure.h"
#include "worker/open_config.h"

namespace attnscope::ui {

namespace {

// A text that can be shown: YAML or not, but UTF-8 without NUL. Throws ConfigError.
QByteArray readText(const QString& path) {
  const std::string bytes = read_config_file(path.toStdString());
  const ConfigPlace place{path.toStdString()};
  if (bytes.find('\0') != std::string::npos)
    throw ConfigError("is not a text file", place, "Open a YAML or JSON config.");
  const QByteArray out = QByteArray::fromStdString(bytes);
  auto decoder = QStringDecoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
  const QString ignored = decoder(out);
  if (decoder.hasError()) {
    load_yaml_text(bytes, path.toStdString());  // says where
    throw ConfigError("is not UTF-8", place, "Save it as UTF-8 in the program that wrote it.");
  }
  return out;
}

std::shared_ptr<const ConfigNode> treeOf(const QByteArray& bytes) {
  try {
    return std::make_shared<const ConfigNode>(load_yaml_text(std::string_view(bytes.constData(), bytes.size()), ""));
  } catch (const ConfigError&) {
    return nullptr;  // a file that cannot be read has nothing to compare with
  }
}

bool wouldDo(const ConfigEdit& edit, const QByteArray& bytes) {
  try {
    EditableConfig copy(bytes.toStdString(), "");
    return !edit(copy).empty();
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void ConfigWorker::load(quint64 job, const QString& path, bool optional) {
  try {
    Q_EMIT loaded(job, optional && !QFileInfo::exists(path) ? QByteArray() : readText(path));
  } catch (...) {
    Q_EMIT loadFailed(job, describeFailure(std::current_exception()));
  }
}

void ConfigWorker::save(const QString& path, const QByteArray& bytes, const std::optional<QByteArray>& expected,
                        bool direct) {
  try {
    const QFileInfo info(path);
    if (expected && info.exists()) {
      const QByteArray there = QByteArray::fromStdString(read_config_file(path.toStdString()));
      if (there != *expected && there != bytes) {
        const Failure failure{tr("The file was changed by another program since it was opened."), shortPath(path),
                              tr("Look at the changes, then reload it or keep yours.")};
        Q_EMIT saveFailed(failure, true, false, there);
        return;
      }
    }
    const std::string_view content(bytes.constData(), std::size_t(bytes.size()));
    direct ? write_file_direct(path.toStdString(), content) : write_file_atomic(path.toStdString(), content);
    Q_EMIT saveDone(path, bytes);
  } catch (const FolderNotWritable&) {
    Q_EMIT saveFailed(describeFailure(std::current_exception()), false, true, {});
  } catch (...) {
    Q_EMIT saveFailed(describeFailure(std::current_exception()), false, false, {});
  }
}

void ConfigWorker::makeForm(SaveForm form, const QString& path) {
  try {
    parse();
    if (m_problem || !m_config) {
      Q_EMIT formFailed(form, {tr("The text cannot be read: %1").arg(m_problem ? m_problem->message : QString()),
                               m_problem ? m_problem->key : QString(), tr("Correct it in the text first.")});
      return;
    }
    const ConfigSnapshot snapshot = describe();
    std::string text;
    switch (form) {
      case SaveForm::AsEdited: text = m_bytes.toStdString(); break;
      case SaveForm::Resolved: {
        ConfigNode tree = *snapshot.shown;
        resolve_in_place(tree);
        text = omegaconf_yaml(tree);
        break;
      }
      case SaveForm::OnlyChanges:
      case SaveForm::Dotlist: {
        const OnlyChanges changes =
            only_changes(m_savedTree ? *m_savedTree : ConfigNode(ConfigNode::Dict{}), *snapshot.shown);
        for (const ConfigPath& gone : changes.removed)
          text += "# taken out, which a merge cannot say: " + path_text(*m_savedTree, gone) + "\n";
        if (form == SaveForm::OnlyChanges) {
          text += omegaconf_yaml(changes.tree);
        } else {
          for (const std::string& line : changes.dotlist) text += line + "\n";
        }
        break;
      }
    }
    if (!path.isEmpty()) write_file_atomic(path.toStdString(), text);
    Q_EMIT formReady(form, QByteArray::fromStdString(text), path);
  } catch (...) {
    Q_EMIT formFailed(form, describeFailure(std::current_exception()));
  }
}

void ConfigWorker::edit(quint64 revision, const ConfigEdit& edit, const ConfigEdit& beside) {
  if (revision != m_revision) {
    Q_EMIT editStale();
    return;
  }
  try {
    parse();
    if (m_problem || !m_config) {
      Q_EMIT editFailed(
          {tr("The text cannot be read, so the form cannot change it."),
           m_problem ? tr("line %1").arg(m_problem->line) : QString(), m_problem ? m_problem->message : QString()},
          false);
      return;
    }
    const BytePatches patches = edit(*m_config);
    const std::string& bytes = m_config->bytes();
    m_bytes = QByteArray(bytes.data(), qsizetype(bytes.size()));
    if (!patches.empty()) ++m_revision;
    Q_EMIT editDone(patches, describe());
  } catch (...) {
    Q_EMIT editFailed(describeFailure(std::current_exception()), m_config && beside && wouldDo(beside, m_bytes));
  }
}

void ConfigWorker::findPath(qsizetype byte) {
  parse();
  if (m_config && !m_problem) Q_EMIT pathFound(m_config->path_at(std::size_t(byte)));
}

void ConfigWorker::checkFile(const QString& path, const QByteArray& expected) {
  try {
    if (!QFileInfo::exists(path)) {
      Q_EMIT fileDiffers({}, true);
      return;
    }
    const QByteArray there = QByteArray::fromStdString(read_config_file(path.toStdString()));
    if (there != expected) Q_EMIT fileDiffers(there, false);
  } catch (const Error&) {
    // Not readable just now: it is being written. The next change is seen again.
  }
}

void ConfigWorker::open(quint64 revision, const QString& path, const QByteArray& bytes,
                        const QList<LayerSpec>& layers) {
  m_path = path;
  m_layers = layers;
  m_revision = revision;
  m_bytes = bytes;
  m_parsed = false;
  readSaved(bytes);
  tell();
}

void ConfigWorker::setText(quint64 revision, const QByteArray& bytes) {
  m_revision = revision;
  m_bytes = bytes;
  m_parsed = false;
  tell();
}

void ConfigWorker::setSaved(const QByteArray& bytes) {
  readSaved(bytes);
  tell();
}

void ConfigWorker::setLayers(const QString& path, const QList<LayerSpec>& layers) {
  m_path = path;
  m_layers = layers;
  tell();
}

// What was saved is nearly always what is shown, which is parsed once.
void ConfigWorker::readSaved(const QByteArray& bytes) {
  if (bytes != m_bytes) {
    m_savedTree = treeOf(bytes);
    return;
  }
  parse();
  m_savedTree = m_problem ? nullptr : m_config->shared_root();
}

void ConfigWorker::tell() {
  if (m_revision < newest) return;
  parse();
  Q_EMIT snapshotReady(describe());
}

void ConfigWorker::parse() {
  if (m_parsed) return;
  m_parsed = true;
  m_problem.reset();
  try {
    EditableConfig config(m_bytes.toStdString(), m_path.toStdString());
    m_config = std::move(config);
  } catch (const ConfigError& error) {
    m_problem = issueOf(error);
  }
}

ConfigSnapshot ConfigWorker::describe() {
  ConfigSnapshot snapshot =
      m_describer.describe(m_config ? m_config->shared_root() : nullptr, m_savedTree, m_path, m_layers);
  snapshot.revision = m_revision;
  if (m_problem) {
    snapshot.parses = false;
    snapshot.issues = {*m_problem};
  }
  return snapshot;
}

}  // namespace attnscope::ui
