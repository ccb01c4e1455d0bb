#include <QTemporaryDir>
#include <QtTest>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/json_file.h"
#include "models/clip_tokenizer.h"

using namespace attnscope;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string vocabulary_folder() {
  const char* given = std::getenv("ATTNSCOPE_CLIP_VOCAB");
  return given ? given : ATTNSCOPE_SOURCE_DIR "/build/clip_vocab";
}

// Byte offset of each character, and the end.
std::vector<int> character_offsets(const std::string& text) {
  std::vector<int> offsets;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) offsets.push_back(static_cast<int>(i));
  offsets.push_back(static_cast<int>(text.size()));
  return offsets;
}

json added(const std::string& content, bool normalized) {
  return {
      {"content", content}, {"lstrip", false}, {"rstrip", false}, {"single_word", false}, {"normalized", normalized}};
}

const char* const kStart = "<|startoftext|>";
const char* const kEnd = "<|endoftext|>";

}  // namespace

class TestClipTokenizer : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    folder_ = vocabulary_folder();
    if (!fs::exists(folder_ + "/vocab.json")) {
      QFAIL(qPrintable(
          QString::fromStdString("no CLIP vocabulary in " + folder_ +
                                 "; make it with: .venv/bin/python tests/golden/clip_vocab.py build/clip_vocab "
                                 "(or name a tokenizer folder in ATTNSCOPE_CLIP_VOCAB)")));
    }
    tokenizer_ = std::make_unique<ClipTokenizer>(folder_);
  }

  void idsEqualTransformers() {
    const json rows = read_json_file(ATTNSCOPE_GOLDEN_DIR "/tokenizer/strings.json");
    QVERIFY(rows.size() >= 500);
    int wrong = 0;
    for (const json& row : rows) {
      const auto text = row["text"].get<std::string>();
      const auto expected = row["ids"].get<std::vector<int64_t>>();
      const Encoding all = tokenizer_->encode_all(text);
      if (all.ids != expected) {
        if (++wrong <= 10)
          qWarning("%s\n  expected %s\n  got      %s", row["text"].dump().c_str(), row["ids"].dump().c_str(),
                   json(all.ids).dump().c_str());
        continue;
      }
      std::vector<int64_t> cut = expected;
      if (cut.size() > 77) {
        cut.resize(76);
        cut.push_back(49407);
      }
      cut.resize(77, 49407);
      const Encoding encoding = tokenizer_->encode(text);
      QCOMPARE(encoding.ids, cut);
      QCOMPARE(encoding.truncated, expected.size() > 77);
      QCOMPARE(encoding.pieces.size(), std::size_t{77});
      QCOMPARE(encoding.spans.size(), std::size_t{77});
      QCOMPARE(encoding.length, static_cast<int>(std::min<std::size_t>(expected.size(), 77)));
    }
    QCOMPARE(wrong, 0);
  }

  // transformers gives a composed character the place of its first part only; ours is the whole cluster, so that a
  // word's marks belong to it. Where NFC changes nothing the spans are equal.
  void spansEqualTransformers() {
    const json rows = read_json_file(ATTNSCOPE_GOLDEN_DIR "/tokenizer/strings.json");
    int compared = 0, wider = 0, wrong = 0;
    for (const json& row : rows) {
      if (!row.contains("spans")) continue;
      const auto text = row["text"].get<std::string>();
      const std::vector<int> offsets = character_offsets(text);
      const Encoding all = tokenizer_->encode_all(text);
      for (std::size_t i = 1; i + 1 < all.spans.size(); ++i) {
        const ByteRange theirs(offsets[row["spans"][i][0].get<int>()], offsets[row["spans"][i][1].get<int>()]);
        const ByteRange ours = all.spans[i];
        ++compared;
        if (ours == theirs) continue;
        const bool nfc = QString::fromStdString(text).normalized(QString::NormalizationForm_C).toStdString() == text;
        if (!nfc && ours.first <= theirs.first && ours.second >= theirs.second) {
          ++wider;
        } else if (++wrong <= 10) {
          qWarning("%s token %zu: [%d, %d) for [%d, %d)", row["text"].dump().c_str(), i, ours.first, ours.second,
                   theirs.first, theirs.second);
        }
      }
      QCOMPARE(all.spans.front(), ByteRange(-1, -1));
      QCOMPARE(all.spans.back(), ByteRange(-1, -1));
    }
    QCOMPARE(wrong, 0);
    QVERIFY(compared > 5000);
    QVERIFY(wider < compared / 10);
  }

  // Characters younger than the Unicode tables of the libraries here; expected ids from transformers 5.24.
  void youngCharacters_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<qint64>>("ids");
    const auto row = [](const char* name, const char* text, QList<qint64> ids) {
      QTest::newRow(name) << QString::fromUtf8(text) << ids;
    };
    row("letter", "a\u1c89b", {64, 157, 110, 232, 321});
    row("lower case", "\ua7cb\ua7dc", {133, 97, 130, 505});
    row("inert mark", "x\u0301\u089a\u0334", {343, 136, 223, 156, 95, 248, 136, 368});
    row("mark behind an inert one", "e\u1ac8\u0301", {324, 157, 104, 230, 136, 479});
    row("no composition", "\U00011935\U00011930", {172, 239, 97, 113, 172, 239, 97, 364});
    row("numbers", "\U00010d40\U00010d41", {172, 238, 113, 478, 172, 238, 113, 479});
    row("case of Unicode 17", "\U00016ea0z", {172, 244, 118, 375, 345});
    row("ideographs", "\U0002ebf0\U0002ebf1", {172, 106, 107, 108, 172, 106, 107, 365});
  }

  void youngCharacters() {
    QFETCH(QString, text);
    QFETCH(QList<qint64>, ids);
    const Encoding all = tokenizer_->encode_all(text.toStdString());
    QCOMPARE(QList<qint64>(all.ids.begin() + 1, all.ids.end() - 1), ids);
  }

  void spansPointIntoTheOriginal() {
    const std::string prompt = "  A\t Cafe\xCC\x81  \xC4\xB0NE ";
    const Encoding encoding = tokenizer_->encode(prompt);
    std::vector<std::string> texts;
    for (int i = 1; i + 1 < encoding.length; ++i)
      texts.push_back(prompt.substr(encoding.spans[i].first, encoding.spans[i].second - encoding.spans[i].first));
    QCOMPARE(texts.at(0), std::string("A"));
    QCOMPARE(texts.at(1), std::string("Cafe\xCC\x81"));
    QCOMPARE(texts.at(2), std::string("\xC4\xB0"));
    QCOMPARE(texts.back(), std::string("NE"));
  }

  void piecesAreReadable() {
    const Encoding encoding = tokenizer_->encode("a circle, \xF0\x9F\xAB\xA0");
    QCOMPARE(encoding.pieces.at(0), std::string(kStart));
    QCOMPARE(encoding.pieces.at(2), std::string("circle"));
    QCOMPARE(encoding.pieces.at(3), std::string(","));
    std::string rest;
    for (int i = 4; i + 1 < encoding.length; ++i) rest += encoding.pieces[i];
    QVERIFY2(rest.find("<0x") != std::string::npos, rest.c_str());
    QCOMPARE(encoding.pieces.at(encoding.length - 1), std::string(kEnd));
    QCOMPARE(tokenizer_->token(encoding.ids[2]), std::string("circle</w>"));
    QCOMPARE(tokenizer_->token(-1), std::string());
  }

  void truncationNamesTheLostWords() {
    std::string prompt;
    for (int i = 0; i < 74; ++i) prompt += "photo ";
    const Encoding fits = tokenizer_->encode(prompt + "circle");
    QVERIFY(!fits.truncated);
    QCOMPARE(fits.lost_begin, -1);
    QVERIFY(fits.lost_text.empty());
    const Encoding cut = tokenizer_->encode(prompt + "red circle, and more ");
    QVERIFY(cut.truncated);
    QCOMPARE(cut.length, 77);
    QCOMPARE(cut.lost_text, std::string("circle, and more"));
    QCOMPARE(cut.ids.back(), int64_t{49407});
    // The cut falls inside a word of several tokens: the word is named whole.
    const Encoding inside = tokenizer_->encode(prompt + "supercalifragilisticexpialidocious");
    QCOMPARE(inside.lost_text, std::string("supercalifragilisticexpialidocious"));
  }

  void tokensOfTheFolder_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("map");
    QTest::addColumn<QString>("added_tokens");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<qint64>>("ids");
    QTest::addColumn<qint64>("pad");
    const auto row = [](const char* name, const json& config, const json& map, const json& file, const char* text,
                        QList<qint64> ids, qint64 pad) {
      const auto dump = [](const json& value) {
        return value.is_null() ? QString() : QString::fromStdString(value.dump());
      };
      QTest::newRow(name) << dump(config) << dump(map) << dump(file) << QString::fromUtf8(text) << ids << pad;
    };
    // Expected ids: transformers 5.24 on the same folders.
    const json sd2_map = {{"bos_token", added(kStart, true)},
                          {"eos_token", added(kEnd, true)},
                          {"pad_token", "!"},
                          {"unk_token", added(kEnd, true)}};
    row("sd2: pad is !", {{"model_max_length", 77}}, sd2_map, {}, "a!b ! <|endoftext|> x", {320, 0, 321, 0, 49407, 343},
        0);
    row("sd2: end in any case", {}, sd2_map, {}, "<|ENDOFTEXT|> <|EndOfText|>", {49407, 49407}, 0);
    row("no files", {}, {}, {}, "<|STARTOFTEXT|> <|startoftext|>x", {27, 347, 993, 6659, 4160, 91, 285, 49406, 343},
        49407);
    row("added_tokens.json", {}, sd2_map, {{"<sks>", 49408}}, "<sks>cat <SKS> a <sks> b",
        {49408, 2368, 49408, 320, 49408, 321}, 0);
    json decoder = {{"0", added("!", false)},
                    {"49406", added(kStart, false)},
                    {"49407", added(kEnd, true)},
                    {"49408", added("<sks>", true)}};
    for (const char* id : {"0", "49406", "49407"}) decoder[id]["special"] = true;
    const json config = {{"added_tokens_decoder", decoder}, {"pad_token", "!"}, {"bos_token", kStart}};
    row("added_tokens_decoder stands alone", config, {{"pad_token", kEnd}}, {}, "a! <sks>b <|STARTOFTEXT|>",
        {320, 0, 49408, 321, 27, 347, 993, 6659, 4160, 91, 285}, 0);
    row("extra token", {{"additional_special_tokens", {"<sks>"}}}, {}, {}, "<sks>cat <SKS> a",
        {49408, 2368, 283, 48136, 285, 320}, 49407);
    json stripping = added("<sks>", false);
    stripping["lstrip"] = true, stripping["rstrip"] = true, stripping["single_word"] = true;
    row("strips and stands alone", {{"added_tokens_decoder", {{"49408", stripping}}}}, {}, {}, "a  <sks>  b x<sks> c",
        {320, 49408, 321, 343, 283, 48136, 285, 322}, 49407);
    row("pad not in the vocabulary", {{"pad_token", "<pad>"}}, {}, {}, "a <pad>", {320, 49408}, 49408);
  }

  void tokensOfTheFolder() {
    QFETCH(QString, config);
    QFETCH(QString, map);
    QFETCH(QString, added_tokens);
    QFETCH(QString, text);
    QFETCH(QList<qint64>, ids);
    QFETCH(qint64, pad);
    QTemporaryDir temp;
    const std::string folder = copy_vocabulary(temp);
    write(folder + "/tokenizer_config.json", config.toStdString());
    write(folder + "/special_tokens_map.json", map.toStdString());
    write(folder + "/added_tokens.json", added_tokens.toStdString());
    const ClipTokenizer tokenizer(folder);
    const Encoding encoding = tokenizer.encode(text.toStdString());
    QCOMPARE(QList<qint64>(encoding.ids.begin() + 1, encoding.ids.begin() + encoding.length - 1), ids);
    QCOMPARE(tokenizer.pad_token_id(), pad);
    QCOMPARE(tokenizer.model_max_length(), 77);
    QCOMPARE(encoding.ids.back(), pad);
    QCOMPARE(encoding.ids[encoding.length - 1], int64_t{49407});
  }

  // transformers 5 saves one file only.
  void tokenizerJsonAlone() {
    QTemporaryDir temp;
    const std::string folder = temp.path().toStdString();
    json merges = json::array();
    std::ifstream in(folder_ + "/merges.txt");
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) merges.push_back({line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1)});
    json start = added(kStart, true), end = added(kEnd, false);
    start["id"] = 49406, start["special"] = true, end["id"] = 49407, end["special"] = true;
    const json model = {{"type", "BPE"}, {"vocab", read_json_file(folder_ + "/vocab.json")}, {"merges", merges}};
    write(folder + "/tokenizer.json",
          json{{"added_tokens", {start, end}}, {"model", model}, {"post_processor", {{"type", "RobertaProcessing"}}}}
              .dump());
    write(folder + "/tokenizer_config.json", R"({"model_max_length": 20, "pad_token": "<|endoftext|>"})");
    const ClipTokenizer tokenizer(folder);
    for (const char* text : {"a red circle", "<|STARTOFTEXT|> x <|EndOfText|>", "don't!"})
      QCOMPARE(tokenizer.encode_all(text).ids, tokenizer_->encode_all(text).ids);
    QCOMPARE(tokenizer.encode("a").ids.size(), std::size_t{20});
  }

  void longTextIsQuick() {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += static_cast<char>('a' + i * 7 % 26);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(tokenizer_->encode(text).truncated);
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
  }

  void refusesTextThatIsNotUtf8() {
    for (const char* text : {"a \xFF b", "a \xC3", "\xED\xA0\x80", "\xC0\x80"}) {
      const std::string message = error_of([&] { tokenizer_->encode(text); });
      QVERIFY2(message.find("not valid UTF-8 at byte") != std::string::npos, message.c_str());
    }
  }

  void refusesDamagedFolders_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("no vocabulary") << "vocab.json" << QByteArray() << "vocab.json: no such file";
    QTest::newRow("no merges") << "merges.txt" << QByteArray() << "merges.txt: no such file";
    QTest::newRow("not JSON") << "vocab.json" << QByteArray("{\"a\": 1,") << "vocab.json";
    QTest::newRow("not an object") << "vocab.json" << QByteArray("[1]") << "not an object";
    QTest::newRow("id is text") << "vocab.json" << QByteArray("{\"a\": \"1\"}") << "vocab.json [a]";
    QTest::newRow("id below 0") << "vocab.json" << QByteArray("{\"a\": -1}") << "vocab.json [a]";
    QTest::newRow("id too large") << "vocab.json" << QByteArray("{\"a\": 99999999999}") << "vocab.json [a]";
    QTest::newRow("no unk") << "vocab.json" << QByteArray("{\"a\": 0}") << "lacks the unk token";
    QTest::newRow("merge of one") << "merges.txt" << QByteArray("#version: 0.2\na b\nabc\n") << "merges.txt [line 3]";
    QTest::newRow("merge of three") << "merges.txt" << QByteArray("a b c\n") << "merges.txt [line 1]";
    QTest::newRow("merge unknown") << "merges.txt" << QByteArray("i n\nzzzzqq x\n") << "merges.txt [merge 2]";
    QTest::newRow("pad null") << "tokenizer_config.json" << QByteArray("{\"pad_token\": null}") << "[pad_token]";
    QTest::newRow("pad number") << "tokenizer_config.json" << QByteArray("{\"pad_token\": 3}") << "[pad_token]";
    QTest::newRow("length 1") << "tokenizer_config.json" << QByteArray("{\"model_max_length\": 1}")
                              << "[model_max_length]";
    QTest::newRow("length text") << "tokenizer_config.json" << QByteArray("{\"model_max_length\": \"x\"}")
                                 << "[model_max_length]";
    QTest::newRow("left") << "tokenizer_config.json" << QByteArray("{\"padding_side\": \"left\"}") << "[padding_side]";
    QTest::newRow("decoder id") << "tokenizer_config.json"
                                << QByteArray("{\"added_tokens_decoder\": {\"x\": {\"content\": \"a\"}}}")
                                << "added_tokens_decoder.x";
    QTest::newRow("other model") << "tokenizer.json" << QByteArray("{\"model\": {\"type\": \"Unigram\"}}") << "Unigram";
    QTest::newRow("json without vocab") << "tokenizer.json" << QByteArray("{\"model\": {\"type\": \"BPE\"}}")
                                        << "[model.vocab]";
  }

  void refusesDamagedFolders() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    QTemporaryDir temp;
    const std::string folder = copy_vocabulary(temp);
    const std::string path = folder + "/" + file.toStdString();
    fs::remove(path);
    write(path, content.toStdString());
    const std::string message = error_of([&] { ClipTokenizer tokenizer(folder); });
    QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find(file.toStdString()) != std::string::npos, message.c_str());
  }

  void refusesNoFolder() {
    QVERIFY(error_of([] { ClipTokenizer tokenizer("/no/such/folder"); }).find("/no/such/folder: no such folder") == 0);
    QVERIFY(error_of([&] { ClipTokenizer tokenizer(folder_ + "/vocab.json"); }).find("is not a folder") !=
            std::string::npos);
  }

 private:
  static void write(const std::string& path, const std::string& content) {
    if (!content.empty()) std::ofstream(path, std::ios::binary) << content;
  }

  std::string copy_vocabulary(const QTemporaryDir& temp) const {
    const std::string folder = temp.path().toStdString();
    for (const char* name : {"/vocab.json", "/merges.txt"}) fs::copy_file(folder_ + name, folder + name);
    return folder;
  }

  template <class Call>
  static std::string error_of(Call call) {
    try {
      call();
    } catch (const Error& error) {
      return error.exit_code() == 3 ? error.what() : "wrong exit code";
    }
    return "no error";
  }

  std::string folder_;
  std::unique_ptr<ClipTokenizer> tokenizer_;
};

QTEST_APPLESS_MAIN(TestClipTokenizer)
#include "tst_clip_tokenizer.moc"
