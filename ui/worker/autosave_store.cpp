#include "worker/autosave_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSaveFile>
#include <QUuid>

#include "base/log.h"

namespace attnscope::ui {

namespace {

const QString kLock = QStringLiteral("lock");
const QString kSuffix = QStringLiteral(".unsaved");

}  // namespace

AutosaveFolder::AutosaveFolder(const QString& root)
    : m_folder(QDir(root).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces))) {
  if (!QDir().mkpath(m_folder)) return;
  QFile::setPermissions(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  m_lock = std::make_unique<QLockFile>(QDir(m_folder).filePath(kLock));
  m_lock->setStaleLockTime(0);
  m_lock->tryLock();
}

AutosaveFolder::~AutosaveFolder() {
  if (m_lock) m_lock->unlock();
  QDir().rmdir(m_folder);  // only when it is empty
}

QString AutosaveFolder::newFile() {
  return m_lock ? QDir(m_folder).filePath(QString::number(++m_count) + kSuffix) : QString();
}

namespace autosave_store {

void write(const QString& file, const QString& path, const QByteArray& bytes) {
  const QJsonObject kept{{QStringLiteral("path"), path}, {QStringLiteral("text"), QString::fromUtf8(bytes)}};
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(QJsonDocument(kept).toJson(QJsonDocument::Compact)) < 0 ||
      !out.commit()) {
    log(LogLevel::warning, "unsaved changes of " + path.toStdString() + " cannot be kept in " + file.toStdString() +
                               ": " + out.errorString().toStdString());
  }
}

void remove(const QString& file) { QFile::remove(file); }

QList<UnsavedText> leftBehind(const QString& root) {
  QList<UnsavedText> found;
  const QFileInfoList folders = QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
  for (const QFileInfo& folder : folders) {
    const QDir dir(folder.filePath());
    QLockFile lock(dir.filePath(kLock));
    lock.setStaleLockTime(0);
    if (!lock.tryLock(0)) continue;  // its program runs
    const QFileInfoList files = dir.entryInfoList({QStringLiteral("*") + kSuffix}, QDir::Files);
    for (const QFileInfo& file : files) {
      QFile in(file.filePath());
      if (!in.open(QIODevice::ReadOnly)) continue;
      const QJsonObject kept = QJsonDocument::fromJson(in.readAll()).object();
      const QString path = kept.value(QLatin1String("path")).toString();
      if (!path.isEmpty()) found.append({path, kept.value(QLatin1String("text")).toString().toUtf8(), file.filePath()});
    }
    lock.unlock();
    if (files.isEmpty()) QDir().rmdir(folder.filePath());
  }
  return found;
}

void forget(const QList<UnsavedText>& texts) {
  for (const UnsavedText& text : texts) {
    QFile::remove(text.keptIn);
    QDir().rmdir(QFileInfo(text.keptIn).path());
  }
}

}  // namespace autosave_store

}  // namespace attnscope::ui
