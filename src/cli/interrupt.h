#pragma once
#include "base/cancel.h"

namespace attnscope::cli {

// Set by Ctrl-C (SIGINT) and SIGTERM once the handler is installed. A second signal ends the program at once.
const CancelToken& interrupt_token();
void install_interrupt_handler();

}  // namespace attnscope::cli
