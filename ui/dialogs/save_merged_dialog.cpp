#include "dialogs/save_merged_dialog.h"

#include <QButtonGroup>
#include <QDataStream>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "documents/config_document.h"
#include "views/diff_view.h"
#include "views/flow_layout.h"
#include "views/message_bar.h"

namespace attnscope::ui {

namespace {
constexpr int kPreviewDelayMs = 150;
constexpr quint8 kStateVersion = 1;
}  // namespace

SaveMergedDialog::SaveMergedDialog(ConfigDocument* document, QWidget* parent) : QDialog(parent), m_document(document) {
  setObjectName(QStringLiteral("saveMergedDialog"));
  setAccessibleName(tr("Save merged"));
  setModal(false);
  m_forms = new QButtonGroup(this);
  auto* formRow = new QWidget(this);
  auto* forms = new FlowLayout(formRow, 12);
  const auto addForm = [&](SaveForm form, const char* name, const QString& title, const QString& text) {
    auto* radio = new QRadioButton(title, this);
    radio->setObjectName(QLatin1String(name));
    radio->setAccessibleName(title.section(u'&', 0, 0) + title.section(u'&', 1));
    radio->setAccessibleDescription(text);
    radio->setToolTip(text);
    m_forms->addButton(radio, int(form));
    forms->addWidget(radio);
  };
  addForm(SaveForm::AsEdited, "formAsEdited", tr("As &edited"),
          tr("This document's text. What you did not change stays byte for byte, comments as well."));
  addForm(SaveForm::Resolved, "formResolved", tr("&Resolved"),
          tr("All layers in one file, every ${…} replaced by its value. Comments are not in it."));
  addForm(SaveForm::OnlyChanges, "formOnlyChanges", tr("Only my &changes"),
          tr("A small file that gives this config when it is merged on the saved one."));
  addForm(SaveForm::Dotlist, "formDotlist", tr("Only my changes, as &key=value lines"),
          tr("The same for a command line."));

  m_help = new QLabel(this);
  m_help->setObjectName(QStringLiteral("formHelp"));
  m_help->setAccessibleName(tr("About this form"));
  m_help->setForegroundRole(QPalette::PlaceholderText);
  m_help->setWordWrap(true);
  m_summary = new QLabel(this);
  m_summary->setObjectName(QStringLiteral("previewSummary"));
  m_summary->setAccessibleName(tr("What would be written"));
  m_summary->setWordWrap(true);
  m_preview = new DiffView(this);
  m_preview->setObjectName(QStringLiteral("savePreview"));
  m_preview->setAccessibleName(tr("Preview of what would be written"));
  m_preview->setToolTip(tr("What the file would hold"));
  m_path = new QLineEdit(this);
  m_path->setObjectName(QStringLiteral("savePath"));
  m_path->setAccessibleName(tr("File to write"));
  m_path->setToolTip(tr("The file that is written"));
  auto* pathLabel = new QLabel(tr("&File"), this);
  pathLabel->setBuddy(m_path);
  auto* browseButton = new QPushButton(tr("&Browse…"), this);
  browseButton->setObjectName(QStringLiteral("saveBrowse"));
  browseButton->setAccessibleName(tr("Choose the file to write"));
  browseButton->setToolTip(tr("Choose the file to write"));
  m_pathNote = new QLabel(this);
  m_pathNote->setObjectName(QStringLiteral("savePathNote"));
  m_pathNote->setAccessibleName(tr("About the file"));
  m_pathNote->setWordWrap(true);
  m_message = new MessageBar(this);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Close, this);
  m_save = buttons->button(QDialogButtonBox::Save);
  m_save->setObjectName(QStringLiteral("saveButton"));
  m_save->setAccessibleName(tr("Save"));
  m_save->setToolTip(tr("Write the file"));
  m_save->setDefault(true);
  QPushButton* close = buttons->button(QDialogButtonBox::Close);
  close->setObjectName(QStringLiteral("saveClose"));
  close->setAccessibleName(tr("Close"));
  close->setToolTip(tr("Write nothing (Esc)"));

  auto* pathRow = new QHBoxLayout;
  pathRow->addWidget(pathLabel);
  pathRow->addWidget(m_path, 1);
  pathRow->addWidget(browseButton);
  auto* column = new QVBoxLayout(this);
  column->addWidget(formRow);
  column->addWidget(m_help);
  column->addSpacing(4);
  column->addWidget(m_summary);
  column->addWidget(m_preview, 1);
  column->addLayout(pathRow);
  column->addWidget(m_pathNote);
  column->addWidget(m_message);
  column->addWidget(buttons);
  resize(fontMetrics().averageCharWidth() * 100, fontMetrics().height() * 42);

  m_delay.setSingleShot(true);
  m_delay.setInterval(kPreviewDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &SaveMergedDialog::requestPreview);
  connect(m_forms, &QButtonGroup::idToggled, this, [this](int, bool on) {
    if (on) onForm();
  });
  connect(m_preview, &DiffView::compared, this, &SaveMergedDialog::onCompared);
  connect(m_path, &QLineEdit::textEdited, this, [this] { m_pathChosen = true; });
  connect(m_path, &QLineEdit::textChanged, this, &SaveMergedDialog::onPath);
  connect(browseButton, &QPushButton::clicked, this, &SaveMergedDialog::browse);
  connect(buttons, &QDialogButtonBox::accepted, this, &SaveMergedDialog::save);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(document, &ConfigDocument::snapshotChanged, &m_delay, qOverload<>(&QTimer::start));
  connect(document, &ConfigDocument::pathChanged, this, &SaveMergedDialog::onForm);
  connect(document, &ConfigDocument::formReady, this, &SaveMergedDialog::onFormReady);
  connect(document, &ConfigDocument::formFailed, this, [this](SaveForm failed, const Failure& failure) {
    if (failed == form()) onFailed(failure);
  });
  connect(document, &ConfigDocument::formSaved, this, [this](SaveForm, const QString& path) { onWritten(path); });
  connect(document, &ConfigDocument::saved, this, &SaveMergedDialog::onWritten);
  connect(document, &ConfigDocument::saveFailed, this, [this](const Failure& failure) {
    if (m_saving) onFailed(failure);
  });
  setForm(SaveForm::AsEdited);
}

SaveForm SaveMergedDialog::form() const { return SaveForm(m_forms->checkedId()); }

void SaveMergedDialog::setForm(SaveForm form) { m_forms->button(int(form))->setChecked(true); }

QByteArray SaveMergedDialog::saveState() const {
  QByteArray state;
  QDataStream out(&state, QIODevice::WriteOnly);
  out << kStateVersion << quint8(form()) << saveGeometry();
  return state;
}

void SaveMergedDialog::restoreState(const QByteArray& state) {
  QDataStream in(state);
  quint8 version = 0, form = 0;
  QByteArray geometry;
  in >> version >> form >> geometry;
  if (in.status() != QDataStream::Ok || version != kStateVersion || form > quint8(SaveForm::Dotlist)) return;
  setForm(SaveForm(form));
  restoreGeometry(geometry);
}

void SaveMergedDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  onForm();
}

// Beside the document: "demo.yaml" gives "demo-resolved.yaml".
QString SaveMergedDialog::suggestedPath() const {
  const QFileInfo info(m_document->path());
  if (form() == SaveForm::AsEdited || m_document->path().isEmpty()) return m_document->path();
  const QString end = form() == SaveForm::Resolved      ? QStringLiteral("-resolved.yaml")
                      : form() == SaveForm::OnlyChanges ? QStringLiteral("-changes.yaml")
                                                        : QStringLiteral("-changes.txt");
  return QDir(info.path()).filePath(info.completeBaseName() + end);
}

void SaveMergedDialog::onForm() {
  setWindowTitle(tr("Save Merged: %1").arg(m_document->name()));
  m_help->setText(m_forms->checkedButton()->accessibleDescription());
  m_message->dismiss();
  if (!m_pathChosen) m_path->setText(suggestedPath());
  m_canSave = false;
  onPath();
  if (isVisible()) requestPreview();
}

void SaveMergedDialog::requestPreview() {
  if (!isVisible()) return;
  if (form() == SaveForm::AsEdited)
    m_preview->showDiff(m_document->savedBytes(), m_document->bytes());
  else
    m_document->requestForm(form());
}

void SaveMergedDialog::onCompared(int removed, int added) {
  if (form() != SaveForm::AsEdited) return;
  m_summary->setText(removed + added == 0 ? tr("The text is as it was saved: nothing would change.")
                                          : tr("The file would change: %1.").arg(DiffView::countText(removed, added)));
  m_canSave = true;
  onPath();
}

void SaveMergedDialog::onFormReady(SaveForm ready, const QByteArray& text) {
  if (ready != form()) return;
  m_preview->showText(text);
  const qsizetype lines = text.count('\n');
  QString summary = lines == 1 ? tr("1 line would be written.") : tr("%1 lines would be written.").arg(lines);
  const bool changesOnly = ready == SaveForm::OnlyChanges || ready == SaveForm::Dotlist;
  if (changesOnly && text.startsWith('#'))
    summary += u' ' + tr("Keys were taken out, which a merge cannot say: the lines at the top name them.");
  m_summary->setText(summary);
  m_canSave = true;
  onPath();
}

void SaveMergedDialog::onFailed(const Failure& failure) {
  m_message->showFailure(failure);
  if (!m_saving) {
    m_preview->showNote(tr("There is nothing to show"));
    m_summary->setText(tr("This form cannot be made now."));
    m_canSave = false;
  }
  m_saving = false;
  onPath();
}

void SaveMergedDialog::onPath() {
  const QString path = m_path->text().trimmed();
  const QFileInfo info(path);
  QString note;
  if (path.isEmpty())
    note = tr("Say where to write.");
  else if (info.isDir())
    note = tr("This is a folder: name a file in it.");
  else if (!info.dir().exists())
    note = tr("The folder is not there.");
  else if (path == m_document->path() && form() != SaveForm::AsEdited)
    note = tr("This is the document's own file: its text is replaced, comments as well.");
  else if (info.exists() && path != m_document->path())
    note = tr("This file exists and will be replaced.");
  m_pathNote->setText(note);
  m_pathNote->setVisible(!note.isEmpty());
  m_save->setEnabled(m_canSave && !m_saving && !path.isEmpty() && !info.isDir() && info.dir().exists());
}

void SaveMergedDialog::browse() {
  auto* dialog = new QFileDialog(this, tr("Save Merged"), QFileInfo(m_path->text()).path());
  dialog->setObjectName(QStringLiteral("saveMergedFile"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setOption(QFileDialog::DontConfirmOverwrite);  // said below the path
  dialog->selectFile(m_path->text());
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    m_pathChosen = true;
    m_path->setText(path);
  });
  dialog->open();
}

void SaveMergedDialog::save() {
  if (!m_save->isEnabled()) return;
  m_saving = true;
  onPath();
  const QString path = m_path->text().trimmed();
  if (form() == SaveForm::AsEdited && path == m_document->path())
    m_document->save();
  else
    m_document->saveForm(form(), path);
}

void SaveMergedDialog::onWritten(const QString& path) {
  if (!m_saving) return;
  m_saving = false;
  Q_EMIT written(path);
  accept();
}

}  // namespace attnscope::ui
