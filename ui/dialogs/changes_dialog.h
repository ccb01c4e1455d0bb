#pragma once
#include <QDialog>

class QLabel;

namespace attnscope::ui {

// What differs between two texts: a file that another program changed and the one that is edited, a recovered text and
// the file. Not modal.
class ChangesDialog : public QDialog {
  Q_OBJECT

 public:
  // `title`: the window's. `beforeName`, `afterName`: what the two texts are.
  ChangesDialog(const QString& title, const QString& beforeName, const QByteArray& before, const QString& afterName,
                const QByteArray& after, QWidget* parent = nullptr);

  // Size and place, for the session.
  QByteArray saveState() const { return saveGeometry(); }
  void restoreState(const QByteArray& state) { restoreGeometry(state); }

 private:
  void onCompared(int removed, int added);

  QLabel* m_summary;
};

}  // namespace attnscope::ui
