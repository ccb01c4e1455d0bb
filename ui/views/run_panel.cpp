#include "views/run_panel.h"

#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>

#include "models/facts_model.h"
#include "views/elided_label.h"
#include "views/icons.h"
#include "worker/open_config.h"

namespace attnscope::ui {

namespace {

void fill(QLineEdit* field, const QString& text) {
  field->setText(text);
  field->setCursorPosition(0);  // a long text shows its beginning
}

}  // namespace

RunPanel::RunPanel(QWidget* parent) : QWidget(parent), m_facts(new FactsModel(this)) {
  setObjectName(QStringLiteral("runPanel"));
  setAccessibleName(tr("Run"));
  m_pages = new QStackedLayout;
  m_pages->addWidget(makeEmptyPage());
  m_pages->addWidget(makeFormPage());

  m_factsTitle = new QLabel(this);
  m_factsTitle->setObjectName(QStringLiteral("factsTitle"));
  m_factsTitle->setAccessibleName(tr("What is listed below"));
  m_factsTitle->setContentsMargins(8, 4, 8, 0);
  QFont bold = font();
  bold.setBold(true);
  m_factsTitle->setFont(bold);
  m_table = new QTableView(this);
  m_table->setObjectName(QStringLiteral("facts"));
  m_table->setAccessibleName(tr("Keys and values"));
  m_table->setToolTip(tr("What the config or the run says"));
  m_table->setModel(m_facts);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->hide();
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_table->setShowGrid(false);
  m_table->setAlternatingRowColors(true);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setTabKeyNavigation(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(m_pages);
  column->addWidget(m_factsTitle);
  column->addWidget(m_table, 1);
  column->addStretch(0);
  showFacts({}, {});
}

QWidget* RunPanel::makeEmptyPage() {
  auto* page = new QWidget(this);
  page->setObjectName(QStringLiteral("runEmpty"));
  page->setAccessibleName(tr("Nothing to run"));
  auto* text = new QLabel(tr("Open a config or a video to run it."), page);
  text->setObjectName(QStringLiteral("runEmptyText"));
  text->setAccessibleName(text->text());
  text->setWordWrap(true);
  const auto button = [&](const QString& name, const QString& label, const QString& tip, auto signal) {
    auto* b = new QPushButton(label, page);
    b->setObjectName(name);
    b->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    b->setToolTip(tip);
    connect(b, &QPushButton::clicked, this, signal);
    return b;
  };
  auto* row = new QHBoxLayout;
  row->addWidget(button(QStringLiteral("emptyOpen"), tr("Open…"), tr("Open a config or a video (Ctrl+O)"),
                        &RunPanel::openRequested));
  row->addWidget(button(QStringLiteral("emptyDemo"), tr("Open the demo"),
                        tr("The small model and video that come with the program"), &RunPanel::demoRequested));
  row->addStretch(1);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(text);
  column->addLayout(row);
  column->addStretch(1);
  return page;
}

QWidget* RunPanel::makeFormPage() {
  auto* page = new QWidget(this);
  page->setObjectName(QStringLiteral("runForm"));
  page->setAccessibleName(tr("What will run"));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(8);
  form->setVerticalSpacing(4);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_target = new ElidedLabel(page);
  m_target->setObjectName(QStringLiteral("target"));
  m_target->setAccessibleName(tr("File"));
  m_mode = new QLabel(page);
  m_mode->setObjectName(QStringLiteral("mode"));
  m_mode->setAccessibleName(tr("Mode"));
  m_mode->setToolTip(
      tr("inspect: maps of frames as they are. reconstruct: inversion and back. edit: back with another "
         "prompt. generate: from noise."));
  form->addRow(tr("File"), m_target);
  form->addRow(tr("Mode"), m_mode);
  m_model =
      addField(form, QStringLiteral("modelPath"), tr("&Model"), tr("Folder of a diffusers pipeline (model.path)"));
  m_source = addField(form, QStringLiteral("sourcePrompt"), tr("&Source"),
                      tr("What the input shows, in words (source_prompt)"));
  m_prompt = addField(form, QStringLiteral("prompt"), tr("&Prompt"), tr("What the output shall show (prompt)"));
  m_output = addField(form, QStringLiteral("output"), tr("O&utput"),
                      tr("Run folders are named after this, with -1, -2… added"));
  connect(m_model, &QLineEdit::editingFinished, this, [this] {
    if (m_config) commit(QStringLiteral("model.path"), m_model, m_config->modelPath);
  });
  connect(m_source, &QLineEdit::editingFinished, this, [this] {
    if (m_config) commit(QStringLiteral("source_prompt"), m_source, m_config->sourcePrompt);
  });
  connect(m_prompt, &QLineEdit::editingFinished, this, [this] {
    if (m_config) commit(QStringLiteral("prompt"), m_prompt, m_config->prompt);
  });
  m_hint = new QLabel(page);
  m_hint->setObjectName(QStringLiteral("runHint"));
  m_hint->setAccessibleName(tr("What is missing"));
  m_hint->setWordWrap(true);
  m_hint->setForegroundRole(QPalette::PlaceholderText);
  m_run = new QPushButton(icon(QStringLiteral("run")), tr("&Run"), page);
  m_run->setObjectName(QStringLiteral("runButton"));
  m_run->setAccessibleName(tr("Run"));
  m_run->setToolTip(tr("Run it and write a run folder (F5)"));
  connect(m_run, &QPushButton::clicked, this, &RunPanel::runRequested);
  auto* row = new QHBoxLayout;
  row->addWidget(m_hint, 1);
  row->addWidget(m_run);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(8, 8, 8, 4);
  column->addLayout(form);
  column->addLayout(row);
  return page;
}

QLineEdit* RunPanel::addField(QFormLayout* form, const QString& name, const QString& label, const QString& tip) {
  auto* field = new QLineEdit;
  field->setObjectName(name);
  field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
  field->setToolTip(tip);
  auto* text = new QLabel(label);
  text->setBuddy(field);
  form->addRow(text, field);
  connect(field, &QLineEdit::textChanged, this, &RunPanel::check);
  connect(field, &QLineEdit::returnPressed, this, [this] {
    if (canRun() && !m_busy) Q_EMIT runRequested();
  });
  return field;
}

void RunPanel::showTarget(const QString& what, const QString& path) {
  m_target->setText(what);
  m_target->setToolTip(path);
  m_pages->setCurrentIndex(1);
}

void RunPanel::showConfig(const ConfigSummary& config) {
  // What is being typed into a field is not taken away by news of the same config.
  const std::optional<ConfigSummary> before =
      m_config && !m_fromRun && m_config->path == config.path ? m_config : std::nullopt;
  const auto show = [](QLineEdit* field, const QString& value, const QString* old) {
    if (!old || !field->hasFocus() || field->text() == *old) fill(field, value);
  };
  m_video.reset();
  m_fromRun = false;
  m_problem = {};
  m_config = config;
  showTarget(QFileInfo(config.path).fileName(), config.path);
  m_mode->setText(config.mode);
  show(m_model, config.modelPath, before ? &before->modelPath : nullptr);
  show(m_source, config.sourcePrompt, before ? &before->sourcePrompt : nullptr);
  show(m_prompt, config.prompt, before ? &before->prompt : nullptr);
  show(m_output, config.outputBase, before ? &before->outputBase : nullptr);
  QList<Fact> facts = config.facts;
  if (!config.inputPath.isEmpty()) facts.prepend({QStringLiteral("input"), config.inputPath});
  showFacts(tr("Config"), facts);
  check();
}

void RunPanel::showProblem(const QString& path, const Failure& failure) {
  if (configPath() != path) {
    m_config = ConfigSummary{};
    m_config->path = path;
    m_video.reset();
    m_fromRun = false;
    m_mode->clear();
    for (QLineEdit* field : {m_model, m_source, m_prompt, m_output}) fill(field, {});
    showFacts({}, {});
    showTarget(QFileInfo(path).fileName(), path);
  }
  m_problem = failure;
  check();
}

void RunPanel::commit(const QString& key, const QLineEdit* field, const QString& before) {
  if (!m_config || m_fromRun || field->text() == before) return;
  const QString text = field->text().trimmed();
  Q_EMIT valueEdited(key, key == QLatin1String("model.path") ? QDir::current().absoluteFilePath(text) : text);
}

void RunPanel::showVideo(const VideoOffer& video) {
  m_config.reset();
  m_problem = {};
  m_fromRun = false;
  m_video = video;
  showTarget(QFileInfo(video.path).fileName(), video.path);
  m_mode->setText(QStringLiteral("inspect"));
  fill(m_model, video.modelPath);
  fill(m_source, {});
  fill(m_prompt, {});
  fill(m_output, video.outputBase);
  showFacts({}, {});
  check();
  m_source->setFocus(Qt::OtherFocusReason);
}

void RunPanel::showRun(const RunData& run) {
  // A config that was opened stays; that of a run looked at before makes way.
  if (!run.config.path.isEmpty() && ((!m_config && !m_video) || m_fromRun)) {
    showConfig(run.config);
    m_fromRun = true;
    showTarget(tr("config of %1").arg(QFileInfo(run.path).fileName()), run.config.path);
  }
  showFacts(tr("Run %1").arg(QFileInfo(run.path).fileName()), run.facts);
}

void RunPanel::showFacts(const QString& title, const QList<Fact>& facts) {
  m_factsTitle->setText(title);
  m_factsTitle->setVisible(!facts.isEmpty());
  m_table->setVisible(!facts.isEmpty());
  m_facts->setFacts(facts);
}

void RunPanel::setBusy(bool busy) {
  m_busy = busy;
  for (QWidget* field : {m_model, m_source, m_prompt, m_output}) field->setEnabled(!busy);
  check();
}

bool RunPanel::needsPrompt() const {
  return m_config && (m_config->mode == QLatin1String("generate") || m_config->mode == QLatin1String("edit"));
}

bool RunPanel::needsSource() const { return m_video || (m_config && m_config->mode != QLatin1String("generate")); }

void RunPanel::check() {
  m_prompt->setEnabled(!m_busy && needsPrompt());
  m_source->setEnabled(!m_busy && needsSource());
  m_prompt->setPlaceholderText(needsPrompt() ? QString() : tr("not used in this mode"));
  m_source->setPlaceholderText(needsSource() ? tr("a red circle and a blue square") : tr("not used in this mode"));
  if (!m_config && !m_video)
    m_missing = tr("Open a config or a video first.");
  else if (!m_problem.message.isEmpty())
    m_missing = m_problem.message;
  else if (m_model->text().trimmed().isEmpty())
    m_missing = tr("Give the folder of a model.");
  else if (needsSource() && m_source->text().trimmed().isEmpty() && !m_config)
    m_missing = tr("Say in words what the video shows.");
  else if (m_output->text().trimmed().isEmpty())
    m_missing = tr("Say where the run is to be written.");
  else
    m_missing.clear();
  m_hint->setText(m_missing);
  m_run->setEnabled(canRun() && !m_busy);
  Q_EMIT readyChanged();
}

RunJob RunPanel::job() const {
  RunJob job;
  job.outputBase = m_output->text().trimmed();
  if (m_video) {
    job.configPath = m_video->configPath;
    job.videoPath = m_video->path;
    job.modelPath = m_model->text().trimmed();
    job.sourcePrompt = m_source->text().trimmed();
    job.frameCount = int(m_video->frames.size());
    return job;
  }
  job.configPath = m_config->path;
  const auto override = [&](const QString& key, const QLineEdit* field, const QString& before) {
    if (field->text() != before) job.overrides << key + QLatin1Char('=') + yamlQuoted(field->text().trimmed());
  };
  if (m_model->text() != m_config->modelPath)
    job.overrides << QStringLiteral("model.path=") +
                         yamlQuoted(QDir::current().absoluteFilePath(m_model->text().trimmed()));
  override(QStringLiteral("source_prompt"), m_source, m_config->sourcePrompt);
  override(QStringLiteral("prompt"), m_prompt, m_config->prompt);
  return job;
}

QString RunPanel::prompt() const { return needsPrompt() ? m_prompt->text() : m_source->text(); }

QList<QImage> RunPanel::inputFrames() const {
  return m_config ? m_config->frames : m_video ? m_video->frames : QList<QImage>();
}

bool RunPanel::makesPictures() const { return m_config && m_config->mode != QLatin1String("inspect"); }

}  // namespace attnscope::ui
