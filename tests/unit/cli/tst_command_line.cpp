#include <ATen/ATen.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_line.h"
#include "io/safetensors.h"
#include "support/golden.h"

using attnscope::testing::Golden;

namespace {

struct Result {
  int code;
  std::string out, err;
};

Result cli(const std::vector<std::string>& arguments) {
  std::ostringstream out, err;
  const int code = attnscope::cli::run_command_line(arguments, {out, err});
  return {code, out.str(), err.str()};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

class TestCommandLine : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  std::string path(const std::string& name) { return dir_.path().toStdString() + "/" + name; }
  const std::string golden_ = ATTNSCOPE_GOLDEN_DIR;

 private Q_SLOTS:
  void helpAndVersion() {
    for (const char* verb : {"run", "eval", "show", "tokenize"}) {
      const Result result = cli({verb, "--help"});
      QCOMPARE(result.code, 0);
      QVERIFY(has(result.out, verb));
    }
    QVERIFY(has(cli({"--version"}).out, ATTNSCOPE_VERSION));
    QCOMPARE(cli({"--help"}).code, 0);
  }

  void usageErrorsAreTwo() {
    QCOMPARE(cli({}).code, 2);
    QCOMPARE(cli({"nonsense"}).code, 2);
    const Result result = cli({"run", "config.yaml"});
    QCOMPARE(result.code, 2);
    QVERIFY(has(result.err, "--out"));
    QCOMPARE(cli({"eval", "unett", "--model", "m", "--inputs", "i", "--out", "o"}).code, 2);
  }

  void inputErrorsAreThree() {
    const Result missing = cli({"run", path("none.yaml"), "--out", path("out")});
    QCOMPARE(missing.code, 3);
    QVERIFY(has(missing.err, "none.yaml"));
    QVERIFY(!std::filesystem::exists(path("out")));
    QCOMPARE(cli({"show", path("nothing")}).code, 3);
    QCOMPARE(cli({"show", dir_.path().toStdString()}).code, 3);
    QCOMPARE(cli({"tokenize", "--model", path("nothing"), "text"}).code, 3);
  }

  void evalEqualsDiffusers() {
    // The inputs file with its expectations is what eval takes: "expect/…" is passed over.
    const Result result =
        cli({"eval", "unet", "--model", golden_ + "/unet_sd15", "--inputs", golden_ + "/unet_sd15/io.safetensors",
             "--out", path("unet.safetensors"), "--capture", "all", "--device", "cpu"});
    QVERIFY2(result.code == 0, result.err.c_str());
    const Golden golden("unet_sd15");
    const auto out = attnscope::SafetensorsFile::open(path("unet.safetensors"));
    for (const std::string& key : golden.file().keys())
      if (key.rfind("expect/", 0) == 0) COMPARE_TENSORS(out->tensor(key.substr(7)), golden[key], 1e-5);
    for (const char* name : {"text_clip_l", "text_projection", "text_classic_keys"}) {
      const Result text = cli({"eval", "text_encoder", "--model", golden_ + "/" + name, "--inputs",
                               golden_ + "/" + name + "/io.safetensors", "--out", path("text.safetensors")});
      QVERIFY2(text.code == 0, text.err.c_str());
      const Golden expected(name);
      const auto got = attnscope::SafetensorsFile::open(path("text.safetensors"));
      for (const std::string& key : expected.file().keys())
        if (key.rfind("expect/", 0) == 0 && got->contains(key.substr(7)))
          COMPARE_TENSORS(got->tensor(key.substr(7)), expected[key], 1e-5);
      QVERIFY(got->contains("last_hidden_state"));
    }
  }

  void evalNamesWhatIsWrong() {
    attnscope::save_safetensors(path("wrong.safetensors"), {{"sampel", at::zeros({1, 4, 8, 8})}});
    const Result result = cli({"eval", "unet", "--model", golden_ + "/unet_sd15", "--inputs", path("wrong.safetensors"),
                               "--out", path("o.safetensors")});
    QCOMPARE(result.code, 3);
    QVERIFY(has(result.err, "sample"));
    QVERIFY(!std::filesystem::exists(path("o.safetensors")));
  }

  void showAndTokenize() {
    const std::string model = golden_ + "/pipeline/model";
    const Result shown = cli({"show", model, "--json"});
    QCOMPARE(shown.code, 0);
    const auto json = nlohmann::json::parse(shown.out);
    QVERIFY(json["attn_processors"].size() > 0);
    QVERIFY(has(cli({"show", model}).out, "attn_processors"));
    const Result tokens = cli({"tokenize", "--model", model, "a red circle"});
    QCOMPARE(tokens.code, 0);
    QCOMPARE(nlohmann::json::parse(tokens.out)["words"].size(), std::size_t{3});
  }

  void runEndToEnd() {
    std::ofstream(path("run.yaml"))
        << "model: {path: " << golden_
        << "/pipeline/model}\nprompt: a red circle\noutput_size: 32\nnum_inference_steps: 2\n";
    const Result result = cli({"run", path("run.yaml"), "seed=4", "--out", path("run"), "--json"});
    QVERIFY2(result.code == 0, result.err.c_str());
    std::istringstream lines(result.out);
    std::string line, last;
    while (std::getline(lines, line)) last = nlohmann::json::parse(line)["event"].get<std::string>();
    QCOMPARE(last, std::string("done"));
    QVERIFY(has(cli({"show", path("run")}).out, "complete"));
    const Result typo = cli({"run", path("run.yaml"), "sede=4", "--out", path("run2")});
    QCOMPARE(typo.code, 3);
    QVERIFY(has(typo.err, "seed"));
  }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
