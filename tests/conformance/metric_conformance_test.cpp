// What every metric and every generator promises.

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/generators/registry.h"
#include "plumbline/math/rng.h"
#include "plumbline/metrics.h"
#include "tests/support.h"

namespace plumbline::metric_conformance_test {
namespace {

std::vector<Spec> metric_specs() {
  std::vector<Spec> specs;
  for (const auto& row : metrics().rows()) {
    specs.emplace_back(row.name);
    for (const OptionInfo& option : row.options) {
      if (option.name == "window" || option.name == "batch") {
        specs.push_back(Spec(row.name).set(option.name, std::int64_t{10}));
      }
    }
  }
  return specs;
}

class MetricConformance : public ::testing::TestWithParam<Spec> {};

TEST_P(MetricConformance, SaveLoadContinueIsBitwiseEqualAtEveryCut) {
  Rng rng(1, 0, 0);
  std::vector<double> probabilities;
  std::vector<Label> labels;
  for (int i = 0; i < 40; ++i) {
    probabilities.push_back(rng.uniform());
    labels.push_back(static_cast<Label>(rng.below(2)));
  }
  const auto whole = metrics().make(GetParam());
  whole->observe(probabilities, labels);
  for (std::size_t cut = 0; cut <= 40; ++cut) {
    const auto first = metrics().make(GetParam()), second = metrics().make(GetParam());
    first->observe(std::span(probabilities).first(cut), std::span(labels).first(cut));
    load_state(*second, save_state(*first));
    second->observe(std::span(probabilities).subspan(cut), std::span(labels).subspan(cut));
    EXPECT_EQ(save_state(*second), save_state(*whole));
    EXPECT_EQ(second->value(), whole->value());
  }
}

TEST_P(MetricConformance, IsFiniteForCertainPredictionsRightAndWrong) {
  const auto metric = metrics().make(GetParam());
  metric->observe(std::vector<double>{0, 0, 1, 1}, std::vector<Label>{0, 1, 0, 1});
  EXPECT_TRUE(std::isfinite(metric->value().value_or(0)));
  for (const Bin& bin : metric->bins()) {
    EXPECT_TRUE(std::isfinite(bin.mean_probability) && std::isfinite(bin.positive_rate));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, MetricConformance, ::testing::ValuesIn(metric_specs()),
                         [](const auto& test) {
                           std::string name = test.param.text();
                           std::erase_if(name, [](char c) { return !std::isalnum(c) && c != '_'; });
                           return name;
                         });

class GeneratorConformance : public ::testing::TestWithParam<std::string> {};

TEST_P(GeneratorConformance, GivesTheSameStreamForTheSameSeedAndFitsItsSchema) {
  const auto a = generators().make(Spec(GetParam()), 3), b = generators().make(Spec(GetParam()), 3);
  const auto other = generators().make(Spec(GetParam()), 4);
  const std::size_t columns = a->schema().size();
  Minibatch x(columns), y(columns), z(columns);
  a->read(x, 50);
  ASSERT_EQ(x.rows(), 50u);
  b->read(y, 20);
  b->read(y, 30);
  other->read(z, 50);
  EXPECT_NO_THROW(check_examples(x.examples(), columns));
  EXPECT_TRUE(std::ranges::equal(test::slice(x, 20, 50).x.values, y.features().values));
  EXPECT_FALSE(std::ranges::equal(x.features().values, z.features().values));
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const auto& row : generators().rows()) names.push_back(row.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Every, GeneratorConformance, ::testing::ValuesIn(generator_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace plumbline::metric_conformance_test
