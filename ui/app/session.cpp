#include "app/session.h"

#include <algorithm>

#include <QFileInfo>
#include <QStandardPaths>

#include "views/run_viewer.h"

namespace attnscope::ui {

Session::Session()
    : m_settings(std::make_unique<QSettings>(QStringLiteral("attnscope"), QStringLiteral("attnscope"))),
      m_folder(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)) {}

Session::Session(const QString& file)
    : m_settings(std::make_unique<QSettings>(file, QSettings::IniFormat)), m_folder(QFileInfo(file).path()) {}

QString Session::unsavedRoot() const { return m_folder + QStringLiteral("/unsaved"); }

QStringList Session::recentPaths() const { return m_settings->value(QStringLiteral("recent")).toStringList(); }

void Session::addRecent(const QString& path) {
  QStringList paths = recentPaths();
  paths.removeAll(path);
  paths.prepend(path);
  m_settings->setValue(QStringLiteral("recent"), paths.mid(0, kMaxRecent));
}

void Session::keepRecent(const QStringList& existing) {
  QStringList kept;
  for (const QString& path : recentPaths())
    if (existing.contains(path)) kept.append(path);
  m_settings->setValue(QStringLiteral("recent"), kept);
}

void Session::clearRecent() { m_settings->remove(QStringLiteral("recent")); }

theme::Kind Session::theme() const {
  return theme::Kind(std::clamp(m_settings->value(QStringLiteral("theme"), 0).toInt(), 0, 2));
}

void Session::setTheme(theme::Kind kind) { m_settings->setValue(QStringLiteral("theme"), int(kind)); }

HeatStyle Session::heatStyle() const {
  HeatStyle style;
  const HeatStyle standard;
  style.colorMap = m_settings->value(QStringLiteral("heat/colors"), standard.colorMap).toString();
  style.opacity = std::clamp(m_settings->value(QStringLiteral("heat/opacity"), standard.opacity).toDouble(), 0.0, 1.0);
  style.range = m_settings->value(QStringLiteral("heat/range"), 0).toInt() == 1 ? RangeMode::Frame : RangeMode::Shared;
  style.smooth = m_settings->value(QStringLiteral("heat/smooth"), standard.smooth).toBool();
  return style;
}

void Session::setHeatStyle(const HeatStyle& style) {
  m_settings->setValue(QStringLiteral("heat/colors"), style.colorMap);
  m_settings->setValue(QStringLiteral("heat/opacity"), style.opacity);
  m_settings->setValue(QStringLiteral("heat/range"), int(style.range));
  m_settings->setValue(QStringLiteral("heat/smooth"), style.smooth);
}

int Session::shown() const {
  return std::clamp(m_settings->value(QStringLiteral("show"), int(RunViewer::SourceOverlay)).toInt(), 0,
                    int(RunViewer::All));
}

void Session::setShown(int show) { m_settings->setValue(QStringLiteral("show"), show); }

QByteArray Session::geometry() const { return m_settings->value(QStringLiteral("window/geometry")).toByteArray(); }

QByteArray Session::state() const { return m_settings->value(QStringLiteral("window/state")).toByteArray(); }

void Session::setLayout(const QByteArray& geometry, const QByteArray& state) {
  m_settings->setValue(QStringLiteral("window/geometry"), geometry);
  m_settings->setValue(QStringLiteral("window/state"), state);
}

QString Session::lastFolder() const { return m_settings->value(QStringLiteral("lastFolder")).toString(); }

void Session::setLastFolder(const QString& folder) { m_settings->setValue(QStringLiteral("lastFolder"), folder); }

}  // namespace attnscope::ui
