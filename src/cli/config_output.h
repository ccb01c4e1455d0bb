#pragma once
#include <string>
#include <string_view>

#include "cli/command_line.h"

namespace CLI {
class App;
}

namespace attnscope::cli {

// Where a result goes.
struct OutputOptions {
  std::string file;  // empty or "-": standard output
  bool direct = false;
};
void add_output_options(CLI::App& verb, OutputOptions& options);

// Atomic, or with `direct` into the file as it is. WriteError names --direct where that would help.
void write_output(const OutputOptions& options, std::string_view text, const Streams& streams);

}  // namespace attnscope::cli
