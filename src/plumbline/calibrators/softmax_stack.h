// A joint map of the probabilities of several classes, from one or more sources:
//   q_k = e^{z_k} / sum_l e^{z_l},   z_k = b_k + sum_m a_m L_mk,   L_mk = ln p_mk,
// with one weight a_m per source, shared by the classes, and a bias b_k per class. With one source it is temperature
// scaling (Guo et al. 2017) with class biases; with several it also weighs them. It starts from a_m = 1/M and b = 0,
// the geometric mean of the sources, and the prior w0 stays there with precision P = I.
//
// Online Newton steps with forgetting, as in calibrators/online_newton.h. For an example with class y, with g and H the
// gradient of ln q_y and the curvature -d²(ln q_y)/dw² at w = (a, b):
//   A <- f A + (1 - f) P,  w <- w - A^-1 (1 - f) P (w - w0)
//   d = (A + H)^-1 g,  w <- w + t d,  where t minimises t² d'Ad/2 - ln q_y(w + t d)
//   A <- A + H at the new w
// The line search makes the step implicit: it never overshoots the label. The first line and the factors of A + H are
// renewed every M + K examples only, with f^(M + K); in between, d is slightly less accurate and t is still exact.
// A further class starts with the bias 0, of which the prior knows nothing yet; the other weights, and what is known
// about them, stay.
// Memory: two square matrices of M + K rows. Cost: O((M + K)^2) and some exponentials per class, (M + K)^3/6 each time
// that the factors are renewed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class SoftmaxStack {
 public:
  SoftmaxStack(double forgetting, std::size_t sources, std::size_t classes);
  // Starts from these weights, a and b, as if `examples` had been learned, of which it remembers 1/(1 - forgetting) at
  // most.
  SoftmaxStack(double forgetting, std::size_t sources, std::span<const double> weights,
               double examples);
  // The same map with one more class.
  SoftmaxStack with_class() const;

  std::size_t sources() const { return sources_; }
  // `logs` has the K logarithms of each source, source after source.
  void apply(std::span<const double> logs, std::span<double> probabilities) const;
  void learn(std::span<const double> logs, std::size_t y);
  // a, then b.
  std::span<const double> weights() const { return weights_; }
  void archive(Archive& archive);

 private:
  std::size_t size() const { return weights_.size(); }
  // sum_m weights_m L_mk + weights_(M+k), for each class.
  void combine(std::span<const double> weights, std::span<const double> logs,
               std::span<double> combined) const;
  void forget();
  // Adds -d²(ln q_y)/dw² to a matrix, given q.
  void add_curvature(std::span<const double> logs, std::span<const double> q,
                     std::span<double> matrix);
  void set_direction(std::span<const double> logs, std::size_t y);
  // The t of the line search along `direction_`.
  double step_length(std::size_t y);

  double forgetting_;
  std::size_t sources_, classes_, interval_;
  double kept_;  // f^interval
  std::vector<double> weights_;
  std::vector<double> curvature_;  // A, row-major
  std::uint64_t learned_ = 0;      // examples since the factors were renewed
  std::vector<double> factors_;    // Cholesky factors of A + H when they were renewed

  // Scratch for learn().
  std::vector<double> z_, q_, along_, direction_, mean_;
};

// Normalizes e^z to sum 1, in place.
void softmax(std::span<double> z);

}  // namespace plumbline::inline v0
