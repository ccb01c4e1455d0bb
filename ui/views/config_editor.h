#pragma once
#include <QWidget>

#include "config/path.h"

class QTabWidget;

namespace attnscope::ui {

class ConfigDocument;
class ConfigForm;
class ConfigTextPane;
class DiskBar;
class LayersPanel;
class YamlTextEdit;

// One open config in three views: form, text, layers. They know the document, not each other.
class ConfigEditor : public QWidget {
  Q_OBJECT

 public:
  explicit ConfigEditor(ConfigDocument* document, QWidget* parent = nullptr);

  enum Page { Form, Text, Layers };
  void setPage(Page page);
  Page page() const;
  ConfigDocument* document() const { return m_document; }
  ConfigForm* form() const { return m_form; }
  YamlTextEdit* textEdit() const;

  void showPlace(int line, int column);  // in the text, which comes to the front
  void focusSearch();                    // of the view in front

 Q_SIGNALS:
  void sourceRequested(const QString& file, int line, int column);
  void changesRequested();  // between the document and its file

 private:
  void connectText();
  void connectForm();
  void connectDisk();
  void followSelection(const ConfigPath& path);

  ConfigDocument* m_document;
  DiskBar* m_disk;
  QTabWidget* m_pages;
  ConfigForm* m_form;
  ConfigTextPane* m_text;
  LayersPanel* m_layers;
  bool m_following = false;  // a selection that came from the other view
};

}  // namespace attnscope::ui
