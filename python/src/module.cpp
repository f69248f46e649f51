// The extension module plumbline._core, which the Python package wraps.
#include <string>

#include <nanobind/nanobind.h>

#include "bindings.h"
#include "plumbline/error.h"
#include "plumbline/version.h"

namespace nb = nanobind;

namespace {

using plumbline::Error, plumbline::ErrorKind, plumbline::Remedies, plumbline::Remedy,
    plumbline::Setting;

// Bytes that are not UTF-8, as in a file's name, are escaped as \xNN.
void raise(PyObject* kind, const std::string& sentence) {
  PyObject* const text = PyUnicode_DecodeUTF8(
      sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "backslashreplace");
  if (text == nullptr) return;
  PyErr_SetObject(kind, text);
  Py_DECREF(text);
}

}  // namespace

std::string plumbline::python::in_python(const std::string& sentence, const Remedies& remedies) {
  const auto is_list = [](Setting setting) {
    return setting == Setting::categorical || setting == Setting::numeric ||
           setting == Setting::time || setting == Setting::missing || setting == Setting::ignore;
  };
  Remedies arguments;
  for (const Remedy& remedy : remedies) {
    if (is_list(remedy.setting)) arguments.push_back(remedy);
  }
  return sentence + advice(arguments, [](const Remedy& remedy) {
           return std::string(name_of(remedy.setting)) + "=['" + remedy.value + "']";
         });
}

NB_MODULE(_core, module) {
  module.attr("version") = plumbline::kVersion;
  // Translates the core's errors into Python's exceptions.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyObject* kind = PyExc_ValueError;
      if (error.kind() == ErrorKind::io) kind = PyExc_OSError;
      raise(kind, plumbline::python::in_python(error.sentence(), error.remedies()));
    }
  });
  plumbline::python::add_calibrator(module);
  plumbline::python::add_keyed(module);
  plumbline::python::add_locks(module);
  plumbline::python::add_model(module);
  plumbline::python::add_row_calibrator(module);
  plumbline::python::add_streams(module);
  plumbline::python::add_metrics(module);
  plumbline::python::add_registries(module);
}
