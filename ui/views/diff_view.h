#pragma once
#include <QFutureWatcher>
#include <QPlainTextEdit>

#include "worker/diff_page.h"

namespace attnscope::ui {

// Shows what differs between two texts, line by line, or a text as it is. Compares on another thread; the newest call
// counts.
class DiffView : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit DiffView(QWidget* parent = nullptr);

  void showDiff(const QByteArray& before, const QByteArray& after);
  void showText(const QByteArray& text);
  // In place of what was shown; for a hint, or what went wrong.
  void showNote(const QString& text);
  // "3 lines removed, 1 line added"
  static QString countText(int removed, int added);

 Q_SIGNALS:
  // Lines; both 0 when the texts are equal.
  void compared(int removed, int added);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void setRows(const QString& text);
  void showPage();
  void colorRows();

  QFutureWatcher<DiffPage> m_watcher;
  DiffPage m_page;
};

}  // namespace attnscope::ui
