#pragma once
#include <memory>

#include <QSettings>
#include <QStringList>

#include "views/heat_overlay.h"
#include "views/theme.h"

namespace attnscope::ui {

// What is remembered between two starts. Everything has a default; an unreadable file is the same as none.
class Session {
 public:
  Session();                              // the user's
  explicit Session(const QString& file);  // an INI file: for tests
  static constexpr int kMaxRecent = 10;

  QStringList recentPaths() const;
  void addRecent(const QString& path);
  void keepRecent(const QStringList& existing);  // drops what is gone
  void clearRecent();

  theme::Kind theme() const;
  void setTheme(theme::Kind kind);
  HeatStyle heatStyle() const;
  void setHeatStyle(const HeatStyle& style);
  int shown() const;
  void setShown(int show);
  QByteArray geometry() const;
  QByteArray state() const;
  void setLayout(const QByteArray& geometry, const QByteArray& state);
  // Where texts that are not saved are kept until they are.
  QString unsavedRoot() const;
  QString lastFolder() const;
  void setLastFolder(const QString& folder);

 private:
  std::unique_ptr<QSettings> m_settings;
  QString m_folder;
};

}  // namespace attnscope::ui
