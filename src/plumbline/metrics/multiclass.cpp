#include "plumbline/metrics/multiclass.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {

std::size_t likeliest(std::span<const double> probabilities) {
  return static_cast<std::size_t>(std::ranges::max_element(probabilities) - probabilities.begin());
}

double log_loss(std::span<const double> probabilities, Label label) {
  return log_loss(probabilities[label], Label{1});
}

double brier(std::span<const double> probabilities, Label label) {
  double sum = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    sum += brier(probabilities[k], Label{k == label});
  }
  return sum;
}

void MulticlassMetrics::grow(std::size_t classes) {
  counts_.resize(classes);
  reliability_.resize(classes, Reliability({}));
  confusion_.resize(classes);
  for (auto& row : confusion_) row.resize(classes);
}

void MulticlassMetrics::check(std::span<const double> probabilities,
                              std::span<const Label> labels) const {
  if (probabilities.size() != labels.size() * classes()) {
    throw Error(ErrorKind::data, fmt::format("{} probabilities were given for {} labels of {} "
                                             "classes",
                                             probabilities.size(), labels.size(), classes()));
  }
  for (std::size_t at = 0; at < probabilities.size(); ++at) {
    if (probabilities[at] >= 0 && probabilities[at] <= 1) continue;
    throw Error(ErrorKind::data, fmt::format("prediction {}: {} is not a probability",
                                             at / classes() + 1, probabilities[at]));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < classes()) continue;
    throw Error(ErrorKind::data, fmt::format("prediction {}: the label {} is not one of {} classes",
                                             i + 1, labels[i], classes()));
  }
}

MulticlassMetrics::LossSums MulticlassMetrics::observe(std::span<const double> probabilities,
                                                       std::span<const Label> labels) {
  check(probabilities, labels);
  LossSums observed;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = probabilities.subspan(i * classes(), classes());
    const std::size_t predicted = likeliest(row);
    const LossSums losses{plumbline::log_loss(row, labels[i]), plumbline::brier(row, labels[i])};
    for (LossSums* const sums : {&sums_, &observed}) {
      sums->log_loss += losses.log_loss;
      sums->brier += losses.brier;
    }
    right_ += predicted == labels[i] ? 1 : 0;
    ++confusion_[labels[i]][predicted];
    ++counts_[labels[i]];
  }
  examples_ += labels.size();
  for (std::size_t k = 0; k < classes(); ++k) {
    column_.clear();
    is_k_.clear();
    for (std::size_t i = 0; i < labels.size(); ++i) {
      column_.push_back(probabilities[i * classes() + k]);
      is_k_.push_back(labels[i] == k ? 1 : 0);
    }
    reliability_[k].observe(column_, is_k_);
  }
  return observed;
}

double MulticlassMetrics::calibration_error(std::size_t k) const {
  // Over all examples; those before the class was added have a probability and an error of 0.
  double gap = 0;
  for (const Bin& bin : reliability_[k].bins()) {
    gap += static_cast<double>(bin.count) * std::abs(bin.mean_probability - bin.positive_rate);
  }
  return mean(gap);
}

double MulticlassMetrics::calibration_error() const {
  double sum = 0;
  for (std::size_t k = 0; k < classes(); ++k) sum += calibration_error(k);
  return classes() == 0 ? 0 : sum / static_cast<double>(classes());
}

double MulticlassMetrics::base_log_loss() const {
  double sum = 0;
  for (const std::uint64_t count : counts_) {
    if (count == 0) continue;
    const auto n = static_cast<double>(count);
    sum -= n * std::log(n / static_cast<double>(examples_));
  }
  return mean(sum);
}

double MulticlassMetrics::base_accuracy() const {
  return counts_.empty() ? 0 : mean(static_cast<double>(std::ranges::max(counts_)));
}

}  // namespace plumbline::inline v0
