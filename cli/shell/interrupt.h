// Ctrl-C (SIGINT), SIGTERM and SIGHUP (a closed terminal) as a flag that is checked between minibatches.
#pragma once

#include <atomic>

namespace plumbline::cli {

// Makes the signals set the flag; a second signal of the same kind ends the program at once. A signal
// that the caller ignores, as nohup does with SIGHUP, stays ignored.
void catch_interrupts();
// True after a signal. It is global, because a signal handler can access nothing else.
const std::atomic<bool>& interrupted();
// 128 plus the number of the signal, as in shells: 130 for Ctrl-C.
int interrupt_exit_code();

}  // namespace plumbline::cli
