#include "config/path.h"

#include <QtTest>
#include <stdexcept>

#include "config/byte_patch.h"
#include "config/diff.h"
#include "config/yaml_loader.h"

using namespace attnscope;

class TestPath : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void paths_and_their_text() {
    const ConfigNode root = load_yaml_text("a: {b.c: [1, {'x=y': 2}], 3: z, '[k]': 4}\n", "t");
    const ConfigPath deep{"a", "b.c", index_key(1), "x=y"};
    QCOMPARE(node_at(root, deep)->as_int(), int64_t{2});
    QCOMPARE(path_text(root, deep), std::string("a.b\\.c[1].x\\=y"));
    QCOMPARE(path_text(root, {}), std::string());
    QCOMPARE(path_text(root, {"a", ConfigKey::integer("3")}), std::string("a.3"));
    // Also of what is not there.
    QCOMPARE(path_text(root, {"a", "n", "m"}), std::string("a.n.m"));
    for (const ConfigPath& path :
         {deep, ConfigPath{"a", ConfigKey::integer("3")}, ConfigPath{"a", "[k]"}, ConfigPath{}})
      QCOMPARE(find_path(root, path_text(root, path)), std::optional<ConfigPath>(path));
    QCOMPARE(find_path(root, "a.b\\.c.1"), (std::optional<ConfigPath>({"a", "b.c", index_key(1)})));
    QVERIFY(!find_path(root, "a.b"));
    QVERIFY(!find_path(root, "a.b\\.c[2]"));
    QVERIFY(!node_at(root, {"a", "b.c", "1"}));  // text is no index
    QVERIFY(!node_at(root, {"a", "b.c", index_key(0), "x"}));
  }

  void indices_and_ancestors() {
    QCOMPARE(index_of(index_key(12)), std::optional<std::size_t>(12));
    QVERIFY(!index_of("12"));
    QVERIFY(!index_of(ConfigKey::integer("-1")));
    QVERIFY(starts_with({"a", "b"}, {"a"}));
    QVERIFY(starts_with({"a"}, {"a"}));
    QVERIFY(starts_with({"a"}, {}));
    QVERIFY(!starts_with({"a"}, {"a", "b"}));
    QVERIFY(!starts_with({"a", "b"}, {"b"}));
  }

  void patches_and_back() {
    const std::string text = "one two three";
    const BytePatches patches{{0, "one", "1"}, {4, "two", "zwei"}, {8, "", "und "}, {13, "", "!"}};
    const std::string after = apply_patches(text, patches);
    QCOMPARE(after, std::string("1 zwei und three!"));
    QCOMPARE(apply_patches(after, inverse(patches)), text);
    QCOMPARE(inverse(inverse(patches)), patches);
    QVERIFY_EXCEPTION_THROWN(apply_patches("other", patches), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(apply_patches("one", {{4, "", "x"}}), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(apply_patches("ab", {{0, "ab", ""}, {1, "b", ""}}), std::invalid_argument);
  }

  void the_patch_between_texts() {
    QVERIFY(difference("same", "same").empty());
    QCOMPARE(difference("a: 1\nb: 2\n", "a: 1\nb: 3\n"), (BytePatches{{8, "2", "3"}}));
    QCOMPARE(difference("aaa", "aa"), (BytePatches{{2, "a", ""}}));
    QCOMPARE(difference("", "x"), (BytePatches{{0, "", "x"}}));
    // ä and ö share their first byte, é and © their last.
    QCOMPARE(difference("xäy", "xöy"), (BytePatches{{1, "ä", "ö"}}));
    QCOMPARE(difference("\xC3\xA9", "\xC2\xA9"), (BytePatches{{0, "\xC3\xA9", "\xC2\xA9"}}));
  }

  void what_differs() {
    const auto diff = [](const char* before, const char* after) {
      QStringList out;
      const ConfigNode a = load_yaml_text(before, "a"), b = load_yaml_text(after, "b");
      for (const ConfigChange& change : diff_configs(a, b))
        out << QString("%1%2")
                   .arg("+-~"[static_cast<int>(change.kind)])
                   .arg(QString::fromStdString(path_text(a, change.path)));
      return out.join(' ');
    };
    QCOMPARE(diff("a: 1\nb: 2\n", "b: 2\na: 1\n"), QString());
    QCOMPARE(diff("a: 1\nb: {c: [1, 2]}\n", "a: 2\nb: {c: [1, 3, 4], d: 5}\n"), QString("~a ~b.c[1] +b.c[2] +b.d"));
    QCOMPARE(diff("a: {b: 1}\nc: 1\n", "a: [1]\n"), QString("~a -c"));
    QCOMPARE(diff("a: 1\n", "a: 1.0\n"), QString("~a"));
    QCOMPARE(diff("a: .nan\n", "a: .NaN\n"), QString());
  }
};

QTEST_APPLESS_MAIN(TestPath)
#include "tst_path.moc"
