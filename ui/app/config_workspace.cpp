#include "app/config_workspace.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QThreadPool>
#include <QToolButton>

#include "dialogs/changes_dialog.h"
#include "dialogs/save_merged_dialog.h"
#include "documents/config_document.h"
#include "views/config_editor.h"
#include "views/icons.h"
#include "worker/open_config.h"

namespace attnscope::ui {

ConfigWorkspace::ConfigWorkspace(const QString& autosaveRoot, QWidget* parent)
    : QWidget(parent), m_autosaveRoot(autosaveRoot) {
  setObjectName(QStringLiteral("configWorkspace"));
  setAccessibleName(tr("Configs"));
  auto* empty = new QLabel(tr("Open or drop a YAML config to see it here as a form."), this);
  empty->setObjectName(QStringLiteral("configEmpty"));
  empty->setAccessibleName(empty->text());
  empty->setAlignment(Qt::AlignCenter);
  empty->setWordWrap(true);
  empty->setMargin(12);
  empty->setForegroundRole(QPalette::PlaceholderText);
  m_tabs = new QTabWidget(this);
  m_tabs->setObjectName(QStringLiteral("configTabs"));
  m_tabs->setAccessibleName(tr("Open configs"));
  m_tabs->setToolTip(tr("Configs that are open"));
  m_tabs->setDocumentMode(true);
  m_tabs->setMovable(true);
  m_tabs->setElideMode(Qt::ElideMiddle);
  m_stack = new QStackedLayout(this);
  m_stack->addWidget(empty);
  m_stack->addWidget(m_tabs);
  connect(m_tabs, &QTabWidget::currentChanged, this, &ConfigWorkspace::onCurrent);

  if (m_autosaveRoot.isEmpty()) return;
  // What others left is looked for before this program's own folder is made.
  QThreadPool::globalInstance()->start([root = m_autosaveRoot, workspace = QPointer<ConfigWorkspace>(this)] {
    const QList<UnsavedText> left = autosave_store::leftBehind(root);
    auto* folder = new AutosaveFolder(root);
    QMetaObject::invokeMethod(
        qApp,
        [=] {
          std::unique_ptr<AutosaveFolder> own(folder);
          if (!workspace) return;
          workspace->m_autosave = std::move(own);
          for (int i = 0; i < workspace->m_tabs->count(); ++i)
            static_cast<ConfigEditor*>(workspace->m_tabs->widget(i))
                ->document()
                ->setAutosave(workspace->m_autosave->newFile());
          if (!left.isEmpty()) Q_EMIT workspace->leftBehind(left);
        },
        Qt::QueuedConnection);
  });
}

ConfigWorkspace::~ConfigWorkspace() {
  // The documents end before the folder that their unsaved texts are kept in.
  disconnect(m_tabs, nullptr, this, nullptr);
  delete m_tabs;
}

ConfigEditor* ConfigWorkspace::current() const { return static_cast<ConfigEditor*>(m_tabs->currentWidget()); }

ConfigDocument* ConfigWorkspace::currentDocument() const { return current() ? current()->document() : nullptr; }

ConfigEditor* ConfigWorkspace::editorOf(const QString& path) const {
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto* editor = static_cast<ConfigEditor*>(m_tabs->widget(i));
    if (editor->document()->path() == path) return editor;
  }
  return nullptr;
}

ConfigDocument* ConfigWorkspace::documentOf(const QString& path) const {
  const ConfigEditor* editor = editorOf(path);
  return editor ? editor->document() : nullptr;
}

ConfigEditor* ConfigWorkspace::add() {
  auto* document = new ConfigDocument;
  auto* editor = new ConfigEditor(document, m_tabs);
  document->setParent(editor);
  m_undo.addStack(document->undoStack());
  connectDocument(editor);
  return editor;
}

void ConfigWorkspace::connectDocument(ConfigEditor* editor) {
  ConfigDocument* document = editor->document();
  const auto changed = [this, editor] {
    showTab(editor);
    if (editor == current()) Q_EMIT documentChanged();
  };
  connect(document, &ConfigDocument::opened, this, [this, editor, document] {
    if (m_tabs->indexOf(editor) < 0) addTab(editor);
    m_stack->setCurrentIndex(1);
    m_tabs->setCurrentWidget(editor);
    showTab(editor);
    Q_EMIT opened(document->path());
    if (const auto place = m_places.constFind(document->path()); place != m_places.cend()) {
      editor->showPlace(place->line, place->column);
      m_places.erase(place);
    }
  });
  connect(document, &ConfigDocument::openFailed, this, [this, editor, document](const Failure& failure) {
    m_places.remove(document->path());
    Q_EMIT failed(failure);
    if (m_tabs->indexOf(editor) < 0) drop(editor);
  });
  connect(document, &ConfigDocument::modifiedChanged, this, changed);
  connect(document, &ConfigDocument::pathChanged, this, changed);
  connect(document, &ConfigDocument::snapshotChanged, this, [this, editor, document] {
    m_issues.setIssues(document, document->snapshot().issues);
    if (editor == current()) Q_EMIT snapshotChanged();
  });
  connect(document, &ConfigDocument::saved, this, [this](const QString& path) {
    Q_EMIT said(tr("Saved %1").arg(shortPath(path)));
    Q_EMIT saved(path);
  });
  connect(document, &ConfigDocument::saveFailed, this, [this, document](const Failure& failure, bool direct) {
    if (!direct) return Q_EMIT failed(failure);
    Q_EMIT offered(failure.message,
                   failure.where + QLatin1Char('\n') +
                       tr("The file itself can be written, but a crash meanwhile would damage it."),
                   tr("Write Directly"), [document = QPointer<ConfigDocument>(document)] {
                     if (document) document->saveDirectly();
                   });
  });
  connect(document, &ConfigDocument::editRefused, this, [this, document](const Failure& failure, bool beside) {
    if (!beside) return Q_EMIT failed(failure);
    Q_EMIT offered(failure.message, failure.hint, tr("Override Here"), [document = QPointer<ConfigDocument>(document)] {
      if (document) document->overrideBeside();
    });
  });
  connect(document, &ConfigDocument::formFailed, this,
          [this](SaveForm, const Failure& failure) { Q_EMIT failed(failure); });
  connect(document, &ConfigDocument::formSaved, this,
          [this](SaveForm, const QString& path) { Q_EMIT said(tr("Saved %1").arg(shortPath(path))); });
  connect(editor, &ConfigEditor::sourceRequested, this, &ConfigWorkspace::showPlace);
  connect(editor, &ConfigEditor::changesRequested, this, &ConfigWorkspace::showChanges);
}

void ConfigWorkspace::addTab(ConfigEditor* editor) {
  const int index = m_tabs->addTab(editor, editor->document()->name());
  if (m_autosave) editor->document()->setAutosave(m_autosave->newFile());
  auto* button = new QToolButton(m_tabs);
  button->setObjectName(QStringLiteral("closeTab"));
  button->setAccessibleName(tr("Close"));
  button->setToolTip(tr("Close (Ctrl+W)"));
  button->setIcon(icon(QStringLiteral("close")));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::NoFocus);
  const int side = fontMetrics().height();
  button->setIconSize(QSize(side * 3 / 4, side * 3 / 4));
  connect(button, &QToolButton::clicked, editor, [this, editor] { close(m_tabs->indexOf(editor)); });
  m_tabs->tabBar()->setTabButton(index, QTabBar::RightSide, button);
}

void ConfigWorkspace::openFile(const QString& path) {
  if (ConfigEditor* editor = editorOf(path)) {
    m_tabs->setCurrentWidget(editor);
    Q_EMIT opened(path);
    return;
  }
  add()->document()->open(path);
}

void ConfigWorkspace::recover(const QList<UnsavedText>& texts) {
  for (const UnsavedText& text : texts) add()->document()->restore(text.path, text.bytes);
  forget(texts);  // from now on this program keeps them
}

void ConfigWorkspace::forget(const QList<UnsavedText>& texts) {
  QThreadPool::globalInstance()->start([texts] { autosave_store::forget(texts); });
}

void ConfigWorkspace::showTab(ConfigEditor* editor) {
  const int index = m_tabs->indexOf(editor);
  if (index < 0) return;
  const ConfigDocument* document = editor->document();
  m_tabs->setTabText(index, (document->isModified() ? QStringLiteral("*") : QString()) +
                                document->name().replace(QLatin1Char('&'), QLatin1String("&&")));
  m_tabs->setTabToolTip(index, document->path());
}

void ConfigWorkspace::onCurrent() {
  const ConfigDocument* document = currentDocument();
  m_undo.setActiveStack(document ? const_cast<ConfigDocument*>(document)->undoStack() : nullptr);
  m_stack->setCurrentIndex(document ? 1 : 0);
  Q_EMIT currentChanged();
}

// ---- Saving

void ConfigWorkspace::save() {
  if (ConfigDocument* document = currentDocument()) document->save();
}

void ConfigWorkspace::saveAs() {
  ConfigDocument* document = currentDocument();
  if (!document) return;
  auto* dialog =
      new QFileDialog(this, tr("Save As"), document->path(), tr("Configs (*.yaml *.yml *.json);;All files (*)"));
  dialog->setObjectName(QStringLiteral("saveDialog"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->selectFile(document->name());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, document, &ConfigDocument::saveAs);
  dialog->open();
}

void ConfigWorkspace::saveMerged() {
  ConfigDocument* document = currentDocument();
  if (!document) return;
  auto* dialog = new SaveMergedDialog(document, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void ConfigWorkspace::revert() {
  if (ConfigDocument* document = currentDocument()) document->revert();
}

void ConfigWorkspace::showChanges() {
  ConfigDocument* document = currentDocument();
  if (!document) return;
  auto* dialog = new ChangesDialog(tr("Changes of %1").arg(document->name()), tr("On disk"), document->diskBytes(),
                                   tr("Shown here"), document->bytes(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

// ---- Closing

bool ConfigWorkspace::hasUnsaved() const {
  for (int i = 0; i < m_tabs->count(); ++i)
    if (static_cast<ConfigEditor*>(m_tabs->widget(i))->document()->isModified()) return true;
  return false;
}

void ConfigWorkspace::closeCurrent() {
  if (current()) close(m_tabs->currentIndex());
}

void ConfigWorkspace::close(int index) {
  ask(static_cast<ConfigEditor*>(m_tabs->widget(index)), [] {});
}

void ConfigWorkspace::closeAll(const std::function<void()>& closed) {
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto* editor = static_cast<ConfigEditor*>(m_tabs->widget(i));
    if (!editor->document()->isModified()) continue;
    m_tabs->setCurrentIndex(i);
    ask(editor, [this, closed] { closeAll(closed); });
    return;
  }
  closed();
}

void ConfigWorkspace::ask(ConfigEditor* editor, const std::function<void()>& closed) {
  ConfigDocument* document = editor->document();
  if (!document->isModified()) {
    drop(editor);
    closed();
    return;
  }
  auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                              tr("%1 has changes that are not saved.").arg(document->name()),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box->setObjectName(QStringLiteral("unsavedBox"));
  box->setInformativeText(tr("Save them before it is closed?"));
  box->setDefaultButton(QMessageBox::Save);
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::finished, editor, [=, this](int button) {
    if (button == QMessageBox::Cancel) return;
    if (button == QMessageBox::Discard) {
      drop(editor);
      closed();
      return;
    }
    auto* once = new QObject(editor);  // a save that fails keeps it open
    connect(document, &ConfigDocument::saveFailed, once, &QObject::deleteLater);
    connect(document, &ConfigDocument::saved, once, [=, this] {
      once->deleteLater();
      drop(editor);
      closed();
    });
    document->save();
  });
  box->open();
}

void ConfigWorkspace::drop(ConfigEditor* editor) {
  ConfigDocument* document = editor->document();
  document->dropAutosave();
  m_issues.remove(document);
  m_undo.removeStack(document->undoStack());
  if (const int index = m_tabs->indexOf(editor); index >= 0) m_tabs->removeTab(index);
  editor->deleteLater();
}

void ConfigWorkspace::showPlace(const QString& file, int line, int column) {
  const QString path = QFileInfo(file).absoluteFilePath();
  if (ConfigEditor* editor = editorOf(path)) {
    m_tabs->setCurrentWidget(editor);
    editor->showPlace(line, column);
    return;
  }
  m_places.insert(path, {line, column});
  openFile(path);
}

}  // namespace attnscope::ui
