#include "plumbline/generators/drift.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/generators/registry.h"
#include "tests/support.h"

namespace plumbline::drift_test {
namespace {

// Row i is i, and its label says which concept it comes from.
class Counter : public Generator {
 public:
  explicit Counter(Label label) : Generator(Schema::numeric(1), 1), label_(label) {}

 private:
  Label draw(Rng&, std::uint64_t i, std::span<double> x) override {
    x[0] = static_cast<double>(i);
    return label_;
  }

  Label label_;
};

Drift counters(const Drift::Params& params, std::uint64_t seed = 1) {
  return {params, std::make_unique<Counter>(Label{0}), std::make_unique<Counter>(Label{1}), seed};
}

// How often example i is of the second concept, over as many seeds.
std::vector<double> shares_of_second(const Drift::Params& params, std::size_t rows, int seeds) {
  std::vector<double> shares(rows);
  Minibatch batch(1);
  for (int seed = 0; seed < seeds; ++seed) {
    counters(params, static_cast<std::uint64_t>(seed)).read(batch, rows);
    for (std::size_t i = 0; i < rows; ++i) shares[i] += batch.examples().y[i];
  }
  for (double& share : shares) share /= seeds;
  return shares;
}

TEST(Drift, IsAbruptForAWidthOf0And1) {
  for (const std::int64_t width : {0, 1}) {
    Drift stream = counters({.position = 30, .width = width});
    Minibatch batch(1);
    stream.read(batch, 60);
    for (std::size_t i = 0; i < 60; ++i) {
      EXPECT_EQ(batch.features().row(i)[0], static_cast<double>(i));
      EXPECT_EQ(batch.examples().y[i], i < 30 ? 0 : 1) << i;
    }
  }
}

TEST(Drift, GoesFromOneSpecToTheOther) {
  const auto sea = [](const char* spec) { return generators().make(spec, 5); };
  Drift stream({.position = 1000}, sea("sea:concept=4,noise=0"), sea("sea:concept=3,noise=0"), 5);
  Minibatch batch(3);
  stream.read(batch, 2000);
  int between = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto x = batch.features().row(i);
    ASSERT_EQ(batch.examples().y[i] == 1, x[0] + x[1] <= (i < 1000 ? 9.5 : 7)) << i;
    between += x[0] + x[1] > 7 && x[0] + x[1] <= 9.5;
  }
  EXPECT_GT(between, 0) << "the concepts must differ somewhere";
}

// The sigmoid by hand: 1/2 at the position, 1 / (1 + 1/e) a quarter of the width later.
TEST(Drift, MixesTheConceptsByTheSigmoidIfGradual) {
  constexpr int kSeeds = 2000;
  const std::vector<double> share = shares_of_second({.position = 100, .width = 100}, 151, kSeeds);
  const std::pair<std::size_t, double> expected[] = {
      {0, 1 / (1 + std::exp(4.0))},    {50, 1 / (1 + std::exp(2.0))},
      {75, 1 / (1 + std::exp(1.0))},   {100, 0.5},
      {125, 1 / (1 + std::exp(-1.0))}, {150, 1 / (1 + std::exp(-2.0))}};
  for (const auto& [i, p] : expected) {
    EXPECT_NEAR(share[i], p, test::five_errors(p, kSeeds)) << i;
  }
}

TEST(Drift, DrawsTheConceptAnewForEachExample) {
  Drift stream = counters({.position = 5000, .width = 1000000000});  // an equal mixture throughout
  Minibatch batch(1);
  stream.read(batch, 10000);
  EXPECT_NEAR(test::positive_rate(batch), 0.5, test::five_errors(0.5, 10000));
  double changes = 0;
  for (std::size_t i = 1; i < 10000; ++i) {
    changes += batch.examples().y[i] != batch.examples().y[i - 1];
  }
  EXPECT_NEAR(changes / 9999, 0.5, test::five_errors(0.5, 9999));
}

TEST(Drift, KeepsTheIndexOfAnExampleInAMixture) {
  Drift stream = counters({.position = 50, .width = 100});
  Minibatch batch(1);
  stream.read(batch, 100);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(batch.features().row(i)[0], static_cast<double>(i));
  }
}

TEST(Drift, RecursWithThePeriod) {
  Drift stream = counters({.position = 5, .period = 10});
  Minibatch batch(1);
  stream.read(batch, 45);
  for (std::size_t i = 0; i < 45; ++i) {
    const bool second = (i >= 5 && i < 15) || (i >= 25 && i < 35);
    EXPECT_EQ(batch.examples().y[i], second ? 1 : 0) << i;
  }
}

TEST(Drift, RecursGradually) {
  constexpr int kSeeds = 2000;
  const std::vector<double> share =
      shares_of_second({.position = 50, .width = 20, .period = 100}, 256, kSeeds);
  const double later = 1 / (1 + std::exp(-1.0)), half = test::five_errors(0.5, kSeeds);
  EXPECT_NEAR(share[50], 0.5, half);
  EXPECT_NEAR(share[55], later, half);
  EXPECT_GT(share[100], 0.99);  // 1 / (1 + e^-10) = 0.99995
  EXPECT_NEAR(share[145], later, half);
  EXPECT_NEAR(share[150], 0.5, half);
  EXPECT_NEAR(share[155], 1 - later, half);
  EXPECT_LT(share[200], 0.01);
  EXPECT_NEAR(share[255], later, half);
}

TEST(Drift, LetsARunningDriftGoOnUnseen) {
  const auto plane = [](const char* spec) { return generators().make(spec, 3); };
  const char* const rotating = "hyperplane:magnitude=0.1,noise=0";
  Drift stream({.position = 200}, plane("hyperplane:concept=2"), plane(rotating), 3);
  Minibatch drifted(10);
  stream.read(drifted, 400);
  const Minibatch alone = test::generate(rotating, 400, 3);
  EXPECT_TRUE(std::ranges::equal(test::slice(drifted, 200, 400).y, test::slice(alone, 200, 400).y));
  EXPECT_FALSE(std::ranges::equal(test::slice(drifted, 0, 200).y, test::slice(alone, 0, 200).y));
}

TEST(Drift, DoesNotDependOnHowItIsRead) {
  const auto make = [] {
    return Drift({.position = 250, .width = 300, .period = 400},
                 generators().make("hyperplane:magnitude=0.1", 1),
                 generators().make("hyperplane:concept=2", 1), 1);
  };
  Drift whole = make(), pieces = make();
  test::expect_the_same_in_pieces(whole, pieces, 1000);
}

TEST(Drift, RefusesConceptsOfDifferentSchemas) {
  test::expect_error(ErrorKind::config, {"same features"}, [] {
    Drift({}, generators().make("sea", 1), generators().make("led", 1), 1);
  });
}

TEST(Drift, TakesItsParamsFromOptions) {
  const auto params = read_params<Drift::Params>("drift:position=10,width=4,period=20", "drift");
  EXPECT_EQ(params.position, 10);
  EXPECT_EQ(params.width, 4);
  EXPECT_EQ(params.period, 20);
}

}  // namespace
}  // namespace plumbline::drift_test
