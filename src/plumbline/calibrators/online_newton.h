// Online Newton steps for a logistic model of few inputs, p(w) = 1/(1 + e^{-w'x}), some w_j >= 0.
// With inputs x and label y of an example, forgetting factor f, prior mean w0 and prior precision P:
//   A <- k A + (1 - k) P,  w <- w - A^-1 (1 - k) P (w - w0)    before every 16th example, k = f^16
//   w <- w + A^-1 (y - p(w_new)) x,  A <- A + p (1 - p) x x' at w_new    (initially A = P, w = w0)
// Discounting the past for 16 examples in one step inverts A once for all of them; each example then updates the
// inverse. The size of minibatches does not matter.
// w_new minimises the example's loss plus the discounted quadratic model of the past plus the prior,
// which is not discounted. The residual is that of w_new (an implicit step: Kulis & Bartlett, ICML
// 2010). With the residual of the old w, as in Hazan, Agarwal & Kale (2007), w oscillates where p is
// near 0 or 1 and the loss has no curvature. Weights below their bound become 0, and the other weights
// are solved for again.
// Memory: d^2 + d numbers. Cost: O(d^2) and a few exponentials per example, O(d^3) per 16 examples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class OnlineNewton {
 public:
  static constexpr std::size_t kMaxWeights = 23;

  // P = `ridge` I + `roughness`, where `roughness` is a positive semidefinite d x d matrix, or empty.
  // The first `nonnegative` weights are bounded below by 0.
  struct Prior {
    std::vector<double> start;
    double ridge;
    std::vector<double> roughness;
    std::size_t nonnegative;
  };

  OnlineNewton(double forgetting, const Prior& prior);

  std::size_t size() const { return weights_.size(); }
  // w'x.
  double linear(std::span<const double> x) const;
  // Learns the examples of a minibatch; their inputs are `inputs_of(i)`.
  template <class InputsOf>
  void learn(std::span<const Label> labels, const InputsOf& inputs_of) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (learned_ == 0) begin();
      step(inputs_of(i), labels[i]);
      learned_ = (learned_ + 1) % kTogether;
    }
  }

  void archive(Archive& archive);

 private:
  static constexpr std::uint64_t kTogether = 16;

  // Prepares for the next kTogether examples: discounts the past, applies the prior, and inverts A.
  void begin();
  void invert();
  void step(std::span<const double> inputs, Label label);
  void move_to(std::span<double> moved, std::span<const double> gradient);
  // If `moved` violates a bound: minimises gradient'd + d'Ad/2 over d = moved - w within the bounds.
  void keep_bounds(std::span<double> moved, std::span<const double> gradient) const;

  void archive_inverse(Archive& archive);

  double forgetting_;
  double least_;  // a lower bound of the eigenvalues of P
  std::size_t nonnegative_;
  std::vector<double> start_;
  std::vector<double> precision_;  // P, row-major
  std::vector<double> weights_;    // w
  std::vector<double> curvature_;  // A, row-major

  std::uint64_t learned_ = 0;  // number of examples since the last `begin`
  // The inverse of A, column-major; valid after `begin`, until kTogether examples have been learned.
  std::vector<double> covariance_;
};

}  // namespace plumbline::inline v0
