#include "pipelines/run.h"

#include <ATen/ATen.h>

#include <new>
#include <regex>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "pipelines/run_session.h"

namespace attnscope {
namespace {

const char* const memory_hint =
    "Lower input.num_frames, input.height and input.width (or output_size, num_images), use model.dtype: bfloat16, or "
    "close other programs.";

// libtorch's messages carry a C++ stack after the first line.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_out_of_memory(const std::string& text) {
  return text.find("not enough memory") != std::string::npos || text.find("out of memory") != std::string::npos ||
         text.find("can't allocate memory") != std::string::npos;
}

// What an allocator's message says of the size: on the CPU "… you tried to allocate N bytes", on a GPU it is readable.
std::string asked_for(const std::string& text) {
  static const std::regex size("allocate (\\d{1,18}) bytes");
  std::smatch found;
  if (!std::regex_search(text, found, size)) return text;
  return readable_bytes(std::stoll(found[1])) + " more were asked for, and the system has not as much";
}

// Runs `work`; what libtorch or the allocator throws becomes an Error that says at which stage.
void translating(const RunSession& session, const std::function<void()>& work) {
  try {
    work();
  } catch (const c10::Error& error) {
    const std::string text = first_line(error.what_without_backtrace());
    if (is_out_of_memory(text)) throw OutOfMemoryError(session.stage(), asked_for(text), memory_hint);
    throw Error(text, session.stage());
  } catch (const std::bad_alloc&) {
    throw OutOfMemoryError(session.stage(), "the system gave no more memory", memory_hint);
  }
}

}  // namespace

void execute_run(const RunRequest& request, const std::string& out, RunObserver& observer, const CancelToken& cancel,
                 const RunPreviews& previews) {
  const CancelScope scope(cancel);
  RunFolderWriter folder(out, request);
  RunSession session(request, folder, observer, previews);
  try {
    translating(session, [&] { session.run(); });
  } catch (const RunCancelled&) {
    session.write_partial();
    folder.finish(RunStatus::cancelled);
    throw;
  } catch (const Error& error) {
    try {
      folder.finish(RunStatus::failed, error.what());
    } catch (const Error& second) {
      log(LogLevel::error, std::string("the run folder could not be marked as failed: ") + second.what());
    }
    throw;
  }
  folder.finish(RunStatus::complete);
}

}  // namespace attnscope
