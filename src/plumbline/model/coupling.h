// Coupling: class probabilities from the probabilities of several binary models.
//
// One-vs-rest: model k predicts s_k, the probability of class k against all others. The class
// probabilities are
//   p_k = s_k / sum_l s_l,
// or the shares of the classes so far if every s_k is 0.
//
// One-vs-one: model (i, j) predicts r_ij, the probability of class i given that it is one of the two, and
// r_ji = 1 - r_ij. The class probabilities minimise
//   sum_i sum_{j != i} (r_ji p_i - r_ij p_j)^2   with   sum_k p_k = 1
// (Wu, Lin & Weng 2004, their second method). They are never negative, and equal p if
// r_ij = p_i/(p_i + p_j) for some p. With Q the matrix of this quadratic form and e the vector of ones,
// the minimum is z/sum_k z_k, where z solves (Q + e e') z = e. The matrix is positive definite for every
// r: a vector v with e'v = 0 has entries of both signs, and such a pair contributes at least
// min(v_i^2, v_j^2). The system is therefore solved directly, by Cholesky decomposition. Cost: O(K) for
// one-vs-rest, K^3/6 for one-vs-one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::inline v0 {

// The index of the pair of classes i < j in the list of all pairs: (0,1), (0,2), (1,2), (0,3), … It does
// not depend on the number of classes.
constexpr std::size_t pair_index(std::size_t i, std::size_t j) { return j * (j - 1) / 2 + i; }

// Works in place. `shares` must sum to 1.
void couple_one_against_rest(std::span<double> probabilities, std::span<const double> shares);

class PairCoupling {
 public:
  // `second[pair_index(i, j)]` is the probability of class j, the second of the two.
  void operator()(std::span<const double> second, std::span<double> probabilities);

 private:
  std::vector<double>
      matrix_;  // scratch, reused between rows: Q + e e', then its factor, the lower triangle
};

}  // namespace plumbline::inline v0
