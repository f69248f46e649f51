#include "plumbline/companions/label_history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support.h"

namespace plumbline::label_history_test {
namespace {

constexpr std::size_t kColumns = LabelHistory::kRates.size();

void learn(LabelHistory& history, const std::vector<Label>& labels) {
  const std::vector<double> values(labels.size());
  history.learn({{.values = values, .rows = labels.size(), .columns = 1}, labels});
}

// The predicted probabilities of `rows` rows: of each column, and of each class if there are several.
std::vector<double> probabilities(const LabelHistory& history, std::size_t rows,
                                  std::size_t ahead = 0, std::size_t classes = 1) {
  const std::vector<double> values(rows);
  std::vector<double> result(kColumns * classes * rows);
  history.margins({.values = values, .rows = rows, .columns = 1}, ahead, result);
  for (double& value : result) value = 1 / (1 + std::exp(-value));
  return result;
}

double base_of(const std::vector<Label>& labels, Label k, double classes) {
  const auto count = static_cast<double>(std::ranges::count(labels, k));
  return (count + 0.5) / (static_cast<double>(labels.size()) + classes / 2);
}

// By the definition: an average of the labels with the weights r (1 - r)^i, where all labels before the first one
// and after the last one are the base rate.
double expected(const std::vector<Label>& labels, Label k, double classes, double rate,
                double age) {
  const double base = base_of(labels, k, classes);
  double sum = 0, weight = 0, factor = std::pow(1 - rate, age);
  for (std::size_t i = labels.size(); i-- > 0; factor *= 1 - rate) {
    sum += rate * factor * (labels[i] == k ? 1 : 0);
    weight += rate * factor;
  }
  return std::clamp(sum + (1 - weight) * base, 0.001, 0.999);
}

TEST(LabelHistory, AveragesTheLabelsThatAreKnown) {
  const std::vector<Label> labels{0, 1, 1, 0, 1, 1, 1};
  LabelHistory history({}, {.features = 1});
  learn(history, labels);
  const std::vector<double> p = probabilities(history, 3);
  for (std::size_t column = 0; column < kColumns; ++column) {
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_NEAR(p[column * 3 + row],
                  expected(labels, 1, 2, LabelHistory::kRates[column], static_cast<double>(row)),
                  1e-12)  // rounding
          << column << " " << row;
    }
  }
}

TEST(LabelHistory, PredictsTheBaseRateFarAhead) {
  LabelHistory history({}, {.features = 1});
  std::vector<Label> labels(50, 0);
  labels.insert(labels.end(), 30, 1);
  learn(history, labels);
  EXPECT_GT(probabilities(history, 1)[0], 0.99);
  for (const std::size_t ahead : {std::size_t{5000}, std::size_t{1} << 62}) {
    for (const double p : probabilities(history, 2, ahead)) {
      EXPECT_NEAR(p, base_of(labels, 1, 2), 1e-12);
    }
  }
}

TEST(LabelHistory, RowsOfABatchAreOneAfterTheOther) {
  LabelHistory history({}, {.features = 1});
  learn(history, {1, 0, 0, 0, 1, 1});
  const std::vector<double> together = probabilities(history, 4);
  for (std::size_t row = 0; row < 4; ++row) {
    const std::vector<double> alone = probabilities(history, 1, row);
    for (std::size_t column = 0; column < kColumns; ++column) {
      EXPECT_NEAR(together[column * 4 + row], alone[column], 1e-12);
    }
  }
}

TEST(LabelHistory, SaysNothingBeforeTheFirstLabel) {
  const LabelHistory history({}, {.features = 1});
  for (const double p : probabilities(history, 2)) EXPECT_EQ(p, 0.5);
}

TEST(LabelHistory, CountsSeveralClasses) {
  const std::vector<Label> labels{0, 1, 1, 2, 2, 1};
  LabelHistory history({}, {.features = 1, .several_classes = true});
  history.add_class();
  learn(history, {0});
  history.add_class();
  learn(history, {1, 1});
  history.add_class();
  learn(history, {2, 2, 1});
  const std::vector<double> p = probabilities(history, 2, 0, 3);
  for (std::size_t column = 0; column < kColumns; ++column) {
    for (Label k = 0; k < 3; ++k) {
      EXPECT_NEAR(p[(column * 3 + k) * 2], expected(labels, k, 3, LabelHistory::kRates[column], 0),
                  1e-12);
    }
  }
}

TEST(LabelHistory, RefusesAFileWithImpossibleShares) {
  LabelHistory history({}, {.features = 1});
  learn(history, {0, 1});
  Tensors tensors = save_state(history);
  for (Tensor& tensor : tensors) {
    if (tensor.name == "sums") tensor.bytes[7] = std::byte{0x40};  // at least 2
  }
  LabelHistory loaded({}, {.features = 1});
  EXPECT_THROW(load_state(loaded, tensors), Error);
}

}  // namespace
}  // namespace plumbline::label_history_test
