#pragma once
#include <QList>
#include <QPalette>
#include <QSyntaxHighlighter>
#include <QTextCursor>
#include <QTimer>

namespace attnscope::ui {

// Colours YAML text. Works through long texts, and through all that an opened quote changes, in slices, so that typing
// never waits for it.
class YamlHighlighter : public QSyntaxHighlighter {
  Q_OBJECT

 public:
  YamlHighlighter(QTextDocument* document, const QPalette& palette);
  void setPalette(const QPalette& palette);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  void makeFormats(const QPalette& palette);
  void goOn();

  QList<QTextCharFormat> m_formats;  // by YamlToken
  QList<QTextCursor> m_stops;        // blocks where a slice ended
  QTimer m_next;
  int m_budget;  // blocks until the slice ends
};

}  // namespace attnscope::ui
