#include "plumbline/batch.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support.h"

namespace plumbline::batch_test {
namespace {

using test::expect_error;

TEST(Batch, RowsLieOneAfterTheOther) {
  const Minibatch batch = test::rows({{{1, 2}, 0}, {{3, 4}, 1}});
  EXPECT_EQ(batch.rows(), 2u);
  EXPECT_EQ(batch.features().row(1)[0], 3);
  EXPECT_EQ(batch.examples().y[1], 1);
}

TEST(Batch, CheckNamesTheRowAndTheFeatureOfABadValue) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  expect_error(ErrorKind::data, {"row 2, feature 1", "nan", "not a finite number"}, [&] {
    check_rows(test::rows({{{1, 2}, 0}, {{kNan, 4}, 1}}).features(), 2);
  });
  expect_error(ErrorKind::data, {"row 1, feature 2", "-inf"}, [&] {
    check_rows(test::rows({{{1, -kInfinity}, 0}}).features(), 2);
  });
  expect_error(ErrorKind::data, {"row 1, feature 1", "1e+151", "beyond 1e150"}, [&] {
    check_rows(test::rows({{{1e151}, 0}}).features(), 1);
  });
  EXPECT_NO_THROW(check_rows(test::rows({{{-1e150}, 0}}).features(), 1));
}

TEST(Batch, CheckRefusesAnotherNumberOfColumns) {
  expect_error(ErrorKind::data, {"have 2 features", "made for 3"}, [] {
    check_rows(test::rows({{{1, 2}, 0}}).features(), 3);
  });
  const double values[5] = {1, 2, 3, 4, 5};
  expect_error(ErrorKind::data, {"3 values", "2 rows of 2"}, [&] {
    check_rows(Batch{std::span(values).first(3), 2, 2}, 2);
  });
  expect_error(ErrorKind::data, {"5 values", "2 rows of 2"}, [&] {
    check_rows(Batch{values, 2, 2}, 2);
  });
}

TEST(Batch, CheckRefusesBadLabels) {
  expect_error(ErrorKind::data, {"row 2", "label is 2"}, [] {
    check_examples(test::rows({{{1}, 0}, {{1}, 2}}).examples(), 1);
  });
  const Minibatch batch = test::rows({{{1}, 0}, {{1}, 1}});
  expect_error(ErrorKind::data, {"1 labels", "2 rows"}, [&] {
    check_examples(Examples{batch.features(), batch.examples().y.first(1)}, 1);
  });
  const Minibatch one = test::rows({{{1}, 0}});
  expect_error(ErrorKind::data, {"2 labels", "1 rows"}, [&] {
    check_examples(Examples{one.features(), batch.examples().y}, 1);
  });
}

TEST(Batch, CostsComeAndGoWithTheirRows) {
  Minibatch batch(1);
  batch.add(0);
  batch.add_costs({1, 2});
  batch.add(1);
  batch.add_costs({3, 4});
  ASSERT_EQ(batch.examples().costs.size(), 2u);
  EXPECT_EQ(batch.examples().costs[1], (Costs{3, 4}));
  batch.remove_last();
  EXPECT_EQ(batch.examples().costs.size(), 1u);
  batch.clear();
  EXPECT_TRUE(batch.examples().costs.empty());
  batch.add(1);
  batch.remove_last();  // without costs
  EXPECT_EQ(batch.rows(), 0u);
}

TEST(Batch, CheckRefusesBadCosts) {
  const Minibatch batch = test::rows({{{1}, 0}, {{1}, 1}});
  const auto checked = [&](const std::vector<Costs>& costs) {
    check_examples(Examples{batch.features(), batch.examples().y, costs}, 1);
  };
  EXPECT_NO_THROW(checked({}));
  EXPECT_NO_THROW(checked({{0, 0}, {1, 1e12}}));
  expect_error(ErrorKind::data, {"costs", "1 of 2 rows"}, [&] { checked({{1, 1}}); });
  for (const double bad :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    expect_error(ErrorKind::data, {"row 2", "cost"}, [&] { checked({{1, 1}, {1, bad}}); });
    expect_error(ErrorKind::data, {"row 1", "cost"}, [&] { checked({{bad, 1}, {1, 1}}); });
  }
}

}  // namespace
}  // namespace plumbline::batch_test
