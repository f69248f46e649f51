// Test-then-learn: predict each minibatch of a stream, then learn from it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

#include "plumbline/generators/generator.h"
#include "plumbline/model/binary_model.h"

namespace plumbline {

struct PrequentialOptions {
  std::size_t batch = 50;
  std::uint64_t max_examples = std::numeric_limits<std::uint64_t>::max();
};

// What is known of a minibatch once the model has learned from it.
struct PrequentialStep {
  Examples examples;
  std::span<const double> scores;
  std::span<const double> probabilities;  // predicted before learning
  RoundRecord round;
};

// Calls `observe` after each minibatch; returns the number of examples. The last minibatch may be
// shorter than the others.
std::uint64_t prequential(BinaryModel& model, Generator& stream, const PrequentialOptions& options,
                          const std::function<void(const PrequentialStep&)>& observe);

}  // namespace plumbline
