// The class _core.RowCalibrator: a calibrator for single rows, which reads what river's models predict, dicts of
// probabilities by label. One call predicts a row and one learns it, because each costs as much as some steps of the
// calibrator. It remembers the row that it predicted last.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "plumbline/online_calibrator.h"

namespace plumbline::python {
namespace {

namespace nb = nanobind;

// The number under a key; 0 if there is none.
double number_under(nb::handle found, nb::handle key) {
  PyObject* const value = PyDict_GetItemWithError(found.ptr(), key.ptr());
  if (value == nullptr) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return 0;
  }
  const double number = PyFloat_AsDouble(value);
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return number;
}

// A probability; NaN, which some models predict after an overflow, counts as 0.
double clean(double p) { return p >= 0 ? std::min(p, 1.0) : 0; }

class RowCalibrator {
 public:
  RowCalibrator(OnlineCalibrator calibrator, const nb::list& labels)
      : calibrator_(std::move(calibrator)),
        scores_(calibrator_.width()),
        probabilities_(calibrator_.outputs()) {
    for (const nb::handle label : labels) labels_.push_back(nb::borrow(label));
  }

  // `found` has what each model predicts of the row `x`: a list of dicts, or a dict of a single one. Returns the
  // probability of each label, and remembers the row.
  nb::dict predict(nb::handle x, nb::handle found) {
    read(found);
    calibrator_.predict_next(scores_, probabilities_);
    last_ =
        nb::steal(PyDict_CheckExact(x.ptr())
                      ? PyDict_Copy(x.ptr())
                      : PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyDict_Type), x.ptr()));
    if (!last_.is_valid()) throw nb::python_error();
    return by_label();
  }

  // Learns the row as it was predicted. Returns false, and learns nothing, if it is not the one predicted last, or if
  // anything was learned since.
  bool learn_last(nb::handle x, Label label) {
    const nb::object last = std::move(last_);
    return last.is_valid() && is_same(last.ptr(), x.ptr()) && calibrator_.learn_last(label);
  }

  void learn(nb::handle found, Label label) {
    last_.reset();
    read(found);
    calibrator_.learn(scores_, {&label, 1});
  }

  // Keeps what was learned about the other classes.
  void add_class(nb::handle label, const std::string& text) {
    calibrator_.add_class(text);
    labels_.push_back(nb::borrow(label));
    scores_.resize(calibrator_.width());
    probabilities_.resize(calibrator_.outputs());
    last_.reset();
  }

  // To be called if a row is not calibrated: the models will learn it.
  void forget() { last_.reset(); }

  const OnlineCalibrator& calibrator() const { return calibrator_; }

 private:
  void read(nb::handle found) {
    if (!PyList_Check(found.ptr())) return read_model(found, 0);
    const auto models = static_cast<std::size_t>(PyList_GET_SIZE(found.ptr()));
    if (models != calibrator_.options().scores)
      throw nb::value_error("the number of models changed");
    for (std::size_t m = 0; m < models; ++m) {
      read_model(PyList_GET_ITEM(found.ptr(), static_cast<Py_ssize_t>(m)), m);
    }
  }

  void read_model(nb::handle found, std::size_t m) {
    if (!PyDict_Check(found.ptr()))
      throw nb::type_error("a model predicts a dict of probabilities");
    const std::size_t classes = labels_.size();
    if (classes > 2) {
      for (std::size_t k = 0; k < classes; ++k) {
        scores_[m * classes + k] = clean(number_under(found, labels_[k]));
      }
      return;
    }
    // The share of the positive label among the two; a half if the model has none, or NaN.
    const double p = number_under(found, labels_[1]), total = p + number_under(found, labels_[0]);
    scores_[m] = total > 0 ? clean(p / total) : 0.5;
  }

  nb::dict by_label() const {
    nb::dict result;
    const auto set = [&](std::size_t k, double p) {
      const nb::object number = nb::steal(PyFloat_FromDouble(p));
      if (PyDict_SetItem(result.ptr(), labels_[k].ptr(), number.ptr()) != 0) {
        throw nb::python_error();
      }
    };
    if (labels_.size() == 2) {
      set(0, 1 - probabilities_[0]);
      set(1, probabilities_[0]);
    } else {
      for (std::size_t k = 0; k < labels_.size(); ++k) set(k, probabilities_[k]);
    }
    return result;
  }

  // Rows are compared by their content; those with the same objects in the same order are equal without a look at it.
  static bool is_same(PyObject* a, PyObject* b) {
    if (PyDict_Check(b) && PyDict_GET_SIZE(a) == PyDict_GET_SIZE(b)) {
      Py_ssize_t at_a = 0, at_b = 0;
      PyObject *key_a = nullptr, *key_b = nullptr, *value_a = nullptr, *value_b = nullptr;
      bool same = true;
      while (same && PyDict_Next(a, &at_a, &key_a, &value_a) != 0) {
        same = PyDict_Next(b, &at_b, &key_b, &value_b) != 0 && key_a == key_b && value_a == value_b;
      }
      if (same) return true;
    }
    const int equal = PyObject_RichCompareBool(a, b, Py_EQ);
    if (equal < 0) throw nb::python_error();
    return equal == 1;
  }

  OnlineCalibrator calibrator_;
  std::vector<nb::object> labels_;
  std::vector<double> scores_, probabilities_;
  nb::object last_;  // a copy of the row predicted last
};

std::unique_ptr<RowCalibrator> make(std::size_t models, const nb::list& labels,
                                    const std::vector<std::string>& classes,
                                    const std::string& calibrator) {
  return std::make_unique<RowCalibrator>(
      OnlineCalibrator({.scores = models,
                        .classes = classes.size(),
                        .calibrator = Spec(std::string_view(calibrator)),
                        .max_pending = 1,
                        .class_names = classes}),
      labels);
}

std::unique_ptr<RowCalibrator> from_bytes(const nb::bytes& bytes, const nb::list& labels) {
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.c_str());
  return std::make_unique<RowCalibrator>(
      OnlineCalibrator::from_bytes({begin, bytes.size()}, "the bytes"), labels);
}

nb::bytes to_bytes(const RowCalibrator& self) {
  const std::vector<std::byte> bytes = self.calibrator().to_bytes();
  return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace

void add_row_calibrator(nb::module_& module) {
  using nb::arg;
  nb::class_<RowCalibrator>(module, "RowCalibrator")
      .def_static("make", &make, arg("models"), arg("labels"), arg("classes"), arg("calibrator"))
      .def_static("from_bytes", &from_bytes, arg("bytes"), arg("labels"))
      .def("to_bytes", &to_bytes)
      .def("predict", &RowCalibrator::predict, arg("x"), arg("found"))
      .def("learn_last", &RowCalibrator::learn_last, arg("x"), arg("label"))
      .def("learn", &RowCalibrator::learn, arg("found"), arg("label"))
      .def("add_class", &RowCalibrator::add_class, arg("label"), arg("text"))
      .def("forget", &RowCalibrator::forget)
      .def_prop_ro("examples",
                   [](const RowCalibrator& self) { return self.calibrator().examples(); });
}

}  // namespace plumbline::python
