#include "plumbline/encoding/row_batch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace plumbline::inline v0 {
namespace {

double sum_of(double a, double b) { return std::clamp(a + b, -kMaxMagnitude, kMaxMagnitude); }

}  // namespace

void RowBatch::clear(const Schema& schema) {
  sparse_ = schema.sparse;
  width_ = schema.size();
  known_features_ = schema.size();
  known_classes_ = schema.classes.size();
  scores_each_ = schema.scores.size();
  scores_.clear();
  values_.clear();
  entries_.clear();
  starts_.assign(1, 0);
  labels_.clear();
  costs_.clear();
  numbers_.clear();
  label_texts_.clear();
  new_features_.clear();
  new_labels_ = {};
}

void RowBatch::begin_row() {
  before_ = {new_features_.size(), new_labels_.classes.size(), width_, new_features_.overflowed(),
             new_labels_.negative.has_value()};
  times_before_ = times_;
  if (!sparse_) values_.resize((rows() + 1) * width_);
}

void RowBatch::cancel_row() {
  new_features_.shrink(before_.features, before_.overflowed);
  new_labels_.classes.resize(before_.classes);
  if (!before_.negative) new_labels_.negative.reset();
  times_ = times_before_;
  if (!sparse_) set_width(before_.width);
  values_.resize(rows() * width_);
  entries_.resize(starts_.back());
  scores_.resize(rows() * scores_each_);
}

void RowBatch::add(std::size_t feature, double value) {
  if (sparse_) {
    if (!std::isnan(value)) entries_.push_back({static_cast<std::uint32_t>(feature), value});
    return;
  }
  if (feature >= width_) set_width(feature + 1);
  double& sum = dense_row()[feature];
  sum = sum_of(sum, value);
}

void RowBatch::set_width(std::size_t width) {
  if (width == width_) return;
  const std::size_t all = width_ == 0 ? rows() + 1 : values_.size() / width_;
  std::vector<double> values(all * width);
  for (std::size_t i = 0; i < all; ++i) {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(i * width_), std::min(width, width_),
                values.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  values_ = std::move(values);
  width_ = width;
}

void RowBatch::end_sparse_row() {
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(starts_.back());
  const auto end = entries_.end();
  const auto less = [](const Entry& a, const Entry& b) { return a.feature < b.feature; };
  if (!std::is_sorted(begin, end, less)) std::stable_sort(begin, end, less);
  auto kept = begin;
  for (auto entry = begin; entry != end; ++entry) {
    if (kept != begin && std::prev(kept)->feature == entry->feature) {
      std::prev(kept)->value = sum_of(std::prev(kept)->value, entry->value);
    } else {
      *kept++ = *entry;
    }
  }
  entries_.erase(kept, end);
  starts_.push_back(entries_.size());
}

void RowBatch::end_row(Label label, std::uint64_t number) {
  if (sparse_) end_sparse_row();
  labels_.push_back(label);
  numbers_.push_back(number);
}

void RowBatch::add_row(const Examples& rows, std::size_t i, std::size_t end) {
  if (!sparse_ && !rows.x.sparse()) {
    const auto values = rows.x.row(i).first(std::min(end, rows.x.columns));
    assert(values.size() <= width_);
    values_.insert(values_.end(), values.begin(), values.end());
    values_.resize((this->rows() + 1) * width_);
  } else {
    begin_row();
    add_entries(rows.x, i, end);
  }
  const auto scores = rows.x.part(i, 1).scores;
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  end_row(rows.y.empty() ? Label{0} : rows.y[i], i + 1);
  if (!rows.costs.empty()) add_costs(rows.costs[i]);
}

void RowBatch::add_rows(const Examples& rows, std::size_t first, std::size_t count) {
  if (sparse_ || rows.x.sparse() || rows.x.columns != width_ || rows.y.empty()) {
    for (std::size_t i = first; i < first + count; ++i) add_row(rows, i);
    return;
  }
  const Examples part = rows.part(first, count);
  values_.insert(values_.end(), part.x.values.begin(), part.x.values.end());
  scores_.insert(scores_.end(), part.x.scores.begin(), part.x.scores.end());
  labels_.insert(labels_.end(), part.y.begin(), part.y.end());
  for (std::size_t i = 0; i < count; ++i) numbers_.push_back(first + i + 1);
  costs_.insert(costs_.end(), part.costs.begin(), part.costs.end());
}

void RowBatch::add_entries(const Batch& rows, std::size_t i, std::size_t end) {
  if (rows.sparse()) {
    for (const auto& [feature, value] : rows.sparse_row(i)) {
      if (feature < end) add(feature, value);
    }
    return;
  }
  const auto values = rows.row(i).first(std::min(end, rows.columns));
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (values[j] != 0) add(j, values[j]);
  }
}

void RowBatch::repeat_last() {
  if (sparse_) {
    const std::size_t begin = starts_[rows() - 1], end = starts_[rows()];
    for (std::size_t i = begin; i < end; ++i) entries_.push_back(Entry(entries_[i]));
    starts_.push_back(entries_.size());
  } else {
    values_.resize((rows() + 1) * width_);
    std::copy_n(values_.end() - static_cast<std::ptrdiff_t>(2 * width_), width_,
                values_.end() - static_cast<std::ptrdiff_t>(width_));
  }
  for (std::size_t m = 0; m < scores_each_; ++m) {
    scores_.push_back(double(scores_[scores_.size() - scores_each_]));
  }
  labels_.push_back(labels_.back());
  numbers_.push_back(numbers_.back());
  if (!costs_.empty()) costs_.push_back(Costs(costs_.back()));
}

void RowBatch::remove_last() {
  if (costs_.size() == labels_.size()) costs_.pop_back();
  labels_.pop_back();
  numbers_.pop_back();
  times_ = times_before_;
  if (sparse_) {
    starts_.pop_back();
    entries_.resize(starts_.back());
  } else {
    values_.resize(rows() * width_);
  }
  scores_.resize(rows() * scores_each_);
}

Batch RowBatch::features() const {
  if (sparse_) {
    return {.rows = rows(),
            .columns = known_features_ + new_features_.size(),
            .entries = {entries_.data(), starts_.back()},
            .starts = starts_,
            .scores = scores_};
  }
  return {.values = {values_.data(), rows() * width_},
          .rows = rows(),
          .columns = width_,
          .scores = scores_};
}

void RowBatch::settle(std::span<const std::size_t> features, std::span<const Label> classes,
                      const Schema& schema) {
  bool as_proposed = true;
  for (std::size_t k = 0; k < features.size(); ++k)
    as_proposed &= features[k] == known_features_ + k;
  if (!as_proposed) {
    renumber(features, schema.size());
  } else if (!sparse_ && width_ < schema.size()) {
    set_width(schema.size());
  }
  for (Label& label : labels_) {
    if (!classes.empty() && label >= known_classes_) label = classes[label - known_classes_];
  }
  known_features_ = schema.size();
  known_classes_ = schema.classes.size();
  new_features_.clear();
  new_labels_ = {};
}

void RowBatch::renumber(std::span<const std::size_t> features, std::size_t columns) {
  const auto index_of = [&](std::size_t feature) {
    return feature < known_features_ ? feature : features[feature - known_features_];
  };
  if (sparse_) {
    const std::vector<Entry> entries = std::move(entries_);
    const std::vector<std::size_t> starts = std::move(starts_);
    entries_.clear();
    starts_.assign(1, 0);
    for (std::size_t i = 0; i < rows(); ++i) {
      for (std::size_t at = starts[i]; at < starts[i + 1]; ++at) {
        add(index_of(entries[at].feature), entries[at].value);
      }
      end_sparse_row();
    }
    return;
  }
  const std::vector<double> values = std::move(values_);
  const std::size_t width = std::exchange(width_, columns);
  values_.assign(rows() * columns, 0);
  for (std::size_t i = 0; i < rows(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      double& sum = values_[i * columns + index_of(j)];
      sum = sum_of(sum, values[i * width + j]);
    }
  }
}

}  // namespace plumbline::inline v0
