#include "cli/shell/interrupt.h"

#include <csignal>

namespace plumbline::cli {
namespace {

std::atomic<bool> signaled{false};
std::atomic<int> signal_number{0};

void on_signal(int signal) {
  signal_number = signal;
  signaled = true;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // Not SA_RESTART: a read that waits for a pipe must return. A second signal has its default action.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

const std::atomic<bool>& interrupted() { return signaled; }

int interrupt_exit_code() { return 128 + signal_number; }

}  // namespace plumbline::cli
