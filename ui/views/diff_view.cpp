#include "views/diff_view.h"

#include <memory>

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QPromise>
#include <QTextBlock>
#include <QThreadPool>

#include "views/theme.h"

namespace attnscope::ui {

namespace {
constexpr int kRowTint = 16;
constexpr int kMarkTint = 38;
}  // namespace

DiffView::DiffView(QWidget* parent) : QPlainTextEdit(parent) {
  setObjectName(QStringLiteral("diff"));
  setAccessibleName(tr("Differences"));
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setUndoRedoEnabled(false);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  fixed.setPointSizeF(std::max(fixed.pointSizeF(), QApplication::font().pointSizeF()));
  setFont(fixed);
  connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
    if (m_watcher.future().resultCount() == 0) return;
    m_page = m_watcher.result();
    showPage();
    Q_EMIT compared(m_page.removed, m_page.added);
  });
}

void DiffView::showDiff(const QByteArray& before, const QByteArray& after) {
  auto promise = std::make_shared<QPromise<DiffPage>>();
  m_watcher.setFuture(promise->future());
  QThreadPool::globalInstance()->start([promise, before, after] {
    promise->start();
    promise->addResult(makeDiffPage(before, after));
    promise->finish();
  });
}

void DiffView::showText(const QByteArray& text) {
  m_watcher.setFuture({});
  m_page = {};
  setPlaceholderText(tr("Nothing: the file would be empty"));
  setRows(QString::fromUtf8(text));
}

void DiffView::showNote(const QString& text) {
  m_watcher.setFuture({});
  m_page = {};
  setRows({});
  setPlaceholderText(text);
}

QString DiffView::countText(int removed, int added) {
  const QString gone = removed == 1 ? tr("1 line removed") : tr("%1 lines removed").arg(removed);
  const QString come = added == 1 ? tr("1 line added") : tr("%1 lines added").arg(added);
  return removed == 0 ? come : added == 0 ? gone : tr("%1, %2").arg(gone, come);
}

// Without the formats of what was shown before.
void DiffView::setRows(const QString& text) {
  QTextCursor all(document());
  all.select(QTextCursor::Document);
  all.setCharFormat({});
  all.setBlockFormat({});
  setCurrentCharFormat({});
  setPlainText(text);
}

void DiffView::showPage() {
  setPlaceholderText(tr("No differences"));
  setRows(m_page.text);
  colorRows();
  moveCursor(QTextCursor::Start);
}

void DiffView::colorRows() {
  if (m_page.rows.isEmpty()) return;
  const QColor removed = theme::broken(palette()), added = theme::proven(palette());
  QTextCursor cursor(document());
  cursor.beginEditBlock();
  QTextBlock block = document()->begin();
  for (const DiffPage::Row& row : std::as_const(m_page.rows)) {
    const bool changed = row.kind == DiffPage::Kind::Removed || row.kind == DiffPage::Kind::Added;
    if (row.kind != DiffPage::Kind::Same) {
      const QColor color = row.kind == DiffPage::Kind::Removed ? removed : added;
      cursor.setPosition(block.position());
      QTextBlockFormat format;
      if (changed) format.setBackground(theme::tint(palette(), color, kRowTint));
      cursor.setBlockFormat(format);
      cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
      QTextCharFormat text;
      if (!changed) text.setForeground(theme::dimmed(palette()));
      cursor.setCharFormat(text);
      if (row.markLength > 0) {
        cursor.setPosition(block.position() + row.markAt);
        cursor.setPosition(block.position() + row.markAt + row.markLength, QTextCursor::KeepAnchor);
        QTextCharFormat mark;
        mark.setBackground(theme::tint(palette(), color, kMarkTint));
        cursor.setCharFormat(mark);
      }
    }
    block = block.next();
  }
  cursor.endEditBlock();
}

void DiffView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colorRows();
}

}  // namespace attnscope::ui
