// Predicting, saving and viewing overlap on several threads without a race (run under
// ThreadSanitizer by ./check) and give what they give alone. A program of its own, so that the
// sanitizer's build stays small.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "plumbline/model.h"
#include "tests/conformance/configurations.h"
#include "tests/support.h"

namespace plumbline::concurrency_test {
namespace {

class Concurrency : public ::testing::TestWithParam<test::NamedConfig> {};

TEST_P(Concurrency, PredictingSavingAndViewingMayOverlap) {
  const Minibatch data = test::waveform(200);
  // Rows are standardized on the way, in memory that no two threads may share.
  Model trained(
      {.model = GetParam().config, .encoder = {.standardize = EncoderOptions::Standardize::yes}},
      Schema::numeric(21));
  for (std::size_t i = 0; i < 200; i += 50) trained.learn(test::slice(data, i, i + 50));
  const Model& model = trained;
  const auto probabilities = model.predict(data.features());
  const auto bytes = model.to_bytes();

  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(model.predict(data.features()), probabilities); });
    threads.emplace_back([&] { EXPECT_EQ(model.to_bytes(), bytes); });
    threads.emplace_back([&] { EXPECT_EQ(model.view().rounds, 4u); });
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Concurrency, ::testing::ValuesIn(test::configurations()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plumbline::concurrency_test
