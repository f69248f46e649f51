// State does not grow with the stream: 100 minibatches through every configuration, with every allocation counted, or a
// million examples if PLUMBLINE_FULL is set. Equality with minibatch 50 shows it in either case.

#include <gtest/gtest.h>

#include <cstdlib>

#include "plumbline/metrics.h"
#include "plumbline/model.h"
#include "tests/conformance/configurations.h"
#include "tests/conformance/counted_memory.h"
#include "tests/support.h"

namespace plumbline::memory_test {
namespace {

constexpr std::size_t kBatch = 1000;
const std::size_t kExamples =
    std::getenv("PLUMBLINE_FULL") == nullptr ? 100 * kBatch : 1000 * kBatch;

class Memory : public ::testing::TestWithParam<test::NamedConfig> {};

TEST_P(Memory, IsConstantOverAStream) {
  // Ten different minibatches, over and over: what matters is their number.
  Minibatch data(2);
  Rng rng(1, 0, 0);
  for (std::size_t i = 0; i < 10 * kBatch; ++i) {
    const auto y = static_cast<Label>(rng.below(2));
    for (double& x : data.add(y)) x = rng.normal() + y;
  }
  Config config{.model = GetParam().config};
  config.model.ensemble.size = 2;
  Model model(config, Schema::numeric(2));
  std::vector<std::unique_ptr<Metric>> all_metrics;
  for (const auto& row : metrics().rows()) all_metrics.push_back(metrics().make(Spec(row.name)));
  Predictions predictions;
  std::int64_t live_early = 0;
  std::size_t bytes_early = 0;
  for (std::size_t done = 0; done < kExamples; done += kBatch) {
    const std::size_t from = done % (10 * kBatch);
    const Examples batch = test::slice(data, from, from + kBatch);
    model.step(batch, predictions);
    for (const auto& metric : all_metrics) metric->observe(predictions.probabilities, batch.y);
    if (done == 50 * kBatch) {
      bytes_early = model.to_bytes().size();
      live_early = test::live_bytes();
    }
  }
  EXPECT_EQ(test::live_bytes(), live_early);
  EXPECT_EQ(model.to_bytes().size(), bytes_early);
}

INSTANTIATE_TEST_SUITE_P(Every, Memory, ::testing::ValuesIn(test::configurations()),
                         [](const auto& test) { return test.param.name; });

// The default pool of nodes is small enough for ensembles.
TEST(PoolMemory, TenHoeffdingTreesOf54FeaturesTakeLessThan20MiB) {
  const std::int64_t before = test::live_bytes();
  Config config;
  config.model.learner = "hoeffding_tree";
  Model model(config, Schema::numeric(54));
  Minibatch data(54);
  for (const Label y : {Label{0}, Label{1}}) std::ranges::fill(data.add(y), y);
  model.learn(data.examples());
  const std::int64_t taken = test::live_bytes() - before;
  EXPECT_LT(taken, 20 << 20);
  EXPECT_GT(taken, 10 << 20);  // the pools are there
}

}  // namespace
}  // namespace plumbline::memory_test
