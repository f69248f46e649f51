// The module plumbline._core: what C++ gives to the package. Its classes are wrapped there.
#include <nanobind/nanobind.h>

#include "bindings.h"
#include "plumbline/core/error.h"
#include "plumbline/core/version.h"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using plumbline::Error, plumbline::ErrorKind;
  module.attr("__version__") = plumbline::kVersion;
  // The core's sentences as Python's exceptions.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyObject* kind = PyExc_ValueError;
      if (error.kind() == ErrorKind::io) kind = PyExc_OSError;
      PyErr_SetString(kind, error.what());
    }
  });
  plumbline::python::add_model(module);
  plumbline::python::add_streams(module);
  plumbline::python::add_metrics(module);
  plumbline::python::add_registries(module);
}
