// The class _core.Metric, and the tables of components.
#include <memory>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "plumbline/calibrator.h"
#include "plumbline/config.h"
#include "plumbline/generators/registry.h"
#include "plumbline/learner.h"
#include "plumbline/metrics.h"
#include "plumbline/metrics/consistency.h"
#include "plumbline/policies/reward_registry.h"
#include "plumbline/policy.h"

namespace plumbline::python {

namespace nb = nanobind;

namespace {

class PythonMetric {
 public:
  explicit PythonMetric(const std::string& spec)
      : metric_(metrics().make(std::string_view(spec))) {}

  template <class T>
  using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  void observe(const Array<double>& p, const Array<Label>& y) {
    metric_->observe({p.data(), p.shape(0)}, {y.data(), y.shape(0)});
  }
  std::optional<double> value() const { return metric_->value(); }
  nb::list bins() const {
    nb::list all;
    for (const Bin& bin : metric_->bins()) {
      nb::dict one;
      one["low"] = bin.low;
      one["high"] = bin.high;
      one["count"] = bin.count;
      one["mean_probability"] = bin.mean_probability;
      one["positive_rate"] = bin.positive_rate;
      all.append(one);
    }
    return all;
  }
  // For each bin with predictions: their mean, and the simultaneous consistency band of its share of positives.
  nb::list bands() const {
    nb::list all;
    for (const ConsistencyBin& one : consistency(metric_->bins()).bins) {
      all.append(
          nb::make_tuple(one.bin.mean_probability, one.simultaneous.low, one.simultaneous.high));
    }
    return all;
  }

 private:
  std::unique_ptr<Metric> metric_;
};

template <class AnyRegistry>
nb::dict table_of(const AnyRegistry& registry) {
  nb::dict table;
  for (const auto& row : registry.rows()) {
    nb::dict options;
    for (const OptionInfo& option : row.options) {
      nb::dict one;
      one["default"] = option.fallback;
      one["allowed"] = option.allowed;
      one["help"] = option.help;
      options[option.name.c_str()] = one;
    }
    nb::dict member;
    member["summary"] = row.summary;
    member["options"] = options;
    table[row.name.c_str()] = member;
  }
  return table;
}

}  // namespace

void add_metrics(nb::module_& module) {
  nb::class_<PythonMetric>(module, "Metric")
      .def(nb::init<const std::string&>(), nb::arg("spec"))
      .def("observe", &PythonMetric::observe, nb::arg("probabilities"), nb::arg("labels"))
      .def_prop_ro("value", &PythonMetric::value)
      .def("bins", &PythonMetric::bins)
      .def("bands", &PythonMetric::bands);
}

void add_registries(nb::module_& module) {
  module.def("components", [] {
    nb::dict all;
    all["learner"] = table_of(learners());
    all["calibrator"] = table_of(calibrators());
    all["policy"] = table_of(policies());
    all["reward"] = table_of(rewards());
    all["metric"] = table_of(metrics());
    all["generator"] = table_of(generators());
    return all;
  });
  module.def("presets", [] {
    nb::dict all;
    for (const Preset& one : presets()) all[one.name.c_str()] = one.summary;
    return all;
  });
  module.def(
      "complete",
      [](const std::string& preset, const std::string& changes) {
        return to_json(complete(overlay(plumbline::preset(preset), changes)));
      },
      nb::arg("preset"), nb::arg("changes"));
}

}  // namespace plumbline::python
