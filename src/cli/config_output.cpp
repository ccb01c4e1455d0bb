#include "cli/config_output.h"

#include <CLI/CLI.hpp>
#include <ostream>

#include "io/atomic_file.h"

namespace attnscope::cli {

void add_output_options(CLI::App& verb, OutputOptions& options) {
  verb.add_option("--out", options.file, "The file to write; without it, or with -, standard output")
      ->type_name("FILE");
  verb.add_flag(
      "--direct", options.direct,
      "Write into the file as it is instead of replacing it whole: for folders that take no new file. A crash "
      "meanwhile leaves half a file");
}

void write_output(const OutputOptions& options, std::string_view text, const Streams& streams) {
  if (options.file.empty() || options.file == "-") {
    streams.out << text;
  } else if (options.direct) {
    write_file_direct(options.file, text);
  } else {
    try {
      write_file_atomic(options.file, text);
    } catch (const FolderNotWritable& error) {
      throw WriteError(error.message(), error.where(), error.hint() + " That is --direct.");
    }
  }
}

}  // namespace attnscope::cli
