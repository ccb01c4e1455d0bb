#include <thread>

#include <QSignalSpy>
#include <QTest>

#include "worker/run_mailbox.h"

using namespace attnscope::ui;

namespace {

void progress(RunMailbox& mailbox, quint64 job, int step) {
  mailbox.post(job, [&](RunNews& news) { news.progress = ProgressInfo{QStringLiteral("denoise"), step, 100}; });
}

}  // namespace

class TestRunMailbox : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void newestReplacesOlder();
  void warningsAreAllKept();
  void takingEmptiesIt();
  void tellsOnceUntilTaken();
  void otherJobsAreNotHeard();
  void nothingAfterTheEnd();
  void aNewJobStartsEmpty();
  void threadsMayWriteWhileItIsEmptied();
};

void TestRunMailbox::newestReplacesOlder() {
  RunMailbox mailbox;
  mailbox.open(1);
  for (int step = 1; step <= 9; ++step) {
    progress(mailbox, 1, step);
    mailbox.post(1, [&](RunNews& news) {
      for (int frame : {2, 0}) news.previews[frame] = {step, frame, {}};
      for (const char* word : {"square", "circle"}) {
        WordMaps maps;
        maps.text = QLatin1String(word);
        maps.frames = {{1, 1, {float(step)}}};
        news.setMaps(maps);
      }
    });
  }
  const RunNews news = mailbox.take();
  QCOMPARE(news.progress->step, 9);
  QCOMPARE(news.previews.size(), 2);
  for (const PreviewFrame& preview : news.previews) QCOMPARE(preview.step, 9);
  QCOMPARE(news.previews.firstKey(), 0);
  QCOMPARE(news.maps.size(), 2);
  QCOMPARE(news.maps[0].text, QStringLiteral("square"));
  for (const WordMaps& maps : news.maps) QCOMPARE(maps.frames[0].values[0], 9.0F);
}

void TestRunMailbox::warningsAreAllKept() {
  RunMailbox mailbox;
  mailbox.open(1);
  for (int i = 0; i < 50; ++i) {
    mailbox.post(1, [&](RunNews& news) { news.warnings << QString::number(i); });
    progress(mailbox, 1, i);
  }
  const QStringList warnings = mailbox.take().warnings;
  QCOMPARE(warnings.size(), 50);
  QCOMPARE(warnings.last(), QStringLiteral("49"));
}

void TestRunMailbox::takingEmptiesIt() {
  RunMailbox mailbox;
  mailbox.open(1);
  progress(mailbox, 1, 3);
  QVERIFY(mailbox.take().progress);
  const RunNews news = mailbox.take();
  QVERIFY(!news.progress && !news.end && news.maps.isEmpty() && news.previews.isEmpty() && news.warnings.isEmpty());
}

void TestRunMailbox::tellsOnceUntilTaken() {
  RunMailbox mailbox;
  QSignalSpy filled(&mailbox, &RunMailbox::filled);
  mailbox.open(1);
  for (int step = 0; step < 5; ++step) progress(mailbox, 1, step);
  QCOMPARE(filled.size(), 1);
  mailbox.take();
  progress(mailbox, 1, 5);
  QCOMPARE(filled.size(), 2);
}

void TestRunMailbox::otherJobsAreNotHeard() {
  RunMailbox mailbox;
  QSignalSpy filled(&mailbox, &RunMailbox::filled);
  mailbox.open(4);
  progress(mailbox, 3, 1);
  mailbox.post(5, [](RunNews& news) { news.end = RunEnd{}; });
  QCOMPARE(filled.size(), 0);
  progress(mailbox, 4, 7);
  const RunNews news = mailbox.take();
  QCOMPARE(news.progress->step, 7);
  QVERIFY(!news.end);
}

void TestRunMailbox::nothingAfterTheEnd() {
  RunMailbox mailbox;
  mailbox.open(1);
  progress(mailbox, 1, 1);
  mailbox.post(1, [](RunNews& news) { news.end = RunEnd{RunEnd::Kind::Cancelled, QStringLiteral("/out"), {}}; });
  progress(mailbox, 1, 2);
  mailbox.post(1, [](RunNews& news) { news.end = RunEnd{}; });
  const RunNews news = mailbox.take();
  QCOMPARE(news.progress->step, 1);
  QCOMPARE(news.end->kind, RunEnd::Kind::Cancelled);
  progress(mailbox, 1, 3);
  QVERIFY(!mailbox.take().progress);
}

void TestRunMailbox::aNewJobStartsEmpty() {
  RunMailbox mailbox;
  mailbox.open(1);
  progress(mailbox, 1, 1);
  mailbox.post(1, [](RunNews& news) { news.end = RunEnd{}; });
  mailbox.open(2);
  QSignalSpy filled(&mailbox, &RunMailbox::filled);
  progress(mailbox, 2, 8);
  QCOMPARE(filled.size(), 1);
  const RunNews news = mailbox.take();
  QCOMPARE(news.progress->step, 8);
  QVERIFY(!news.end);
}

void TestRunMailbox::threadsMayWriteWhileItIsEmptied() {
  RunMailbox mailbox;
  mailbox.open(1);
  constexpr int kCount = 20000;
  std::thread writer([&] {
    for (int i = 0; i < kCount; ++i)
      mailbox.post(1, [&](RunNews& news) {
        news.progress = ProgressInfo{QString(), i, kCount};
        if (i % 100 == 0) news.warnings << QString::number(i);
      });
    mailbox.post(1, [](RunNews& news) { news.end = RunEnd{}; });
  });
  int last = -1;
  qsizetype warnings = 0;
  bool ended = false, ordered = true;
  while (!ended) {
    const RunNews news = mailbox.take();
    if (news.progress) {
      ordered = ordered && news.progress->step > last;
      last = news.progress->step;
    }
    warnings += news.warnings.size();
    ended = news.end.has_value();
  }
  writer.join();
  QVERIFY(ordered);
  QCOMPARE(last, kCount - 1);
  QCOMPARE(warnings, qsizetype(kCount / 100));
}

QTEST_MAIN(TestRunMailbox)
#include "tst_run_mailbox.moc"
