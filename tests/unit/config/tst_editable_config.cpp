#include "config/editable_config.h"

#include <QtTest>
#include <functional>

#include "config/errors.h"
#include "support/errors.h"

using namespace attnscope;

namespace {

using Edit = std::function<BytePatches(EditableConfig&)>;

ConfigPath at(const EditableConfig& config, const char* path) { return *find_path(config.root(), path); }

Edit set(const char* path, ConfigNode value) {
  return [=](EditableConfig& config) { return config.set(at(config, path), value); };
}
// A key, or several steps, that are not there yet.
Edit add(const char* parent, std::vector<ConfigKey> steps, ConfigNode value) {
  return [=](EditableConfig& config) {
    ConfigPath path = at(config, parent);
    path.insert(path.end(), steps.begin(), steps.end());
    return config.set(path, value);
  };
}
Edit insert(const char* container, std::size_t index, ConfigKey key, ConfigNode value) {
  return [=](EditableConfig& config) { return config.insert(at(config, container), index, key, value); };
}
Edit take_out(std::vector<const char*> names) {
  return [=](EditableConfig& config) {
    std::vector<ConfigPath> paths;
    for (const char* name : names) paths.push_back(at(config, name));
    return config.remove(paths);
  };
}

}  // namespace

Q_DECLARE_METATYPE(Edit)

class TestEditableConfig : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // "!text" as the result: refused with that text.
  void edits_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QByteArray>("after");
    const auto row = [](const char* name, const char* before, Edit edit, const char* after) {
      QTest::newRow(name) << QByteArray(before) << edit << QByteArray(after);
    };
    const ConfigNode dict(ConfigNode::Dict{{"x", ConfigNode(1)}, {"y", ConfigNode("two")}});

    row("set", "a: 'x' # c\nb: 1\n", set("a", "y"), "a: 'y' # c\nb: 1\n");
    ConfigNode typed(1.0);
    typed.set_text("1.00");
    row("set as typed", "a: 1.0\n", set("a", typed), "a: 1.00\n");
    row("set in a list", "- 1\n- [2, 3]\n", set("[1][0]", 5), "- 1\n- [5, 3]\n");
    row("new key, root", "a: 1\n", add("", {"b"}, 2), "a: 1\nb: 2\n");
    row("new key, nested", "a:\n    b: 1\nc: 2\n", add("a", {"d"}, "x"), "a:\n    b: 1\n    d: x\nc: 2\n");
    row("new key, brackets", "a: { b: 1 }\n", add("a", {"d"}, "x"), "a: { b: 1, d: x }\n");
    row("new key, empty brackets", "a: { }\n", add("a", {"d"}, "x"), "a: { d: x }\n");
    row("missing parents", "a:\n    b: 1\n", add("a", {"c", "d", "e"}, 1),
        "a:\n    b: 1\n    c:\n        d:\n            e: 1\n");
    row("null parent", "a: # c\nb: 1\n", add("a", {"d"}, 1), "a: # c\n  d: 1\nb: 1\n");
    row("null parent, written", "a: null # c\n#a:\n#  d: 2\nb: 1\n", add("a", {"d"}, 1),
        "a: # c\n  d: 1\n#a:\n#  d: 2\nb: 1\n");
    row("null item", "- # c\n- 1\n", add("[0]", {"d"}, 1), "- d: 1 # c\n- 1\n");
    row("null in brackets", "a: {b: null}\n", add("a.b", {"d"}, 1), "a: {b: {d: 1}}\n");
    row("no value in brackets", "a: {b, c}\n", set("a.b", 1), "a: {b: 1, c}\n");
    row("below a text", "a: x\n", add("a", {"b"}, 1), "!a is not a dict");
    row("empty file", "", add("", {"a", "b"}, 1), "a:\n  b: 1\n");
    row("comments only", "# c", add("", {"a"}, 1), "# c\na: 1");
    row("list item at the end", "a:\n- x\n# - y\nb: 1\n", add("a", {index_key(1)}, "z"), "a:\n- x\n- z\n# - y\nb: 1\n");
    row("list item beyond", "a: [1]\n", add("a", {index_key(3)}, 1), "!a has no item 3");
    row("dict into a list", "- x\n", add("", {index_key(1)}, dict), "- x\n- x: 1\n  y: two\n");
    row("dict into a dict", "a: 1", add("", {"b"}, dict), "a: 1\nb:\n  x: 1\n  y: two");
    row("CRLF and BOM",
        "\xEF\xBB\xBF"
        "a: 1\r\nb: 2",
        add("", {"c"}, 3),
        "\xEF\xBB\xBF"
        "a: 1\r\nb: 2\r\nc: 3");
    row("JSON", "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": [1, 2]\n    }\n}\n", add("b", {"d"}, "x"),
        "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": [1, 2],\n        \"d\": \"x\"\n    }\n}\n");
    row("JSON, dict", "{\n  \"a\": 1\n}\n", add("", {"d"}, dict),
        "{\n  \"a\": 1,\n  \"d\": {\"x\": 1, \"y\": \"two\"}\n}\n");
    row("JSON, null", "{\"a\": null}", add("a", {"b"}, "no"), "{\"a\": {\"b\": \"no\"}}");
    row("comment behind a last item", "a: [\n  x, # c\n  y # d\n]\n", add("a", {index_key(2)}, "z"),
        "a: [\n  x, # c\n  y, # d\n  z\n]\n");
    row("trailing comma", "a: [\n  x,\n  y, # d\n]\n", add("a", {index_key(2)}, "z"),
        "a: [\n  x,\n  y, # d\n  z,\n]\n");

    row("insert, block", "a: 1\n\n# c\nb: 2\n", insert("", 1, "n", 3), "a: 1\nn: 3\n\n# c\nb: 2\n");
    row("insert first", "a:\n  # c\n  b: 2\n", insert("a", 0, "n", 3), "a:\n  n: 3\n  # c\n  b: 2\n");
    row("insert first behind a dash", "- a: 1\n  b: 2\n", insert("[0]", 0, "n", 3), "- n: 3\n  a: 1\n  b: 2\n");
    row("insert first, file comment", "# file\na: 1\n", insert("", 0, "n", 3), "# file\nn: 3\na: 1\n");
    row("insert item", "- - a\n  - b\n", insert("[0]", 0, "", "c"), "- - c\n  - a\n  - b\n");
    row("insert in brackets", "a: [ 1,2 ]\n", insert("a", 0, "", 3), "a: [ 3, 1,2 ]\n");
    row("insert between lines", "a: [\n  x, # x\n  # y\n  y]\n", insert("a", 1, "", "z"),
        "a: [\n  x, # x\n  z,\n  # y\n  y]\n");
    row("insert first line", "a: {\n  # x\n  x: 1,\n}\n", insert("a", 0, "z", 1), "a: {\n  z: 1,\n  # x\n  x: 1,\n}\n");
    row("insert a key that is there", "a: 1\nb: 2\n", insert("", 0, "b", 3), "!a key b already");

    row("remove", "# a\na: 1 # c\nb: 2\n", take_out({"a"}), "# a\nb: 2\n");
    row("remove last key", "k: # c\n  # d\n  a: 1\n  # e\nb: 2\n", take_out({"k.a"}),
        "k: {} # c\n  # d\n  # e\nb: 2\n");
    row("remove last key, anchor", "k: &x\n  a: 1\nb: 2\n", take_out({"k.a"}), "k: &x {}\nb: 2\n");
    row("remove last key behind a dash", "- a: 1 # c\n- b\n", take_out({"[0].a"}), "- {} # c\n- b\n");
    row("remove all keys behind a dash", "- a: 1\n  b: 2\n- c\n", take_out({"[0].a", "[0].b"}), "- {}\n- c\n");
    row("remove last item", "k:\n- a\nb: 2\n", take_out({"k[0]"}), "k: []\nb: 2\n");
    row("remove last key of a file", "# c\na: 1\n", take_out({"a"}), "# c\n");
    row("remove last item of a file", "# c\n- a\n", take_out({"[0]"}), "# c\n[]\n");
    row("remove first behind a dash, comment", "- a: 1 # c\n  # d\n  b: 2\n", take_out({"[0].a"}),
        "-\n  # d\n  b: 2\n");
    row("remove several", "- a\n- b\n- c\n- d: 1\n  e: 2\n", take_out({"[0]", "[2]", "[3].d"}), "- b\n- e: 2\n");
    row("remove in brackets", "a: [1, 2, 3]\n", take_out({"a[1]"}), "a: [1, 3]\n");
    row("remove last in brackets", "a: { b: 1 }\n", take_out({"a.b"}), "a: { }\n");
    row("remove line in brackets", "a: [\n  x, # x\n  # y\n  y, # yy\n  z\n]\n", take_out({"a[1]"}),
        "a: [\n  x, # x\n  # y\n  z\n]\n");
    row("remove last line in brackets", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", take_out({"b"}), "{\n  \"a\": 1\n}\n");
    row("remove in a line before a line", "a: [x,\n  y,\n  z]\n", take_out({"a[0]", "a[1]"}), "a: [z]\n");
    row("remove at the end, no newline", "a: 1\nb: 2", take_out({"b"}), "a: 1");
    row("remove an alias", "a: &x 1\nb: *x\n", take_out({"b"}), "a: &x 1\n");
    row("remove an anchor in use", "a: &x 1\nb: *x\n", take_out({"a"}), "!does not read back");
    row("remove a merged key", "a: &x {p: 1}\nb:\n  <<: *x\n", take_out({"b.p"}), "!written in line 1");
    row("remove a key that hides a merged one", "a: &x {p: 1}\nb:\n  <<: *x\n  p: 2\n", take_out({"b.p"}),
        "!reads back as something else");
    row("remove behind an anchor", "a: &x\n  p: 1\n  q: 2\nb: *x\nc:\n  <<: *x\n", take_out({"a.p"}),
        "a: &x\n  q: 2\nb: *x\nc:\n  <<: *x\n");
    row("remove before a block text", "a: 1\nt: |\n  x\n\nb: 1\n", take_out({"t"}), "a: 1\n\nb: 1\n");

    row("anchored", "a: &x 1\nb: *x\n", set("a", 2), "a: &x 2\nb: *x\n");
    row("alias", "a: &x 1\nb: *x\n", set("b", 2), "!written in line 1");
    row("behind an alias", "a: &x {p: 1}\nb: *x\n", set("b.p", 2), "!also changes a.p");
    row("new key behind an alias", "a: &x {p: 1}\nb: *x\n", add("b", {"q"}, 2), "!written in line 1");
    row("new key in an anchor", "a: &x {p: 1}\nb: *x\nc: {<<: *x}\n", add("a", {"q"}, 2),
        "a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x}\n");
    row("bad interpolation", "a: 1\n", set("a", "${"), "!cannot be changed");
    row("text of ???", "a: 1\n", set("a", "\\???"), "a: \\???\n");
    row("nothing", "a: 1\n", set("a", 1), "a: 1\n");
  }

  void edits() {
    QFETCH(QByteArray, before);
    QFETCH(Edit, edit);
    QFETCH(QByteArray, after);
    EditableConfig config(before.toStdString(), "t");
    if (after.startsWith('!')) {
      VERIFY_THROWS(ConfigKindError, edit(config), after.mid(1).toStdString());
      QCOMPARE(QByteArray::fromStdString(config.bytes()), before);
      return;
    }
    const BytePatches patches = edit(config);
    QCOMPARE(QByteArray::fromStdString(config.bytes()), after);
    QCOMPARE(QByteArray::fromStdString(apply_patches(before.toStdString(), patches)), after);
    config.apply(inverse(patches));
    QCOMPARE(QByteArray::fromStdString(config.bytes()), before);
  }
};

QTEST_APPLESS_MAIN(TestEditableConfig)
#include "tst_editable_config.moc"
