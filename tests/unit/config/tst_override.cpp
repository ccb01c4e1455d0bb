#include "config/override.h"

#include <QtTest>

#include "config/yaml_loader.h"
#include "support/errors.h"

using namespace attnscope;

class TestOverride : public QObject {
  Q_OBJECT

  ConfigNode root_;

 private Q_SLOTS:
  void init() { root_ = load_yaml_text("model: {path: x}\nwords: [red, blue]\nsteps: 5\nnothing:\n", "c.yaml"); }

  void sets_values() {
    apply_overrides(root_,
                    {"steps=30", "model.path=some dir/model", "words[1]=green", "words.0=1e-4", "a.b.c=[1, {x: y}]",
                     "nothing.x=true", "steps.inner=~", "empty=", "prompt=a red circle, x=1"});
    QCOMPARE(root_.select("model.path")->as_string(), std::string("some dir/model"));
    QCOMPARE(root_.select("words[1]")->as_string(), std::string("green"));
    QCOMPARE(root_.select("words[0]")->as_float(), 1e-4);
    QCOMPARE(root_.select("a.b.c[1].x")->as_string(), std::string("y"));
    QCOMPARE(root_.select("a.b.c[1].x")->place().text(), std::string("command line (a.b.c[1].x)"));
    QCOMPARE(root_.select("nothing.x")->as_bool(), true);
    QVERIFY(root_.select("steps.inner")->is_null());
    QVERIFY(root_.select("empty")->is_null());
    QCOMPARE(root_.select("prompt")->as_string(), std::string("a red circle, x=1"));
  }

  void bad_ones_show_the_place() {
    VERIFY_THROWS(ConfigError, apply_override(root_, "steps"), "command line", "an override is key=value",
                  "\n  steps\n       ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "=3"), "empty", "\n  =3\n  ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "a..b=3"), "empty", "\n  a..b=3\n    ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "a.=3"), "empty", "\n  a.=3\n    ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "a b=3"), "this character", "\n  a b=3\n   ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "words[2]=3"), "2 items, counted from 0",
                  "\n  words[2]=3\n        ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "words.x=3"), "needs a number", "\n  words.x=3\n        ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "prompt=日: b: c"), "not valid YAML",
                  "\n  prompt=日: b: c\n             ^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "words=[a"), "not valid YAML", "words=[a", "^");
    VERIFY_THROWS(ConfigError, apply_override(root_, "a={x: 1, x: 2}"), "given twice",
                  "\n  a={x: 1, x: 2}\n           ^");
  }
};

QTEST_APPLESS_MAIN(TestOverride)
#include "tst_override.moc"
