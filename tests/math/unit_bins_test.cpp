#include "plumbline/math/unit_bins.h"

#include <gtest/gtest.h>

namespace plumbline::unit_bins_test {
namespace {

TEST(UnitBins, HoldTheirLowerEndAndTheLastOneHoldsOne) {
  EXPECT_EQ(bin_of(0, 15), 0u);
  EXPECT_EQ(bin_of(0.5, 10), 5u);
  EXPECT_EQ(bin_of(1, 15), 14u);
  EXPECT_EQ(bin_of(1 - 1e-16, 15), 14u);
}

TEST(UnitBins, TheArcsineScaleGoesFromZeroToOne) {
  EXPECT_EQ(arcsine_scale(0), 0);
  EXPECT_DOUBLE_EQ(arcsine_scale(0.25), 1.0 / 3);  // arcsin(1/2) is 30 degrees
  EXPECT_DOUBLE_EQ(arcsine_scale(0.5), 0.5);
  EXPECT_EQ(arcsine_scale(1), 1);
}

}  // namespace
}  // namespace plumbline::unit_bins_test
