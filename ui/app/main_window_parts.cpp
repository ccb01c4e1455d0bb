// Docks, menus, tool bar and status bar of the main window.
#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QConcatenateTablesProxyModel>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>

#include "app/config_workspace.h"
#include "app/main_window.h"
#include "app/session.h"
#include "documents/run_document.h"
#include "models/attention_tree_model.h"
#include "models/issues_model.h"
#include "models/log_model.h"
#include "views/attention_tree_view.h"
#include "views/elided_label.h"
#include "views/heatmap_canvas.h"
#include "views/icons.h"
#include "views/inspector.h"
#include "views/log_view.h"
#include "views/message_bar.h"
#include "views/run_panel.h"
#include "views/run_status.h"
#include "views/run_viewer.h"
#include "views/timeline.h"

namespace attnscope::ui {

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setAccessibleName(title);
  dock->setWidget(content);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::buildDocks() {
  m_configs = new ConfigWorkspace(m_session.unsavedRoot(), this);
  m_runPanel = new RunPanel(this);
  m_tree = new AttentionTreeView(m_layers, this);
  m_inspector = new Inspector(this);
  auto* issues = new IssuesModel(this);
  issues->setSourceModel(m_log);
  auto* all = new QConcatenateTablesProxyModel(this);  // of the configs as they are, then what was said
  all->addSourceModel(m_configs->issues());
  all->addSourceModel(issues);
  m_issuesView = new LogView(QStringLiteral("issues"), tr("Issues"), tr("No warnings and no errors."), all, this);
  m_logView = new LogView(QStringLiteral("log"), tr("Log"), tr("Nothing was said yet."), m_log, this);
  m_configDock = addDock(QStringLiteral("configDock"), tr("Config"), m_configs, Qt::LeftDockWidgetArea);
  m_runDock = addDock(QStringLiteral("runDock"), tr("Run"), m_runPanel, Qt::LeftDockWidgetArea);
  m_layersDock = addDock(QStringLiteral("layersDock"), tr("Attention layers"), m_tree, Qt::LeftDockWidgetArea);
  m_inspectorDock = addDock(QStringLiteral("inspectorDock"), tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
  m_issuesDock = addDock(QStringLiteral("issuesDock"), tr("Issues"), m_issuesView, Qt::BottomDockWidgetArea);
  m_logDock = addDock(QStringLiteral("logDock"), tr("Log"), m_logView, Qt::BottomDockWidgetArea);
  tabifyDockWidget(m_configDock, m_runDock);
  m_runDock->raise();
  tabifyDockWidget(m_issuesDock, m_logDock);
  m_issuesDock->raise();
}

// Shares of the window, within what their contents need.
void MainWindow::sizeDocks() {
  const int em = fontMetrics().averageCharWidth();
  const int left = std::clamp(width() * 30 / 100, em * 40, em * 70);
  const int right = std::clamp(width() * 19 / 100, em * 30, em * 44);
  resizeDocks({m_runDock, m_inspectorDock}, {left, right}, Qt::Horizontal);
  resizeDocks({m_runDock, m_layersDock}, {height() * 55 / 100, height() * 45 / 100}, Qt::Vertical);
  resizeDocks({m_issuesDock}, {fontMetrics().height() * 7}, Qt::Vertical);
}

QAction* MainWindow::addAction(QMenu* menu, const QString& id, const QString& text, const QKeySequence& key,
                               const QString& tip, const QString& iconName) {
  auto* action = menu->addAction(text);
  action->setObjectName(id);
  action->setShortcut(key);
  const QString keys = key.toString(QKeySequence::NativeText);
  action->setToolTip(keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys));
  action->setStatusTip(tip);
  if (!iconName.isEmpty()) action->setIcon(icon(iconName));
  return action;
}

void MainWindow::buildMenus() {
  buildFileMenu();
  buildEditMenu();

  QMenu* view = menuBar()->addMenu(tr("&View"));
  HeatmapCanvas* canvas = m_viewer->canvas();
  connect(addAction(view, QStringLiteral("zoomIn"), tr("Zoom &In"), QKeySequence::ZoomIn, tr("Show the picture larger"),
                    QStringLiteral("zoom-in")),
          &QAction::triggered, canvas, &HeatmapCanvas::zoomIn);
  connect(addAction(view, QStringLiteral("zoomOut"), tr("Zoom &Out"), QKeySequence::ZoomOut,
                    tr("Show the picture smaller"), QStringLiteral("zoom-out")),
          &QAction::triggered, canvas, &HeatmapCanvas::zoomOut);
  connect(addAction(view, QStringLiteral("fit"), tr("&Fit"), QKeySequence(QStringLiteral("Ctrl+0")),
                    tr("Show the whole picture"), QStringLiteral("fit")),
          &QAction::triggered, canvas, &HeatmapCanvas::fit);
  connect(addAction(view, QStringLiteral("actualSize"), tr("&Actual Size"), QKeySequence(QStringLiteral("Ctrl+1")),
                    tr("One pixel of the picture on one of the screen, or as large as fits")),
          &QAction::triggered, canvas, &HeatmapCanvas::actualSize);
  view->addSeparator();
  m_playAction = addAction(view, QStringLiteral("playAction"), tr("&Play"), QKeySequence(QStringLiteral("Ctrl+Space")),
                           tr("Play or pause the frames"), QStringLiteral("play"));
  connect(m_playAction, &QAction::triggered, m_viewer->timeline(), &Timeline::togglePlaying);
  QAction* next = addAction(view, QStringLiteral("nextFrame"), tr("&Next Frame"),
                            QKeySequence(QStringLiteral("Ctrl+Right")), tr("Go to the next frame"));
  connect(next, &QAction::triggered, this, [this] { m_viewer->timeline()->step(1); });
  QAction* previous = addAction(view, QStringLiteral("previousFrame"), tr("Pre&vious Frame"),
                                QKeySequence(QStringLiteral("Ctrl+Left")), tr("Go to the frame before"));
  connect(previous, &QAction::triggered, this, [this] { m_viewer->timeline()->step(-1); });
  m_frameActions = {m_playAction, next, previous};
  view->addSeparator();
  QMenu* panels = view->addMenu(tr("Pan&els"));
  for (QDockWidget* dock : {m_configDock, m_runDock, m_layersDock, m_inspectorDock, m_issuesDock, m_logDock})
    panels->addAction(dock->toggleViewAction());
  buildThemeMenu(view);
  connect(addAction(view, QStringLiteral("resetLayout"), tr("&Reset Layout"), {},
                    tr("Put all panels back where they were")),
          &QAction::triggered, this, &MainWindow::resetLayout);

  QMenu* run = menuBar()->addMenu(tr("&Run"));
  m_runAction = addAction(run, QStringLiteral("run"), tr("&Run"), QKeySequence(Qt::Key_F5),
                          tr("Run what is open and write a run folder"), QStringLiteral("run"));
  connect(m_runAction, &QAction::triggered, this, &MainWindow::startRun);
  m_stopAction = addAction(run, QStringLiteral("stop"), tr("&Stop"), QKeySequence(QStringLiteral("Shift+F5")),
                           tr("Stop the run within one attention block; what is done is kept"), QStringLiteral("stop"));
  connect(m_stopAction, &QAction::triggered, m_runs, &RunController::stop);

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  connect(addAction(help, QStringLiteral("about"), tr("&About AttnScope"), {}, tr("Version and licence")),
          &QAction::triggered, this, &MainWindow::showAbout);
  fillRecent();
}

void MainWindow::buildThemeMenu(QMenu* view) {
  QMenu* menu = view->addMenu(tr("&Theme"));
  auto* group = new QActionGroup(this);
  const QStringList names{tr("As the &System"), tr("&Light"), tr("&Dark")};
  for (int kind = 0; kind < names.size(); ++kind) {
    QAction* action = menu->addAction(names[kind]);
    action->setObjectName(QStringLiteral("theme%1").arg(kind));
    action->setCheckable(true);
    action->setChecked(int(m_session.theme()) == kind);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, kind] { chooseTheme(kind); });
  }
}

void MainWindow::chooseTheme(int kind) {
  theme::apply(theme::Kind(kind));
  m_session.setTheme(theme::Kind(kind));
}

void MainWindow::buildToolBar() {
  QToolBar* bar = addToolBar(tr("Main"));
  bar->setObjectName(QStringLiteral("mainToolBar"));
  bar->setAccessibleName(tr("Main tool bar"));
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  const int side = fontMetrics().height();
  bar->setIconSize(QSize(side, side));
  bar->addAction(findChild<QAction*>(QStringLiteral("openFile")));
  bar->addAction(findChild<QAction*>(QStringLiteral("openRun")));
  bar->addSeparator();
  bar->addAction(m_runAction);
  bar->addAction(m_stopAction);
  for (QAction* action : bar->actions()) {
    QWidget* button = bar->widgetForAction(action);
    if (!button || action->isSeparator()) continue;
    button->setObjectName(action->objectName() + QStringLiteral("Button"));
    button->setAccessibleName(action->text().remove(QLatin1Char('&')));
    button->setFocusPolicy(Qt::TabFocus);
  }
  // "Stopping…" is wider than "Stop"; what stands beside it shall not jump.
  if (QWidget* stop = bar->widgetForAction(m_stopAction))
    stop->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Stopping…")) + side * 2);
}

void MainWindow::buildStatusBar() {
  statusBar()->setObjectName(QStringLiteral("statusBar"));
  statusBar()->setAccessibleName(tr("Status"));
  m_hint = new ElidedLabel(this, Qt::ElideRight);
  m_hint->setObjectName(QStringLiteral("hint"));
  m_hint->setAccessibleName(tr("Hint"));
  m_hint->setContentsMargins(8, 0, 0, 0);
  m_status = new RunStatus(this);
  statusBar()->addWidget(m_hint, 1);
  statusBar()->addPermanentWidget(m_status);
}

void MainWindow::fillRecent() {
  m_recentMenu->clear();
  const QStringList paths = m_session.recentPaths();
  int n = 0;
  for (const QString& path : paths) {
    QAction* action = m_recentMenu->addAction(
        QStringLiteral("&%1 %2").arg((++n) % 10).arg(QString(path).replace(QLatin1Char('&'), QLatin1String("&&"))));
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { openPath(path); });
  }
  if (paths.isEmpty()) {
    m_recentMenu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
    return;
  }
  m_recentMenu->addSeparator();
  connect(m_recentMenu->addAction(tr("&Clear the List")), &QAction::triggered, this, [this] {
    m_session.clearRecent();
    fillRecent();
  });
}

void MainWindow::chooseFile() {
  auto* dialog =
      new QFileDialog(this, tr("Open"), m_session.lastFolder(),
                      tr("Configs, videos and pictures (*.yaml *.yml *.mp4 *.mov *.avi *.mkv *.webm *.gif *.m4v *.png "
                         "*.jpg *.jpeg *.bmp);;All files (*)"));
  dialog->setObjectName(QStringLiteral("openDialog"));
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
  dialog->open();
}

void MainWindow::chooseFolder() {
  auto* dialog = new QFileDialog(this, tr("Open Run Folder"), m_session.lastFolder());
  dialog->setObjectName(QStringLiteral("openRunDialog"));
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
  dialog->open();
}

void MainWindow::resetLayout() {
  restoreState(m_defaultState);
  for (QDockWidget* dock : {m_configDock, m_runDock, m_layersDock, m_inspectorDock, m_logDock, m_issuesDock})
    dock->show();
  m_issuesDock->raise();
  sizeDocks();
  m_message->showMessage(Level::Info, tr("The panels are back where they were."));
}

void MainWindow::showAbout() {
  m_message->showMessage(
      Level::Info, tr("AttnScope %1").arg(QStringLiteral(ATTNSCOPE_VERSION)),
      tr("Sees and edits attention in diffusion models. MIT licence. Qt %1.").arg(QString::fromLatin1(qVersion())));
}

}  // namespace attnscope::ui
