// The limit of the machine for the work of the Naive Bayes kernels (kernels/gaussian_nb-inl.h): loops
// with the same operations and no memory, and loops with the same loads and stores and no operations.
//
// A step is one feature of one example for a vector of learners. Counted from the source, a step of
// training (`after_update`, no clamping) is
//
//   7 additions and subtractions: delta, the mean, the variance, two differences, two for the distance
//   9 multiplications: moved, moved * delta, by the rest, by 1/floor, the product, two for each distance
//   1 maximum, 1 division
//   8 blends: mean and variance of the label's class, and back into the six moments
//   4 operations on bits, for the product: add, shift, and, or
//   7 loads: six moments and the feature; 6 stores: six moments
//
// which makes 18 flops (the maximum is one), 56 bytes loaded and 48 stored for each learner. A step of
// prediction is 4 additions and subtractions and 4 multiplications, 8 flops, and for each row a load of
// the feature; four rows share the loads of four moments: 2 loads, 16 bytes (of which the feature is for all
// learners, but is loaded for each vector).
//
// The draws, the logarithm and the weights of a learner are not counted, nor are lanes without a learner,
// the wave's run-in and the tally of the votes: they are our loss, not part of the limit.
#pragma once

#include <cstddef>

namespace plumbline::bench {

struct StepCount {
  int flops, bytes_loaded, bytes_stored;  // for one learner, feature and example
};
inline constexpr StepCount kTraining{18, 56, 48}, kPrediction{8, 16, 0};

std::size_t lanes();  // of a vector
const char* instruction_set();

// Each does so many passes over all features, a pass being a group of two vectors of training or of four
// rows of prediction: 2 · features and 4 · features steps.
void training_operations(std::size_t passes, std::size_t features);
void training_memory(std::size_t passes, std::size_t features, double* moments, const double* x,
                     std::size_t stride);
// Both in one loop, not depending on each other: what is lost when they share the processor.
void training_together(std::size_t passes, std::size_t features, double* moments, const double* x,
                       std::size_t stride);
void prediction_operations(std::size_t passes, std::size_t features);
void prediction_memory(std::size_t passes, std::size_t features, const double* moments,
                       const double* x);
void prediction_together(std::size_t passes, std::size_t features, const double* moments,
                         const double* x);

}  // namespace plumbline::bench
