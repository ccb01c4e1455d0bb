#pragma once
#include <functional>

#include <QMainWindow>
#include <QTimer>

#include "worker/engine_run.h"
#include "worker/log_bridge.h"
#include "worker/read_controller.h"
#include "worker/run_controller.h"

class QLabel;
class QMenu;

namespace attnscope::ui {

class AttentionTreeModel;
class ConfigWorkspace;
class AttentionTreeView;
class Inspector;
class LogModel;
class LogView;
class MessageBar;
class RunDocument;
class RunPanel;
class RunStatus;
class RunViewer;
class Session;

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Session& session, RunFunction run = engineRun(), QWidget* parent = nullptr);
  ~MainWindow() override;

  // The one way in for menu, argument, drop and recent files: a config, a video, a picture or a run folder.
  void openPath(const QString& path);
  void startRun();
  void resetLayout();

  RunDocument* document() const { return m_document; }
  ConfigWorkspace* configs() const { return m_configs; }
  RunController& runs() { return *m_runs; }
  LogModel* logModel() const { return m_log; }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QAction* addAction(QMenu* menu, const QString& id, const QString& text, const QKeySequence& key, const QString& tip,
                     const QString& iconName = {});
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
  void buildDocks();
  void sizeDocks();
  void buildMenus();
  void buildFileMenu();
  void buildEditMenu();
  void buildThemeMenu(QMenu* view);
  void buildToolBar();
  void buildStatusBar();
  void connectReading();
  void connectRun();
  void connectViews();
  void connectConfigs();
  void connectIssues();

  void chooseFile();
  void chooseFolder();
  void rememberPath(const QString& path);
  void fillRecent();
  void showRun(const RunData& run);
  void onRunState();
  void report(const Failure& failure);
  void offer(const QString& text, const QString& detail, const QString& action, const std::function<void()>& act);
  void summarizeConfig();
  void updateIssueCount();
  void goToIssue(const QModelIndex& index);
  void find();
  void warn(const QString& text);
  void updateActions();
  void updateTitle();
  void updateHint();
  void showAbout();
  void chooseTheme(int kind);

  Session& m_session;
  ReadController* m_reading;
  RunController* m_runs;
  RunDocument* m_document;
  AttentionTreeModel* m_layers;
  LogModel* m_log;
  LogBridge* m_bridge;

  ConfigWorkspace* m_configs;
  MessageBar* m_message;
  RunViewer* m_viewer;
  RunPanel* m_runPanel;
  AttentionTreeView* m_tree;
  Inspector* m_inspector;
  LogView *m_logView, *m_issuesView;
  RunStatus* m_status;
  QLabel* m_hint;
  QDockWidget *m_configDock, *m_runDock, *m_layersDock, *m_inspectorDock, *m_issuesDock, *m_logDock;
  QMenu* m_recentMenu;
  QAction *m_runAction, *m_stopAction, *m_playAction;
  QAction *m_saveAction, *m_saveAsAction, *m_saveMergedAction, *m_revertAction, *m_closeAction;
  QList<QAction*> m_frameActions;  // of use with several frames only
  QByteArray m_defaultState;
  bool m_fresh = true;            // no layout was remembered
  QString m_openedName;           // of what is open, for the title
  QString m_runFolder;            // of the run that is going on, or was last
  std::function<void()> m_offer;  // what the message bar offers
  QTimer m_summaryTimer;
  QString m_freshConfig;   // was opened and not shown yet
  bool m_closing = false;  // what is not saved was asked about
};

}  // namespace attnscope::ui
