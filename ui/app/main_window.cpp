#include "app/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "app/config_workspace.h"
#include "app/session.h"
#include "documents/config_document.h"
#include "documents/run_document.h"
#include "models/attention_tree_model.h"
#include "models/log_model.h"
#include "views/attention_tree_view.h"
#include "views/heatmap_canvas.h"
#include "views/inspector.h"
#include "views/log_view.h"
#include "views/message_bar.h"
#include "views/run_panel.h"
#include "views/run_status.h"
#include "views/run_viewer.h"
#include "views/timeline.h"
#include "worker/open_config.h"

namespace attnscope::ui {

MainWindow::MainWindow(Session& session, RunFunction run, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_reading(new ReadController(this)),
      m_runs(new RunController(std::move(run), this)),
      m_document(new RunDocument(this)),
      m_layers(new AttentionTreeModel(this)),
      m_log(new LogModel(this)),
      m_bridge(new LogBridge(this)) {
  setObjectName(QStringLiteral("mainWindow"));
  setAccessibleName(QStringLiteral("AttnScope"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);

  auto* centre = new QWidget(this);
  centre->setObjectName(QStringLiteral("centre"));
  centre->setAccessibleName(tr("Picture"));
  m_message = new MessageBar(centre);
  m_viewer = new RunViewer(m_document, centre);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_message);
  column->addWidget(m_viewer, 1);
  setCentralWidget(centre);

  buildDocks();
  buildMenus();
  buildToolBar();
  buildStatusBar();
  connectReading();
  connectRun();
  connectViews();
  connectConfigs();
  connectIssues();

  m_inspector->setHeatStyle(m_session.heatStyle());
  m_viewer->setHeatStyle(m_inspector->heatStyle());
  m_viewer->setShown(RunViewer::Show(m_session.shown()));
  resize(1280, 800);
  m_defaultState = saveState();
  if (!m_session.geometry().isEmpty()) restoreGeometry(m_session.geometry());
  m_fresh = m_session.state().isEmpty() || !restoreState(m_session.state());
  m_reading->checkPaths(m_session.recentPaths());
  updateActions();
  updateTitle();
  updateHint();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectReading() {
  connect(m_reading, &ReadController::openingChanged, this, [this](bool opening) {
    if (m_runs->isBusy()) return;
    opening ? m_status->showBusy(tr("opening")) : m_status->clearProgress();
  });
  connect(m_reading, &ReadController::runOpened, this, &MainWindow::showRun);
  connect(m_reading, &ReadController::configFound, m_configs, &ConfigWorkspace::openFile);
  connect(m_reading, &ReadController::videoOpened, this, [this](const VideoOffer& video) {
    rememberPath(video.path);
    m_openedName = QFileInfo(video.path).fileName();
    m_runDock->show();
    m_runDock->raise();
    m_runPanel->showVideo(video);
    if (!m_document->isLive()) m_document->showInput(video.frames, video.fps);
    updateTitle();
    updateHint();
  });
  connect(m_reading, &ReadController::openFailed, this, [this](const QString& path, const Failure& failure) {
    report(failure);
    QStringList kept = m_session.recentPaths();
    if (kept.removeAll(path) > 0) m_reading->checkPaths(m_session.recentPaths());
  });
  connect(m_reading, &ReadController::mapsReady, m_document, &RunDocument::setMaps);
  connect(m_reading, &ReadController::mapsFailed, this, &MainWindow::report);
  connect(m_reading, &ReadController::pathsChecked, this, [this](const QStringList& existing) {
    m_session.keepRecent(existing);
    fillRecent();
  });
  connect(m_document, &RunDocument::mapsWanted, this, [this] {
    if (const auto query = m_document->missingMaps()) m_reading->requestMaps(*query);
  });
}

void MainWindow::connectRun() {
  connect(m_bridge, &LogBridge::message, m_log, [this](Level level, const QString& text) { m_log->add(level, text); });
  connect(m_runs, &RunController::stateChanged, this, &MainWindow::onRunState);
  connect(m_runs, &RunController::started, this, [this](const QString& folder) {
    m_runFolder = folder;
    m_log->add(Level::Info, tr("Run started: %1").arg(shortPath(folder)));
    updateTitle();
  });
  connect(m_runs, &RunController::progressed, this, [this](const ProgressInfo& progress) {
    if (m_runs->state() == RunController::State::Running) m_status->showProgress(progress);
  });
  connect(m_runs, &RunController::previewed, m_document, &RunDocument::setPreviews);
  connect(m_runs, &RunController::mapped, m_document, &RunDocument::setLiveMaps);
  connect(m_runs, &RunController::warned, this, &MainWindow::warn);
  connect(m_runs, &RunController::captureSized, this, [this](qint64 bytes) {
    m_log->add(Level::Info, tr("Maps will take %1 MiB").arg(double(bytes) / (1024 * 1024), 0, 'f', 1));
  });
  connect(m_runs, &RunController::finished, this, [this](const QString& folder) {
    m_log->add(Level::Info, tr("Run finished: %1").arg(shortPath(folder)));
    if (m_document->isLive() || m_document->run().path.isEmpty()) {
      openPath(folder);
      m_message->showMessage(Level::Info, tr("Run finished: %1").arg(shortPath(folder)));
    } else {
      offer(tr("Run finished: %1").arg(shortPath(folder)), {}, tr("Show it"), [this, folder] { openPath(folder); });
    }
  });
  connect(m_runs, &RunController::cancelled, this, [this](const QString& folder) {
    m_log->add(Level::Info, tr("Run stopped: %1").arg(shortPath(folder)));
    m_document->endLive();
    if (folder.isEmpty())
      m_message->showMessage(Level::Info, tr("Run stopped."));
    else
      offer(tr("Run stopped. What was done is kept in %1").arg(shortPath(folder)), {}, tr("Show it"),
            [this, folder] { openPath(folder); });
  });
  connect(m_runs, &RunController::failed, this, [this](const Failure& failure) {
    m_document->endLive();
    report(failure);
  });
  connect(m_message, &MessageBar::actionRequested, this, [this] {
    if (m_offer) std::exchange(m_offer, nullptr)();
  });
}

void MainWindow::connectViews() {
  connect(m_document, &RunDocument::runChanged, this, [this] {
    m_layers->setLayers(m_document->run().layers);
    m_inspector->setRecipes(m_document->run().recipes, m_document->recipe());
    m_layersDock->setWindowTitle(m_layers->layerCount() > 0 ? tr("Attention layers (%1)").arg(m_layers->layerCount())
                                                            : tr("Attention layers"));
    updateActions();
    updateHint();
  });
  connect(m_document, &RunDocument::selectionChanged, this, [this] {
    m_inspector->setLayer(m_document->layer());
    m_tree->showLayer(m_document->layer());
    updateHint();
  });
  connect(m_viewer, &RunViewer::numbersChanged, m_inspector, &Inspector::setNumbers);
  connect(m_viewer, &RunViewer::shownChanged, this, [this](int show) { m_session.setShown(show); });
  connect(m_viewer->timeline(), &Timeline::playingChanged, this,
          [this](bool playing) { m_playAction->setText(playing ? tr("&Pause") : tr("&Play")); });
  connect(m_inspector, &Inspector::heatStyleChanged, this, [this](const HeatStyle& style) {
    m_viewer->setHeatStyle(style);
    m_session.setHeatStyle(style);
  });
  connect(m_inspector, &Inspector::recipeChosen, m_document, [this](const QString& recipe) {
    m_document->setLayer({});
    m_document->setRecipe(recipe);
  });
  connect(m_inspector, &Inspector::allLayersRequested, m_document, [this] { m_document->setLayer({}); });
  connect(m_tree, &AttentionTreeView::layerChosen, m_document, &RunDocument::setLayer);
  connect(m_runPanel, &RunPanel::readyChanged, this, [this] {
    updateActions();
    updateHint();
  });
  connect(m_runPanel, &RunPanel::runRequested, this, &MainWindow::startRun);
  connect(m_runPanel, &RunPanel::openRequested, this, &MainWindow::chooseFile);
  connect(m_runPanel, &RunPanel::demoRequested, m_reading, &ReadController::openDemo);
  connect(m_status, &RunStatus::issuesRequested, this, [this] {
    m_issuesDock->show();
    m_issuesDock->raise();
  });
  for (LogView* view : {m_logView, m_issuesView}) connect(view, &LogView::clearRequested, m_log, &LogModel::clear);
}

void MainWindow::openPath(const QString& path) {
  if (!path.isEmpty()) m_reading->open(path);
}

void MainWindow::showRun(const RunData& run) {
  rememberPath(run.path);
  m_openedName = QFileInfo(run.path).fileName();
  m_document->setRun(run);
  m_runPanel->showRun(run);
  m_status->setDevice(run.device);
  m_log->add(Level::Info, tr("Opened %1").arg(shortPath(run.path)));
  if (run.path != QDir::cleanPath(m_runFolder))  // else they were heard while it ran
    for (const QString& warning : run.warnings) m_log->add(Level::Warning, warning, shortPath(run.path));
  switch (run.state) {
    case RunState::Complete: break;
    case RunState::Cancelled:
      warn(tr("This run was stopped before its end; it shows what was done until then."));
      break;
    case RunState::Failed: warn(tr("This run failed: %1").arg(run.error)); break;
    case RunState::Incomplete: warn(tr("This run was not finished: the program that wrote it ended too early.")); break;
  }
  updateTitle();
}

void MainWindow::startRun() {
  if (m_runs->isBusy()) return;
  if (!m_runPanel->canRun()) {
    m_message->showMessage(Level::Info, m_runPanel->missing());
    return;
  }
  m_message->dismiss();
  m_runFolder.clear();
  m_document->beginLive(m_runPanel->prompt(), m_runPanel->inputFrames(), m_runPanel->makesPictures());
  RunJob job = m_runPanel->job();
  if (const ConfigDocument* config = m_configs->documentOf(m_runPanel->configPath())) {
    // What is shown is what runs, saved or not.
    job.config = config->shownText();
  }
  m_runs->start(job);
}

void MainWindow::onRunState() {
  const RunController::State state = m_runs->state();
  m_runPanel->setBusy(m_runs->isBusy());
  switch (state) {
    case RunController::State::Running: m_status->showBusy(tr("starting")); break;
    case RunController::State::Stopping: m_status->showBusy(tr("stopping")); break;
    case RunController::State::Idle: m_status->clearProgress(); break;
  }
  updateActions();
  updateTitle();
  updateHint();
}

void MainWindow::report(const Failure& failure) {
  m_log->add(failure);
  m_message->showFailure(failure);
}

void MainWindow::offer(const QString& text, const QString& detail, const QString& action,
                       const std::function<void()>& act) {
  m_offer = act;
  m_message->showOffer(text, action, detail);
}

void MainWindow::warn(const QString& text) {
  m_log->add(Level::Warning, text);
  m_message->showMessage(Level::Warning, text);
}

void MainWindow::rememberPath(const QString& path) {
  m_session.addRecent(path);
  m_session.setLastFolder(QFileInfo(path).path());
  fillRecent();
}

void MainWindow::updateActions() {
  const RunController::State state = m_runs->state();
  m_runAction->setEnabled(state == RunController::State::Idle && m_runPanel->canRun());
  m_stopAction->setEnabled(state == RunController::State::Running);
  m_stopAction->setText(state == RunController::State::Stopping ? tr("Stopping…") : tr("&Stop"));
  const ConfigDocument* config = m_configs->currentDocument();
  m_saveAction->setEnabled(config && config->isModified());
  for (QAction* action : {m_saveAsAction, m_saveMergedAction, m_closeAction}) action->setEnabled(config);
  m_revertAction->setEnabled(config && config->isModified());
  for (QAction* action : m_frameActions) action->setEnabled(m_document->run().frameCount() > 1);
}

void MainWindow::updateTitle() {
  QString name = m_runs->isBusy() && m_document->isLive() ? QFileInfo(m_runFolder).fileName() : m_openedName;
  if (m_runs->isBusy() && !name.isEmpty())
    name += m_runs->state() == RunController::State::Stopping ? tr(", stopping") : tr(", running");
  setWindowTitle(name.isEmpty() ? QStringLiteral("AttnScope[*]") : name + QStringLiteral("[*] — AttnScope"));
  setWindowModified(m_configs->hasUnsaved());
}

void MainWindow::updateHint() {
  QString hint;
  if (m_runs->isBusy())
    hint = tr("Running. Shift+F5 stops it within one attention block.");
  else if (m_document->isEmpty())
    hint = m_runPanel->canRun()           ? tr("Press F5 to run.")
           : m_configs->currentDocument() ? m_runPanel->missing()
                                          : tr("Open or drop a config, a video or a run folder.");
  else if (m_document->run().path.isEmpty())
    hint = m_runPanel->canRun() ? tr("This is the input. Press F5 to run it.") : m_runPanel->missing();
  else if (!m_document->run().hasMaps)
    hint = tr("This run holds no attention maps.");
  else
    hint = tr("Click a word to see where it looks; Ctrl+click adds one; select a captured layer to see it alone.");
  m_hint->setText(hint);
  m_hint->setToolTip(hint);
  m_viewer->setEmptyText(m_runs->isBusy() ? tr("Pictures come in as the run goes.")
                         : m_document->isEmpty()
                             ? (m_runPanel->canRun() ? tr("Press F5 to run what is open.")
                                : m_configs->currentDocument()
                                    ? m_runPanel->missing()
                                    : tr("Drop a config, a video or a run folder here,\nor press Ctrl+O."))
                             : tr("This run holds no pictures."));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (urls.size() != 1 || !urls[0].isLocalFile()) return;
  const QString path = urls[0].toLocalFile();
  const QString name = QFileInfo(path).fileName();
  // A name without a suffix, or a trailing slash, is most likely a run folder; opening it says if not.
  if (isConfigName(path) || isVideoName(path) || name.isEmpty() || !name.contains(QLatin1Char('.')) ||
      name == QLatin1String("manifest.json"))
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  openPath(event->mimeData()->urls().value(0).toLocalFile());
  event->acceptProposedAction();
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!m_fresh) return;
  m_fresh = false;
  sizeDocks();  // before it is shown a window has no widths to share
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_closing && m_configs->hasUnsaved()) {
    event->ignore();
    m_configs->closeAll([this] {
      m_closing = true;
      close();
    });
    return;
  }
  m_runs->stop();
  m_session.setLayout(saveGeometry(), saveState());
  QMainWindow::closeEvent(event);
}

}  // namespace attnscope::ui
