// Growing is the same as having had the feature all along, with zeros in it.

#include <gtest/gtest.h>

#include "plumbline/config.h"
#include "plumbline/model/binary_model.h"
#include "tests/support.h"

namespace plumbline::growing_test {
namespace {

class Growing : public testing::TestWithParam<const char*> {};

void expect_growing_changes_nothing(ModelConfig config) {
  config.ensemble.size = 3;
  const Minibatch narrow = test::waveform(600);
  const std::size_t d = narrow.columns();
  // Two features more, which are 0 in the first 300 rows.
  BinaryModel grown(config, d), wide(config, d + 2);
  Minibatch padded = narrow;
  padded.widen(d + 2);
  for (std::size_t i = 300; i < 600; ++i) {
    padded.row(i)[d] = Rng(1, 0, i).normal();
    padded.row(i)[d + 1] = narrow.examples().y[i];
  }
  for (std::size_t at = 0; at < 600; at += 50) {
    wide.learn(test::slice(padded, at, at + 50));
    if (at == 300) grown.grow(d + 2);
    grown.learn(test::slice(at < 300 ? narrow : padded, at, at + 50));
  }
  EXPECT_EQ(grown.predict(padded.features()), wide.predict(padded.features()));
  EXPECT_EQ(save_state(grown), save_state(wide));
}

TEST_P(Growing, IsAsIfTheFeatureHadAlwaysBeenZero) {
  ModelConfig config;
  config.learner = Spec(GetParam());
  expect_growing_changes_nothing(config);
}

// Calibrators that read how sure the learners are see every bit of their margins, not votes alone.
TEST_P(Growing, IsSoToTheLastBitOfTheMargins) {
  ModelConfig config = preset("auto").model;
  config.learner = Spec(GetParam());
  expect_growing_changes_nothing(config);
}

INSTANTIATE_TEST_SUITE_P(Learners, Growing,
                         testing::Values("gaussian_nb", "gaussian_nb:relative_floor=0.01",
                                         "logistic", "logistic:penalty=l1,alpha=0.01",
                                         "logistic_adaptive", "logistic_bins:grace=15",
                                         "linear_svm", "perceptron", "hoeffding_tree",
                                         "hoeffding_tree:grace=20,delta=0.5,tau=0.5"));

// Shrinking would be a mistake of our own: an assertion says so, and without assertions nothing is read
// or written beyond what is there.
TEST(Growing, OnlyGoesForward) {
  BinaryModel model(ModelConfig{}, 3);
  EXPECT_DEBUG_DEATH(model.grow(2), "features >= features_.count");
  BinaryModel other(ModelConfig{}, 3);
  other.grow(3);
  EXPECT_EQ(other.features().count, 3u);
  other.grow(5);
  EXPECT_EQ(other.features().count, 5u);
}

}  // namespace
}  // namespace plumbline::growing_test
