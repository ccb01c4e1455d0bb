#pragma once
#include <QWidget>

#include "views/heat_overlay.h"

class QComboBox;
class QFormLayout;
class QLabel;
class QSlider;
class QSpinBox;
class QTableWidget;
class QToolButton;

namespace attnscope::ui {

class LegendBar;

// The numbers of one word in the frame that is shown.
struct WordNumbers {
  QString word;
  QColor tint;
  float maximum = 0, mean = 0;
  QPoint peak;      // pixel of the frame
  float scale = 0;  // what full colour stands for
};

// How maps are made and shown.
class Inspector : public QWidget {
  Q_OBJECT

 public:
  explicit Inspector(QWidget* parent = nullptr);

  HeatStyle heatStyle() const;
  void setHeatStyle(const HeatStyle& style);
  void setRecipes(const QList<RecipeInfo>& recipes, const QString& current);
  void setLayer(const QString& key);  // empty: all layers
  void setNumbers(const QList<WordNumbers>& words);

 Q_SIGNALS:
  void heatStyleChanged(const attnscope::ui::HeatStyle& style);
  void recipeChosen(const QString& recipe);
  void allLayersRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QComboBox* addCombo(QFormLayout* form, const QString& name, const QString& label, const QString& tip);
  void buildNumbers();
  void styleTouched();
  void showLegend();

  QComboBox *m_recipe, *m_colors, *m_range, *m_cells;
  QSlider* m_opacity;
  QSpinBox* m_percent;
  QLabel *m_layer, *m_empty;
  QToolButton* m_allLayers;
  LegendBar* m_legend;
  QTableWidget* m_table;
  QList<WordNumbers> m_numbers;
};

}  // namespace attnscope::ui
