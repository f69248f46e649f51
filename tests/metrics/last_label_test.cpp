#include "plumbline/metrics/last_label.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/math/rng.h"
#include "plumbline/metrics.h"
#include "tests/support.h"

namespace plumbline::last_label_test {
namespace {

// Labels that are known before the next example is predicted.
LastLabel at_once(std::size_t classes, const std::vector<Label>& labels) {
  LastLabel baseline(classes);
  for (const Label label : labels) {
    baseline.test(label);
    baseline.reveal(1);
  }
  return baseline;
}

TEST(LastLabel, PredictsTheLabelBefore) {
  // Predicted: 0 (nothing is known), 1, 1, 0, 0.
  const LastLabel baseline = at_once(2, {1, 1, 0, 0, 1});
  EXPECT_DOUBLE_EQ(baseline.accuracy(), 2.0 / 5);
  // 1/2; after a 1 (none so far) 1/2; after a 1 (1 of 1 was 1) 1/4; after a 0 (none) 1/2; after a 0 (0 of 1) 1/4.
  EXPECT_DOUBLE_EQ(baseline.log_loss(), (3 * std::log(2) + 2 * std::log(4)) / 5);
}

TEST(LastLabel, IsSmoothedByHalfAnExamplePerClass) {
  // Of three classes: 1/3; after a 2 (none so far) 1/3; after a 2 (one 2): 3/2 of 5/2; after a 2 (two 2s): 1/2 of 7/2.
  const LastLabel baseline = at_once(3, {2, 2, 2, 0});
  EXPECT_DOUBLE_EQ(baseline.accuracy(), 2.0 / 4);
  EXPECT_DOUBLE_EQ(baseline.log_loss(), (2 * std::log(3) + std::log(5.0 / 3) + std::log(7.0)) / 4);
}

TEST(LastLabel, UsesOnlyLabelsThatAreKnown) {
  LastLabel baseline;
  for (const Label label : std::vector<Label>{1, 1, 0}) baseline.test(label);
  EXPECT_EQ(baseline.hidden(), 3u);
  EXPECT_DOUBLE_EQ(baseline.accuracy(), 1.0 / 3);  // the first class, while none is known
  EXPECT_DOUBLE_EQ(baseline.log_loss(), std::log(2));
  baseline.reveal(2);  // the last label known is 1, the third is not known
  baseline.test(1);
  baseline.reveal(2);  // 0, then 1: which was predicted when 1 was the last label known
  EXPECT_EQ(baseline.hidden(), 0u);
  EXPECT_DOUBLE_EQ(baseline.accuracy(), 2.0 / 4);
  baseline.test(1);
  EXPECT_DOUBLE_EQ(baseline.accuracy(), 3.0 / 5);
  EXPECT_DOUBLE_EQ(baseline.log_loss(), (4 * std::log(2) + std::log(4.0 / 3)) / 5);
}

// The definition, with all labels at hand: the label of example i is known from example i + delay + 1 on.
struct Figures {
  double accuracy = 0, log_loss = 0;
};
Figures by_definition(const std::vector<Label>& labels, std::size_t classes, std::size_t delay) {
  Figures figures;
  const auto last_known = [&](std::size_t i) {  // examples before this one are known
    return i <= delay ? std::size_t{0} : i - delay;
  };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::size_t known = last_known(i);
    double with = 0.5, all = 0.5 * static_cast<double>(classes);
    for (std::size_t j = 0; j < known; ++j) {
      if (last_known(j) == 0 || labels[last_known(j) - 1] != labels[known - 1]) continue;
      all += 1;
      with += labels[j] == labels[i] ? 1 : 0;
    }
    figures.accuracy += labels[i] == (known == 0 ? 0 : labels[known - 1]) ? 1 : 0;
    figures.log_loss -= std::log(with / all);
  }
  figures.accuracy /= static_cast<double>(labels.size());
  figures.log_loss /= static_cast<double>(labels.size());
  return figures;
}

TEST(LastLabel, MayLearnOfLabelsLate) {
  Rng rng(3, 0, 0);
  for (const std::size_t classes : {2u, 5u}) {
    std::vector<Label> labels{0};
    while (labels.size() < 500) {
      labels.push_back(rng.uniform() < 0.9 ? labels.back()
                                           : static_cast<Label>(rng.below(classes)));
    }
    for (const std::size_t delay : {0u, 1u, 10u, 499u, 1000u}) {
      LastLabel baseline(classes);
      for (const Label label : labels) {
        baseline.test(label);
        if (baseline.hidden() > delay) baseline.reveal(1);
      }
      const Figures expected = by_definition(labels, classes, delay);
      EXPECT_DOUBLE_EQ(baseline.accuracy(), expected.accuracy);
      EXPECT_NEAR(baseline.log_loss(), expected.log_loss,
                  1e-12);  // the logarithms are not the same
    }
  }
}

TEST(LastLabel, GrowsByClassesThatHaveNotBeenSeen) {
  LastLabel grown(2);
  for (const Label label : std::vector<Label>{0, 1, 1}) {
    grown.test(label);
    grown.reveal(1);
  }
  EXPECT_DOUBLE_EQ(grown.log_loss(), 3 * std::log(2) / 3);
  grown.grow(4);
  grown.test(3);  // after a 1, which was followed by one 1: 1/2 of 1 + 4/2
  EXPECT_DOUBLE_EQ(grown.log_loss(), (3 * std::log(2) + std::log(6)) / 4);
}

TEST(LastLabel, IsZeroBeforeTheFirstExample) {
  EXPECT_EQ(LastLabel().accuracy(), 0);
  EXPECT_EQ(LastLabel().log_loss(), 0);
}

TEST(KappaTemporal, ComparesAccuraciesAboveThatOfTheLastLabel) {
  EXPECT_DOUBLE_EQ(*kappa_temporal(1, 0.75), 1);
  EXPECT_DOUBLE_EQ(*kappa_temporal(0.75, 0.75), 0);
  EXPECT_DOUBLE_EQ(*kappa_temporal(0.875, 0.75), 0.5);
  EXPECT_DOUBLE_EQ(*kappa_temporal(0.5, 0.75), -1);
  EXPECT_FALSE(kappa_temporal(1, 1).has_value());
  EXPECT_FALSE(kappa_temporal(0.5, 1).has_value());
}

const std::vector<Label> kLabels{1, 1, 0, 0, 0, 1};
const std::vector<double> kProbabilities{0.9, 0.6, 0.7, 0.4, 0.2, 0.8};  // one wrong decision

std::optional<double> value(const Spec& spec) {
  const auto metric = metrics().make(spec);
  for (std::size_t i = 0; i < kLabels.size(); ++i) {
    metric->observe(std::span(kProbabilities).subspan(i, 1), std::span(kLabels).subspan(i, 1));
  }
  return metric->value();
}

TEST(LastLabelMetrics, KnowEachLabelBeforeTheNextExample) {
  const LastLabel baseline = at_once(2, kLabels);
  EXPECT_DOUBLE_EQ(baseline.accuracy(), 3.0 / 6);
  EXPECT_EQ(value("last_label_accuracy"), baseline.accuracy());
  EXPECT_EQ(value("last_label_log_loss"), baseline.log_loss());
  EXPECT_DOUBLE_EQ(*value("kappa_temporal"), (5.0 / 6 - 3.0 / 6) / (3.0 / 6));
}

TEST(LastLabelMetrics, KnowLabelsAtTheEndOfAMinibatch) {
  // Predicted: 0, 0; 1, 1; 0, 0.
  EXPECT_DOUBLE_EQ(*value("last_label_accuracy:batch=2"), 1.0 / 6);
  EXPECT_DOUBLE_EQ(*value("kappa_temporal:batch=2"), (5.0 / 6 - 1.0 / 6) / (5.0 / 6));
  // After a 1, two zeros: 1/2, 1/2. After a 0, a one and nothing counted: 1/2, 1/2.
  EXPECT_DOUBLE_EQ(*value("last_label_log_loss:batch=2"), std::log(2));
}

TEST(LastLabelMetrics, HaveNoKappaIfTheLastLabelIsAlwaysRight) {
  const auto metric = metrics().make("kappa_temporal");
  metric->observe(std::vector{0.1, 0.9}, std::vector<Label>{0, 0});
  EXPECT_FALSE(metric->value().has_value());
}

TEST(LastLabelMetrics, RefuseStateThatCannotBe) {
  const auto metric = metrics().make("kappa_temporal:batch=3");
  metric->observe(kProbabilities, kLabels);
  metric->observe(std::vector{0.5}, std::vector<Label>{1});
  for (const auto& [name, bad] : {std::pair{"last_label.last", 4}, {"last_label.hidden", 9}}) {
    Tensors tensors = save_state(*metric);
    const auto at = std::ranges::find(tensors, name, &Tensor::name);
    ASSERT_NE(at, tensors.end()) << name;
    at->bytes.front() = static_cast<std::byte>(bad);
    test::expect_error(ErrorKind::model_file, {name}, [&] {
      const auto other = metrics().make("kappa_temporal:batch=3");
      load_state(*other, tensors);
    });
  }
}

}  // namespace
}  // namespace plumbline::last_label_test
