// What tests of calibrators share: streams of scores with a known truth, and how far a map is from
// it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "plumbline/calibrator.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"

namespace plumbline::test {

inline double apply(const Calibrator& calibrator, double score) {
  double probability = 0;
  calibrator.apply(std::span<const double>(&score, 1), {&probability, 1});
  return probability;
}

inline void calibrate(Calibrator& calibrator, const std::vector<double>& scores,
                      const std::vector<Label>& labels) {
  calibrator.observe(labels);
  calibrator.calibrate(scores, labels);
}

inline double logit(double p) { return std::log(p / (1 - p)); }

// The logits of all test streams: normal, with a deviation of 2.
inline double draw_logit(Rng& rng) { return 2 * rng.normal(); }

// Feeds examples `from` to `to` of the stream whose true probability is truth(logit of the score),
// one after the other.
template <class Truth>
void feed(Calibrator& calibrator, Truth truth, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t i = from; i < to; ++i) {
    Rng rng(5, 0, i);
    const double z = draw_logit(rng), score = sigmoid(z);
    const Label label = rng.uniform() < truth(z) ? 1 : 0;
    calibrator.calibrate(std::span<const double>(&score, 1), {&label, 1});
  }
}

// The expected log-loss above that of the truth, over 2000 fresh scores. A fit of d free parameters
// to n examples has an excess of d/(2n) on average.
template <class Truth>
double excess_loss(const Calibrator& calibrator, Truth truth) {
  constexpr std::uint64_t kScores = 2000;
  double sum = 0;
  for (std::uint64_t i = 0; i < kScores; ++i) {
    Rng rng(6, 0, i);
    const double z = draw_logit(rng), t = truth(z), p = apply(calibrator, sigmoid(z));
    sum += t * (log_loss(p, 1) - log_loss(t, 1)) + (1 - t) * (log_loss(p, 0) - log_loss(t, 0));
  }
  return sum / static_cast<double>(kScores);
}

// The m with m = margin + gain (y - 1/(1 + e^-m)), by bisection: where an implicit step ends.
inline double implicit_margin(double margin, double gain, Label label) {
  double low = margin - gain, high = margin + gain;
  for (int i = 0; i < 200; ++i) {
    const double m = 0.5 * (low + high);
    (m < margin + gain * (label - sigmoid(m)) ? low : high) = m;
  }
  return low;
}

inline Tensor& tensor(Tensors& tensors, std::string_view name) {
  return *std::find_if(tensors.begin(), tensors.end(),
                       [&](const Tensor& t) { return t.name == name; });
}

inline std::vector<double> numbers(const Calibrator& calibrator, std::string_view name) {
  Tensors tensors = save_state(calibrator);
  const Tensor& found = tensor(tensors, name);
  std::vector<double> result(found.bytes.size() / sizeof(double));
  std::memcpy(result.data(), found.bytes.data(), found.bytes.size());
  return result;
}

inline void overwrite(Tensor& tensor, std::size_t place, double value) {
  std::memcpy(&tensor.bytes[place * sizeof(double)], &value, sizeof(double));
}

}  // namespace plumbline::test
