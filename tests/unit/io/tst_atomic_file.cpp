#include "io/atomic_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest>
#include <csignal>
#include <random>

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

  // Does it as another user, the folder having that mode: what was refused, and what the file holds then.
  template <class Work>
  std::string as_somebody(const char* file, mode_t mode, const Work& work) {
    std::string text;
    ::chmod(folder_.path().toStdString().c_str(), mode);
    ::seteuid(65534);
    try {
      work();
    } catch (const FolderNotWritable& error) {
      text = std::string("folder: ") + error.what();
    } catch (const WriteError& error) {
      text = error.what();
    }
    ::seteuid(0);
    ::chmod(folder_.path().toStdString().c_str(), 0700);
    return text + read_file(path(file));
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

  void owner_and_group_are_kept() {
    if (::geteuid() != 0) QSKIP("needs root");
    write_file_atomic(path("owned"), "1");
    QCOMPARE(::chown(path("owned").c_str(), 65534, 1), 0);
    QCOMPARE(::chmod(path("owned").c_str(), 04640), 0);
    write_file_atomic(path("owned"), "2");
    struct stat info {};
    QCOMPARE(::stat(path("owned").c_str(), &info), 0);
    QCOMPARE(info.st_uid, uid_t{65534});
    QCOMPARE(info.st_gid, gid_t{1});
    QCOMPARE(info.st_mode & 07777, mode_t{04640});
  }

  void a_group_that_cannot_be_kept_gets_nothing_new() {
    if (::geteuid() != 0) QSKIP("needs root");
    write_file_atomic(path("shared"), "1");
    QCOMPARE(::chown(path("shared").c_str(), 0, 1), 0);
    QCOMPARE(::chmod(path("shared").c_str(), 02672), 0);
    QCOMPARE(as_somebody("shared", 0777, [&] { write_file_atomic(path("shared"), "2"); }), std::string("2"));
    struct stat info {};
    QCOMPARE(::stat(path("shared").c_str(), &info), 0);
    QCOMPARE(info.st_gid, ::getegid());
    QCOMPARE(info.st_mode & 07777, mode_t{0622});
  }

  void a_file_that_is_read_only() {
    if (::geteuid() != 0) QSKIP("needs root");
    write_file_atomic(path("fixed"), "old");
    QCOMPARE(::chmod(path("fixed").c_str(), 0444), 0);
    const std::string text = as_somebody("fixed", 0777, [&] { write_file_atomic(path("fixed"), "new"); });
    QVERIFY2(text.starts_with(path("fixed") + ": not writable"), text.c_str());
    QVERIFY2(text.ends_with("write another one.old"), text.c_str());
  }

  void a_file_in_a_folder_that_takes_none() {
    if (::geteuid() != 0) QSKIP("needs root");
    write_file_atomic(path("inside"), "old");
    QCOMPARE(::chmod(path("inside").c_str(), 0666), 0);
    const auto before = entries();
    for (const mode_t mode : {0755, 01777}) {
      const std::string text = as_somebody("inside", mode, [&] { write_file_atomic(path("inside"), "new"); });
      QVERIFY2(text.starts_with("folder: " + path("inside") + ": its folder"), text.c_str());
      QVERIFY2(text.ends_with("half a file.old"), text.c_str());
    }
    QCOMPARE(as_somebody("inside", 0755, [&] { write_file_direct(path("inside"), "new, and longer"); }),
             std::string("new, and longer"));
    QCOMPARE(as_somebody("inside", 0755, [&] { write_file_direct(path("inside"), "x"); }), std::string("x"));
    QCOMPARE(entries(), before);
    VERIFY_THROWS(WriteError, write_file_direct("/dev/full", "x"), "/dev/full", "disk full");
    VERIFY_THROWS(WriteError, write_file_direct(path("none/a"), "x"), path("none/a"), "folder does not exist");
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

  // A writer that is killed at any instant leaves the old content or the new one, through a link as well.
  void kills_lose_nothing() {
    const std::string texts[] = {std::string(200'000, 'a') + "old\n", std::string(150'000, 'b') + "new\n"};
    const std::string target = path("target.yaml"), link = path("link.yaml");
    write_file_atomic(target, texts[0]);
    QCOMPARE(::chmod(target.c_str(), 0640), 0);
    QCOMPARE(::symlink("target.yaml", link.c_str()), 0);
    std::mt19937 random(7);
    int seen[2] = {0, 0}, changes = 0, last = 0;
    for (int kill = 0; kill < 1000; ++kill) {
      const pid_t writer = ::fork();
      QVERIFY(writer >= 0);
      if (writer == 0) {
        for (int i = last + 1;; ++i) write_file_atomic(kill % 2 ? link : target, texts[i % 2]);
      }
      ::usleep(random() % 8000);
      QCOMPARE(::kill(writer, SIGKILL), 0);
      QCOMPARE(::waitpid(writer, nullptr, 0), writer);
      const std::string left = read_file(target);
      const int which = left == texts[0] ? 0 : left == texts[1] ? 1 : -1;
      QVERIFY2(which >= 0, qPrintable(QStringLiteral("kill %1: %2 bytes").arg(kill).arg(left.size())));
      ++seen[which];
      changes += which != last;
      last = which;
    }
    // The kills came while it was written: both were found, in turns.
    QVERIFY2(seen[0] > 50 && seen[1] > 50 && changes > 50,
             qPrintable(QStringLiteral("%1 and %2, %3 changes").arg(seen[0]).arg(seen[1]).arg(changes)));
    QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
    struct stat info {};
    QCOMPARE(::stat(target.c_str(), &info), 0);
    QCOMPARE(int(info.st_mode & 0777), 0640);
  }
};

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "tst_atomic_file.moc"
