// The class _core.Lock: the lock of a model (model_lock.h) for code in Python.
#include <optional>

#include "bindings.h"
#include "model_lock.h"

namespace plumbline::python {
namespace {

namespace nb = nanobind;

// Python's own lock is released only during the wait.
template <class Hold>
nb::object holding(ModelLock& lock, const nb::callable& work) {
  Signals signals;
  std::optional<Hold> hold;
  {
    const nb::gil_scoped_release python;
    hold.emplace(lock, signals);
  }
  return work();
}

}  // namespace

void add_locks(nb::module_& module) {
  nb::class_<ModelLock>(module, "Lock")
      .def(nb::init<>())
      .def("check", &ModelLock::check)
      .def("look", &holding<ModelLock::Look>, nb::arg("work"))
      .def("change", &holding<ModelLock::Change>, nb::arg("work"));
}

}  // namespace plumbline::python
