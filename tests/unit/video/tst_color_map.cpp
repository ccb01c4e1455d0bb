#include "video/color_map.h"

#include <QtTest>

#include "support/errors.h"

using namespace attnscope;

class TestColorMap : public QObject {
  Q_OBJECT

  static bool near(const std::array<uint8_t, 3>& color, const std::array<int, 3>& expected) {
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(color[i] - expected[i]) > 3) return false;
    return true;
  }

 private Q_SLOTS:
  // Ends and middles as matplotlib publishes the three maps; a swap of red and blue would show.
  void known_colors() {
    QVERIFY(near(color_map("viridis")[0], {68, 1, 84}));
    QVERIFY(near(color_map("viridis")[128], {33, 145, 140}));
    QVERIFY(near(color_map("viridis")[255], {253, 231, 37}));
    QVERIFY(near(color_map("inferno")[0], {0, 0, 4}));
    QVERIFY(near(color_map("inferno")[128], {188, 55, 84}));
    QVERIFY(near(color_map("inferno")[255], {252, 255, 164}));
    QVERIFY(near(color_map("turbo")[0], {48, 18, 59}));
    QVERIFY(near(color_map("turbo")[255], {122, 4, 3}));
  }

  void every_name_has_a_table() {
    QCOMPARE(color_map_names().size(), std::size_t{3});
    for (const std::string& name : color_map_names()) QVERIFY(color_map(name)[0] != color_map(name)[255]);
  }

  void unknown_names_suggest() {
    VERIFY_THROWS(Error, color_map("virids"), "unknown color map 'virids'", "Did you mean 'viridis'?", "turbo");
    VERIFY_THROWS(Error, color_map("jet"), "unknown color map 'jet'", "viridis, inferno, turbo");
  }
};

QTEST_APPLESS_MAIN(TestColorMap)
#include "tst_color_map.moc"
