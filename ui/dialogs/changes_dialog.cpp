#include "dialogs/changes_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/diff_view.h"

namespace attnscope::ui {

ChangesDialog::ChangesDialog(const QString& title, const QString& beforeName, const QByteArray& before,
                             const QString& afterName, const QByteArray& after, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("changesDialog"));
  setAccessibleName(title);
  setWindowTitle(title);
  setModal(false);
  auto* names = new QLabel(tr("-  %1\n+  %2").arg(beforeName, afterName), this);
  names->setObjectName(QStringLiteral("changesNames"));
  names->setAccessibleName(tr("From %1 to %2").arg(beforeName, afterName));
  names->setTextFormat(Qt::PlainText);
  names->setWordWrap(true);
  m_summary = new QLabel(tr("Comparing…"), this);
  m_summary->setObjectName(QStringLiteral("changesSummary"));
  m_summary->setAccessibleName(tr("How much differs"));
  auto* diff = new DiffView(this);
  diff->setToolTip(tr("- stands only in the first text, + only in the second"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* close = buttons->button(QDialogButtonBox::Close);
  close->setObjectName(QStringLiteral("changesClose"));
  close->setAccessibleName(tr("Close"));
  close->setToolTip(tr("Close (Esc)"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(names);
  column->addWidget(m_summary);
  column->addWidget(diff, 1);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(diff, &DiffView::compared, this, &ChangesDialog::onCompared);
  resize(fontMetrics().averageCharWidth() * 100, fontMetrics().height() * 34);
  diff->showDiff(before, after);
}

void ChangesDialog::onCompared(int removed, int added) {
  m_summary->setText(removed + added == 0 ? tr("The texts are the same.") : DiffView::countText(removed, added));
}

}  // namespace attnscope::ui
