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

Edit rename_key(const char* path, ConfigKey key) {
  return [=](EditableConfig& config) { return config.rename(at(config, path), key); };
}
Edit move_to(const char* path, const char* container, std::size_t index) {
  return [=](EditableConfig& config) { return config.move(at(config, path), at(config, container), index); };
}
Edit duplicate(const char* path, ConfigKey key) {
  return [=](EditableConfig& config) { return config.duplicate(at(config, path), key); };
}
Edit comment(const char* path, std::string above, std::string behind) {
  return [=](EditableConfig& config) {
    BytePatches patches = config.set_comments(at(config, path), {above, behind});
    if (config.comments(at(config, path)) != EditableConfig::Comments{above, behind})
      throw std::logic_error("comments");
    return patches;
  };
}
Edit beside(const char* path, ConfigNode value) {
  return [=](EditableConfig& config) { return config.override_beside(at(config, path), value); };
}

}  // namespace

Q_DECLARE_METATYPE(Edit)

class TestEditableConfig : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void spans_lie_in_texts_with_odd_line_ends() {
    const std::string text = "- a\n- - b\n  \u2029- c\n- e: 1\n  f: 2\n- {g: 3}\n-\n";
    const EditableConfig config(text, "odd");
    for (std::size_t i = 0; i < config.root().items().size(); ++i)
      for (const bool with_key : {false, true}) {
        const auto [begin, end] = config.span({index_key(i)}, with_key);
        QVERIFY(begin <= end && end <= text.size());
      }
    for (std::size_t i = 0; i < config.root().items()[1].items().size(); ++i) {
      const auto [begin, end] = config.span({index_key(1), index_key(i)}, true);
      QVERIFY(begin <= end && end <= text.size());
    }
  }

  // Commas that touch their neighbours: every move is done and undone, or refused.
  void moves_in_a_tight_flow() {
    const std::string text = "{\"\":,a\" 1: ,0b\": ,1\"d\":: {}}\n";
    EditableConfig config(text, "flow");
    std::vector<ConfigPath> paths{{}};
    for (const auto& [key, value] : config.root().members()) paths.push_back({key});
    for (const ConfigPath& from : paths)
      for (const ConfigPath& to : paths)
        for (std::size_t index = 0; index < 6; ++index) {
          try {
            config.apply(inverse(config.move(from, to, index)));
          } catch (const ConfigError&) {
          }
          QCOMPARE(config.bytes(), text);
        }
  }

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
    row("replace a block text with +", "a: |+\n  x\n\nb: 1\n", set("a", 2), "a: 2\nb: 1\n");
    row("remove the only block text with +", "- a: |+\n    x\n\n- b\n", take_out({"[0].a"}), "- {}\n- b\n");
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

    row("rename", "a : &x 'v' # c\nb: 1\n", rename_key("a", "n"), "n : &x 'v' # c\nb: 1\n");
    row("rename in quotes", "'a': 1\n\"b\": 2\n", rename_key("a", "it's"), "'it''s': 1\n\"b\": 2\n");
    row("rename in brackets", "{a: 1, b: 2}\n", rename_key("b", "c: d"), "{a: 1, \"c: d\": 2}\n");
    row("rename to a number", "a: 1\n", rename_key("a", ConfigKey::integer("3")), "3: 1\n");
    row("rename to text of a number", "a: 1\n", rename_key("a", "3"), "\"3\": 1\n");
    row("rename to a key that is there", "a: 1\nb: 2\n", rename_key("a", "b"), "!a key b already");
    row("rename an item", "- a\n", rename_key("[0]", "b"), "!an item has no key");
    row("rename what hides a merged key", "a: &x {p: 1}\nb:\n  <<: *x\n  p: 2\n", rename_key("b.p", "q"),
        "!reads back as something else");

    row("reorder", "# a\na: 1 # aa\n\n# b\nb:\n  x: 1\nc: 3\n", move_to("b", "", 0),
        "# a\n# b\nb:\n  x: 1\na: 1 # aa\n\nc: 3\n");
    row("reorder to the end", "a: 1\nb: 2", move_to("a", "", 2), "b: 2\na: 1");
    row("reorder from the end", "a: 1\nb: 2", move_to("b", "", 0), "b: 2\na: 1");
    row("reorder in its place", "a: 1\nb: 2\n", move_to("a", "", 1), "a: 1\nb: 2\n");
    row("reorder, commented-out item below", "l:\n  - a\n  - b\n  # - c\nk: 1\n", move_to("l[0]", "l", 2),
        "l:\n  - b\n  - a\n  # - c\nk: 1\n");
    row("reorder items", "- a: 1\n  b: 2\n- c # d\n", move_to("[1]", "", 0), "- c # d\n- a: 1\n  b: 2\n");
    row("reorder behind a dash", "- a: 1\n  b: 2\n", move_to("[0].b", "[0]", 0), "- b: 2\n  a: 1\n");
    row("reorder behind a dash, away", "- a: 1\n  b: 2\n  c: 3\n", move_to("[0].a", "[0]", 3),
        "- b: 2\n  c: 3\n  a: 1\n");
    row("reorder in brackets", "a: [ 1,2,  3 ]\n", move_to("a[0]", "a", 3), "a: [ 2,3,  1 ]\n");
    row("reorder keys in brackets", "a: {x: 1,  y: 2}\n", move_to("a.y", "a", 0), "a: {y: 2,  x: 1}\n");
    row("reorder lines in brackets", "[\n  a, # a\n  # b\n  b,\n  c # c\n]\n", move_to("[1]", "", 3),
        "[\n  a, # a\n  c, # c\n  # b\n  b\n]\n");
    row("move deeper", "# a\na: 1 # aa\nb:\n    c:\n        d: 1\n", move_to("a", "b.c", 1),
        "b:\n    c:\n        d: 1\n        # a\n        a: 1 # aa\n");
    row("move a dict out",
        "a:\n    b:\n        c: |\n            x\n              y\n        d: [1,\n          2]\n    e: 1\n",
        move_to("a.b", "", 1), "a:\n    e: 1\nb:\n    c: |\n        x\n          y\n    d: [1,\n      2]\n");
    row("move the only key", "a:\n  b: 1\nc:\n  d: 1\n", move_to("a.b", "c", 0), "a: {}\nc:\n  b: 1\n  d: 1\n");
    row("move into null", "a: 1 # x\nb: # c\n# d\n", move_to("a", "b", 0), "b: # c\n  a: 1 # x\n# d\n");
    row("move into empty brackets", "a: 1\nb: {}\n", move_to("a", "b", 0), "b: {a: 1}\n");
    row("move a block into empty brackets", "a:\n  x: 1\nb: {}\n", move_to("a", "b", 0), "b:\n  a:\n    x: 1\n");
    row("move into brackets", "a:\n  x: [1]\nb: { c: 1 }\n", move_to("a", "b", 1), "b: { c: 1, a: {x: [1]} }\n");
    row("move into brackets, comment", "a: 1 # c\nb: {c: 1}\n", move_to("a", "b", 1), "!comments have no room");
    row("move into brackets, comment above", "# c\na: 1\nb: {c: 1}\n", move_to("a", "b", 1), "!comments have no room");
    row("move out of brackets", "a: {x: 1, y: [2]}\n", move_to("a.y", "", 0), "y: [2]\na: {x: 1}\n");
    row("move a line out of brackets", "a: {\n  # x\n  x: 1, # xx\n  y: 2\n}\n", move_to("a.x", "", 1),
        "a: {\n  y: 2\n}\n# x\nx: 1 # xx\n");
    row("move between brackets", "a: [1, 2]\nb: [3]\n", move_to("a[1]", "b", 0), "a: [1]\nb: [2, 3]\n");
    row("move a key into a list", "a:\n  x: 1\nl:\n- 1\n", move_to("a", "l", 1), "l:\n- 1\n- x: 1\n");
    row("move a key with comments into a list", "a: # c\n  # d\n  x: 1\nl:\n- 1\n", move_to("a", "l", 1),
        "l:\n- 1\n- # c\n  # d\n  x: 1\n");
    row("move an item into a dict", "a:\n- 1\n- 2\n", move_to("a[0]", "", 0), "!an item has no key");
    row("move within lists", "- - a\n  - b\n- - c\n", move_to("[0][0]", "[1]", 0), "- - b\n- - a\n  - c\n");
    row("move into a later item", "- 1\n- [2]\n", move_to("[0]", "[1]", 0), "- [1, 2]\n");
    row("move out of an item", "- [1, 2]\n- 3\n", move_to("[0][0]", "", 0), "- 1\n- [2]\n- 3\n");
    row("move into itself", "a:\n  b: 1\n", move_to("a", "a", 0), "!into itself");
    row("move onto a key", "a: 1\nb:\n  a: 2\n", move_to("a", "b", 0), "!a key a already");
    row("move an anchor behind its alias", "a: &x 1\nb: *x\n", move_to("a", "", 2), "!does not read back");
    row("move CRLF", "a: 1\r\nb:\r\n  # d\r\n  d: 2", move_to("b.d", "", 0), "# d\r\nd: 2\r\na: 1\r\nb: {}");

    row("duplicate", "a: &x 'v' # c\nb: 1\n", duplicate("a", "n"), "a: &x 'v' # c\nn: 'v' # c\nb: 1\n");
    row("duplicate a dict", "a:\n  b: &x 1 # c\n  d: *x", duplicate("a", "n"),
        "a:\n  b: &x 1 # c\n  d: *x\nn:\n  b: 1 # c\n  d: *x");
    row("duplicate a dict with an anchor", "a: &x\n  b: &y 1\n  d: 2", duplicate("a", "n"),
        "a: &x\n  b: &y 1\n  d: 2\nn:\n  b: 1\n  d: 2");
    row("duplicate an item", "- a: 1\n  b: 2\n- c\n", duplicate("[0]", ""), "- a: 1\n  b: 2\n- a: 1\n  b: 2\n- c\n");
    row("duplicate in brackets", "a: [ 1,2 ]\n", duplicate("a[0]", ""), "a: [ 1, 1,2 ]\n");
    row("duplicate in JSON", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", duplicate("a", "c"),
        "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": {\n    \"b\": 1\n  }\n}\n");
    row("duplicate onto a key", "a: 1\nb: 2\n", duplicate("a", "b"), "!a key b already");

    row("comment above", "a:\n  b: 1\n", comment("a.b", "one\n\n two", ""), "a:\n  # one\n  #\n  #  two\n  b: 1\n");
    row("comment behind", "a: 1\n", comment("a", "", "c"), "a: 1 # c\n");
    row("comment as the file's", "#x\n\na: 1\n#y\n", comment("a", "", "c"), "#x\n\na: 1 #c\n#y\n");
    row("comment changed", "# one\n#two\na: 1   #  c\n", comment("a", "zero\ntwo", "d"), "# zero\n#two\na: 1   # d\n");
    row("comment kept", "#two\na: 1   #c\n", comment("a", "one\ntwo", "c"), "#one\n#two\na: 1   #c\n");
    row("comment removed", "# one\na: 1   # c\n", comment("a", "", ""), "a: 1\n");
    row("comment behind a block", "a:\n  b: |\n    x\n", comment("a", "", "c"), "a: # c\n  b: |\n    x\n");
    row("comment behind a block text", "a: |\n  # x\nb: 1\n", comment("a", "", "c"), "a: | # c\n  # x\nb: 1\n");
    row("comment below a block text", "a: |\n  # x\nb: 1\n", comment("b", "c", ""), "a: |\n  # x\n# c\nb: 1\n");
    row("comment in brackets", "[\n  1,\n  2\n]\n", comment("[0]", "a", "b"), "[\n  # a\n  1, # b\n  2\n]\n");
    row("comment behind a bracket's last", "[\n  1,\n  2\n]\n", comment("[1]", "", "b"), "[\n  1,\n  2 # b\n]\n");
    row("comment in a line of brackets", "[1, 2]\n", comment("[0]", "", "b"), "!something else stands behind");
    row("comment above in a line of brackets", "[1, 2]\n", comment("[1]", "b", ""), "!begin its line");
    row("comment behind an empty value", "a:\nb: 1\n", comment("a", "", "c"), "a: # c\nb: 1\n");
    row("comment of two lines behind", "a: 1\n", comment("a", "", "c\nd"), "!is one line");

    row("beside, merged key", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  r: 3\n", beside("b.p", 5),
        "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  r: 3\n  p: 5\n");
    row("beside, below a merged key", "a: &x\n  p: {q: 1, r: 2}\nb: {<<: *x}\n", beside("b.p.q", 5),
        "a: &x\n  p: {q: 1, r: 2}\nb: {<<: *x, p: {q: 5, r: 2}}\n");
    row("beside, alias", "a: &x 1\nb: *x # c\n", beside("b", 5), "a: &x 1\nb: 5 # c\n");
    row("beside, alias of a dict", "a: &x {p: 1, q: 2}\nb: *x # c\n", beside("b.q", 5),
        "a: &x {p: 1, q: 2}\nb: # c\n  <<: *x\n  q: 5\n");
    row("beside, alias of a dict in brackets", "a: &x {p: 1, q: 2}\nb: {c: *x}\n", beside("b.c.q", 5),
        "a: &x {p: 1, q: 2}\nb: {c: {<<: *x, q: 5}}\n");
    row("beside, alias of a dict as an item", "- &x {p: 1, q: 2}\n- *x\n", beside("[1].q", 5),
        "- &x {p: 1, q: 2}\n- <<: *x\n  q: 5\n");
    row("beside, alias of a list", "a: &x [1, 2]\nb: *x\n", beside("b[1]", 5), "a: &x [1, 2]\nb: [1, 5]\n");
    row("beside, where it is written", "a: &x {p: 1}\nb: 2\n", beside("b", 5), "a: &x {p: 1}\nb: 5\n");
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

  void new_keys_go_without_a_trace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("parent");
    int rows = 0;
    const auto row = [&](const char* text, const char* parent) {
      QTest::addRow("%d %s", ++rows, parent) << QByteArray(text) << QString(parent);
    };
    for (const char* text : {"a: 1\n", "a: 1", "", "# c\n", "# c", "\xEF\xBB\xBF# c\r\na: 1", "{a: 1}\n",
                             "{\n  \"a\": 1\n}", "{ }\n", "---\na: 1\n", "a: |\n  x\n\n"})
      row(text, "");
    for (const char* text :
         {"p:\n  a: 1\n", "p:\n    a: 1\n# c\nq: 1", "p: {}\n", "p: {  }", "p: { a: 1 }\n", "p: {a: 1,}\n",
          "p:\n  a:\n  # b: 1\n", "p: {\n  a: 1, # c\n  b: 2, # d\n}\n", "p: {a: 1,\n  b: 2}\n",
          "{\n    \"p\": {\n        \"a\": 1\n    }\n}\n", "p:\n  - a: |\n      x\n"})
      row(text, std::string_view(text).find("- a") == std::string_view::npos ? "p" : "p[0]");
  }

  void new_keys_go_without_a_trace() {
    QFETCH(QByteArray, text);
    QFETCH(QString, parent);
    for (const ConfigNode& value :
         {ConfigNode(1), ConfigNode("x, y"), ConfigNode(ConfigNode::Dict{{"k", ConfigNode(1)}})}) {
      EditableConfig config(text.toStdString(), "t");
      ConfigPath path = at(config, qPrintable(parent));
      path.push_back("new");
      QVERIFY(!config.set(path, value).empty());
      QCOMPARE(*node_at(config.root(), path), value);
      config.remove({path});
      QCOMPARE(QByteArray::fromStdString(config.bytes()), text);
    }
  }

  void many_values_at_once() {
    EditableConfig config("a:\n  x: 1\nb:\nc: [1]\n", "t");
    const auto key = [](std::vector<ConfigKey> steps) { return ConfigPath(steps.begin(), steps.end()); };
    config.set_all({{key({"a", "x"}), 2},
                    {key({"a", "n", "p"}), 3},
                    {key({"a", "n", "q"}), 4},
                    {key({"b", "r"}), 5},
                    {key({"b", "s"}), 6},
                    {key({"c", index_key(0)}), 7},
                    {key({"c", index_key(1)}), 8},
                    {key({"c", index_key(2)}), 9},
                    {key({"d"}), true}});
    QCOMPARE(QByteArray::fromStdString(config.bytes()),
             QByteArray("a:\n  x: 2\n  n:\n    p: 3\n    q: 4\nb:\n  r: 5\n  s: 6\nc: [7, 8, 9]\nd: true\n"));
    VERIFY_THROWS(ConfigKindError, config.set_all({{key({"a", "x"}), 3}, {key({"d", "e"}), 4}}), "d is not a dict");
    QCOMPARE(node_at(config.root(), key({"a", "x"}))->as_int(), int64_t{2});
  }

  void what_else_changes() {
    const EditableConfig config("a: &x {p: &y 1, q: 2}\nb: *x\nc:\n  <<: *x\n  q: 3\nd: [*y]\n", "t");
    const auto others = [&](const char* path) {
      QStringList out;
      for (const ConfigPath& other : config.also_changes(at(config, path)))
        out << QString::fromStdString(path_text(config.root(), other));
      return out.join(' ');
    };
    QCOMPARE(others("a.p"), QString("b.p c.p d[0]"));
    QCOMPARE(others("a.q"), QString("b.q"));
    QCOMPARE(others("c.p"), QString("a.p b.p d[0]"));
    QCOMPARE(others("c.q"), QString());
    QCOMPARE(others("a"), QString("b"));
  }

  void places() {
    const std::string text =
        "\xEF\xBB\xBF# top\na: 'ä' # é\nb:\n  - x: 1\n    y: |\n      t\n\n  # - z\n  - [2, 3] # n\nc: &q {d: 4}\ne: "
        "*q\nf: {<<: *q}\n";
    const EditableConfig config(text, "t");
    const auto spanned = [&](const char* path, bool with_key) {
      const auto [begin, end] = config.span(at(config, path), with_key);
      return QByteArray::fromStdString(text.substr(begin, end - begin));
    };
    QCOMPARE(spanned("a", false), QByteArray("'ä'"));
    QCOMPARE(spanned("a", true), QByteArray("a: 'ä'"));
    QCOMPARE(spanned("b[0].y", false), QByteArray("|\n      t"));
    QCOMPARE(spanned("b[0]", true), QByteArray("- x: 1\n    y: |\n      t"));
    QCOMPARE(spanned("b[1][1]", false), QByteArray("3"));
    QCOMPARE(spanned("c", false), QByteArray("&q {d: 4}"));
    QCOMPARE(spanned("e", false), QByteArray("*q"));
    QCOMPARE(spanned("e.d", true), QByteArray("d: 4"));
    QCOMPARE(spanned("f.d", true), QByteArray("d: 4"));
    const auto path_of = [&](const char* what) {
      return QString::fromStdString(path_text(config.root(), config.path_at(text.find(what))));
    };
    QCOMPARE(path_of("# top"), QString());
    QCOMPARE(path_of("a:"), QString("a"));
    QCOMPARE(path_of(" é"), QString("a"));
    QCOMPARE(path_of("b:"), QString("b"));
    QCOMPARE(path_of("- x"), QString("b[0]"));
    QCOMPARE(path_of("x: 1"), QString("b[0].x"));
    QCOMPARE(path_of("    y"), QString("b[0].y"));
    QCOMPARE(path_of("t\n\n"), QString("b[0].y"));
    QCOMPARE(path_of("# - z"), QString("b"));
    QCOMPARE(path_of("3]"), QString("b[1][1]"));
    QCOMPARE(path_of("# n"), QString("b[1]"));
    QCOMPARE(path_of("d: 4"), QString("c.d"));
    QCOMPARE(path_of("*q\nf"), QString("e"));
    QCOMPARE(path_of("<<"), QString("f"));
  }
};

QTEST_APPLESS_MAIN(TestEditableConfig)
#include "tst_editable_config.moc"
