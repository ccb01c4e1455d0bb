#pragma once
#include <QTimer>
#include <QWidget>

class QLabel;
class QSlider;
class QSpinBox;
class QCheckBox;
class QToolButton;

namespace attnscope::ui {

class ThumbnailStrip;

// The frames in time: thumbnails, slider, play. It owns no frame number: it asks for one and is told.
class Timeline : public QWidget {
  Q_OBJECT

 public:
  explicit Timeline(QWidget* parent = nullptr);

  void setFrameCount(int count);
  void setFrame(int frame);
  void setFps(double fps);
  ThumbnailStrip* thumbnails() const { return m_thumbnails; }

  bool isPlaying() const { return m_timer.isActive(); }
  void setPlaying(bool playing);
  void togglePlaying() { setPlaying(!isPlaying()); }
  void step(int by);

 Q_SIGNALS:
  void frameRequested(int frame);
  void playingChanged(bool playing);

 private:
  QToolButton* addButton(const QString& name, const QString& icon, const QString& text, const QString& tip);
  void advance();
  void showPosition();
  void setScrubbing(bool scrubbing);

  ThumbnailStrip* m_thumbnails;
  QSlider* m_slider;
  QSpinBox* m_fps;
  QCheckBox* m_loop;
  QLabel* m_position;
  QToolButton *m_first, *m_play, *m_last;
  QTimer m_timer;
  int m_count = 0, m_frame = 0;
  bool m_scrubbing = false;
};

}  // namespace attnscope::ui
