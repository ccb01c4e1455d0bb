#include "views/run_status.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "views/icons.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {

QString duration(double seconds) {
  const int whole = int(std::ceil(seconds));
  if (whole < 60) return QCoreApplication::translate("RunStatus", "%1 s").arg(whole);
  if (whole < 3600)
    return QCoreApplication::translate("RunStatus", "%1 min %2 s")
        .arg(whole / 60)
        .arg(whole % 60, 2, 10, QLatin1Char('0'));
  return QCoreApplication::translate("RunStatus", "%1 h %2 min")
      .arg(whole / 3600)
      .arg(whole % 3600 / 60, 2, 10, QLatin1Char('0'));
}

}  // namespace

QString progressText(const ProgressInfo& progress) {
  QStringList parts;
  parts << (progress.total > 0 ? QStringLiteral("%1 %2/%3").arg(progress.stage).arg(progress.step).arg(progress.total)
                               : progress.stage);
  if (progress.stepsPerSecond > 0 && progress.step > 0)
    parts << QCoreApplication::translate("RunStatus", "%1 it/s")
                 .arg(QString::number(progress.stepsPerSecond, 'f', progress.stepsPerSecond < 10 ? 1 : 0));
  if (progress.etaSeconds >= 0 && progress.step < progress.total)
    parts << QCoreApplication::translate("RunStatus", "%1 left").arg(duration(progress.etaSeconds));
  return parts.join(QStringLiteral(" · "));
}

RunStatus::RunStatus(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("runStatus"));
  setAccessibleName(tr("Run status"));
  m_stage = new QLabel(this);
  m_stage->setObjectName(QStringLiteral("stage"));
  m_stage->setAccessibleName(tr("Stage"));
  m_stage->setToolTip(tr("Stage, step, speed and time left of the run"));
  m_stage->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_bar = new QProgressBar(this);
  m_bar->setObjectName(QStringLiteral("progress"));
  m_bar->setAccessibleName(tr("Progress"));
  m_bar->setToolTip(m_stage->toolTip());
  m_bar->setTextVisible(false);
  m_bar->setFixedSize(fontMetrics().averageCharWidth() * 16, fontMetrics().height() * 3 / 4);
  QSizePolicy keep = m_bar->sizePolicy();
  keep.setRetainSizeWhenHidden(false);
  m_bar->setSizePolicy(keep);
  m_bar->hide();
  m_issues = new QToolButton(this);
  m_issues->setObjectName(QStringLiteral("issueCounter"));
  m_issues->setToolTip(tr("Show the issues"));
  m_issues->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_issues->setIcon(icon(QStringLiteral("warning")));
  m_issues->setAutoRaise(true);
  m_issues->setFocusPolicy(Qt::TabFocus);
  connect(m_issues, &QToolButton::clicked, this, &RunStatus::issuesRequested);
  m_device = new QLabel(this);
  m_device->setObjectName(QStringLiteral("device"));
  m_device->setAccessibleName(tr("Device"));
  m_device->setToolTip(tr("Where the run computed"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 4, 0);
  row->setSpacing(12);
  row->addWidget(m_stage);
  row->addWidget(m_bar);
  row->addWidget(m_issues);
  row->addWidget(m_device);
  setIssues(0, 0);
}

void RunStatus::showProgress(const ProgressInfo& progress) {
  m_stage->setText(progressText(progress));
  m_bar->setRange(0, std::max(0, progress.total));
  m_bar->setValue(progress.step);
  m_bar->show();
}

void RunStatus::showBusy(const QString& text) {
  m_stage->setText(text);
  m_bar->setRange(0, 0);
  m_bar->show();
}

void RunStatus::clearProgress() {
  m_stage->clear();
  m_bar->hide();
}

void RunStatus::setIssues(int count, int errors) {
  m_issues->setText(QString::number(count));
  m_issues->setAccessibleName(tr("Issues: %1").arg(count));
  m_issues->setVisible(count > 0);
  m_issues->setToolTip(errors > 0 ? tr("Errors: %1. Show the issues").arg(errors) : tr("Show the issues"));
}

void RunStatus::setDevice(const QString& device) { m_device->setText(device); }

QString RunStatus::text() const { return m_stage->text(); }

}  // namespace attnscope::ui
