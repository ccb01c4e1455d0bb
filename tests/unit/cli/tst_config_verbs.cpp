#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command_line.h"
#include "io/mapped_file.h"

using attnscope::read_file;
using Json = nlohmann::ordered_json;

namespace {

struct Result {
  int code;
  QString out, err;
  Json json() const { return Json::parse(out.toStdString()); }
};

Result config(std::vector<std::string> arguments, const std::string& input = {}) {
  std::ostringstream out, err;
  std::istringstream in(input);
  arguments.insert(arguments.begin(), "config");
  const int code = attnscope::cli::run_command_line(arguments, {out, err, false, in});
  return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

const std::string kBase =
    "# kept\n"
    "model: {path: sd15, steps: 50}  # and this\n"
    "lr: 1.e-4\n"
    "prompt: 'a red circle'\n"
    "name: ${model.path}-run\n"
    "list: [1, 2, 3]\n";

}  // namespace

#define VERIFY_HAS(text, part) QVERIFY2((text).contains(part), qPrintable(text))

class TestConfigVerbs : public QObject {
  Q_OBJECT

  QTemporaryDir dir_;
  std::string path(const std::string& name) const { return dir_.path().toStdString() + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string base_;

 private Q_SLOTS:
  void init() { base_ = write("base.yaml", kBase); }

  void help_of_all() {
    for (const char* verb :
         {"get", "set", "del", "merge", "resolve", "validate", "diff", "blame", "compose", "reference"}) {
      const Result result = config({verb, "--help"});
      QCOMPARE(result.code, 0);
      VERIFY_HAS(result.out, "--json");
      if (std::string(verb) == "reference") continue;
      const Result none = config({verb});
      QCOMPARE(none.code, 2);
      VERIFY_HAS(none.err, QString("Run attnscope-cli config %1 --help").arg(verb));
    }
    VERIFY_HAS(config({"--help"}).out, "standard input");
    QCOMPARE(config({}).code, 2);
    QCOMPARE(config({"gett"}).code, 2);
  }

  void get_prints_what_a_script_wants() {
    const auto get = [&](const std::string& key) { return config({"get", base_, key}).out; };
    QCOMPARE(get("prompt"), "a red circle\n");
    QCOMPARE(get("name"), "sd15-run\n");
    QCOMPARE(get("model.steps"), "50\n");
    QCOMPARE(get("list[1]"), "2\n");
    QCOMPARE(get("list.-1"), "3\n");
    QCOMPARE(get("model"), "path: sd15\nsteps: 50\n");
    QCOMPARE(get("lr"), "0.0001\n");
    QCOMPARE(config({"get", base_, "lr", "--raw"}).out, "1.e-4\n");
    QCOMPARE(config({"get", base_, "name", "--raw"}).out, "${model.path}-run\n");
    QCOMPARE(config({"get", base_, "name", "model.path=x"}).out, "x-run\n");
    QCOMPARE(config({"get", base_, "name", "-O", "model.path=x", "-O", "model.path=y"}).out, "y-run\n");
    QCOMPARE(config({"get", "-", "a"}, "a: from here\n").out, "from here\n");
    QCOMPARE(config({"get", base_, "model", "--json"}).json(), Json({{"path", "sd15"}, {"steps", 50}}));
  }

  void values_that_json_does_not_have() {
    const std::string file = write("odd.yaml",
                                   "big: 123456789012345678901234567890\nbad: [.nan, -.inf]\n1: a\nfalse: b\n"
                                   "bytes: !!binary aGk=\ntext: \"\\u00e9\\n\\\"\"\nempty: [{}, []]\nf: 1e-5\n");
    const QString text = config({"get", file, "", "--json"}).out;
    VERIFY_HAS(text, "\"big\": 123456789012345678901234567890,");
    const Json json = Json::parse(text.toStdString());
    QCOMPARE(json["bad"], Json({".nan", "-.inf"}));
    QCOMPARE(json["1"], "a");
    QCOMPARE(json["false"], "b");
    QCOMPARE(json["bytes"], "aGk=");
    QCOMPARE(json["text"], "\u00e9\n\"");
    QCOMPARE(json["empty"], Json({Json::object(), Json::array()}));
    QCOMPARE(json["f"], 1e-5);
  }

  void a_key_that_is_not_there() {
    const Result typo = config({"get", base_, "model.pth", "--json"});
    QCOMPARE(typo.code, 3);
    VERIFY_HAS(typo.err, "base.yaml:2:1 (model.pth): there is no such key\n  Did you mean model.path?");
    const Json error = typo.json()["error"];
    QCOMPARE(error["line"], 2);
    QCOMPARE(error["key"], "model.pth");
    QCOMPARE(error["hint"], "Did you mean model.path?");
    VERIFY_HAS(config({"get", base_, "list[7]"}).err, "items 0 to 2");
    VERIFY_HAS(config({"get", base_, "model.zzzzzzzzzzz"}).err, "There are path, steps.");
    VERIFY_HAS(config({"get", base_, "lr.x"}).err, "lr is the number");
    VERIFY_HAS(config({"get", base_, "lst", "--raw"}).err, "Did you mean list?");
    VERIFY_HAS(config({"del", base_, "promt"}).err, "Did you mean prompt?");
    const Result missing = config({"get", "-", "a"}, "a: ???\n");
    QCOMPARE(missing.code, 3);
    VERIFY_HAS(missing.err, "standard input:1:4 (a)");
    QCOMPARE(config({"get", "-", "a", "--raw"}, "a: ???\n").out, "???\n");
  }

  void set_and_del_keep_the_rest() {
    QString expected = QString::fromStdString(kBase);
    expected.replace("steps: 50", "steps: 20").replace("'a red circle'", "'a moon'");
    QCOMPARE(config({"set", base_, "model.steps=20", "prompt=a moon"}).out, expected);
    QCOMPARE(QString::fromStdString(read_file(base_)), QString::fromStdString(kBase));
    QCOMPARE(config({"set", "-", "a.b=3"}, "a:\n    b: 1 # c\n").out, "a:\n    b: 3 # c\n");
    QCOMPARE(config({"set", "-", "l=[1, 2, 3, 4]", "x=5e-5"}, "l: [1, 2] # c\n").out, "l: [1, 2, 3, 4] # c\nx: 5e-5\n");
    QCOMPARE(config({"set", "-", "a=1"}, "").out, "a: 1\n");
    QCOMPARE(config({"del", "-", "a[0]", "b"}, "a: [1, 2]\nb: 1\nc: 2\n").out, "a: [2]\nc: 2\n");
    QCOMPARE(config({"del", "-", "b", "-O", "c=3"}, "b: 1\nc: 2\n").out, "c: 3\n");
    // A new key, there and gone again, in place.
    for (const char* edit : {"new=1", "model.new={a: 1}", "deep.er.key=x"}) {
      QCOMPARE(config({"set", base_, edit, "-i"}).code, 0);
      QVERIFY(read_file(base_) != kBase);
      const std::string key =
          std::string(edit).starts_with("deep") ? "deep" : std::string(edit).substr(0, std::string(edit).find('='));
      QCOMPARE(config({"del", base_, key, "--in-place"}).code, 0);
      QCOMPARE(QString::fromStdString(read_file(base_)), QString::fromStdString(kBase));
    }
  }

  void values_behind_an_anchor() {
    const std::string text = "b: &x {p: 1, q: 2}\nc: *x  # kept\nd:\n  <<: *x\n  z: 1\n";
    const Result both = config({"set", "-", "b.p=3"}, text);
    QCOMPARE(both.out, QString::fromStdString(text).replace("p: 1", "p: 3"));
    VERIFY_HAS(both.err, "warning: b.p stands behind an anchor: c.p changes as well\n");
    VERIFY_HAS(both.err, "d.p changes as well");
    const Result refused = config({"set", "-", "d.p=3"}, text);
    QCOMPARE(refused.code, 3);
    QCOMPARE(refused.out, "");
    VERIFY_HAS(refused.err, "--beside");
    QVERIFY2(!refused.err.contains("warning"), qPrintable(refused.err));
    const Result beside = config({"set", "-", "d.p=3", "c.p=4", "d.z=5", "--beside"}, text);
    QVERIFY2(beside.err.isEmpty(), qPrintable(beside.err));
    const std::string made = beside.out.toStdString();
    QCOMPARE(config({"get", "-", "b"}, made).out, "p: 1\nq: 2\n");
    QCOMPARE(config({"get", "-", "c"}, made).out, "q: 2\np: 4\n");
    QCOMPARE(config({"get", "-", "d"}, made).out, "q: 2\nz: 5\np: 3\n");
    VERIFY_HAS(beside.out, "# kept");
    VERIFY_HAS(beside.out, "<<: *x");
  }

  void edits_are_one_write_or_none() {
    struct stat before {
    }, after{};
    QCOMPARE(::stat(base_.c_str(), &before), 0);
    const Result bad = config({"set", base_, "model.steps=20", "list[9]=1", "-i"});
    QCOMPARE(bad.code, 3);
    VERIFY_HAS(bad.err, "\n  list[9]=1\n       ^");
    QCOMPARE(QString::fromStdString(read_file(base_)), QString::fromStdString(kBase));
    QCOMPARE(config({"set", base_, "model.steps=50", "-i"}).code, 0);  // as it is: nothing is written
    QCOMPARE(::stat(base_.c_str(), &after), 0);
    QCOMPARE(after.st_ino, before.st_ino);
    const Result json = config({"set", base_, "model.steps=20", "seed=1", "-i", "--json"});
    const Json changed{{"kind", "changed"}, {"key", "model.steps"}, {"before", 50}, {"after", 20}};
    const Json added{{"kind", "added"}, {"key", "seed"}, {"before", nullptr}, {"after", 1}};
    QCOMPARE(json.json(), Json({{"edits", Json::array({changed, added})}, {"written", base_}}));
    QCOMPARE(config({"set", "-", "a=2", "--json"}, "a: 1\n").json()["text"], "a: 2\n");
  }

  void where_the_result_goes() {
    const std::string out = path("out.yaml");
    QCOMPARE(config({"set", base_, "lr=1", "--out", out}).out, "");
    VERIFY_HAS(QString::fromStdString(read_file(out)), "lr: 1\n");
    QCOMPARE(config({"merge", base_, out, "--out", out}).code, 0);  // in and out may be one file
    VERIFY_HAS(QString::fromStdString(read_file(out)), "name: \"${model.path}-run\"");
    QCOMPARE(config({"set", base_, "lr=1", "--out", out, "-i"}).code, 2);
    QCOMPARE(config({"set", "-", "lr=1", "-i"}, "lr: 2\n").code, 2);
    const Result nowhere = config({"merge", base_, "--out", path("none/x.yaml"), "--json"});
    QCOMPARE(nowhere.code, 1);
    QCOMPARE(nowhere.json()["error"]["message"], "its folder does not exist");
    // A link stays one, and the mode stays.
    QCOMPARE(::symlink("base.yaml", path("link.yaml").c_str()), 0);
    QCOMPARE(::chmod(base_.c_str(), 0640), 0);
    QCOMPARE(config({"set", path("link.yaml"), "lr=2", "-i"}).code, 0);
    QVERIFY(QFileInfo(QString::fromStdString(path("link.yaml"))).isSymLink());
    struct stat info {};
    QCOMPARE(::stat(base_.c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t{0640});
    QCOMPARE(config({"get", base_, "lr"}).out, "2\n");
  }

  void a_folder_that_takes_no_file() {
    if (::geteuid() != 0) QSKIP("needs root");
    QVERIFY(QDir(dir_.path()).mkpath("locked"));
    const std::string file = write("locked/a.yaml", "a: 1\n");
    QCOMPARE(::chmod(file.c_str(), 0666), 0);
    QCOMPARE(::chmod(dir_.path().toStdString().c_str(), 0755), 0);
    QCOMPARE(::seteuid(65534), 0);
    const Result refused = config({"set", file, "a=2", "-i"});
    const Result direct = config({"set", file, "a=2", "-i", "--direct"});
    QCOMPARE(::seteuid(0), 0);
    QCOMPARE(refused.code, 1);
    VERIFY_HAS(refused.err, "--direct");
    QCOMPARE(direct.code, 0);
    QCOMPARE(read_file(file), std::string("a: 2\n"));
  }

  void merge_in_all_forms() {
    const std::string night = write("night.yaml", "model: {steps: 30}\nprompt: a moon\nother: '30'\n");
    const auto merge = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {"merge", base_, night});
      return config(more).out;
    };
    const QString merged = merge({"lr=1"});
    VERIFY_HAS(merged, "path: sd15\n  steps: 30\nlr: 1\nprompt: a moon\nname: \"${model.path}-run\"");
    VERIFY_HAS(merge({"--form", "resolved"}), "name: sd15-run\n");
    QCOMPARE(merge({"lr=1", "--form", "changes"}), "model:\n  steps: 30\nlr: 1\nprompt: a moon\nother: \"30\"\n");
    QCOMPARE(merge({"--form", "dotlist"}), "model.steps=30\nprompt=a moon\nother=\"30\"\n");
    // The dotlist gives the same again.
    QCOMPARE(config({"merge", base_, "model.steps=30", "prompt=a moon", "other=\"30\""}).out, merge({}));
    VERIFY_HAS(config({"resolve", base_, "model.path=x"}).out, "name: x-run\n");
    const Result gone = config({"resolve", "-", "--form", "changes", "b=[1]", "--json"}, "b: {c: 1}\n");
    QCOMPARE(gone.code, 3);
    QCOMPARE(merge({"--form", "changes", "--json"}), config({"merge", base_, night, "--json", "--form=changes"}).out);
    QCOMPARE(config({"merge", base_, "--form", "odd"}).code, 2);
    QCOMPARE(config({"merge", "-", "-"}, "a: 1\n").code, 2);
    QCOMPARE(config({"merge", "a=1"}).code, 2);  // an override and no file
  }

  void bases_are_followed() {
    const std::string own = write("own.yaml", "_base_: [base.yaml]\nlr: 2\n");
    QCOMPARE(config({"get", own, "prompt"}).out, "a red circle\n");
    QCOMPARE(config({"merge", own, "--own"}).out, "_base_: [base.yaml]\nlr: 2\n");
    write("a.yaml", "_base_: [b.yaml]\n");
    write("b.yaml", "_base_: [a.yaml]\n");
    const Result cycle = config({"merge", path("a.yaml")});
    QCOMPARE(cycle.code, 3);
    VERIFY_HAS(cycle.err, "a.yaml -> b.yaml -> a.yaml");
  }

  void compose_a_folder() {
    QVERIFY(QDir(dir_.path()).mkpath("conf/db"));
    write("conf/config.yaml", "defaults:\n  - db: mysql\nx: ${db.name}\n");
    write("conf/db/mysql.yaml", "name: my\n");
    write("conf/db/lite.yaml", "name: lite\n");
    QCOMPARE(config({"compose", path("conf"), "config"}).out, "db:\n  name: my\nx: \"${db.name}\"\n");
    QCOMPARE(config({"compose", path("conf"), "config.yaml", "db=lite", "+y=1", "--form", "resolved"}).out,
             "db:\n  name: lite\nx: lite\ny: 1\n");
    const Result none = config({"compose", path("conf"), "nothing"});
    QCOMPARE(none.code, 3);
    VERIFY_HAS(none.err, "Cannot find primary config 'nothing'");
    VERIFY_HAS(config({"compose", path("gone"), "config"}).err, "no such folder");
    VERIFY_HAS(config({"compose", base_, "config"}).err, "is a file, not a folder");
    const Result odd = config({"compose", path("conf"), "config", "x=[1"});
    QCOMPARE(odd.code, 3);
    VERIFY_HAS(odd.err, "^");
  }

  void validate_says_what_is_wrong() {
    const std::string file = write("v.yaml", "a: ${b}\nc: ???\nd: ${c}\ne: ${own:x}\nf: ${a}\n");
    const Result result = config({"validate", file});
    QCOMPARE(result.code, 3);
    VERIFY_HAS(result.out, "v.yaml:1:4 (a): error: Interpolation key 'b' not found");
    VERIFY_HAS(result.out, "v.yaml:2:4 (c): warning: a value must still be given");
    VERIFY_HAS(result.out, "v.yaml:3:4 (d): warning:");
    VERIFY_HAS(result.out, "v.yaml:4:4 (e): warning: Unsupported interpolation type own");
    VERIFY_HAS(result.out, "2 errors, 3 warnings\n");
    const Result warned = config({"validate", "-", "--json"}, "c: ???\n");
    QCOMPARE(warned.code, 0);
    QCOMPARE(warned.json()["valid"], true);
    QCOMPARE(warned.json()["findings"][0]["key"], "c");
    QCOMPARE(warned.json()["findings"][0]["line"], 1);
    const Result broken = config({"validate", "-", "--json"}, "a: [1\n");
    QCOMPARE(broken.code, 3);
    QCOMPARE(broken.json()["valid"], false);
    QCOMPARE(broken.json()["findings"][0]["file"], "standard input");
    // Our own run: a typo, found by its keys.
    const Result run = config({"validate", ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml"});
    QVERIFY2(run.code == 0, qPrintable(run.out));
    VERIFY_HAS(run.out, "checked as run");
    const Result typo = config({"validate", ATTNSCOPE_SOURCE_DIR "/configs/demo.yaml", "modle.path=x"});
    QCOMPARE(typo.code, 3);
    VERIFY_HAS(typo.out, "modle");
    QCOMPARE(config({"validate", base_, "--schema", "rnu"}).code, 2);
    VERIFY_HAS(config({"validate", base_, "--schema", "rnu"}).err, "Did you mean run?");
    std::string large;
    for (int i = 0; i < 6000; ++i) large += "k" + std::to_string(i) + ": 1\n";
    const Result many = config({"validate", "-"}, large);
    QCOMPARE(many.code, 0);
    VERIFY_HAS(many.out, "OMEGACONF_MAX_YAML_EXPANDED_NODES");
  }

  void diff_by_key() {
    const std::string other = write("other.yaml", "b: 2\na: {x: 1, y: [1]}\n");
    const std::string same = write("same.yaml", "a:\n  y: [1]\n  x: 1  # c\nb: 2\n");
    QCOMPARE(config({"diff", other, same}).code, 0);
    QCOMPARE(config({"diff", other, same}).out, "");
    const Result result = config({"diff", other, same, "a.x=2", "c=z"});
    QCOMPARE(result.code, 1);
    QCOMPARE(result.out, "~ a.x: 1 -> 2\n+ c: z\n");
    const Json json = config({"diff", other, "-", "--json"}, "b: 2\n").json();
    QCOMPARE(json["same"], false);
    QCOMPARE(json["changes"][0]["kind"], "removed");
    QCOMPARE(json["changes"][0]["before"], Json({{"x", 1}, {"y", Json::array({1})}}));
    QCOMPARE(json["changes"][0]["before_at"], other + ":2:1");
    QCOMPARE(config({"diff", "-", "-"}, "b: 2\n").code, 2);
    QCOMPARE(config({"diff", other}).code, 2);
    QCOMPARE(config({"diff", other, path("none")}).code, 3);
  }

  void blame_says_who() {
    const std::string over = write("over.yaml", "model:\n  steps: 30\n");
    const Result result = config({"blame", base_, over, "model.steps=20", "-k", "model"});
    QCOMPARE(result.out, QString::fromStdString(base_ +
                                                ":2:15: model.path = sd15\noverride model.steps=20: model.steps = "
                                                "20\n    hides 30 of " +
                                                over + ":2:10\n    hides 50 of " + base_ + ":2:28\n"));
    const Json json = config({"blame", base_, over, "model.steps=20", "--json"}).json();
    QCOMPARE(json["layers"], Json({base_, over, "command line"}));
    const Json steps = json["leaves"][1];
    QCOMPARE(steps["key"], "model.steps");
    QCOMPARE(steps["override"], "model.steps=20");
    QCOMPARE(steps["file"], Json());
    QCOMPARE(steps["hides"][0]["line"], 2);
    QCOMPARE(steps["hides"][1]["value"], 50);
    QCOMPARE(config({"blame", base_, "-k", "nope"}).code, 3);
  }

  void reference_of_the_schemas() {
    QCOMPARE(config({"reference"}).code, 0);
    VERIFY_HAS(config({"reference", "run"}).out, "model.path");
    QCOMPARE(config({"reference", "run", "--json"}).json()["name"], "run");
    QVERIFY(config({"reference", "--json"}).json().size() > 1);
    const Result typo = config({"reference", "tokenflwo"});
    QCOMPARE(typo.code, 2);
    VERIFY_HAS(typo.err, "Did you mean tokenflow?");
  }

  void inputs_that_are_none() {
    VERIFY_HAS(config({"get", path("none.yaml"), "a"}).err, "no such file");
    VERIFY_HAS(config({"get", dir_.path().toStdString(), "a"}).err, "is a folder");
    const Result binary = config({"merge", "-"}, std::string("\x7f"
                                                             "ELF\0\1\xff",
                                                             7));
    QCOMPARE(binary.code, 3);
    VERIFY_HAS(binary.err, "standard input");
    const Result latin = config({"merge", "-"}, "a: \xe9\n");
    QCOMPARE(latin.code, 3);
    VERIFY_HAS(latin.err, "UTF-8");
    const Result text = config({"merge", "-"}, "just text\n");
    QCOMPARE(text.code, 3);
    VERIFY_HAS(text.err, "standard input:1:1: must hold keys and values");
    const Result caret = config({"merge", base_, "a=[1"});
    VERIFY_HAS(caret.err, "\n  a=[1\n    ^");
  }
};

QTEST_APPLESS_MAIN(TestConfigVerbs)
#include "tst_config_verbs.moc"
