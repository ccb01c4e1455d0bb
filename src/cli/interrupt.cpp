#include "cli/interrupt.h"

#include <csignal>

namespace attnscope::cli {

const CancelToken& interrupt_token() {
  static const CancelToken token;
  return token;
}

void install_interrupt_handler() {
  interrupt_token();  // made here, not inside the handler
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_token().cancel(); };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed pipe must show as a failed write, which has a message, not as a silent death.
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace attnscope::cli
