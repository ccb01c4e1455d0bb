#include "views/inspector.h"

#include <cmath>

#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

#include "video/color_map.h"
#include "views/elided_label.h"
#include "views/icons.h"
#include "views/legend_bar.h"

namespace attnscope::ui {

namespace {

QIcon swatch(const QString& colorMap, QSize size) {
  const QList<QRgb> table = colorTable(colorMap);
  QImage image(size, QImage::Format_RGB32);
  for (int y = 0; y < size.height(); ++y)
    for (int x = 0; x < size.width(); ++x) image.setPixel(x, y, table[x * 255 / std::max(1, size.width() - 1)]);
  return QIcon(QPixmap::fromImage(image));
}

}  // namespace

Inspector::Inspector(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("inspector"));
  setAccessibleName(tr("Inspector"));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(8);
  form->setVerticalSpacing(8);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_recipe =
      addCombo(form, QStringLiteral("recipe"), tr("Re&cipe"), tr("How the layers' maps become one map of a word"));
  m_colors = addCombo(form, QStringLiteral("colorMap"), tr("Co&lours"), tr("Colour map of a single word"));
  const QSize swatchSize(fontMetrics().height() * 2, fontMetrics().height() - 2);
  m_colors->setIconSize(swatchSize);
  for (const std::string& name : color_map_names())
    m_colors->addItem(swatch(QString::fromStdString(name), swatchSize), QString::fromStdString(name));
  m_opacity = new QSlider(Qt::Horizontal, this);
  m_opacity->setObjectName(QStringLiteral("opacity"));
  m_opacity->setAccessibleName(tr("Opacity"));
  m_opacity->setToolTip(tr("How much the largest value covers the picture"));
  m_opacity->setRange(0, 100);
  m_percent = new QSpinBox(this);
  m_percent->setObjectName(QStringLiteral("opacityPercent"));
  m_percent->setAccessibleName(tr("Opacity in percent"));
  m_percent->setToolTip(m_opacity->toolTip());
  m_percent->setRange(0, 100);
  m_percent->setSuffix(tr(" %"));
  auto* opacityRow = new QHBoxLayout;
  opacityRow->addWidget(m_opacity, 1);
  opacityRow->addWidget(m_percent);
  auto* opacityLabel = new QLabel(tr("&Opacity"), this);
  opacityLabel->setBuddy(m_opacity);
  form->addRow(opacityLabel, opacityRow);
  m_range = addCombo(form, QStringLiteral("range"), tr("R&ange"), tr("What full colour stands for"));
  m_range->addItem(tr("shared over frames"), int(RangeMode::Shared));
  m_range->addItem(tr("each frame its own"), int(RangeMode::Frame));
  m_cells = addCombo(form, QStringLiteral("upsampling"), tr("&Sampling"), tr("How a map's cells become pixels"));
  m_cells->addItem(tr("smooth"), true);
  m_cells->addItem(tr("cells as they are"), false);

  m_layer = new ElidedLabel(this);
  m_layer->setObjectName(QStringLiteral("layerName"));
  m_layer->setAccessibleName(tr("Layer"));
  m_layer->setToolTip(tr("Layers the maps are made of. Select a captured layer in the tree to see it alone."));
  m_allLayers = new QToolButton(this);
  m_allLayers->setObjectName(QStringLiteral("allLayers"));
  m_allLayers->setAccessibleName(tr("Back to all layers"));
  m_allLayers->setToolTip(tr("Back to all layers"));
  m_allLayers->setIcon(icon(QStringLiteral("close")));
  m_allLayers->setAutoRaise(true);
  m_allLayers->setFocusPolicy(Qt::StrongFocus);
  auto* layerRow = new QHBoxLayout;
  layerRow->addWidget(m_layer, 1);
  layerRow->addWidget(m_allLayers);
  form->addRow(tr("Layers"), layerRow);

  m_legend = new LegendBar(this);
  buildNumbers();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(12);
  column->addLayout(form);
  m_empty = new QLabel(tr("Choose a word to see its numbers."), this);
  m_empty->setObjectName(QStringLiteral("numbersEmpty"));
  m_empty->setAccessibleName(m_empty->text());
  m_empty->setWordWrap(true);
  m_empty->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(m_empty);
  column->addWidget(m_legend);
  column->addWidget(m_table);
  column->addStretch(1);

  connect(m_recipe, &QComboBox::activated, this, [this] { Q_EMIT recipeChosen(m_recipe->currentText()); });
  connect(m_opacity, &QSlider::valueChanged, m_percent, &QSpinBox::setValue);
  connect(m_percent, &QSpinBox::valueChanged, m_opacity, &QSlider::setValue);
  connect(m_opacity, &QSlider::valueChanged, this, &Inspector::styleTouched);
  for (QComboBox* combo : {m_colors, m_range, m_cells})
    connect(combo, &QComboBox::currentIndexChanged, this, &Inspector::styleTouched);
  connect(m_allLayers, &QToolButton::clicked, this, &Inspector::allLayersRequested);
  setHeatStyle({});
  setLayer({});
  setRecipes({}, {});
  setNumbers({});
}

QComboBox* Inspector::addCombo(QFormLayout* form, const QString& name, const QString& label, const QString& tip) {
  auto* combo = new QComboBox(this);
  combo->setObjectName(name);
  combo->setAccessibleName(QString(label).remove(QLatin1Char('&')));
  combo->setToolTip(tip);
  combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo->setMinimumContentsLength(14);
  auto* text = new QLabel(label, this);
  text->setBuddy(combo);
  form->addRow(text, combo);
  return combo;
}

void Inspector::buildNumbers() {
  m_table = new QTableWidget(0, 4, this);
  m_table->setObjectName(QStringLiteral("numbers"));
  m_table->setAccessibleName(tr("Numbers of the words in this frame"));
  m_table->setToolTip(tr("Largest and mean value of each word in this frame, and the pixel of the largest"));
  m_table->setHorizontalHeaderLabels({tr("Word"), tr("Max"), tr("Mean"), tr("Peak")});
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionMode(QAbstractItemView::NoSelection);
  m_table->setTabKeyNavigation(false);
  m_table->setShowGrid(false);
  m_table->setFrameShape(QFrame::NoFrame);
  for (int column = 0; column < 4; ++column)
    m_table->horizontalHeaderItem(column)->setTextAlignment(column ? Qt::AlignRight | Qt::AlignVCenter
                                                                   : Qt::AlignLeft | Qt::AlignVCenter);
}

HeatStyle Inspector::heatStyle() const {
  HeatStyle style;
  style.colorMap = m_colors->currentText();
  style.opacity = m_opacity->value() / 100.0;
  style.range = RangeMode(m_range->currentData().toInt());
  style.smooth = m_cells->currentData().toBool();
  return style;
}

void Inspector::setHeatStyle(const HeatStyle& style) {
  m_colors->setCurrentText(style.colorMap);
  m_opacity->setValue(int(std::lround(style.opacity * 100)));
  m_range->setCurrentIndex(m_range->findData(int(style.range)));
  m_cells->setCurrentIndex(m_cells->findData(style.smooth));
}

void Inspector::setRecipes(const QList<RecipeInfo>& recipes, const QString& current) {
  m_recipe->clear();
  for (const RecipeInfo& recipe : recipes) {
    m_recipe->addItem(recipe.name);
    m_recipe->setItemData(m_recipe->count() - 1, recipe.description, Qt::ToolTipRole);
  }
  m_recipe->setCurrentText(current);
  m_recipe->setEnabled(!recipes.isEmpty());
}

void Inspector::setLayer(const QString& key) {
  QString text = key;
  if (text.endsWith(QLatin1String(".processor"))) text.chop(10);
  m_layer->setText(key.isEmpty() ? tr("all, by recipe") : text);
  m_layer->setToolTip(key.isEmpty() ? tr("Select a captured layer in the tree to see it alone.") : key);
  m_allLayers->setEnabled(!key.isEmpty());
}

void Inspector::setNumbers(const QList<WordNumbers>& words) {
  m_numbers = words;
  m_table->setRowCount(int(words.size()));
  for (int row = 0; row < words.size(); ++row) {
    const WordNumbers& word = words[row];
    const QStringList texts{word.word, QString::number(word.maximum, 'f', 3), QString::number(word.mean, 'f', 3),
                            QStringLiteral("%1, %2").arg(word.peak.x()).arg(word.peak.y())};
    for (int column = 0; column < texts.size(); ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setTextAlignment(column ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
      m_table->setItem(row, column, item);
    }
  }
  // As high as it has rows: a large empty table says nothing.
  const int rows = std::min<int>(int(words.size()), 8) * m_table->verticalHeader()->defaultSectionSize();
  m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows + 4);
  m_table->setVisible(!words.isEmpty());
  m_legend->setVisible(!words.isEmpty());
  m_empty->setVisible(words.isEmpty());
  showLegend();
}

void Inspector::styleTouched() {
  showLegend();
  Q_EMIT heatStyleChanged(heatStyle());
}

void Inspector::showLegend() {
  QList<LegendBar::Bar> bars;
  for (const WordNumbers& word : m_numbers) {
    QList<QRgb> colors;
    if (m_numbers.size() == 1) {
      colors = colorTable(m_colors->currentText());
    } else {
      for (int i = 0; i < 256; ++i) colors.append(qRgba(word.tint.red(), word.tint.green(), word.tint.blue(), i));
    }
    bars.append({word.word, colors, word.scale});
  }
  m_legend->setBars(bars);
}

void Inspector::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) showLegend();
  QWidget::changeEvent(event);
}

}  // namespace attnscope::ui
