#include "signals.h"

#include <nanobind/nanobind.h>

namespace plumbline::python {

namespace nb = nanobind;

namespace {

// Not cached: after a fork, the thread that called it is the main thread of the child.
bool on_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  const nb::object main = threading.attr("main_thread")();
  return main.attr("ident").equal(threading.attr("get_ident")());
}

}  // namespace

bool Signals::due() {
  if (elsewhere_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (!next_) next_ = now + kPeriod;
  return now >= *next_;
}

void Signals::handle() {
  const nb::gil_scoped_acquire python;
  elsewhere_ = !on_main_thread();
  if (!elsewhere_ && PyErr_CheckSignals() != 0) throw nb::python_error();
  next_ = std::chrono::steady_clock::now() + kPeriod;
}

}  // namespace plumbline::python
