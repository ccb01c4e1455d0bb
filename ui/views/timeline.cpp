#include "views/timeline.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "views/icons.h"
#include "views/thumbnail_strip.h"

namespace attnscope::ui {

Timeline::Timeline(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("timeline"));
  setAccessibleName(tr("Timeline"));
  m_thumbnails = new ThumbnailStrip(this);
  m_slider = new QSlider(Qt::Horizontal, this);
  m_slider->setObjectName(QStringLiteral("frameSlider"));
  m_slider->setAccessibleName(tr("Frame"));
  m_slider->setToolTip(tr("Frame (Left, Right)"));
  m_slider->setPageStep(4);
  m_position = new QLabel(this);
  m_position->setObjectName(QStringLiteral("framePosition"));
  m_position->setAccessibleName(tr("Position"));
  m_position->setToolTip(tr("Frame shown, of all frames"));
  m_position->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_fps = new QSpinBox(this);
  m_fps->setObjectName(QStringLiteral("playbackFps"));
  m_fps->setAccessibleName(tr("Frames per second"));
  m_fps->setToolTip(tr("Playing speed. It changes nothing in the run."));
  m_fps->setRange(1, 60);
  m_fps->setValue(8);
  m_fps->setSuffix(tr(" fps"));
  m_loop = new QCheckBox(tr("&Loop"), this);
  m_loop->setObjectName(QStringLiteral("loop"));
  m_loop->setAccessibleName(tr("Loop"));
  m_loop->setToolTip(tr("Begin again after the last frame"));
  m_loop->setChecked(true);

  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  m_first =
      addButton(QStringLiteral("firstFrame"), QStringLiteral("first"), tr("First frame"), tr("First frame (Home)"));
  m_play = addButton(QStringLiteral("play"), QStringLiteral("play"), tr("Play"), tr("Play or pause (Space)"));
  m_last = addButton(QStringLiteral("lastFrame"), QStringLiteral("last"), tr("Last frame"), tr("Last frame (End)"));
  for (QToolButton* button : {m_first, m_play, m_last}) row->addWidget(button);
  row->addWidget(m_slider, 1);
  row->addWidget(m_position);
  row->addSpacing(8);
  row->addWidget(m_fps);
  row->addWidget(m_loop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 4, 8, 4);
  column->setSpacing(4);
  column->addWidget(m_thumbnails);
  column->addLayout(row);

  connect(m_slider, &QSlider::valueChanged, this, &Timeline::frameRequested);
  connect(m_slider, &QSlider::sliderPressed, this, [this] { setScrubbing(true); });
  connect(m_slider, &QSlider::sliderReleased, this, [this] { setScrubbing(false); });
  connect(m_thumbnails, &ThumbnailStrip::frameChosen, this, &Timeline::frameRequested);
  connect(m_thumbnails, &ThumbnailStrip::scrubbingChanged, this, &Timeline::setScrubbing);
  connect(m_first, &QToolButton::clicked, this, [this] { Q_EMIT frameRequested(0); });
  connect(m_last, &QToolButton::clicked, this, [this] { Q_EMIT frameRequested(std::max(0, m_count - 1)); });
  connect(m_play, &QToolButton::clicked, this, &Timeline::togglePlaying);
  connect(m_fps, &QSpinBox::valueChanged, this, [this](int fps) { m_timer.setInterval(1000 / fps); });
  m_timer.setInterval(1000 / m_fps->value());
  connect(&m_timer, &QTimer::timeout, this, &Timeline::advance);
  setFrameCount(0);
}

QToolButton* Timeline::addButton(const QString& name, const QString& iconName, const QString& text,
                                 const QString& tip) {
  auto* button = new QToolButton(this);
  button->setObjectName(name);
  button->setIcon(icon(iconName));
  button->setAccessibleName(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  return button;
}

void Timeline::setFrameCount(int count) {
  m_count = count;
  const QSignalBlocker block(m_slider);
  m_slider->setRange(0, std::max(0, count - 1));
  for (QWidget* w : {static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_first), static_cast<QWidget*>(m_play),
                     static_cast<QWidget*>(m_last)})
    w->setEnabled(count > 1);
  if (count < 2) setPlaying(false);
  const QString widest = tr("%1 / %2").arg(count).arg(count);
  m_position->setMinimumWidth(fontMetrics().horizontalAdvance(widest) + 8);
  showPosition();
}

void Timeline::setFrame(int frame) {
  m_frame = frame;
  const QSignalBlocker block(m_slider);
  m_slider->setValue(frame);
  m_thumbnails->setCurrent(frame);
  showPosition();
}

void Timeline::setFps(double fps) { m_fps->setValue(std::clamp(int(std::lround(fps)), 1, 60)); }

void Timeline::setPlaying(bool playing) {
  if (playing == isPlaying() || (playing && m_count < 2)) return;
  if (playing) {
    if (m_frame == m_count - 1) Q_EMIT frameRequested(0);
    m_timer.start();
  } else {
    m_timer.stop();
  }
  m_play->setIcon(icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
  m_play->setAccessibleName(playing ? tr("Pause") : tr("Play"));
  Q_EMIT playingChanged(playing);
}

void Timeline::step(int by) {
  if (m_count > 0) Q_EMIT frameRequested(std::clamp(m_frame + by, 0, m_count - 1));
}

void Timeline::advance() {
  if (m_scrubbing) return;
  if (m_frame + 1 < m_count)
    Q_EMIT frameRequested(m_frame + 1);
  else if (m_loop->isChecked())
    Q_EMIT frameRequested(0);
  else
    setPlaying(false);
}

void Timeline::showPosition() {
  m_position->setText(m_count > 0 ? tr("%1 / %2").arg(m_frame + 1).arg(m_count) : QString());
}

void Timeline::setScrubbing(bool scrubbing) { m_scrubbing = scrubbing; }

}  // namespace attnscope::ui
