// The config window's part of ./dev bench: opening, editing and saving large files in the real form, without a display.
//   attnscope-window-bench [RUNS [LEAVES]]
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeView>
#include <nlohmann/json.hpp>

#include "documents/config_document.h"
#include "support/large_config.h"
#include "views/config_editor.h"
#include "views/config_form.h"
#include "views/config_tree_view.h"

using namespace attnscope;
using namespace attnscope::ui;
using json = nlohmann::ordered_json;

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

json summary(const std::vector<double>& values) {
  return {{"median", median(values)}, {"max", *std::max_element(values.begin(), values.end())}};
}

double resident_mib() {
  std::ifstream statm("/proc/self/statm");
  long pages = 0, resident = 0;
  statm >> pages >> resident;
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

double elapsed(const QElapsedTimer& timer) { return double(timer.nsecsElapsed()) / 1e6; }

// From a call to the picture: the snapshot is there, the form was synced to it and painted.
void settle(ConfigDocument& document, QWidget& window) {
  while (document.isBusy()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  QCoreApplication::sendPostedEvents();
  QCoreApplication::processEvents();
  window.repaint();
}

// The longest time that the window's loop was not free, seen by a timer that is always due.
class Gaps {
 public:
  Gaps() {
    QObject::connect(&timer_, &QTimer::timeout, [this] {
      longest = std::max(longest, elapsed(last_));
      last_.start();
    });
    last_.start();
    timer_.start(0);
  }
  double longest = 0;

 private:
  QTimer timer_;
  QElapsedTimer last_;
};

json measure(std::size_t leaves, int runs) {
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("large.yaml"));
  const std::string text = large_config(leaves);
  {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0)
      throw std::runtime_error("cannot write " + path.toStdString());
  }
  std::vector<double> opens, edits, undos, types, saves, memory, gaps;
  for (int run = 0; run < runs; ++run) {
    ConfigDocument document;
    ConfigEditor editor(&document);
    editor.resize(500, 900);
    editor.show();
    QCoreApplication::processEvents();
    const double before = resident_mib();
    auto watched = std::make_unique<Gaps>();
    QElapsedTimer timer;
    timer.start();
    bool opened = false;
    QObject::connect(&document, &ConfigDocument::opened, [&opened] { opened = true; });
    document.open(path);
    while (!opened) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    settle(document, editor);
    opens.push_back(elapsed(timer));
    memory.push_back(resident_mib() - before);
    gaps.push_back(watched->longest);
    watched.reset();
    const ConfigPath leaf{"section_0003", "group_1", "steps"};
    editor.form()->selectPath(leaf);
    settle(document, editor);
    for (int i = 0; i < 10; ++i) {
      timer.start();
      document.setValue(leaf, ConfigNode(1000 + i));
      settle(document, editor);
      edits.push_back(elapsed(timer));
    }
    for (int i = 0; i < 5; ++i) {
      timer.start();
      document.undoStack()->undo();
      settle(document, editor);
      undos.push_back(elapsed(timer));
    }
    for (int i = 0; i < 5; ++i) {
      timer.start();
      document.replaceText(document.positionOfLine(2, 7), 0, QStringLiteral("1"));
      settle(document, editor);
      types.push_back(elapsed(timer));
    }
    bool saved = false;
    QObject::connect(&document, &ConfigDocument::saved, [&saved] { saved = true; });
    timer.start();
    document.save();
    while (!saved) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    saves.push_back(elapsed(timer));
    settle(document, editor);
  }
  return {{"leaves", leaves},
          {"bytes", text.size()},
          {"open_ms", summary(opens)},
          {"open_longest_gap_ms", summary(gaps)},
          {"memory_mib", summary(memory)},
          {"edit_ms", summary(edits)},
          {"undo_ms", summary(undos)},
          {"typed_key_ms", summary(types)},
          {"save_ms", summary(saves)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (!std::getenv("QT_QPA_PLATFORM")) setenv("QT_QPA_PLATFORM", "offscreen", 1);
  QApplication app(argc, argv);
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  try {
    ConfigSchema::all();  // read once in a program's life
    json result{{"version", ATTNSCOPE_VERSION}, {"n", runs}};
    std::vector<std::size_t> sizes{10'000, 200'000};
    if (argc > 2) sizes = {std::size_t(std::max(1, std::atoi(argv[2])))};
    for (const std::size_t leaves : sizes) result["config"].push_back(measure(leaves, runs));
    std::cout << result.dump(1) << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "attnscope-window-bench: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
