// What the main window does for configs: their menus, their issues, and what of them would run.
#include <QConcatenateTablesProxyModel>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QRegularExpression>

#include <utility>

#include "app/config_workspace.h"
#include "app/main_window.h"
#include "app/session.h"
#include "documents/config_document.h"
#include "documents/run_document.h"
#include "models/log_model.h"
#include "views/attention_tree_view.h"
#include "views/config_editor.h"
#include "views/log_view.h"
#include "views/message_bar.h"
#include "views/run_panel.h"
#include "views/run_status.h"
#include "worker/open_config.h"

namespace attnscope::ui {

namespace {
constexpr int kSummaryDelay = 150;  // ms after the last change
}

void MainWindow::buildFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  connect(addAction(file, QStringLiteral("openFile"), tr("&Open…"), QKeySequence::Open,
                    tr("Open a config, a video or a picture"), QStringLiteral("open")),
          &QAction::triggered, this, &MainWindow::chooseFile);
  connect(
      addAction(file, QStringLiteral("openRun"), tr("Open &Run Folder…"), QKeySequence(QStringLiteral("Ctrl+Shift+O")),
                tr("Look at a run that was written before"), QStringLiteral("folder")),
      &QAction::triggered, this, &MainWindow::chooseFolder);
  m_recentMenu = file->addMenu(tr("Open R&ecent"));
  m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
  connect(m_recentMenu, &QMenu::aboutToShow, this, [this] { m_reading->checkPaths(m_session.recentPaths()); });
  connect(addAction(file, QStringLiteral("openDemo"), tr("Open the &Demo"), {},
                    tr("The small model and video that come with the program")),
          &QAction::triggered, m_reading, &ReadController::openDemo);
  file->addSeparator();
  m_saveAction = addAction(file, QStringLiteral("save"), tr("&Save"), QKeySequence::Save,
                           tr("Write the config to its file; what was not edited stays byte for byte"));
  connect(m_saveAction, &QAction::triggered, m_configs, &ConfigWorkspace::save);
  m_saveAsAction = addAction(file, QStringLiteral("saveAs"), tr("Save &As…"),
                             QKeySequence(QStringLiteral("Ctrl+Shift+S")), tr("Write the config to another file"));
  connect(m_saveAsAction, &QAction::triggered, m_configs, &ConfigWorkspace::saveAs);
  m_saveMergedAction =
      addAction(file, QStringLiteral("saveMerged"), tr("Save &Merged…"), QKeySequence(QStringLiteral("Ctrl+Alt+S")),
                tr("Write it as edited, with all expressions resolved, or only what was changed"));
  connect(m_saveMergedAction, &QAction::triggered, m_configs, &ConfigWorkspace::saveMerged);
  m_revertAction =
      addAction(file, QStringLiteral("revert"), tr("Re&vert"), {}, tr("Read the file again; this can be undone"));
  connect(m_revertAction, &QAction::triggered, m_configs, &ConfigWorkspace::revert);
  m_closeAction = addAction(file, QStringLiteral("closeConfig"), tr("&Close Config"),
                            QKeySequence(QStringLiteral("Ctrl+W")), tr("Close the config in front"));
  connect(m_closeAction, &QAction::triggered, m_configs, &ConfigWorkspace::closeCurrent);
  file->addSeparator();
  connect(addAction(file, QStringLiteral("quit"), tr("&Quit"), QKeySequence::Quit, tr("Stop and close")),
          &QAction::triggered, this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  const auto history = [&](QAction* action, const QString& id, const QList<QKeySequence>& keys, const QString& tip) {
    action->setObjectName(id);
    action->setShortcuts(keys);
    action->setStatusTip(tip);
    edit->addAction(action);
  };
  QUndoGroup* group = m_configs->undoGroup();
  history(group->createUndoAction(this, tr("&Undo")), QStringLiteral("undo"), {QKeySequence(QStringLiteral("Ctrl+Z"))},
          tr("Take back the last change of the config in front"));
  history(group->createRedoAction(this, tr("&Redo")), QStringLiteral("redo"),
          {QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))},
          tr("Do again what was taken back"));
  edit->addSeparator();
  connect(addAction(edit, QStringLiteral("find"), tr("&Find"), QKeySequence::Find,
                    tr("Search the config when it is in use, else the attention layers")),
          &QAction::triggered, this, &MainWindow::find);
}

void MainWindow::find() {
  ConfigEditor* editor = m_configs->current();
  if (editor && m_configs->isAncestorOf(focusWidget())) {
    editor->focusSearch();
    return;
  }
  m_layersDock->show();
  m_layersDock->raise();
  m_tree->focusFilter();
}

void MainWindow::connectConfigs() {
  connect(m_configs, &ConfigWorkspace::opened, this, [this](const QString& path) {
    rememberPath(path);
    m_openedName = QFileInfo(path).fileName();
    m_freshConfig = path;
    m_log->add(Level::Info, tr("Opened %1").arg(shortPath(path)));
    m_configDock->show();
    m_configDock->raise();
    updateTitle();
    updateHint();
  });
  const auto changed = [this] {
    if (const ConfigDocument* config = m_configs->currentDocument()) m_openedName = config->name();
    updateActions();
    updateTitle();
  };
  connect(m_configs, &ConfigWorkspace::documentChanged, this, changed);
  connect(m_configs, &ConfigWorkspace::currentChanged, this, [this, changed] {
    changed();
    m_summaryTimer.start();
  });
  connect(m_configs, &ConfigWorkspace::snapshotChanged, &m_summaryTimer, qOverload<>(&QTimer::start));
  connect(m_configs, &ConfigWorkspace::saved, this, &MainWindow::rememberPath);
  connect(m_configs, &ConfigWorkspace::said, this, [this](const QString& text) {
    m_log->add(Level::Info, text);
    m_message->showMessage(Level::Info, text);
  });
  connect(m_configs, &ConfigWorkspace::failed, this, &MainWindow::report);
  connect(m_configs, &ConfigWorkspace::offered, this, &MainWindow::offer);
  connect(m_configs, &ConfigWorkspace::leftBehind, this, [this](const QList<UnsavedText>& texts) {
    QStringList names;
    for (const UnsavedText& text : texts) names << shortPath(text.path);
    offer(tr("The program ended before these were saved."), names.join(QLatin1Char('\n')), tr("Recover"),
          [this, texts] { m_configs->recover(texts); });
  });
  m_summaryTimer.setSingleShot(true);
  m_summaryTimer.setInterval(kSummaryDelay);
  connect(&m_summaryTimer, &QTimer::timeout, this, &MainWindow::summarizeConfig);
  connect(m_reading, &ReadController::summarized, this, [this](const ConfigSummary& config) {
    m_runPanel->showConfig(config);
    // A config that was opened shows its input; one that is edited leaves the run that is looked at.
    const bool fresh = std::exchange(m_freshConfig, {}) == config.path;
    if (!m_document->isLive() && (fresh || m_document->run().path.isEmpty()))
      m_document->showInput(config.frames, config.fps);
    if (!config.inputProblem.message.isEmpty()) report(config.inputProblem);
    updateTitle();
    updateHint();
  });
  connect(m_reading, &ReadController::summaryFailed, m_runPanel, &RunPanel::showProblem);
  connect(m_runPanel, &RunPanel::valueEdited, this, [this](const QString& key, const QString& value) {
    ConfigDocument* document = m_configs->documentOf(m_runPanel->configPath());
    if (!document) return;
    ConfigPath path;
    for (const QString& step : key.split(QLatin1Char('.'))) path.push_back(step.toStdString());
    document->setValue(path, ConfigNode(value.toStdString()));
  });
}

// What of the config in front would run, for the run panel.
void MainWindow::summarizeConfig() {
  const ConfigDocument* document = m_configs->currentDocument();
  if (!document) return;
  const ConfigSnapshot& snapshot = document->snapshot();
  if (!snapshot.parses && !snapshot.issues.isEmpty()) {
    m_runPanel->showProblem(document->path(), {snapshot.issues[0].message, {}, snapshot.issues[0].hint});
  } else if (snapshot.schema && snapshot.schema->name() == "run") {
    m_reading->summarize(document->path(), document->shownText());
  } else {
    const QString whose = snapshot.schema ? QString::fromStdString(snapshot.schema->title()) : QString();
    const QString message = whose.isEmpty() ? tr("This is not a run's config: it can be edited, not run.")
                                            : tr("This is a config of %1: it can be edited, not run.").arg(whose);
    m_runPanel->showProblem(document->path(), {message, {}, {}});
  }
}

// ---- Issues

void MainWindow::connectIssues() {
  connect(m_log, &LogModel::issuesChanged, this, &MainWindow::updateIssueCount);
  connect(m_configs->issues(), &ConfigIssuesModel::issuesChanged, this, &MainWindow::updateIssueCount);
  connect(m_issuesView, &LogView::activated, this, &MainWindow::goToIssue);
  connect(m_logView, &LogView::activated, this, &MainWindow::goToIssue);
}

void MainWindow::updateIssueCount() {
  const int count = m_log->issueCount() + m_configs->issues()->issueCount();
  m_status->setIssues(count, m_log->errorCount() + m_configs->issues()->errorCount());
  m_issuesDock->setWindowTitle(count > 0 ? tr("Issues (%1)").arg(count) : tr("Issues"));
}

void MainWindow::goToIssue(const QModelIndex& index) {
  if (const auto* all = qobject_cast<const QConcatenateTablesProxyModel*>(index.model())) {
    const QModelIndex source = all->mapToSource(index);
    if (source.model() == m_configs->issues()) {
      const ConfigIssue issue = m_configs->issues()->issueAt(source.row());
      if (!issue.file.isEmpty()) m_configs->showPlace(issue.file, issue.line, issue.column);
      return;
    }
  }
  // What was said has its place as text: file.yaml:3:5 (key).
  static const QRegularExpression place(QStringLiteral("^(.*):(\\d+):(\\d+)"));
  const QString where = index.siblingAtColumn(LogModel::Where).data().toString();
  const auto match = place.match(where);
  if (match.hasMatch() && isConfigName(match.captured(1)))
    m_configs->showPlace(match.captured(1), match.captured(2).toInt(), match.captured(3).toInt());
}

}  // namespace attnscope::ui
