#pragma once
#include <optional>

#include <QHash>
#include <QObject>
#include <QThreadPool>

namespace attnscope::ui {

// Whether files and folders are there. Looks on threads of its own, for a disk may take its time, and remembers what it
// saw for a few seconds.
class PathProbe : public QObject {
  Q_OBJECT

 public:
  enum class State { Missing, File, Folder };

  explicit PathProbe(QObject* parent = nullptr);
  ~PathProbe() override;

  // nullopt while it is not known: known() follows.
  std::optional<State> state(const QString& path);

 Q_SIGNALS:
  void known(const QString& path);

 private:
  struct Seen {
    std::optional<State> state;
    qint64 at = 0;
    bool looking = false;
  };
  QHash<QString, Seen> m_seen;
  QThreadPool m_pool;
};

}  // namespace attnscope::ui
