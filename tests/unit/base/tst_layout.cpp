// The rules of src/README.md that a compiler does not check: no Qt in the engine, includes point down only, no torch
// in the window, light headers, short files.
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

// A folder may include itself and those before it.
const Names src_order{"base",      "io",    "config",  "registry", "nn",    "models",    "schedulers",
                      "attention", "hooks", "plugins", "loaders",  "video", "pipelines", "cli"};
const Names ui_order{"worker", "models", "documents", "views", "dialogs", "app"};
// OpenCV stands beside the engine: it knows no model, and nothing before the pipelines knows it.
const std::set<std::string> below_video{"base", "io"};
const std::size_t most_lines = 600;

struct Include {
  std::string name;
  bool quoted = false;
  std::size_t line = 0;
};

struct SourceFile {
  bool in_ui = false;
  bool header = false;
  bool has_pragma_once = false;
  std::string folder;  // "base" of src/base/error.h; empty directly under src/ or ui/
  std::size_t lines = 0;
  std::vector<Include> includes;
};

std::size_t rank(const Names& order, const std::string& folder) {
  return std::find(order.begin(), order.end(), folder) - order.begin();
}

bool is_qt(const std::string& include) {
  return include.size() > 1 && include[0] == 'Q' && (std::isupper(include[1]) || include[1] == 't');
}

bool is_torch(const std::string& include) {
  for (const char* prefix : {"ATen/", "c10/", "caffe2/", "torch/"}) {
    if (include.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

bool is_heavy(const std::string& include) {
  return include == "ATen/ATen.h" || include == "torch/torch.h" || include == "torch/all.h" ||
         include == "torch/extension.h" || include == "torch/script.h";
}

class Layout {
 public:
  // Reads every .h and .cpp under root/src, root/ui and root/tests.
  explicit Layout(const fs::path& root) {
    for (const char* top : {"src", "ui", "tests"}) {
      if (!fs::exists(root / top)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
        const std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() && (extension == ".h" || extension == ".cpp"))
          read(entry.path(), fs::relative(entry.path(), root).generic_string());
      }
    }
  }

  std::size_t count(const std::string& prefix) const {
    return std::count_if(files_.begin(), files_.end(), [&](auto& f) { return f.first.rfind(prefix, 0) == 0; });
  }

  Names violations() const {
    Names found;
    for (const auto& [path, file] : files_) {
      if (file.header && !file.has_pragma_once) found.push_back(path + ": no #pragma once");
      if (file.lines > most_lines)
        found.push_back(path + ": " + std::to_string(file.lines) + " lines, more than " + std::to_string(most_lines));
      for (const Include& include : file.includes) {
        const std::string why = path.rfind("tests/", 0) == 0 ? "" : fault(file, include);
        if (!why.empty())
          found.push_back(path + ":" + std::to_string(include.line) + ": includes " + include.name + ": " + why);
      }
      if (file.in_ui && (file.header || file.folder != "worker")) {
        const std::string chain = way_to_torch(path);
        if (!chain.empty()) found.push_back(path + ": reaches torch" + chain);
      }
    }
    return found;
  }

 private:
  void read(const fs::path& path, const std::string& name) {
    static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    SourceFile file;
    file.in_ui = name.rfind("ui/", 0) == 0;
    file.header = path.extension() == ".h";
    const auto first = name.find('/') + 1, second = name.find('/', first);
    if (second != std::string::npos) file.folder = name.substr(first, second - first);
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      ++file.lines;
      std::smatch match;
      if (line.rfind("#pragma once", 0) == 0) file.has_pragma_once = true;
      if (line.find("#") != std::string::npos && std::regex_match(line, match, pattern))
        file.includes.push_back({match[2], match[1] == "\"", file.lines});
    }
    files_[name] = file;
  }

  // The project's file that a quoted include means, or "". Both trees have a folder named models; the nearer one wins.
  std::string resolve(const SourceFile& from, const Include& include) const {
    if (!include.quoted) return {};
    if (from.in_ui && files_.count("ui/" + include.name)) return "ui/" + include.name;
    return files_.count("src/" + include.name) ? "src/" + include.name : "";
  }

  std::string fault(const SourceFile& file, const Include& include) const {
    if (!file.in_ui && is_qt(include.name)) return "Qt belongs into ui/";
    if (file.in_ui && is_torch(include.name)) return "ui/ sees tensors by value types only";
    if (file.header && is_heavy(include.name)) return "headers include <ATen/core/Tensor.h>";
    const bool generated = include.name.find('/') == std::string::npos && !include.name.ends_with(".h");
    if (!include.quoted || generated) return {};
    const std::string target = resolve(file, include);
    if (target.empty()) return "no such file in " + std::string(file.in_ui ? "ui/ or src/" : "src/");
    const SourceFile& other = files_.at(target);
    if (file.in_ui && !other.in_ui) return {};
    const Names& order = file.in_ui ? ui_order : src_order;
    if (rank(order, file.folder) == order.size()) return file.folder + " has no place in the order of folders";
    if (file.folder == other.folder) return {};
    if (file.folder == "video" && !below_video.count(other.folder)) return "video may use base and io";
    if (rank(order, other.folder) > rank(order, file.folder)) return "includes point down only";
    return {};
  }

  // " by A by B": the files from `path` to the one that includes torch; "" when there is none.
  std::string way_to_torch(const std::string& path) const {
    std::set<std::string> seen;
    return way_to_torch(path, seen);
  }
  std::string way_to_torch(const std::string& path, std::set<std::string>& seen) const {
    if (!seen.insert(path).second) return {};
    const SourceFile& file = files_.at(path);
    for (const Include& include : file.includes) {
      if (is_torch(include.name)) return " by " + path;
      const std::string target = resolve(file, include);
      const std::string rest = target.empty() ? "" : way_to_torch(target, seen);
      if (!rest.empty()) return " by " + path + rest;
    }
    return {};
  }

  std::map<std::string, SourceFile> files_;
};

void write(const fs::path& root, const std::string& name, const std::string& text) {
  fs::create_directories((root / name).parent_path());
  std::ofstream(root / name) << text;
}

// A small tree that keeps every rule.
void write_sound_tree(const fs::path& root) {
  write(root, "src/base/error.h", "#pragma once\n#include <string>\n");
  write(root, "src/io/npy.h", "#pragma once\n#include <ATen/core/Tensor.h>\n#include \"base/error.h\"\n");
  write(root, "src/io/npy.cpp", "#include \"io/npy.h\"\n#include <ATen/ATen.h>\n");
  write(root, "src/video/reader.h", "#pragma once\n#include \"base/error.h\"\n");
  write(root, "src/models/unet.h", "#pragma once\n#include \"io/npy.h\"\n");
  write(root, "src/pipelines/run.h", "#pragma once\n#include \"video/reader.h\"\n#include \"base/error.h\"\n");
  write(root, "ui/worker/run_data.h", "#pragma once\n#include <QImage>\n#include \"base/error.h\"\n");
  write(root, "ui/worker/engine.cpp", "#include \"worker/run_data.h\"\n#include \"models/unet.h\"\n");
  write(root, "ui/models/log_model.h", "#pragma once\n#include <QtCore/qstring.h>\n#include \"worker/run_data.h\"\n");
  write(root, "ui/views/log_view.cpp", "#include \"models/log_model.h\"\n#include \"log_view.moc\"\n");
}

QByteArray joined(const Names& names) {
  std::string text = std::to_string(names.size()) + " violations";
  for (const std::string& name : names) text += "\n" + name;
  return QByteArray::fromStdString(text);
}

}  // namespace

class TestLayout : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void project_keeps_the_rules() {
    const Layout layout(ATTNSCOPE_SOURCE_DIR);
    QVERIFY(layout.count("src/") > 20);
    QVERIFY(layout.count("ui/") > 0);
    QVERIFY(layout.count("tests/") > 0);
    const Names violations = layout.violations();
    QVERIFY2(violations.empty(), joined(violations));
  }

  void sound_tree_passes() {
    QTemporaryDir folder;
    write_sound_tree(folder.path().toStdString());
    const Names violations = Layout(folder.path().toStdString()).violations();
    QVERIFY2(violations.empty(), joined(violations));
  }

  void breach_is_found_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* file, const QString& text, const char* message) {
      QTest::newRow(name) << file << text << message;
    };
    row("qt in src", "src/io/a.cpp", "#include <QString>\n", "src/io/a.cpp:1: includes QString: Qt belongs into ui/");
    row("qt module in src", "src/io/a.cpp", "\n  #  include <QtCore/qglobal.h> // why\n", "a.cpp:2: includes QtCore");
    row("upwards in src", "src/base/a.h", "#pragma once\n#include \"io/npy.h\"\n",
        "src/base/a.h:2: includes io/npy.h: ");
    row("upwards in ui", "ui/worker/b.h", "#pragma once\n#include \"models/log_model.h\"\n",
        "ui/worker/b.h:2: includes models/");
    row("worker knows models", "ui/worker/a.cpp", "#include \"models/log_model.h\"\n", "includes point down only");
    row("src includes ui", "src/cli/a.cpp", "#include \"worker/run_data.h\"\n", "no such file in src/");
    row("models knows video", "src/models/a.cpp", "#include \"video/reader.h\"\n", "includes point down only");
    row("video knows models", "src/video/a.cpp", "#include \"models/unet.h\"\n", "video may use base and io");
    row("relative", "src/io/a.cpp", "#include \"../base/error.h\"\n", "no such file in src/");
    row("unknown folder", "src/misc/a.cpp", "#include \"base/error.h\"\n", "misc has no place in the order");
    row("torch in ui", "ui/worker/a.cpp", "#include <ATen/core/Tensor.h>\n", "ui/ sees tensors by value types only");
    row("c10 in ui", "ui/app/a.cpp", "#include <c10/core/Device.h>\n", "ui/ sees tensors by value types only");
    row("torch behind a header", "ui/views/a.cpp", "#include \"io/npy.h\"\n", "ui/views/a.cpp: reaches torch");
    row("torch behind two", "ui/worker/a.h", "#pragma once\n#include \"models/unet.h\"\n", "by src/io/npy.h");
    row("heavy header", "src/nn/a.h", "#pragma once\n#include <ATen/ATen.h>\n", "headers include <ATen/core/Tensor.h>");
    row("no pragma once", "tests/support/a.h", "int x;\n", "tests/support/a.h: no #pragma once");
    row("long file", "tests/unit/a.cpp", QString("\n").repeated(601), "tests/unit/a.cpp: 601 lines");
  }

  void breach_is_found() {
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(QString, message);
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write_sound_tree(root);
    write(root, file.toStdString(), text.toStdString());
    const Names violations = Layout(root).violations();
    const bool found = std::any_of(violations.begin(), violations.end(), [&](const std::string& v) {
      return v.find(message.toStdString()) != std::string::npos;
    });
    QVERIFY2(found, joined(violations));
  }
};

QTEST_APPLESS_MAIN(TestLayout)
#include "tst_layout.moc"
