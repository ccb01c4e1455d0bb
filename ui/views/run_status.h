#pragma once
#include <QWidget>

#include "worker/run_data.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace attnscope::ui {

// "denoise 18/30 · 2.6 it/s · 5 s left".
QString progressText(const ProgressInfo& progress);

// The right part of the status bar: stage, steps, speed and time left; issues; device.
class RunStatus : public QWidget {
  Q_OBJECT

 public:
  explicit RunStatus(QWidget* parent = nullptr);

  void showProgress(const ProgressInfo& progress);
  void showBusy(const QString& text);  // something goes on that has no steps
  void clearProgress();
  void setIssues(int count, int errors);
  void setDevice(const QString& device);
  QString text() const;

 Q_SIGNALS:
  void issuesRequested();

 private:
  QLabel *m_stage, *m_device;
  QProgressBar* m_bar;
  QToolButton* m_issues;
};

}  // namespace attnscope::ui
