#pragma once
#include <iostream>
#include <string>
#include <vector>

namespace attnscope::cli {

// What a verb writes to and reads from; standard streams in the program, buffers in tests.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  std::istream& in = std::cin;
};

// Runs the command line (without the program's name) and returns the exit code: 0 ok, 1 failed (of `config diff`:
// different), 2 usage, 3 config or input, 130 cancelled. Errors are printed to `streams.err`.
int run_command_line(const std::vector<std::string>& arguments, const Streams& streams);

}  // namespace attnscope::cli
