#include "config/schema_reference.h"

#include <QFile>
#include <QtTest>

using namespace attnscope;

class TestSchemaReference : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // docs/config-reference.md is what the schemas say now. ATTNSCOPE_UPDATE_REFERENCE=1 writes it anew.
  void page_is_current() {
    QFile file(QStringLiteral(ATTNSCOPE_SOURCE_DIR "/docs/config-reference.md"));
    const QByteArray page = QByteArray::fromStdString(schema_reference());
    if (qEnvironmentVariableIntValue("ATTNSCOPE_UPDATE_REFERENCE") == 1) {
      QVERIFY(file.open(QIODevice::WriteOnly));
      QCOMPARE(file.write(page), page.size());
      return;
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(file.readAll() == page,
             "docs/config-reference.md is not what the schemas say. Run this test once with "
             "ATTNSCOPE_UPDATE_REFERENCE=1 and commit the file.");
  }

  void rows() {
    const QByteArray page = QByteArray::fromStdString(schema_reference());
    const auto has = [&](const char* text) {
      if (!page.contains(text)) qWarning("not in the page: %s", text);
      return page.contains(text);
    };
    QVERIFY(has("- [AttnScope run](#attnscope-run)\n"));
    QVERIFY(has("\n## AttnScope run\n\n"));
    QVERIFY(has("\n### `model`\n\n"));
    QVERIFY(has("| `model.path` | a path | required | A folder as diffusers' save\\_pretrained writes it. |\n"));
    QVERIFY(has("| `heatmaps.alpha` | a number from 0 to 1 | `0.6` | How strongly"));
    QVERIFY(has("| `attention.processors.*` | one of default, fused |  |"));
    QVERIFY(has("such as \"\\*attn1\\*\"."));
    QVERIFY(has("| `lora_unet[].rank` | a number of at least 0 | `1` |"));
    for (const QByteArray& line : page.split('\n')) {
      if (line.startsWith("| ")) QCOMPARE(QByteArray(line).replace("\\|", "").count('|'), 5);
    }
  }
};

QTEST_APPLESS_MAIN(TestSchemaReference)
#include "tst_schema_reference.moc"
