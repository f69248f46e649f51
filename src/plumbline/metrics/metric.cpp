#include "plumbline/metrics.h"

#include <fmt/format.h>

#include "plumbline/error.h"

namespace plumbline::inline v0 {

void check_predictions(std::span<const double> probabilities, std::span<const Label> labels) {
  if (probabilities.size() != labels.size()) {
    throw Error(ErrorKind::data, fmt::format("{} probabilities were given for {} labels",
                                             probabilities.size(), labels.size()));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!(probabilities[i] >= 0 && probabilities[i] <= 1)) {
      throw Error(ErrorKind::data,
                  fmt::format("prediction {}: {} is not a probability", i + 1, probabilities[i]));
    }
    if (labels[i] > 1) {
      throw Error(ErrorKind::data,
                  fmt::format("prediction {}: the label {} is neither 0 nor 1", i + 1, labels[i]));
    }
  }
}

void Metric::observe(std::span<const double> probabilities, std::span<const Label> labels) {
  check_predictions(probabilities, labels);
  add(probabilities, labels);
}

}  // namespace plumbline::inline v0
