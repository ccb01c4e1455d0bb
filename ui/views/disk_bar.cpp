#include "views/disk_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "views/flow_layout.h"
#include "views/theme.h"

namespace attnscope::ui {

namespace {
constexpr int kStripe = 4;
}

DiskBar::DiskBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("diskBar"));
  setAccessibleName(tr("Changed on disk"));
  m_text = new QLabel(this);
  m_text->setObjectName(QStringLiteral("diskText"));
  m_text->setAccessibleName(tr("What happened to the file"));
  m_text->setTextFormat(Qt::PlainText);
  m_text->setWordWrap(true);
  m_reload = addButton(QStringLiteral("diskReload"), tr("&Reload"), tr("Read the file again; this can be undone"));
  m_keep = addButton(QStringLiteral("diskKeep"), tr("&Keep Mine"),
                     tr("Keep what is shown here; saving will overwrite the file"));
  m_changes = addButton(QStringLiteral("diskChanges"), tr("Show &Changes"), tr("Compare what is shown with the file"));
  m_save = addButton(QStringLiteral("diskSave"), tr("&Save Again"), tr("Write the file again"));
  connect(m_reload, &QPushButton::clicked, this, &DiskBar::reloadRequested);
  connect(m_keep, &QPushButton::clicked, this, &DiskBar::keepRequested);
  connect(m_changes, &QPushButton::clicked, this, &DiskBar::changesRequested);
  connect(m_save, &QPushButton::clicked, this, &DiskBar::saveRequested);
  auto* row = new QWidget(this);
  auto* buttons = new FlowLayout(row);
  for (QPushButton* button : {m_reload, m_keep, m_changes, m_save}) buttons->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kStripe + 8, 6, 6, 6);
  column->setSpacing(4);
  column->addWidget(m_text);
  column->addWidget(row);
  hide();
}

QPushButton* DiskBar::addButton(const QString& name, const QString& text, const QString& tip) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(name);
  button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
  button->setToolTip(tip);
  return button;
}

void DiskBar::ask(const QString& name, bool gone, bool modified) {
  if (gone)
    m_text->setText(tr("%1 is gone: it was moved or deleted. What is shown here is all that is left of it.").arg(name));
  else if (modified)
    m_text->setText(tr("%1 was changed by another program, and here as well.").arg(name));
  else
    m_text->setText(tr("%1 was changed by another program.").arg(name));
  for (QPushButton* button : {m_reload, m_changes}) button->setVisible(!gone);
  m_keep->setVisible(true);
  m_save->setVisible(gone);
  setAccessibleDescription(m_text->text());
  show();
}

void DiskBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  painter.fillRect(QRect(0, 0, kStripe, height()), theme::changed(palette()));
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme::line(palette()));
}

void DiskBar::keyPressEvent(QKeyEvent* event) {
  event->key() == Qt::Key_Escape ? hide() : QFrame::keyPressEvent(event);
}

}  // namespace attnscope::ui
