// Examples that the kernels are measured with, here and by tests/performance.
#pragma once

#include <cstddef>

#include "plumbline/batch.h"
#include "plumbline/math/rng.h"

namespace plumbline::bench {

// Normal features with a mean of 0.2 if the label is 1, else 0.
inline Minibatch examples(std::size_t rows, std::size_t features) {
  Minibatch batch(features);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(1, 0, i);
    const Label label = rng.uniform() < 0.5 ? 1 : 0;
    for (double& x : batch.add(label)) x = rng.normal() + 0.2 * label;
  }
  return batch;
}

}  // namespace plumbline::bench
