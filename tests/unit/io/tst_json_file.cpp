#include "io/json_file.h"

#include <QtTest>

#include "io/atomic_file.h"
#include "io/mapped_file.h"
#include "support/errors.h"

using namespace attnscope;

class TestJsonFile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string written(std::string_view text) const {
    const std::string path = folder_.filePath("a.json").toStdString();
    write_file_atomic(path, text);
    return path;
  }

 private Q_SLOTS:
  void returns_what_was_written_in_order() {
    const nlohmann::ordered_json value{{"z", 1}, {"a", {1.5, nullptr, true}}, {"text", "日本"}};
    const std::string path = written("");
    write_json_file(path, value);
    QCOMPARE(read_file(path), std::string("{\n  \"z\": 1,\n  \"a\": [\n    1.5,\n    null,\n    true\n  ],\n"
                                          "  \"text\": \"日本\"\n}\n"));
    QVERIFY(read_ordered_json_file(path) == value);
    QVERIFY(read_json_file(path) == nlohmann::json(value));
  }

  void text_that_is_not_utf8_is_marked() {
    const std::string path = written("");
    write_json_file(path, {{"prompt", "a\xff"}});
    QCOMPARE(read_json_file(path).at("prompt").get<std::string>(), std::string("a\xEF\xBF\xBD"));
  }

  void errors_name_the_place() {
    const std::string path = folder_.filePath("a.json").toStdString();
    VERIFY_THROWS(LoadError, read_json_file(written("{\n  \"a\": 1,\n  \"b\": ?\n}")), path + ":3:8", "not valid JSON");
    VERIFY_THROWS(LoadError, read_json_file(written("{\"a\": 1")), path + ":1:", "not valid JSON", "end of input");
    VERIFY_THROWS(LoadError, read_json_file(written("")), path + ":1:1");
    VERIFY_THROWS(LoadError, read_json_file(written("{\"a\": {\"b\": 1, \"b\": 2}}")), path, "[b]", "twice");
    VERIFY_THROWS(LoadError, read_json_file(written("{\"a\": \"\xff\"}")), path + ":1:", "not valid JSON");
    VERIFY_THROWS(LoadError, read_json_file(written("{\"a\": 1e999}")), path, "not valid JSON");
    VERIFY_THROWS(LoadError, read_json_file(folder_.path().toStdString()), "is a folder");
    VERIFY_THROWS(LoadError, read_json_file("none.json"), "none.json", "no such file");
  }
};

QTEST_APPLESS_MAIN(TestJsonFile)
#include "tst_json_file.moc"
