#include "views/message_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "views/icons.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {
constexpr int kInfoMs = 6000;
constexpr int kStripe = 4;
}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("messageBar"));
  setAccessibleName(tr("Message"));
  m_icon = new QLabel(this);
  m_icon->setObjectName(QStringLiteral("messageIcon"));
  m_icon->setAccessibleName(tr("Kind of message"));
  m_message = new QLabel(this);
  m_message->setObjectName(QStringLiteral("messageText"));
  m_message->setAccessibleName(tr("Message"));
  m_detail = new QLabel(this);
  m_detail->setObjectName(QStringLiteral("messageDetail"));
  m_detail->setAccessibleName(tr("Details"));
  for (QLabel* label : {m_message, m_detail}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::ClickFocus);
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  }
  m_action = new QPushButton(this);
  m_action->setObjectName(QStringLiteral("messageAction"));
  m_action->setAccessibleName(tr("Do what the message offers"));
  m_action->setToolTip(tr("Do what the message offers"));
  m_copy = new QToolButton(this);
  m_copy->setObjectName(QStringLiteral("messageCopy"));
  m_copy->setAccessibleName(tr("Copy the message"));
  m_copy->setToolTip(tr("Copy the message"));
  m_copy->setIcon(icon(QStringLiteral("copy")));
  m_close = new QToolButton(this);
  m_close->setObjectName(QStringLiteral("messageClose"));
  m_close->setAccessibleName(tr("Close the message"));
  m_close->setToolTip(tr("Close the message (Esc)"));
  m_close->setIcon(icon(QStringLiteral("close")));
  for (QToolButton* button : {m_copy, m_close}) {
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
  }
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  texts->addWidget(m_message);
  texts->addWidget(m_detail);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kStripe + 8, 6, 6, 6);
  row->setSpacing(8);
  row->addWidget(m_icon, 0, Qt::AlignTop);
  row->addLayout(texts, 1);
  row->addWidget(m_action);
  row->addWidget(m_copy, 0, Qt::AlignTop);
  row->addWidget(m_close, 0, Qt::AlignTop);
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &MessageBar::dismiss);
  connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
  connect(m_copy, &QToolButton::clicked, this, &MessageBar::copy);
  connect(m_action, &QPushButton::clicked, this, [this] {
    dismiss();
    Q_EMIT actionRequested();
  });
  hide();
}

void MessageBar::showMessage(Level level, const QString& text, const QString& detail) {
  // What stays until it is closed is not pushed out by what goes by itself.
  if (isVisibleTo(parentWidget()) && m_level == Level::Error && level < Level::Error) return;
  const bool repeat = isVisibleTo(parentWidget()) && text == m_text && level == m_level;
  m_count = repeat ? m_count + 1 : 1;
  m_level = level;
  m_text = text;
  m_detailText = detail;
  m_message->setText(m_count > 1 ? tr("%1 (%2 times)").arg(text).arg(m_count) : text);
  m_detail->setText(detail);
  QFont weight = font();
  weight.setBold(!detail.isEmpty());  // a headline over its details
  m_message->setFont(weight);
  m_detail->setVisible(!detail.isEmpty());
  m_action->hide();
  m_copy->setVisible(level >= Level::Warning);
  const QString name = level == Level::Error     ? QStringLiteral("error")
                       : level == Level::Warning ? QStringLiteral("warning")
                                                 : QStringLiteral("info");
  const int side = fontMetrics().height();
  m_icon->setPixmap(icon(name).pixmap(QSize(side, side), devicePixelRatioF()));
  setAccessibleDescription(detail.isEmpty() ? text : text + QLatin1Char('\n') + detail);
  if (level < Level::Warning)
    m_timer.start(kInfoMs);
  else
    m_timer.stop();
  show();
  update();
}

void MessageBar::showFailure(const Failure& failure) {
  QStringList details;
  if (!failure.where.isEmpty()) details << failure.where;
  if (!failure.hint.isEmpty()) details << failure.hint;
  showMessage(Level::Error, failure.message, details.join(QLatin1Char('\n')));
}

void MessageBar::showOffer(const QString& text, const QString& action, const QString& detail) {
  showMessage(Level::Info, text, detail);
  m_timer.stop();
  m_action->setText(action);
  m_action->setAccessibleName(action);
  m_action->setToolTip(text);
  m_action->show();
}

void MessageBar::dismiss() {
  m_timer.stop();
  m_text.clear();
  hide();
}

void MessageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  const QColor stripe = m_level == Level::Error     ? theme::broken(palette())
                        : m_level == Level::Warning ? theme::changed(palette())
                                                    : palette().color(QPalette::Highlight);
  painter.fillRect(QRect(0, 0, kStripe, height()), stripe);
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme::line(palette()));
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    dismiss();
  else
    QFrame::keyPressEvent(event);
}

void MessageBar::copy() const {
  QGuiApplication::clipboard()->setText(m_detailText.isEmpty() ? m_text : m_text + QLatin1Char('\n') + m_detailText);
}

}  // namespace attnscope::ui
