#include "attention/recipes.h"

#include <ATen/ATen.h>

#include <QtTest>

#include "base/error.h"
#include "io/json_file.h"
#include "support/errors.h"
#include "support/golden.h"

using namespace attnscope;
using namespace attnscope::testing;

class TestRecipes : public QObject {
  Q_OBJECT

  Golden golden_{"recipes"};
  nlohmann::json cases_ = read_json_file(golden_.folder() + "/cases.json");

  CrossMaps maps(const std::string& name) const {
    CrossMaps out;
    out.latent_height = cases_.at(name).at("latent")[0];
    out.latent_width = cases_.at(name).at("latent")[1];
    for (const std::string key : cases_.at(name).at("layers"))
      out.layers.push_back({key, golden_[name + "/maps/" + key]});
    return out;
  }

  static std::string key(const std::string& block) {
    return block + ".attentions.0.transformer_blocks.0.attn2.processor";
  }

 private Q_SLOTS:
  void equal_to_the_formulas_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("recipe");
    QTest::addColumn<QString>("word");
    for (const auto& [name, listed] : cases_.items())
      for (const Recipe& recipe : recipes())
        for (const auto& [word, positions] : listed.at("words").items()) {
          const QString row = QString::fromStdString(name + " " + recipe.name + " " + word);
          QTest::newRow(qPrintable(row)) << QString::fromStdString(name) << QString::fromStdString(recipe.name)
                                         << QString::fromStdString(word);
        }
  }

  void equal_to_the_formulas() {
    QFETCH(QString, name);
    QFETCH(QString, recipe);
    QFETCH(QString, word);
    const std::string id = name.toStdString(), recipe_name = recipe.toStdString(), word_name = word.toStdString();
    const std::vector<int> positions = cases_.at(id).at("words").at(word_name);
    const at::Tensor expected = golden_[id + "/expect/" + recipe_name + "/" + word_name];
    COMPARE_TENSORS(word_maps(maps(id), recipe_name, positions), expected, 1e-5);

    const std::vector<HeatMap> frames = word_heatmaps(maps(id), recipe_name, positions);
    QCOMPARE(frames.size(), static_cast<std::size_t>(expected.size(0)));
    for (std::size_t f = 0; f < frames.size(); ++f) {
      QCOMPARE(frames[f].height, static_cast<int>(expected.size(1)));
      QCOMPARE(frames[f].width, static_cast<int>(expected.size(2)));
      const at::Tensor values =
          at::tensor(at::ArrayRef<float>(frames[f].values)).view({expected.size(1), expected.size(2)});
      COMPARE_TENSORS(values, expected[static_cast<int64_t>(f)], 1e-5);
    }
  }

  void sizes() {
    QCOMPARE(maps("wide").frames(), 3);
    QCOMPARE(maps("wide").tokens(), 9);
    QCOMPARE(CrossMaps{}.frames(), 0);
    QCOMPARE(CrossMaps{}.tokens(), 0);
  }

  // Whatever a recipe does, the captured maps stay as they are.
  void the_maps_are_not_changed() {
    CrossMaps one;
    one.latent_height = one.latent_width = 4;
    one.layers.push_back({key("up_blocks.0"), at::full({1, 2, 4, 4}, 0.5f)});
    one.layers.push_back({key("up_blocks.1"), at::full({1, 2, 1, 1}, 0.25f)});
    for (const Recipe& recipe : recipes()) word_maps(one, recipe.name, {1});
    QVERIFY(at::equal(one.layers[0].maps, at::full({1, 2, 4, 4}, 0.5f)));
    QVERIFY(at::equal(one.layers[1].maps, at::full({1, 2, 1, 1}, 0.25f)));
  }

  // A mark in the top right corner stays there (peers read (width, height) for (rows, columns)).
  void non_square_grids_are_not_scrambled() {
    CrossMaps wide;
    wide.latent_height = 8;
    wide.latent_width = 32;
    at::Tensor grid = at::zeros({1, 1, 2, 8});
    grid[0][0][0][7] = 1;
    wide.layers.push_back({key("down_blocks.1"), grid});
    for (const Recipe& recipe : recipes()) {
      const HeatMap map = word_heatmaps(wide, recipe.name, {0})[0];
      const auto peak = std::max_element(map.values.begin(), map.values.end()) - map.values.begin();
      QVERIFY(peak / map.width < map.height / 2);
      QVERIFY(peak % map.width >= map.width * 7 / 8);
    }
  }

  void unknown_recipes_suggest() {
    VERIFY_THROWS(Error, word_maps(maps("wide"), "damm", {1}), "unknown heat-map recipe 'damm'", "'daam'");
    VERIFY_THROWS(Error, word_maps(maps("wide"), "p2p-16", {1}), "Did you mean 'p2p16'?");
    VERIFY_THROWS(Error, word_maps(maps("wide"), "something", {1}), "Known: daam, p2p16");
  }

  void positions_must_be_captured_ones() {
    VERIFY_THROWS(Error, word_maps(maps("wide"), "daam", {}), "at least one token position");
    VERIFY_THROWS(Error, word_maps(maps("wide"), "daam", {9}), "position 9", "9 tokens");
    VERIFY_THROWS(Error, word_maps(maps("wide"), "daam", {-1}), "position -1");
  }

  void layers_must_fit_the_recipe() {
    VERIFY_THROWS(Error, word_maps({}, "daam", {0}), "no attention maps were captured", "attention.capture");
    CrossMaps middle;
    middle.latent_height = middle.latent_width = 8;
    middle.layers.push_back({key("mid_block"), at::ones({1, 3, 2, 2})});
    VERIFY_THROWS(Error, word_maps(middle, "daam", {1}), "'daam'", "down or up", "attention.capture.layers");
    VERIFY_THROWS(Error, word_maps(middle, "p2p16", {1}), "'p2p16'", "2x2", "captured: none");
    middle.layers.push_back({key("up_blocks.2"), at::ones({1, 3, 4, 4})});
    middle.layers.push_back({key("up_blocks.3"), at::ones({1, 3, 8, 8})});
    VERIFY_THROWS(Error, word_maps(middle, "p2p16", {1}), "captured: 4x4, 8x8", "Use recipe 'daam'");
  }
};

QTEST_APPLESS_MAIN(TestRecipes)
#include "tst_recipes.moc"
