#pragma once
#include <QAbstractButton>
#include <QScrollArea>

#include "worker/run_data.h"

namespace attnscope::ui {

class FlowLayout;

// One word; checked while its map is shown, in the colour it is shown in.
class WordChip : public QAbstractButton {
  Q_OBJECT

 public:
  WordChip(const WordInfo& word, int index, QWidget* parent);
  int index() const { return m_index; }
  void setColorIndex(int n);  // which of the shown words it is
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int m_index;
  bool m_special;
  int m_color = 0;
};

// The words of the prompt. A click shows one word, Ctrl+click adds or takes away; arrows move, Space and Enter choose,
// Ctrl+Space adds.
class WordStrip : public QScrollArea {
  Q_OBJECT

 public:
  explicit WordStrip(QWidget* parent = nullptr);

  void setWords(const QList<WordInfo>& words);
  void setSelected(const QList<int>& words);
  const QList<WordChip*>& chips() const { return m_chips; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void wordChosen(int word);   // this one alone
  void wordToggled(int word);  // besides the others

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void press(WordChip* chip, bool add);
  void focusChip(int index);
  void fitHeight();

  QWidget* m_inner;
  FlowLayout* m_flow;
  QList<WordChip*> m_chips;
  QList<int> m_selected;
};

}  // namespace attnscope::ui
