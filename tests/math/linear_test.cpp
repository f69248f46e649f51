#include "plumbline/math/linear.h"

#include <gtest/gtest.h>

#include <vector>

namespace plumbline::linear_test {
namespace {

// L L' for L = [2 . .; 1 3 .; -1 2 1]; what is above the diagonal is not read.
const std::vector<double> kMatrix{4, 99, 99, 2, 10, 99, -2, 5, 6};

TEST(Cholesky, FindsTheFactorThatTheMatrixWasMadeFrom) {
  std::vector<double> factor = kMatrix;
  EXPECT_EQ(cholesky_factorise(factor, 3, 0), 1);  // pivots 4, 9 and 1
  EXPECT_EQ(factor, (std::vector<double>{2, 99, 99, 1, 3, 99, -1, 2, 1}));
}

TEST(Cholesky, SolvesBothTriangles) {
  std::vector<double> factor = kMatrix;
  cholesky_factorise(factor, 3, 0);
  // M (1, 2, 3)' = (2, 37, 26)'.
  std::vector<double> x{2, 37, 26};
  solve_lower(factor, x);
  EXPECT_EQ(x, (std::vector<double>{1, 12, 3}));
  solve_lower_transposed(factor, x);
  EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));
}

TEST(Cholesky, RaisesPivotsAndTellsTheSmallest) {
  std::vector<double> factor{4, 0, 2, 0.5};  // the second pivot is 0.5 - 1
  EXPECT_EQ(cholesky_factorise(factor, 2, 0.25), -0.5);
  EXPECT_EQ(factor, (std::vector<double>{2, 0, 1, 0.5}));
}

TEST(Cholesky, TakesAMatrixWithoutRows) {
  std::vector<double> none;
  EXPECT_GT(cholesky_factorise(none, 0, 0), 0);
}

TEST(Ldl, SolvesForAnyChoiceOfRows) {
  const std::vector<std::size_t> all{0, 1, 2};
  const Ldl<4> factors(kMatrix, 3, all, 0);
  EXPECT_EQ(factors.pivot(0), 4);
  EXPECT_EQ(factors.pivot(1), 9);
  EXPECT_EQ(factors.pivot(2), 1);
  std::vector<double> x{2, 37, 26};
  factors.solve(x);
  EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));

  // Rows 0 and 2 alone: [4 -2; -2 6] (1, 3)' = (-2, 16)'.
  const std::vector<std::size_t> some{0, 2};
  std::vector<double> y{-2, 16};
  Ldl<4>(kMatrix, 3, some, 0).solve(y);
  EXPECT_EQ(y, (std::vector<double>{1, 3}));
}

TEST(Ldl, InvertsByColumns) {
  // [4 2; 2 10] has the determinant 36. All numbers on the way are exact but 1/9.
  const std::vector<std::size_t> rows{0, 1};
  std::vector<double> inverse(4);
  const auto subtract_rows = [](double* row, const double* others, std::size_t count,
                                const double* times, std::size_t stride) {
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t c = 0; c < 2; ++c) row[c] -= times[k * stride] * others[k * 2 + c];
    }
  };
  Ldl<4>(kMatrix, 3, rows, 0).invert_into(2, inverse.data(), subtract_rows);
  const std::vector<double> expected{10.0 / 36, -2.0 / 36, -2.0 / 36, 4.0 / 36};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(inverse[i], expected[i]) << i;
}

TEST(Ldl, RaisesPivots) {
  const std::vector<double> matrix{4, 0, 2, 0.5};
  const std::vector<std::size_t> all{0, 1};
  EXPECT_EQ(Ldl<2>(matrix, 2, all, 0.25).pivot(1), 0.25);
}

}  // namespace
}  // namespace plumbline::linear_test
