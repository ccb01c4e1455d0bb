#pragma once
#include <optional>

#include <QWidget>

#include "worker/run_data.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace attnscope::ui {

class FactsModel;

// What will run: the config or the video that is open, with the fields one changes most, and what else it says. Also
// the facts of a run that is looked at.
class RunPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RunPanel(QWidget* parent = nullptr);

  void showConfig(const ConfigSummary& config);
  // What is open cannot be run: not a run's config, or one with a mistake. What was shown before is kept while the
  // mistake is mended.
  void showProblem(const QString& path, const Failure& failure);
  void showVideo(const VideoOffer& video);
  void showRun(const RunData& run);
  void setBusy(bool busy);

  bool canRun() const { return m_missing.isEmpty() && (m_config || m_video); }
  // The file of the config that would run; empty for that of a run that is looked at.
  QString configPath() const { return m_config && !m_fromRun ? m_config->path : QString(); }
  // Why it cannot run yet, as a sentence; empty when it can.
  QString missing() const { return m_missing; }
  RunJob job() const;
  // What the maps of that job belong to.
  QString prompt() const;
  // The input's frames that are at hand, and whether the run makes new ones.
  QList<QImage> inputFrames() const;
  bool makesPictures() const;

 Q_SIGNALS:
  void readyChanged();
  void runRequested();
  void openRequested();
  void demoRequested();
  // A field was changed by hand: the value of a key of the config.
  void valueEdited(const QString& key, const QString& value);

 private:
  QLineEdit* addField(QFormLayout* form, const QString& name, const QString& label, const QString& tip);
  QWidget* makeEmptyPage();
  QWidget* makeFormPage();
  void showFacts(const QString& title, const QList<Fact>& facts);
  void showTarget(const QString& what, const QString& path);
  void check();
  void commit(const QString& key, const QLineEdit* field, const QString& before);
  bool needsPrompt() const;
  bool needsSource() const;

  std::optional<ConfigSummary> m_config;
  std::optional<VideoOffer> m_video;
  Failure m_problem;
  QString m_missing;
  bool m_busy = false;
  bool m_fromRun = false;  // m_config is that of the run that is looked at

  QStackedLayout* m_pages;
  QLabel *m_target, *m_mode, *m_hint;
  QLineEdit *m_model, *m_source, *m_prompt, *m_output;
  QPushButton* m_run;
  QLabel* m_factsTitle;
  QTableView* m_table;
  FactsModel* m_facts;
};

}  // namespace attnscope::ui
