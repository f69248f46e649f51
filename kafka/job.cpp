#include "kafka/job.h"

#include <algorithm>

namespace plumbline::kafka {

void Scoreboard::add(std::span<const double> probabilities, Label label) {
  const std::lock_guard lock(mutex_);
  ++examples_;
  if (probabilities.size() > 1) {
    // A lane may know fewer classes than another one, and a label may be of a class that was new.
    const std::size_t known = std::max<std::size_t>(probabilities.size(), label + 1);
    if (classes_.classes() < known) classes_.grow(known - classes_.classes());
    std::vector<double> all(probabilities.begin(), probabilities.end());
    all.resize(classes_.classes(), 0);
    classes_.observe(all, {&label, 1});
    return;
  }
  for (Metric* const metric : {log_loss_.get(), brier_.get(), accuracy_.get()}) {
    metric->observe(probabilities, {&label, 1});
  }
}

Scoreboard::Figures Scoreboard::figures() const {
  const std::lock_guard lock(mutex_);
  if (classes_.classes() > 0) {
    return {examples_, classes_.log_loss(), classes_.brier(), classes_.accuracy()};
  }
  return {examples_, log_loss_->value().value_or(0), brier_->value().value_or(0),
          accuracy_->value().value_or(0)};
}

bool Job::take_row() {
  if (!limit) return true;
  const std::lock_guard lock(mutex_);
  if (taken_ >= *limit) return false;
  ++taken_;
  return true;
}

bool Job::at_limit() const {
  const std::lock_guard lock(mutex_);
  return limit && taken_ >= *limit;
}

void Job::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(error);
}

std::exception_ptr Job::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace plumbline::kafka
