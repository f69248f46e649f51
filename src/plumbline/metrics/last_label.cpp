#include "plumbline/metrics/last_label.h"

#include <algorithm>
#include <numeric>

#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {

void LastLabel::grow(std::size_t classes) {
  counts_.resize(classes);
  for (Counts& counts : counts_) counts.of_label.resize(classes);
}

double LastLabel::probability(Label label) const {
  const auto all = static_cast<double>(classes());
  if (!last_) return 1 / all;
  const Counts& counts = counts_[*last_];
  return (static_cast<double>(counts.of_label[label]) + 0.5) /
         (static_cast<double>(counts.all) + 0.5 * all);
}

void LastLabel::test(Label label) {
  ++examples_;
  right_ += last_.value_or(0) == label ? 1 : 0;
  log_loss_sum_ += plumbline::log_loss(probability(label), Label{1});
  waiting_.push_back({last_, label});
}

void LastLabel::reveal(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [last, label] = waiting_[first_++];
    if (last) {
      ++counts_[*last].of_label[label];
      ++counts_[*last].all;
    }
    last_ = label;
  }
  // Space is reclaimed when half of it is free: constant time per example, and no allocation in the long run.
  if (2 * first_ < waiting_.size()) return;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void LastLabel::archive(Archive& archive) {
  archive.value("examples", examples_);
  archive.value("right", right_);
  archive.value("log_loss_sum", log_loss_sum_);
  archive.require_within("log_loss_sum", {&log_loss_sum_, 1}, 0, kMaxState);
  std::uint64_t last = last_ ? *last_ : classes();
  archive.value("last", last);
  if (last > classes()) archive.refuse("last", "is not a class");
  if (archive.loading()) {
    last_ = last < classes() ? std::optional(static_cast<Label>(last)) : std::nullopt;
  }
  archive_counts(archive);
  archive_waiting(archive);
}

void LastLabel::archive_counts(Archive& archive) {
  std::vector<std::uint64_t> flat;
  for (const Counts& counts : counts_) {
    flat.insert(flat.end(), counts.of_label.begin(), counts.of_label.end());
  }
  archive.values("counts", flat);
  if (!archive.loading()) return;
  auto from = flat.begin();
  for (auto& [of_label, all] : counts_) {
    std::copy_n(from, classes(), of_label.begin());
    from += static_cast<std::ptrdiff_t>(classes());
    all = std::accumulate(of_label.begin(), of_label.end(), std::uint64_t{0});
  }
}

void LastLabel::archive_waiting(Archive& archive) {
  std::uint64_t count = hidden();
  archive.value("hidden", count);
  if (archive.loading() && count > archive.bytes() / (2 * sizeof(count))) {
    archive.refuse("hidden", "is too large");
  }
  // The last label known, or the number of classes if there was none; and the label.
  std::vector<std::uint64_t> flat(2 * count);
  for (std::size_t i = 0; i < hidden() && !archive.loading(); ++i) {
    const auto& [last, label] = waiting_[first_ + i];
    flat[2 * i] = last ? *last : classes();
    flat[2 * i + 1] = label;
  }
  archive.values("waiting", flat);
  if (!archive.loading()) return;
  waiting_.clear();
  first_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t last = flat[2 * i], label = flat[2 * i + 1];
    if (last > classes() || label >= classes()) archive.refuse("waiting", "is not a class");
    waiting_.push_back({last < classes() ? std::optional(static_cast<Label>(last)) : std::nullopt,
                        static_cast<Label>(label)});
  }
}

std::optional<double> kappa_temporal(double accuracy, double accuracy_of_last_label) {
  if (accuracy_of_last_label >= 1) return std::nullopt;
  return (accuracy - accuracy_of_last_label) / (1 - accuracy_of_last_label);
}

}  // namespace plumbline::inline v0
