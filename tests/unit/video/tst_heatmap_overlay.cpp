#include "video/heatmap_overlay.h"

#include <QtTest>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "support/errors.h"

using namespace attnscope;

class TestHeatmapOverlay : public QObject {
  Q_OBJECT

  static Image gray(int width, int height, uint8_t value) {
    return {width, height, std::vector<uint8_t>(static_cast<std::size_t>(width) * height * 3, value)};
  }

  static std::array<int, 3> pixel(const Image& image, int y, int x) {
    const uint8_t* rgb = image.rgb.data() + (static_cast<std::size_t>(y) * image.width + x) * 3;
    return {rgb[0], rgb[1], rgb[2]};
  }

 private Q_SLOTS:
  void zero_shows_the_picture_and_the_maximum_the_color() {
    const HeatMap map{2, 1, {0.0f, 0.5f}};
    const ColorTable& colors = color_map("viridis");
    const Image out = overlay(gray(8, 4, 100), map, {0, 0.5f}, 1.0, colors, Upsample::nearest);
    QVERIFY(pixel(out, 0, 0) == (std::array<int, 3>{100, 100, 100}));
    QVERIFY(pixel(out, 3, 7) == (std::array<int, 3>{colors[255][0], colors[255][1], colors[255][2]}));
    const Image half = overlay(gray(8, 4, 100), map, {0, 0.5f}, 0.5, colors, Upsample::nearest);
    QCOMPARE(pixel(half, 3, 7)[0], static_cast<int>(std::lround(100 + 0.5 * (colors[255][0] - 100))));
    const Image none = overlay(gray(8, 4, 100), map, {0, 0.5f}, 0.0, colors);
    QCOMPARE(none.rgb, gray(8, 4, 100).rgb);
  }

  void half_the_range_has_half_the_opacity() {
    const ColorTable& colors = color_map("turbo");
    const Image out = overlay(gray(2, 2, 0), {1, 1, {0.25f}}, {0, 0.5f}, 0.8, colors, Upsample::nearest);
    for (std::size_t channel = 0; channel < 3; ++channel)
      QVERIFY(std::abs(pixel(out, 0, 0)[channel] - 0.4 * colors[128][channel]) <= 0.5 + 1e-3);
  }

  void values_outside_the_range_are_clamped() {
    const ColorTable& colors = color_map("inferno");
    const Image out =
        overlay(gray(3, 1, 50), {3, 1, {-1.0f, 9.0f, std::nanf("")}}, {0, 1}, 1.0, colors, Upsample::nearest);
    QVERIFY(pixel(out, 0, 0) == (std::array<int, 3>{50, 50, 50}));
    QVERIFY(pixel(out, 0, 1) == (std::array<int, 3>{colors[255][0], colors[255][1], colors[255][2]}));
    QVERIFY(pixel(out, 0, 2) == (std::array<int, 3>{50, 50, 50}));
    const Image empty_range = overlay(gray(3, 1, 50), {3, 1, {1, 2, 3}}, {0, 0}, 1.0, colors);
    QCOMPARE(empty_range.rgb, gray(3, 1, 50).rgb);
  }

  // Peers mix up (width, height) here: a mark in the top right of a wide map must stay there.
  void non_square_maps_keep_their_place() {
    HeatMap map{6, 2, std::vector<float>(12, 0)};
    map.values[5] = 1;  // row 0, column 5
    for (Upsample how : {Upsample::smooth, Upsample::nearest}) {
      const HeatMap up = upsample(map, 8, 24, how);
      QCOMPARE(up.width, 24);
      QCOMPARE(up.height, 8);
      const auto peak = std::max_element(up.values.begin(), up.values.end()) - up.values.begin();
      QVERIFY(peak / 24 < 4);
      QVERIFY(peak % 24 >= 20);
      QCOMPARE(up.values[7 * 24], 0.0f);
    }
  }

  void smooth_never_goes_below_zero() {
    HeatMap map{8, 8, std::vector<float>(64, 0)};
    map.values[27] = 1;
    const HeatMap up = upsample(map, 64, 64, Upsample::smooth);
    QVERIFY(*std::min_element(up.values.begin(), up.values.end()) == 0.0f);
    // At this factor the cubic kernel (a = -0.75) is 0.9827 at the offset 1/16 nearest to the cell's middle.
    const float weight = (1.25f / 16 - 2.25f) / 256 + 1;
    QVERIFY(std::abs(*std::max_element(up.values.begin(), up.values.end()) - weight * weight) < 1e-4f);
  }

  void nearest_repeats_cells() {
    const HeatMap up = upsample({2, 2, {1, 2, 3, 4}}, 4, 6, Upsample::nearest);
    QVERIFY((up.values == std::vector<float>{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 4}));
  }

  void ranges_by_frame_or_shared() {
    const std::vector<HeatMap> maps = {{2, 1, {0.1f, 0.2f}}, {2, 1, {0.0f, 0.8f}}, {2, 1, {std::nanf(""), -1.0f}}};
    const auto each = value_ranges(maps, MapRange::frame);
    QCOMPARE(each.size(), std::size_t{3});
    QCOMPARE(each[0].max, 0.2f);
    QCOMPARE(each[1].max, 0.8f);
    QCOMPARE(each[2].max, 0.0f);
    const auto shared = value_ranges(maps, MapRange::shared);
    for (const ValueRange& range : shared) {
      QCOMPARE(range.min, 0.0f);
      QCOMPARE(range.max, 0.8f);
    }
    QVERIFY(value_ranges({}, MapRange::shared).empty());
  }

  void sixteen_bits() {
    const Gray16 gray16 = to_u16({3, 2, {0, 0.25f, 0.5f, 1.0f, 7.0f, -1.0f}}, {0, 1});
    QCOMPARE(gray16.width, 3);
    QCOMPARE(gray16.height, 2);
    QVERIFY((gray16.values == std::vector<uint16_t>{0, 16384, 32768, 65535, 65535, 0}));
  }

  void wrong_sizes_are_refused() {
    VERIFY_THROWS(ShapeError, overlay(gray(4, 4, 0), {2, 2, {1}}, {0, 1}, 1, color_map("turbo")), "2x2", "1 values");
    VERIFY_THROWS(ShapeError, overlay({4, 4, {1}}, {1, 1, {1}}, {0, 1}, 1, color_map("turbo")), "4x4");
    VERIFY_THROWS(ShapeError, to_u16({0, 0, {}}, {0, 1}), "0x0");
  }
};

QTEST_APPLESS_MAIN(TestHeatmapOverlay)
#include "tst_heatmap_overlay.moc"
