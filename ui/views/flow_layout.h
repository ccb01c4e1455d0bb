#pragma once
#include <QLayout>
#include <QStyle>

namespace attnscope::ui {

// Puts widgets one after the other and wraps like words of a text.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent, int gap = 4);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override { return int(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  void setGeometry(const QRect& rect) override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;

 private:
  int arrange(const QRect& rect, bool apply) const;
  QList<QLayoutItem*> m_items;
  int m_gap;
};

}  // namespace attnscope::ui
