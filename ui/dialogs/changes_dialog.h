#pragma once
#include <QDialog>

class QLabel;

namespace attnscope::ui {

class DiffView;

// What differs between two texts: a file that another program changed and the one that is edited, a recovered text and
// the file. Not modal.
class ChangesDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ChangesDialog(QWidget* parent = nullptr);

  // `title` for the window; what the two texts are.
  void compare(const QString& title, const QString& beforeName, const QByteArray& before, const QString& afterName,
               const QByteArray& after);

  // Size and place, for the session.
  QByteArray saveState() const { return saveGeometry(); }
  void restoreState(const QByteArray& state) { restoreGeometry(state); }

 private:
  void onCompared(int removed, int added);

  QLabel *m_names, *m_summary;
  DiffView* m_diff;
};

}  // namespace attnscope::ui
