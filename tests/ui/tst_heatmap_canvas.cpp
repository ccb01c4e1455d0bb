#include <cmath>

#include <QSignalSpy>
#include <QTest>

#include "synthetic_run.h"
#include "views/heatmap_canvas.h"
#include "views/theme.h"

using namespace attnscope::ui;

namespace {

QImage plain(QSize size, const QColor& color) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(color);
  return image;
}

// Left half zero, right half one.
HeatLayer halves() { return {QStringLiteral("circle"), {2, 1, {0.0F, 1.0F}}, Qt::green, 1.0F}; }

QImage shot(HeatmapCanvas& canvas, double ratio = 1) {
  QImage image(canvas.size() * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  canvas.render(&image);
  return image;
}

QColor at(const QImage& image, const QPointF& point) {
  return image.pixelColor((point * image.devicePixelRatio()).toPoint());
}

bool near(const QColor& a, const QColor& b, int tolerance = 3) {
  return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance &&
         std::abs(a.blue() - b.blue()) <= tolerance;
}

}  // namespace

class TestHeatmapCanvas : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void zeroIsTransparent();
  void maximumIsTheTopColour();
  void opacityIsHonoured();
  void cellsHaveEdgesSmoothHasNot();
  void severalWordsTakeTheirTints();
  void rangePerFrameOrShared();
  void nanIsNothing();
  void panesStandSideBySide();
  void twiceAsManyPixelsLookTheSame();
  void pixelUnderThePointer();
  void readoutNamesTheValue();
  void zoomStaysAroundThePointer();
  void panStaysInside();
  void keyboardMovesFrameAndReadout();
  void emptyCanvasSaysWhatToDo();
};

void TestHeatmapCanvas::zeroIsTransparent() {
  HeatStyle style;
  style.smooth = false;
  style.opacity = 1;
  const QImage overlay = heatOverlay({halves()}, QSize(4, 2), style);
  QCOMPARE(qAlpha(overlay.pixel(0, 0)), 0);
  QCOMPARE(qAlpha(overlay.pixel(3, 1)), 255);
}

void TestHeatmapCanvas::maximumIsTheTopColour() {
  for (const char* name : {"viridis", "inferno", "turbo"}) {
    HeatStyle style;
    style.colorMap = QString::fromLatin1(name);
    style.opacity = 1;
    style.smooth = false;
    const QList<QRgb> table = colorTable(style.colorMap);
    QCOMPARE(table.size(), 256);
    const QImage overlay = heatOverlay({halves()}, QSize(4, 2), style);
    QVERIFY(near(QColor(overlay.pixel(3, 0)), QColor(table.last())));
  }
}

void TestHeatmapCanvas::opacityIsHonoured() {
  HeatmapCanvas canvas;
  canvas.resize(400, 300);
  HeatStyle style;
  style.smooth = false;
  style.opacity = 0.5;
  canvas.setHeatStyle(style);
  canvas.setPanes({{QStringLiteral("x"), plain({64, 64}, QColor(100, 100, 100)), true}});
  canvas.setLayers({halves()});
  const QImage image = shot(canvas);
  const QRectF rect = canvas.imageRect(0);
  QVERIFY(near(at(image, rect.center() - QPointF(rect.width() / 4, 0)), QColor(100, 100, 100)));
  const QColor top(colorTable(style.colorMap).last());
  const QColor half((top.red() + 100) / 2, (top.green() + 100) / 2, (top.blue() + 100) / 2);
  QVERIFY(near(at(image, rect.center() + QPointF(rect.width() / 4, 0)), half));
}

void TestHeatmapCanvas::cellsHaveEdgesSmoothHasNot() {
  const auto distinct = [](bool smooth) {
    HeatStyle style;
    style.smooth = smooth;
    const QImage overlay = heatOverlay({halves()}, QSize(64, 8), style);
    QSet<QRgb> colors;
    for (int x = 0; x < overlay.width(); ++x) colors.insert(overlay.pixel(x, 4));
    return colors.size();
  };
  QCOMPARE(distinct(false), 2);
  QVERIFY(distinct(true) > 10);
}

void TestHeatmapCanvas::severalWordsTakeTheirTints() {
  HeatStyle style;
  style.smooth = false;
  style.opacity = 1;
  HeatLayer left{QStringLiteral("square"), {2, 1, {1.0F, 0.0F}}, Qt::red, 1.0F};
  const QImage overlay = heatOverlay({halves(), left}, QSize(2, 1), style);
  QVERIFY(near(QColor(overlay.pixel(0, 0)), Qt::red));
  QVERIFY(near(QColor(overlay.pixel(1, 0)), Qt::green));
}

void TestHeatmapCanvas::rangePerFrameOrShared() {
  WordMaps maps;
  maps.frames = {{1, 1, {0.2F}}, {1, 1, {0.8F}}};
  QCOMPARE(maximum(maps, 0, RangeMode::Frame), 0.2F);
  QCOMPARE(maximum(maps, 0, RangeMode::Shared), 0.8F);
  QCOMPARE(maximum(maps, 7, RangeMode::Frame), 0.0F);
}

void TestHeatmapCanvas::nanIsNothing() {
  HeatStyle style;
  style.smooth = false;
  const HeatLayer layer{QStringLiteral("x"), {2, 1, {std::nanf(""), -1.0F}}, Qt::green, 1.0F};
  const QImage overlay = heatOverlay({layer}, QSize(2, 1), style);
  QCOMPARE(qAlpha(overlay.pixel(0, 0)), 0);
  QCOMPARE(qAlpha(overlay.pixel(1, 0)), 0);
}

void TestHeatmapCanvas::panesStandSideBySide() {
  HeatmapCanvas canvas;
  const QImage image = plain({128, 128}, Qt::gray);
  canvas.setPanes({{QStringLiteral("a"), image, false}, {QStringLiteral("b"), image, true}});
  canvas.resize(900, 400);
  QVERIFY(canvas.imageRect(0).right() < canvas.imageRect(1).left());
  QCOMPARE(canvas.imageRect(0).size(), canvas.imageRect(1).size());
  canvas.resize(300, 900);  // below each other, where that shows more
  QVERIFY(canvas.imageRect(0).bottom() < canvas.imageRect(1).top());
}

void TestHeatmapCanvas::twiceAsManyPixelsLookTheSame() {
  HeatmapCanvas canvas;
  canvas.resize(300, 240);
  canvas.setPanes({{QStringLiteral("x"), synthetic::frame(3, 16), true}});
  canvas.setLayers({{QStringLiteral("circle"), synthetic::map(QStringLiteral("circle"), 32, 3, 16), Qt::green, 0.42F}});
  const QImage one = shot(canvas), two = shot(canvas, 2);
  QCOMPARE(two.size(), one.size() * 2);
  int different = 0, all = 0;
  for (int y = 4; y < one.height() - 4; y += 7)
    for (int x = 4; x < one.width() - 4; x += 7, ++all)
      if (!near(one.pixelColor(x, y), two.pixelColor(2 * x, 2 * y), 24)) ++different;
  QVERIFY2(different < all / 20, qPrintable(QStringLiteral("%1 of %2").arg(different).arg(all)));
}

void TestHeatmapCanvas::pixelUnderThePointer() {
  HeatmapCanvas canvas;
  canvas.resize(500, 400);
  canvas.setPanes({{QStringLiteral("x"), plain({128, 64}, Qt::gray), false}});
  const QRectF rect = canvas.imageRect(0);
  QCOMPARE(canvas.pixelAt(rect.topLeft() + QPointF(0.1, 0.1)), QPoint(0, 0));
  QCOMPARE(canvas.pixelAt(rect.bottomRight() - QPointF(0.1, 0.1)), QPoint(127, 63));
  QCOMPARE(canvas.pixelAt(rect.center() + QPointF(0.1, 0.1)), QPoint(64, 32));
  QCOMPARE(canvas.pixelAt(QPointF(1, 1)), QPoint(-1, -1));
}

void TestHeatmapCanvas::readoutNamesTheValue() {
  HeatmapCanvas canvas;
  canvas.resize(500, 400);
  HeatStyle style;
  style.smooth = false;
  canvas.setHeatStyle(style);
  canvas.setPanes({{QStringLiteral("x"), plain({64, 64}, Qt::gray), true}});
  HeatLayer layer = halves();
  layer.map.values = {0.125F, 0.5F};
  canvas.setLayers({layer});
  QCOMPARE(canvas.readout({0, 0}), (QStringList{QStringLiteral("pixel (0, 0)"), QStringLiteral("circle\t0.125")}));
  QCOMPARE(canvas.readout({63, 63})[1], QStringLiteral("circle\t0.500"));
  QVERIFY(canvas.readout({64, 0}).isEmpty());
}

void TestHeatmapCanvas::zoomStaysAroundThePointer() {
  HeatmapCanvas canvas;
  canvas.resize(500, 400);
  canvas.setPanes({{QStringLiteral("x"), plain({128, 128}, Qt::gray), false}});
  const QPointF point = canvas.imageRect(0).center() + QPointF(40, -30);
  const QPoint pixel = canvas.pixelAt(point);
  canvas.zoomBy(3, point);
  QCOMPARE(canvas.zoom(), 3.0);
  QVERIFY((canvas.pixelAt(point) - pixel).manhattanLength() <= 1);
  canvas.fit();
  QCOMPARE(canvas.zoom(), 1.0);
  canvas.zoomBy(0.1, point);  // never smaller than fitting
  QCOMPARE(canvas.zoom(), 1.0);
}

void TestHeatmapCanvas::panStaysInside() {
  HeatmapCanvas canvas;
  canvas.resize(400, 400);
  canvas.setPanes({{QStringLiteral("x"), plain({128, 128}, Qt::gray), false}});
  canvas.zoomBy(2, canvas.rect().center());
  QTest::mousePress(&canvas, Qt::LeftButton, {}, QPoint(200, 200));
  QMouseEvent move(QEvent::MouseMove, QPointF(2000, 200), QPointF(2000, 200), Qt::LeftButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&canvas, &move);
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, QPoint(399, 200));
  QVERIFY(canvas.imageRect(0).left() <= 20);
  QVERIFY(canvas.imageRect(0).right() >= 380);
}

void TestHeatmapCanvas::keyboardMovesFrameAndReadout() {
  HeatmapCanvas canvas;
  canvas.resize(400, 400);
  canvas.setPanes({{QStringLiteral("x"), plain({128, 128}, Qt::gray), true}});
  QSignalSpy step(&canvas, &HeatmapCanvas::frameStepRequested), play(&canvas, &HeatmapCanvas::playToggled);
  QTest::keyClick(&canvas, Qt::Key_Right);
  QTest::keyClick(&canvas, Qt::Key_Left);
  QTest::keyClick(&canvas, Qt::Key_Space);
  QCOMPARE(step.size(), 2);
  QCOMPARE(step[0][0].toInt(), 1);
  QCOMPARE(play.size(), 1);
  QTest::keyClick(&canvas, Qt::Key_Right, Qt::ShiftModifier);
  QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("pixel (64, 64)")));
  QTest::keyClick(&canvas, Qt::Key_Down, Qt::ShiftModifier);
  QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("pixel (64, 65)")));
}

void TestHeatmapCanvas::emptyCanvasSaysWhatToDo() {
  HeatmapCanvas canvas;
  canvas.resize(400, 300);
  canvas.setEmptyText(QStringLiteral("Drop a config here"));
  const QImage image = shot(canvas);
  const QRgb back = theme::canvas(canvas.palette()).rgb();
  int written = 0;
  for (int x = 0; x < image.width(); ++x)
    for (int y = 130; y < 170; ++y) written += image.pixel(x, y) != back;
  QVERIFY(written > 50);
}

QTEST_MAIN(TestHeatmapCanvas)
#include "tst_heatmap_canvas.moc"
