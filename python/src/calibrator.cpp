// The classes _core.Calibrator, for scores, and _core.Chooser, which chooses actions for a model in Python.
//
// Calls keep Python's lock; those for many rows let signal handlers run.
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "plumbline/model/action_chooser.h"
#include "plumbline/online_calibrator.h"

namespace plumbline::python {
namespace {

using Texts = std::vector<std::string>;
using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const Label, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kSome = 1000;  // rows between two looks at signals

void run_signal_handlers() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Calls use(first, count) for parts of the rows.
template <class Use>
void in_parts(std::size_t rows, const Use& use) {
  for (std::size_t first = 0; first < rows; first += kSome) {
    if (first > 0) run_signal_handlers();
    use(first, std::min(kSome, rows - first));
  }
}

std::unique_ptr<OnlineCalibrator> make(std::size_t scores, const Texts& inputs,
                                       const Texts& classes, const std::string& calibrator,
                                       std::size_t max_pending, const Texts& columns) {
  OnlineCalibratorOptions options{.scores = scores,
                                  .inputs = {},
                                  .classes = classes.size(),
                                  .calibrator = Spec(std::string_view(calibrator)),
                                  .max_pending = max_pending,
                                  .columns = columns,
                                  .class_names = classes};
  for (const std::string& input : inputs) options.inputs.push_back(score_input_named(input));
  return std::make_unique<OnlineCalibrator>(options);
}

std::span<const double> numbers_of(const Rows& rows) {
  return {rows.data(), rows.shape(0) * rows.shape(1)};
}

// One column for each class.
Numbers in_columns(const OnlineCalibrator& self, std::vector<double> values) {
  const std::size_t outputs = self.outputs(), rows = values.size() / outputs;
  if (outputs > 1) return as_array(std::move(values), rows, outputs);
  std::vector<double> both(2 * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    both[2 * i] = 1 - values[i];
    both[2 * i + 1] = values[i];
  }
  return as_array(std::move(both), rows, 2);
}

Numbers predict(const OnlineCalibrator& self, const Rows& rows) {
  const std::span<const double> scores = numbers_of(rows);
  std::vector<double> probabilities(rows.shape(0) * self.outputs());
  in_parts(rows.shape(0), [&](std::size_t first, std::size_t count) {
    self.predict(scores.subspan(first * self.width(), count * self.width()),
                 std::span(probabilities).subspan(first * self.outputs(), count * self.outputs()));
  });
  return in_columns(self, std::move(probabilities));
}

void learn(OnlineCalibrator& self, const Rows& rows, const Labels& labels) {
  const std::span<const double> scores = numbers_of(rows);
  const std::span<const Label> all{labels.data(), labels.shape(0)};
  self.check(scores, all);
  in_parts(rows.shape(0), [&](std::size_t first, std::size_t count) {
    self.learn(scores.subspan(first * self.width(), count * self.width()),
               all.subspan(first, count));
  });
}

// Predicts a minibatch, then learns it.
Numbers step(OnlineCalibrator& self, const Rows& rows, const Labels& labels) {
  std::vector<double> probabilities(rows.shape(0) * self.outputs());
  self.step(numbers_of(rows), {labels.data(), labels.shape(0)}, probabilities);
  return in_columns(self, std::move(probabilities));
}

Numbers hold(OnlineCalibrator& self, const Ids& ids, const Rows& rows) {
  std::vector<double> probabilities(rows.shape(0) * self.outputs());
  const std::span<const std::uint64_t> all{ids.data(), ids.shape(0)};
  self.check_to_hold(all, numbers_of(rows));
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    self.hold(all[i], numbers_of(rows).subspan(i * self.width(), self.width()),
              std::span(probabilities).subspan(i * self.outputs(), self.outputs()));
  }
  return in_columns(self, std::move(probabilities));
}

std::size_t learn_held(OnlineCalibrator& self, const Ids& ids, const Labels& labels) {
  std::size_t learned = 0;
  for (std::size_t i = 0; i < ids.shape(0); ++i) {
    learned += self.learn(ids.data()[i], labels.data()[i]) ? 1 : 0;
  }
  return learned;
}

std::vector<std::pair<std::string, double>> pairs(const std::vector<Calibrator::Part>& parts) {
  std::vector<std::pair<std::string, double>> all;
  for (const auto& part : parts) all.emplace_back(part.name, part.weight);
  return all;
}

nb::bytes as_bytes(const std::vector<std::byte>& bytes) {
  return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::unique_ptr<OnlineCalibrator> from_bytes(const nb::bytes& bytes) {
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.c_str());
  return std::make_unique<OnlineCalibrator>(
      OnlineCalibrator::from_bytes({begin, bytes.size()}, "the bytes"));
}

std::unique_ptr<ActionChooser> make_chooser(const std::string& policy, const Texts& actions,
                                            std::uint64_t seed, double learn_budget) {
  Actions list;
  for (const std::string& action : actions) list.push_back(action_named(action));
  return std::make_unique<ActionChooser>(Spec(std::string_view(policy)), std::move(list), seed,
                                         learn_budget);
}

// The state as a list of (name, numbers), which pickles.
nb::list chooser_state(const ActionChooser& self) {
  nb::list all;
  for (const Tensor& tensor : save_state(self)) {
    all.append(nb::make_tuple(tensor.name, static_cast<int>(tensor.type), tensor.shape,
                              as_bytes(tensor.bytes)));
  }
  return all;
}

void set_chooser_state(ActionChooser& self, const nb::list& state) {
  Tensors tensors;
  for (const nb::handle item : state) {
    const nb::tuple entry = nb::cast<nb::tuple>(item);
    const auto bytes = nb::cast<nb::bytes>(entry[3]);
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes.c_str());
    tensors.push_back({nb::cast<std::string>(entry[0]),
                       static_cast<TensorType>(nb::cast<int>(entry[1])),
                       nb::cast<std::vector<std::size_t>>(entry[2]),
                       {begin, begin + bytes.size()}});
  }
  load_state(self, tensors);
}

}  // namespace

void add_calibrator(nb::module_& module) {
  using nb::arg;
  nb::class_<OnlineCalibrator>(module, "Calibrator")
      .def_static("make", &make, arg("scores"), arg("inputs"), arg("classes"), arg("calibrator"),
                  arg("max_pending"), arg("columns") = Texts{})
      .def_static("from_bytes", &from_bytes, arg("bytes"))
      .def_static(
          "load",
          [](const nb::bytes& path) {
            return std::make_unique<OnlineCalibrator>(
                OnlineCalibrator::load(std::string(path.c_str(), path.size())));
          },
          arg("path"))
      .def("to_bytes", [](const OnlineCalibrator& self) { return as_bytes(self.to_bytes()); })
      .def(
          "save",
          [](const OnlineCalibrator& self, const nb::bytes& path) {
            self.save(std::string(path.c_str(), path.size()));
          },
          arg("path"))
      .def("predict", &predict, arg("rows"))
      .def("learn", &learn, arg("rows"), arg("labels"))
      .def("step", &step, arg("rows"), arg("labels"))
      .def("hold", &hold, arg("ids"), arg("rows"))
      .def("learn_held", &learn_held, arg("ids"), arg("labels"))
      .def_prop_ro("scores", [](const OnlineCalibrator& self) { return self.options().scores; })
      .def_prop_ro("classes",
                   [](const OnlineCalibrator& self) { return self.options().class_names; })
      .def_prop_ro("inputs",
                   [](const OnlineCalibrator& self) {
                     Texts names;
                     for (const ScoreInput input : self.options().inputs) {
                       names.emplace_back(name_of(input));
                     }
                     return names;
                   })
      .def_prop_ro("calibrator",
                   [](const OnlineCalibrator& self) { return self.options().calibrator.text(); })
      .def_prop_ro("max_pending",
                   [](const OnlineCalibrator& self) { return self.options().max_pending; })
      .def_prop_ro("examples", &OnlineCalibrator::examples)
      .def_prop_ro("pending", &OnlineCalibrator::pending)
      .def_prop_ro("dropped", &OnlineCalibrator::dropped)
      .def_prop_ro("weights", [](const OnlineCalibrator& self) { return pairs(self.weights()); })
      .def_prop_ro("parts", [](const OnlineCalibrator& self) { return pairs(self.parts()); });
  nb::class_<ActionChooser>(module, "Chooser")
      .def_static("make", &make_chooser, arg("policy"), arg("actions"), arg("seed"),
                  arg("learn_budget") = 1.0)
      .def(
          "choose",
          [](ActionChooser& self, double loss, double uncertainty) {
            return std::string(name_of(self.choose(loss, uncertainty)));
          },
          arg("loss"), arg("uncertainty"))
      .def_prop_ro("needs_loss", &ActionChooser::needs_loss)
      .def_prop_ro("needs_uncertainty", &ActionChooser::needs_uncertainty)
      .def("state", &chooser_state)
      .def("set_state", &set_chooser_state, arg("state"));
}

}  // namespace plumbline::python
