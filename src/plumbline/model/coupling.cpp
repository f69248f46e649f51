#include "plumbline/model/coupling.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "plumbline/math/linear.h"

namespace plumbline::inline v0 {
namespace {

void normalise(std::span<double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value /= sum;
}

}  // namespace

void couple_one_against_rest(std::span<double> probabilities, std::span<const double> shares) {
  assert(probabilities.size() == shares.size());
  const bool all_zero =
      std::all_of(probabilities.begin(), probabilities.end(), [](double p) { return p == 0; });
  if (all_zero) std::ranges::copy(shares, probabilities.begin());
  normalise(probabilities);
}

void PairCoupling::operator()(std::span<const double> second, std::span<double> probabilities) {
  const std::size_t classes = probabilities.size();
  assert(second.size() == classes * (classes - 1) / 2);
  matrix_.assign(classes * classes, 0.0);
  for (std::size_t i = 0; i < classes; ++i) matrix_[i * classes + i] = 1;
  for (std::size_t j = 1; j < classes; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double of_j = second[pair_index(i, j)], of_i = 1 - of_j;
      matrix_[i * classes + i] += of_j * of_j;
      matrix_[j * classes + j] += of_i * of_i;
      matrix_[j * classes + i] = 1 - of_i * of_j;
    }
  }
  cholesky_factorise(matrix_, classes, 0);
  std::ranges::fill(probabilities, 1.0);
  solve_lower(matrix_, probabilities);
  solve_lower_transposed(matrix_, probabilities);
  // Rounding can make zeros slightly negative.
  for (double& p : probabilities) p = std::max(p, 0.0);
  normalise(probabilities);
}

}  // namespace plumbline::inline v0
