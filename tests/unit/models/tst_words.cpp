#include <QtTest>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/words.h"
#include "support/errors.h"

using namespace attnscope;

namespace {

std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> result;
  for (const Word& word : words) result.push_back(word.text);
  return result;
}

using Positions = std::vector<int>;
using Texts = std::vector<std::string>;

}  // namespace

class TestWords : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    const char* given = std::getenv("ATTNSCOPE_CLIP_VOCAB");
    const std::string folder = given ? given : ATTNSCOPE_SOURCE_DIR "/build/clip_vocab";
    if (!std::filesystem::exists(folder + "/vocab.json")) {
      QFAIL(qPrintable(
          QString::fromStdString("no CLIP vocabulary in " + folder +
                                 "; make it with: .venv/bin/python tests/golden/clip_vocab.py build/clip_vocab "
                                 "(or name a tokenizer folder in ATTNSCOPE_CLIP_VOCAB)")));
    }
    tokenizer_ = std::make_unique<ClipTokenizer>(folder);
  }

  void wordsAndPositions() {
    const auto words = split("a red circle, and a blue square.");
    QCOMPARE(texts(words), (Texts{"a", "red", "circle", "and", "a", "blue", "square"}));
    QCOMPARE(words[0].tokens, Positions{1});
    QCOMPARE(words[2].tokens, Positions{3});
    QCOMPARE(words[3].tokens, Positions{5});  // the comma is token 4
    QCOMPARE(words[4].tokens, Positions{6});
    QCOMPARE(words[6].tokens, Positions{8});
    QCOMPARE(words[2].begin, 6);
    QCOMPARE(words[2].end, 12);
    QVERIFY(!words[6].lost);
  }

  void splitsWhereItShould_data() {
    QTest::addColumn<QString>("prompt");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* prompt, QStringList expected) {
      QTest::newRow(prompt) << QString::fromUtf8(prompt) << expected;
    };
    row("", {});
    row(" \t\n ", {});
    row("!!! ... --", {});
    row("don't stop 'quoted' rock'n'roll '90s dogs'", {"don't", "stop", "quoted", "rock'n'roll", "90s", "dogs"});
    row("low-poly, -dash- a--b snake_case", {"low-poly", "dash", "a", "b", "snake_case"});
    row("(long hair:1.2) 1,000 3.x f/1.8 cat,dog",
        {"long", "hair", "1.2", "1,000", "3", "x", "f", "1.8", "cat", "dog"});
    row("你好，世界！ 『本』", {"你好", "世界", "本"});
    row("😀 👨‍👩‍👧 👍🏽!", {"😀", "👨‍👩‍👧", "👍🏽"});
    row("$19 20% a+b x=1 #tag @me", {"19", "20", "a", "b", "x", "1", "tag", "me"});
    row("Caf\u00e9 na\u0308ive\u00a0x", {QString::fromUtf8("Caf\u00e9"), QString::fromUtf8("na\u0308ive"), "x"});
  }

  void splitsWhereItShould() {
    QFETCH(QString, prompt);
    QFETCH(QStringList, expected);
    Texts wanted;
    for (const QString& word : expected) wanted.push_back(word.toStdString());
    QCOMPARE(texts(split(prompt.toStdString())), wanted);
  }

  // Every token of the text belongs to a word or is punctuation, and no position is given to two words.
  void everyTokenOnce() {
    const std::string prompt = "supercalifragilistic (Caf\u00e9), don't! \u0130stanbul 1girl 😀 e\u0301\u0301";
    const Encoding encoding = tokenizer_->encode(prompt);
    std::vector<int> seen(encoding.ids.size());
    for (const Word& word : split_words(prompt, encoding)) {
      QVERIFY(!word.tokens.empty());
      QCOMPARE(word.tokens.size(), word.spans.size());
      for (int token : word.tokens) ++seen[token];
    }
    for (int i = 0; i < static_cast<int>(seen.size()); ++i) {
      const bool inside = i > 0 && i + 1 < encoding.length;
      QVERIFY(seen[i] <= 1);
      if (!inside) QCOMPARE(seen[i], 0);
      if (inside && seen[i] == 0) QVERIFY(std::string("(),!)!.").find(encoding.pieces[i]) != std::string::npos);
    }
  }

  void longWordsHaveSeveralPositions() {
    const auto words = split("the supercalifragilistic caf\u00e9");
    QVERIFY(words[1].tokens.size() > 2);
    QCOMPARE(words[1].tokens.front(), 2);
    QCOMPARE(words[2].tokens.front(), words[1].tokens.back() + 1);
  }

  void findsWords() {
    const auto words = split("A red circle and a RED square on a gray background");
    QCOMPARE(find_word(words, "red").tokens, Positions{2});
    QCOMPARE(find_word(words, "Red#2").tokens, Positions{6});
    QCOMPARE(find_word(words, "a#2").tokens, Positions{5});
    QCOMPARE(find_word(words, "a#3").tokens, Positions{9});
    QCOMPARE(find_word(words, " circle, ").tokens, Positions{3});
    const Word phrase = find_word(words, "red  square");
    QCOMPARE(phrase.tokens, (Positions{6, 7}));
    QCOMPARE(phrase.text, std::string("RED square"));
    QCOMPARE(phrase.begin, 19);
    QCOMPARE(phrase.end, 29);
    QCOMPARE(find_word(words, "gray background").tokens, (Positions{10, 11}));
  }

  void findsInAnyNormalForm() {
    const auto words = split("un Cafe\u0301 \u0130ZMIR");
    QCOMPARE(find_word(words, "caf\u00e9").tokens, words[1].tokens);
    QCOMPARE(find_word(words, "CAFE\u0301").text, std::string("Cafe\u0301"));
    QCOMPARE(find_word(split("caf\u00e9"), "cafe\u0301").tokens, Positions{1});
  }

  void findsPartsOfWords() {
    const auto words = split("a low-poly cat's head, concatenated");
    QCOMPARE(find_word(words, "poly").tokens, Positions{4});
    QCOMPARE(find_word(words, "low-poly").tokens, (Positions{2, 3, 4}));
    QCOMPARE(find_word(words, "cat").tokens, Positions{5});
    QCOMPARE(find_word(words, "cat's").tokens, (Positions{5, 6}));
    VERIFY_THROWS(ConfigError, find_word(words, "concat"), "concat", "not in the prompt");
    VERIFY_THROWS(ConfigError, find_word(words, "ead"), "not in the prompt", "head");
    const std::string chinese = "一只猫坐在红色的沙发上";
    const Word cat = find_word(split(chinese), "猫");
    QCOMPARE(cat.text, std::string("猫"));
    QVERIFY(!cat.tokens.empty());
    QCOMPARE(chinese.substr(cat.begin, cat.end - cat.begin), std::string("猫"));
  }

  void namesWhatIsThere() {
    const auto words = split("a red circle");
    ConfigPlace place;
    place.file = "demo.yaml";
    place.line = 7;
    place.key = "heatmaps.words";
    VERIFY_THROWS(ConfigError, find_word(words, "circel", place), "\"circel\"", "demo.yaml:7", "heatmaps.words",
                  "a, red, circle", "Did you mean \"circle\"?");
    VERIFY_THROWS(ConfigError, find_word(words, "red#2"), "1 time(s)", "red#2");
    VERIFY_THROWS(ConfigError, find_word(words, "red#0"), "red#0");
    VERIFY_THROWS(ConfigError, find_word(words, "red square"), "\"red square\" is not in the prompt");
    VERIFY_THROWS(ConfigError, find_word(words, ""), "holds no word");
    VERIFY_THROWS(ConfigError, find_word(words, "!"), "holds no word");
    VERIFY_THROWS(ConfigError, find_word(words, "\xFF"), "not valid UTF-8");
    VERIFY_THROWS(ConfigError, find_word(split(""), "red"), "The prompt has no words.");
  }

  void marksLostWords() {
    std::string prompt;
    for (int i = 0; i < 74; ++i) prompt += "photo ";
    const auto words = split(prompt + "supercalifragilistic circle");
    QVERIFY(!words[73].lost);
    QVERIFY(words[74].lost);
    QCOMPARE(words[74].tokens, Positions{75});  // its first token still fits
    QVERIFY(words[75].lost);
    QVERIFY(words[75].tokens.empty());
    QVERIFY(find_word(words, "supercalifragilistic").lost);
    VERIFY_THROWS(ConfigError, find_word(words, "circle"), "\"circle\" fell off", "Shorten the prompt");
  }

  void specialTokensInTheText() {
    const auto words = split("a cat<|endoftext|>a dog");
    QCOMPARE(words.back().text, std::string("dog"));
    QCOMPARE(words.back().tokens, Positions{5});
  }

  void json() {
    const auto value = tokenize_json(*tokenizer_, "a red circle, don't");
    QCOMPARE(value["ids"].size(), std::size_t{77});
    QCOMPARE(value["ids"][0], 49406);
    QCOMPARE(value["ids"][3], 7117);
    QCOMPARE(value["tokens"][3], "circle");
    QCOMPARE(value["length"], 8);
    QCOMPARE(value["words"].size(), std::size_t{4});
    QCOMPARE(value["words"][2].dump(), "{\"text\":\"circle\",\"tokens\":[3]}");
    QCOMPARE(value["words"][3].dump(), "{\"text\":\"don't\",\"tokens\":[5,6]}");
    QCOMPARE(value["truncated"], false);
    QCOMPARE(value["lost"], "");
    std::string prompt;
    for (int i = 0; i < 75; ++i) prompt += "photo ";
    const auto cut = tokenize_json(*tokenizer_, prompt + "circle");
    QCOMPARE(cut["truncated"], true);
    QCOMPARE(cut["lost"], "circle");
    QCOMPARE(cut["words"].back().dump(), "{\"text\":\"circle\",\"tokens\":[],\"lost\":true}");
  }

 private:
  std::vector<Word> split(const std::string& prompt) const { return split_words(prompt, tokenizer_->encode(prompt)); }
  std::unique_ptr<ClipTokenizer> tokenizer_;
};

QTEST_APPLESS_MAIN(TestWords)
#include "tst_words.moc"
