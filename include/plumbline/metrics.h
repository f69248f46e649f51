// Metrics of a stream of predictions, computed in one pass and constant memory:
//
//   const auto log_loss = metrics().make("log_loss");
//   log_loss->observe(probabilities, labels);
//   *log_loss->value();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/registry.h"

PLUMBLINE_BEGIN_NAMESPACE

// One bin of a curve over [0, 1].
struct Bin {
  double low = 0;
  double high = 0;
  std::uint64_t count = 0;
  double mean_probability = 0;  // mean prediction in the bin; 0 if it is empty
  double positive_rate = 0;     // share of positives in the bin; 0 if it is empty
};

// Throws a data error unless each example has a probability in [0, 1] and a label of 0 or 1.
void check_predictions(std::span<const double> probabilities, std::span<const Label> labels);

class Metric {
 public:
  virtual ~Metric() = default;

  // Throws the errors of `check_predictions`; nothing is counted in that case.
  void observe(std::span<const double> probabilities, std::span<const Label> labels);
  // Empty before the first example, and for a metric that consists of a curve only.
  virtual std::optional<double> value() const = 0;
  // The curve behind the value; empty for a metric without one.
  virtual std::vector<Bin> bins() const { return {}; }

  virtual void archive(Archive& archive) = 0;

 protected:
  virtual void add(std::span<const double> probabilities, std::span<const Label> labels) = 0;
};

using MetricRegistry = Registry<Metric, NoTraits>;
const MetricRegistry& metrics();

PLUMBLINE_END_NAMESPACE
