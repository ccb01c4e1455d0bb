#include "io/atomic_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>
#include <csignal>

#include "io/mapped_file.h"
#include "support/errors.h"

using namespace attnscope;

class TestAtomicFile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)).toStdString(); }
  qsizetype entries() const {
    return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size();
  }

 private Q_SLOTS:
  void replaces_at_commit_only() {
    write_file_atomic(path("a"), "old");
    {
      AtomicFile file(path("a"));
      file.write("new ");
      QCOMPARE(read_file(path("a")), std::string("old"));
      file.write("content");
      file.commit();
    }
    QCOMPARE(read_file(path("a")), std::string("new content"));
  }

  void nothing_stays_without_commit() {
    const auto before = entries();
    {
      AtomicFile file(path("never"));
      file.write("x");
    }
    QCOMPARE(entries(), before);
  }

  void mode_is_kept_and_a_new_file_follows_the_umask() {
    write_file_atomic(path("mode"), "1");
    struct stat info {};
    QCOMPARE(::stat(path("mode").c_str(), &info), 0);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    QCOMPARE(info.st_mode & 07777, 0666 & ~mask);
    QCOMPARE(::chmod(path("mode").c_str(), 0640), 0);
    write_file_atomic(path("mode"), "2");
    QCOMPARE(::stat(path("mode").c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t{0640});
  }

  void writes_through_a_link() {
    QVERIFY(QDir(folder_.path()).mkdir("sub"));
    QCOMPARE(::symlink("sub/target", path("link").c_str()), 0);
    write_file_atomic(path("link"), "first");  // the target does not exist yet
    write_file_atomic(path("link"), "text");
    QVERIFY(QFileInfo(folder_.filePath("link")).isSymLink());
    QCOMPARE(read_file(path("sub/target")), std::string("text"));
    QCOMPARE(::symlink("loop", path("loop").c_str()), 0);
    VERIFY_THROWS(WriteError, AtomicFile(path("loop")), "loop", "symbolic links");
  }

  void a_bare_name_means_the_current_folder() {
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder_.path()));
    write_file_atomic("bare", "x");
    QVERIFY(QDir::setCurrent(before));
    QCOMPARE(read_file(path("bare")), std::string("x"));
  }

  void failures_name_the_file() {
    VERIFY_THROWS(WriteError, AtomicFile(""), "no file name");
    VERIFY_THROWS(WriteError, AtomicFile(folder_.path().toStdString()), "is a folder");
    VERIFY_THROWS(WriteError, AtomicFile(path("none/a")), path("none/a"), "folder does not exist");
    VERIFY_THROWS(WriteError, write_file_atomic("/dev/full", "x"), "/dev/full", "disk full");
    VERIFY_THROWS(WriteError, AtomicFile("/proc/self/a"), "/proc/self/a");
  }

  void a_folder_one_may_not_write_to() {
    QVERIFY(QDir(folder_.path()).mkdir("locked"));
    QCOMPARE(::chmod(path("locked").c_str(), 0555), 0);
    const bool root = ::geteuid() == 0;  // may write everywhere, so be somebody else for a moment
    if (root) {
      QCOMPARE(::chmod(folder_.path().toStdString().c_str(), 0755), 0);
      QCOMPARE(::seteuid(65534), 0);
    }
    std::string text;
    try {
      AtomicFile file(path("locked/a"));
    } catch (const WriteError& error) {
      text = error.what();
    }
    if (root) QCOMPARE(::seteuid(0), 0);
    QVERIFY2(text.find(path("locked/a") + ": not writable") != std::string::npos, text.c_str());
  }

  void a_write_that_stops_half_way_leaves_the_old_file() {
    write_file_atomic(path("full"), "old");
    const auto before = entries();
    std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit old {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit small = old;
    small.rlim_cur = 1000;
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string text;
    try {
      write_file_atomic(path("full"), std::string(100'000, 'x'));
    } catch (const WriteError& error) {
      text = error.what();
    }
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &old), 0);
    QVERIFY2(text.find(path("full")) != std::string::npos, text.c_str());
    QCOMPARE(read_file(path("full")), std::string("old"));
    QCOMPARE(entries(), before);
  }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
