// Online Newton steps for a logistic model of few inputs, p(w) = 1/(1 + e^{-w'x}), some w_j >= 0.
// With the example's inputs x and label y, forgetting f, the prior's start w0 and precision P:
//   B = f A + (1 - f) P                                        (A begins as P, w as w0)
//   w <- w + B^-1 ((y - p(w_new)) x - (1 - f) P (w - w0)),     A <- B + p (1 - p) x x' at w_new
// The examples of a minibatch fade the past together, 32 at a time, before they are learned one by
// one, so that A is inverted once for all of them.
// w_new minimises the example's loss plus the faded quadratic model of the past plus the prior,
// which does not fade. The residual is that of w_new (an implicit step: Kulis & Bartlett, ICML
// 2010): from the old one, as in Hazan, Agarwal & Kale (2007), w flies back and forth where p is
// near 0 or 1 and nothing curves to stop it. Weights below their bound become 0, and the others are
// solved for again.
// It remembers d^2 + d numbers. Cost: O(d^2) per example and a few exponentials, O(d^3) per 32.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class OnlineNewton {
 public:
  static constexpr std::size_t kMaxWeights = 16;

  // P = `ridge` I + `roughness`, the latter a positive semidefinite d x d matrix, or empty for
  // none. The first `nonnegative` weights are kept at 0 or above.
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
  // Steps for the examples of a minibatch, with the inputs `inputs_of(i)`.
  template <class InputsOf>
  void learn(std::span<const Label> labels, const InputsOf& inputs_of) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (i % kTogether == 0) begin(std::min(kTogether, labels.size() - i));
      take(inputs_of(i), labels[i]);
    }
  }

  void archive(Archive& archive);

 private:
  static constexpr std::size_t kTogether = 32;

  // What comes before that many examples: the past fades, the prior pulls, and A is inverted.
  void begin(std::size_t examples);
  void invert();
  void take(std::span<const double> inputs, Label label);
  void move_to(std::span<double> moved, std::span<const double> gradient);
  // Where `moved` breaks a bound: minimises gradient'd + d'Ad/2 over d = moved - w within them.
  void keep_bounds(std::span<double> moved, std::span<const double> gradient) const;

  double forgetting_;
  double least_;  // no eigenvalue of P is smaller
  std::size_t nonnegative_;
  std::vector<double> start_;
  std::vector<double> precision_;  // P, row after row
  std::vector<double> weights_;    // w
  std::vector<double> curvature_;  // A, row after row

  // Scratch: the inverse of A, column after column, from `begin` on.
  std::vector<double> covariance_;
};

}  // namespace plumbline::inline v0
