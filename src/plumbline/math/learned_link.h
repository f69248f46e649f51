// A learned link function: corrects the margins of a linear model where its probabilities differ from the frequencies of
// the positive class. A linear logit cannot fit noisy labels: far from the boundary, a fixed share of them is wrong.
//
//   corrected margin = m + c(t),   t = m/(2 + |m|),   c piecewise linear with 25 equidistant knots in [-1, 1]
//   c_k = logit((Y_k + s q_k)/(N_k + s)) - logit(q_k),   q_k = Q_k/N_k,   s = 30
// with the hat function h_k of knot k, and sums over examples with margin m, label y and weight w:
//   N_k <- (1 - h_k/5000) N_k + w h_k;   Q_k and Y_k likewise, with w h_k p(m) and w h_k y
// Memory: 3 numbers per knot. Cost: a division for a margin; two logarithms for an example.
#pragma once

#include <array>
#include <cstddef>

#include "plumbline/archive.h"
#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class LearnedLink {
 public:
  double corrected(double margin) const;
  void learn(double margin, Label y, double weight);
  void archive(Archive& archive);

 private:
  static constexpr std::size_t kKnots = 25;

  // A position between the knots `left` and `left` + 1, with the weights 1 - `share` and `share`.
  struct Position {
    std::size_t left;
    double share;
  };
  // N, Q and Y of a knot.
  struct Sums {
    double weight = 0, predicted = 0, positive = 0;
  };

  static Position position(double margin);
  static double correction(const Sums& sums);

  std::array<Sums, kKnots> sums_{};
  std::array<double, kKnots> corrections_{};  // cache: c_k
};

}  // namespace plumbline::inline v0
