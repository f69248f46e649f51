// From the answers of several binary models to one probability for each class.
//
// One against rest: model k says s_k, the probability of class k against all others. The classes' are
//   p_k = s_k / sum_l s_l,
// and where every s_k is 0, the classes' shares of the examples so far.
//
// One against one: model (i, j) says r_ij, the probability of class i where it is one of the two, and
// r_ji = 1 - r_ij. The classes' minimise
//   sum_i sum_{j != i} (r_ji p_i - r_ij p_j)^2   with   sum_k p_k = 1
// (Wu, Lin & Weng 2004, their second method). They are never negative, and where r_ij = p_i/(p_i + p_j)
// for some p, they are that p. With Q the matrix of this quadratic form and e the vector of ones, the
// minimum is z/sum_k z_k, z the solution of (Q + e e') z = e. The matrix is positive definite for every
// r: a vector v with e'v = 0 has entries of both signs, and such a pair contributes at least
// min(v_i^2, v_j^2). So it is solved directly, by Cholesky's decomposition, and there is nothing to
// iterate. Cost: K for one against rest, K^3/6 for one against one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::inline v0 {

// The place of the pair of classes i < j in a list of all pairs: (0,1), (0,2), (1,2), (0,3), … It does
// not depend on how many classes there are.
constexpr std::size_t pair_index(std::size_t i, std::size_t j) { return j * (j - 1) / 2 + i; }

// In place. `shares` sum to 1.
void couple_one_against_rest(std::span<double> probabilities, std::span<const double> shares);

class PairCoupling {
 public:
  // `second[pair_index(i, j)]` is the probability of class j, the second of the two.
  void operator()(std::span<const double> second, std::span<double> probabilities);

 private:
  std::vector<double>
      matrix_;  // scratch, kept from one row to the next: Q + e e', then its factor, the lower triangle
};

}  // namespace plumbline::inline v0
