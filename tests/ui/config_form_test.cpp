#include "config_form_test.h"

namespace attnscope::ui {

void ConfigFormTest::setUp() { m_dir = std::make_unique<QTemporaryDir>(); }

void ConfigFormTest::tearDown() {
  m_form.reset();
  m_document.reset();
  m_dir.reset();
}

void ConfigFormTest::open(const QByteArray& bytes) {
  const QString path = m_dir->filePath(QStringLiteral("a.yaml"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  file.close();
  m_document = std::make_unique<ConfigDocument>();
  m_form = std::make_unique<ConfigForm>(m_document.get());
  new QAbstractItemModelTester(m_form->model(), QAbstractItemModelTester::FailureReportingMode::Fatal, m_form.get());
  m_form->resize(520, 420);
  m_form->show();
  QSignalSpy changed(m_document.get(), &ConfigDocument::snapshotChanged);
  m_document->open(path);
  QTRY_VERIFY(!changed.isEmpty() && !m_document->isBusy());
  QVERIFY(QTest::qWaitForWindowActive(m_form.get()));
  m_form->tree()->setFocus();
}

void ConfigFormTest::settle() { QTRY_VERIFY(!m_document->isBusy()); }

QModelIndex ConfigFormTest::at(const char* path, int column) const {
  const ConfigNode* root = m_form->model()->snapshot().shown.get();
  const auto found = root ? find_path(*root, path) : std::nullopt;
  return found ? m_form->model()->indexOf(*found, column) : QModelIndex();
}

void ConfigFormTest::select(const char* path) {
  QVERIFY2(at(path).isValid(), path);
  m_form->selectPath(m_form->model()->pathAt(at(path)));
  QCOMPARE(m_form->tree()->currentIndex(), at(path));
}

void ConfigFormTest::type(const char* path, const QString& text) {
  select(path);
  key(Qt::Key_Return);
  QVERIFY(line());
  QTest::keyClicks(line(), text);
  QTest::keyClick(line(), Qt::Key_Return);
  QTRY_VERIFY(!line());
  settle();
}

}  // namespace attnscope::ui
