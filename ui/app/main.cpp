#include <cstdio>

#include <QApplication>
#include <QIcon>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/command_line.h"
#include "app/main_window.h"
#include "app/session.h"
#include "views/icons.h"

int main(int argc, char** argv) {
  using namespace attnscope::ui;
  const CommandLine line = parseCommandLine(std::vector<std::string>(argv + 1, argv + argc));
  if (!line.error.empty()) {
    std::fprintf(stderr, "attnscope: %s\nTry attnscope --help.\n", line.error.c_str());
    return 2;
  }
  if (line.help) {
    std::fputs(kHelpText, stdout);
    return 0;
  }
  if (line.version) {
    std::puts("attnscope " ATTNSCOPE_VERSION);
    return 0;
  }

  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("attnscope"));
  QApplication::setApplicationVersion(QStringLiteral(ATTNSCOPE_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("attnscope"));
  QApplication::setWindowIcon(icon(QStringLiteral("attnscope")));

  QTemporaryDir scratch;  // of a session that is not kept
  const std::unique_ptr<Session> session =
      line.session ? std::make_unique<Session>()
                   : std::make_unique<Session>(scratch.filePath(QStringLiteral("session.ini")));
  theme::apply(session->theme());
  MainWindow window(*session);
  window.show();
  window.openPath(QString::fromStdString(line.path));
  return QApplication::exec();
}
