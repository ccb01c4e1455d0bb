#include "cli/progress_printer.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/bytes.h"

namespace attnscope::cli {
namespace {

std::string duration(double seconds) {
  const int whole = static_cast<int>(std::lround(seconds));
  char text[32];
  std::snprintf(text, sizeof(text), "%d:%02d", whole / 60, whole % 60);
  return text;
}

std::string line(const Progress& progress) {
  std::string text = progress.stage;
  if (progress.total > 1) text += " " + std::to_string(progress.step) + "/" + std::to_string(progress.total);
  if (progress.steps_per_second > 0 && progress.total > 1) {
    char rate[48];
    std::snprintf(rate, sizeof(rate), "  %.2f it/s", progress.steps_per_second);
    text += rate;
    if (progress.step < progress.total) text += "  ETA " + duration(progress.eta);
  }
  return text;
}

}  // namespace

void ProgressPrinter::on_progress(const Progress& progress) {
  if (json_) {
    streams_.out << nlohmann::ordered_json{{"event", "progress"},
                                           {"stage", progress.stage},
                                           {"step", progress.step},
                                           {"total", progress.total},
                                           {"elapsed", progress.elapsed},
                                           {"steps_per_second", progress.steps_per_second},
                                           {"eta", progress.eta < 0 ? nlohmann::ordered_json()
                                                                    : nlohmann::ordered_json(progress.eta)}}
                        .dump()
                 << std::endl;
  }
  if (streams_.err_is_terminal) {
    if (last_stage_ != progress.stage) end_line();
    streams_.err << "\r\033[K" << line(progress) << std::flush;
    line_open_ = true;
  } else {
    const int tenth = progress.total > 0 ? 10 * progress.step / progress.total : 0;
    if (last_stage_ == progress.stage && (tenth == last_tenth_ || progress.total <= 1)) return;
    streams_.err << line(progress) << std::endl;
    last_tenth_ = tenth;
  }
  last_stage_ = progress.stage;
}

void ProgressPrinter::end_line() {
  if (line_open_) streams_.err << std::endl;
  line_open_ = false;
}

void ProgressPrinter::on_warning(const std::string& text) {
  if (json_) streams_.out << nlohmann::ordered_json{{"event", "warning"}, {"text", text}}.dump() << std::endl;
  end_line();
  streams_.err << "warning: " << text << std::endl;
}

void ProgressPrinter::on_capture_bytes(int64_t bytes) {
  if (json_) streams_.out << nlohmann::ordered_json{{"event", "capture"}, {"bytes", bytes}}.dump() << std::endl;
  end_line();
  streams_.err << "maps will take " << readable_bytes(bytes) << " of memory" << std::endl;
}

void ProgressPrinter::done(const std::string& out) {
  end_line();
  if (json_) streams_.out << nlohmann::ordered_json{{"event", "done"}, {"out", out}}.dump() << std::endl;
  streams_.err << "done: " << out << std::endl;
}

void ProgressPrinter::cancelled(const std::string& out) {
  end_line();
  if (json_) streams_.out << nlohmann::ordered_json{{"event", "cancelled"}, {"out", out}}.dump() << std::endl;
  streams_.err << "what was done is in " << out << std::endl;
}

void ProgressPrinter::failed(const Error& error) {
  end_line();
  if (json_)
    streams_.out << nlohmann::ordered_json{{"event", "failed"},
                                           {"error", error.message()},
                                           {"where", error.where()},
                                           {"hint", error.hint()}}
                        .dump()
                 << std::endl;
}

}  // namespace attnscope::cli
