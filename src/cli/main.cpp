#include <unistd.h>

#include <iostream>

#include "cli/command_line.h"
#include "cli/interrupt.h"
#include "nn/device.h"

int main(int argc, char** argv) {
  attnscope::cli::install_interrupt_handler();
  attnscope::nn::keep_freed_memory();
  attnscope::nn::set_compute_threads();
  const attnscope::cli::Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  return attnscope::cli::run_command_line({argv + 1, argv + argc}, streams);
}
