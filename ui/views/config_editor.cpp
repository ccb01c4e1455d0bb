#include "views/config_editor.h"

#include <QFileInfo>
#include <QTabWidget>
#include <QVBoxLayout>

#include "documents/config_document.h"
#include "views/config_form.h"
#include "views/config_text_pane.h"
#include "views/disk_bar.h"
#include "views/layers_panel.h"
#include "views/yaml_text_edit.h"

namespace attnscope::ui {

ConfigEditor::ConfigEditor(ConfigDocument* document, QWidget* parent) : QWidget(parent), m_document(document) {
  setObjectName(QStringLiteral("configEditor"));
  setAccessibleName(tr("Config"));
  m_disk = new DiskBar(this);
  m_pages = new QTabWidget(this);
  m_pages->setObjectName(QStringLiteral("configPages"));
  m_pages->setAccessibleName(tr("Views of the config"));
  m_pages->setDocumentMode(true);
  m_form = new ConfigForm(document, m_pages);
  m_text = new ConfigTextPane(document, m_pages);
  m_layers = new LayersPanel(document, m_pages);
  m_pages->addTab(m_form, tr("Form"));
  m_pages->addTab(m_text, tr("Text"));
  m_pages->addTab(m_layers, tr("Layers"));
  m_pages->setTabToolTip(Form, tr("The config as a tree of values"));
  m_pages->setTabToolTip(Text, tr("The file as it is written"));
  m_pages->setTabToolTip(Layers, tr("Files and overrides that are merged with it"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_disk);
  column->addWidget(m_pages, 1);
  connectText();
  connectForm();
  connectDisk();
}

void ConfigEditor::connectText() {
  connect(m_document, &ConfigDocument::snapshotChanged, this, [this] {
    const bool broken = !m_document->snapshot().parses;
    m_pages->setTabText(Text, broken ? tr("Text (does not parse)") : tr("Text"));
  });
  connect(m_text, &ConfigTextPane::cursorMoved, m_document, [this](int position) {
    if (m_document->snapshot().parses) m_document->requestPathAt(position);
  });
  connect(m_document, &ConfigDocument::pathFound, this, [this](const ConfigPath& path) {
    m_following = true;
    m_form->selectPath(path);
    m_following = false;
  });
}

void ConfigEditor::connectForm() {
  connect(m_form, &ConfigForm::pathSelected, this, [this](const ConfigPath& path) {
    if (!m_following && m_pages->currentIndex() != Text) followSelection(path);
  });
  connect(m_form, &ConfigForm::sourceRequested, this, &ConfigEditor::sourceRequested);
  connect(m_layers, &LayersPanel::sourceRequested, this, &ConfigEditor::sourceRequested);
}

// The text goes where the form is, as far as the value stands in this file.
void ConfigEditor::followSelection(const ConfigPath& path) {
  const ConfigSnapshot& snapshot = m_document->snapshot();
  const ConfigNode* node = snapshot.own ? node_at(*snapshot.own, path) : nullptr;
  if (node && node->place().line > 0) m_text->showPlace(node->place().line, node->place().column);
}

void ConfigEditor::connectDisk() {
  connect(m_document, &ConfigDocument::changedOnDisk, this,
          [this](bool gone) { m_disk->ask(m_document->name(), gone, m_document->isModified()); });
  for (const auto signal : {&ConfigDocument::reverted, &ConfigDocument::opened})
    connect(m_document, signal, m_disk, &QWidget::hide);
  connect(m_document, &ConfigDocument::saved, m_disk, &QWidget::hide);
  connect(m_disk, &DiskBar::reloadRequested, m_document, &ConfigDocument::revert);
  connect(m_disk, &DiskBar::keepRequested, this, [this] {
    m_document->keepMine();
    m_disk->hide();
  });
  connect(m_disk, &DiskBar::saveRequested, m_document, &ConfigDocument::save);
  connect(m_disk, &DiskBar::changesRequested, this, &ConfigEditor::changesRequested);
}

YamlTextEdit* ConfigEditor::textEdit() const { return m_text->editor(); }

void ConfigEditor::setPage(Page page) { m_pages->setCurrentIndex(page); }

ConfigEditor::Page ConfigEditor::page() const { return Page(m_pages->currentIndex()); }

void ConfigEditor::showPlace(int line, int column) {
  m_pages->setCurrentIndex(Text);
  m_text->showPlace(line, column);
  m_text->setFocus(Qt::OtherFocusReason);
}

void ConfigEditor::focusSearch() {
  if (m_pages->currentIndex() == Form) m_form->focusSearch();
}

}  // namespace attnscope::ui
