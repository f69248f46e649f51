// Ctrl-C (SIGINT), SIGTERM and SIGHUP (a closed terminal) as a flag that the work looks at between two
// minibatches.
#pragma once

#include <atomic>

namespace plumbline::cli {

// From now on the signals set the flag; a second one of the same kind ends the program at once. A signal
// that the caller ignores, as nohup does with SIGHUP, stays ignored.
void catch_interrupts();
// Whether one has come. A signal handler can only reach something global.
const std::atomic<bool>& interrupted();
// 128 plus the number of the signal that came, as shells have it: 130 for Ctrl-C.
int interrupt_exit_code();

}  // namespace plumbline::cli
