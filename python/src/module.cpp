// The module plumbline._core: what C++ gives to the package. Its classes are wrapped there.
#include <regex>
#include <string>

#include <nanobind/nanobind.h>

#include "bindings.h"
#include "plumbline/base/error.h"
#include "plumbline/base/version.h"

namespace nb = nanobind;

namespace {

// Where a sentence names an option of the command line, the argument of the same name is meant here.
std::string in_python(const std::string& sentence) {
  static const std::regex option(
      "--(categorical|numeric|ignore|missing) (?:'([^']*)'|([^,;']+?)(?=$|[,;]))");
  return std::regex_replace(sentence, option, "$1=['$2$3']");
}

// Bytes that are not UTF-8, as in the name of a file, are written as \xNN.
void raise(PyObject* kind, const std::string& sentence) {
  PyObject* const text = PyUnicode_DecodeUTF8(
      sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "backslashreplace");
  if (text == nullptr) return;
  PyErr_SetObject(kind, text);
  Py_DECREF(text);
}

}  // namespace

NB_MODULE(_core, module) {
  using plumbline::Error, plumbline::ErrorKind;
  module.attr("version") = plumbline::kVersion;
  // The core's sentences as Python's exceptions.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyObject* kind = PyExc_ValueError;
      if (error.kind() == ErrorKind::io) kind = PyExc_OSError;
      raise(kind, in_python(error.what()));
    }
  });
  plumbline::python::add_locks(module);
  plumbline::python::add_model(module);
  plumbline::python::add_streams(module);
  plumbline::python::add_metrics(module);
  plumbline::python::add_registries(module);
}
