#pragma once
#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;
class QTreeView;

namespace attnscope::ui {

class ConfigDocument;
class ConflictsModel;
class LayersModel;

// The layers of a document: files and overrides that are laid on it, in order, on or off; below them the values that
// more than one of them gives. Every change is one undo step of the document.
class LayersPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LayersPanel(ConfigDocument* document, QWidget* parent = nullptr);
  QTreeView* layersView() const { return m_tree; }
  QTableView* conflictsView() const { return m_table; }

 Q_SIGNALS:
  void sourceRequested(const QString& file, int line, int column);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeLayers();
  QWidget* makeConflicts();
  QToolButton* addButton(const char* name, const QString& icon, const QString& text, const QString& tip);
  void addFile();
  void addOverride();
  void onLayers();
  void onSnapshot();
  void onConflicts();
  void updateButtons();
  void openSource(const QModelIndex& index);
  void openLayer(const QModelIndex& index);

  ConfigDocument* m_document;
  LayersModel* m_layers;
  ConflictsModel* m_conflicts;
  QTreeView* m_tree;
  QTableView* m_table;
  QLineEdit* m_override;
  QLabel *m_help, *m_summary;
  QToolButton *m_remove, *m_up, *m_down;
  QTimer m_delay;
};

}  // namespace attnscope::ui
