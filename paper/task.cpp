#include "paper/task.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "plumbline/error.h"
#include "plumbline/io/formats.h"
#include "plumbline/io/number.h"
#include "plumbline/io/source.h"
#include "plumbline/math/rng.h"

namespace plumbline::paper {
namespace {

constexpr Label kOther = 2;  // a row of neither class

}  // namespace

Task::Task(const DataSet& set, const std::string& path, const TaskOptions& options,
           const std::atomic<bool>* interrupted)
    : set_(set), options_(options) {
  load(path, interrupted);
  if (options.standardise) standardise();
  keep([](Label label) { return label != kOther; });
  const auto positives = static_cast<std::size_t>(std::count(labels_.begin(), labels_.end(), 1));
  const std::size_t smaller = std::min(positives, labels_.size() - positives);
  if (smaller == 0) {
    throw Error(ErrorKind::data,
                fmt::format("the data set '{}' needs rows of two classes, {} and {}; one has none",
                            set.name, set.positive, set.negative.empty() ? "others" : set.negative),
                {.source = path});
  }
  rows_of_run_ = set.stationary ? 2 * smaller : labels_.size();
  if (set.stationary && options.balance == Balance::first) {
    std::size_t taken[2] = {0, 0};
    keep([&](Label label) { return taken[label]++ < smaller; });
  }
}

void Task::load(const std::string& path, const std::atomic<bool>* interrupted) {
  OpenOptions reader_options;
  reader_options.interrupted = interrupted;
  const auto reader = open_stream(path, reader_options);
  while (reader->next()) {
    const auto fields = reader->row().fields;
    const Where here{.source = path, .line = reader->line()};
    if (fields.size() != set_.features + 1) {
      throw Error(ErrorKind::data,
                  fmt::format("the data set '{}' has {} features and a label, but this row has {} "
                              "fields",
                              set_.name, set_.features, fields.size()),
                  here);
    }
    for (const std::string_view field : fields.first(set_.features)) {
      const auto value = parse_number(field);
      if (!value) {
        throw Error(ErrorKind::data,
                    fmt::format("'{}' is not a number; the data set '{}' has only numbers", field,
                                set_.name),
                    here);
      }
      values_.push_back(*value);
    }
    const std::string_view label = fields.back();
    labels_.push_back(label == set_.positive                            ? 1
                      : set_.negative.empty() || label == set_.negative ? 0
                                                                        : kOther);
  }
  if (interrupted != nullptr && *interrupted) throw Interrupted{};
}

template <class Wanted>
void Task::keep(const Wanted& wanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (!wanted(labels_[i])) continue;
    const auto row = std::span(values_).subspan(i * set_.features, set_.features);
    std::ranges::copy(row, std::span(values_).subspan(kept * set_.features).begin());
    labels_[kept++] = labels_[i];
  }
  labels_.resize(kept);
  values_.resize(kept * set_.features);
}

void Task::standardise() {
  const auto n = static_cast<double>(labels_.size());
  for (std::size_t j = 0; j < set_.features; ++j) {
    double sum = 0, squares = 0;
    for (std::size_t i = j; i < values_.size(); i += set_.features) sum += values_[i];
    const double mean = sum / n;
    for (std::size_t i = j; i < values_.size(); i += set_.features) {
      values_[i] -= mean;
      squares += values_[i] * values_[i];
    }
    const double deviation = std::sqrt(squares / n);
    if (deviation == 0) continue;
    for (std::size_t i = j; i < values_.size(); i += set_.features) values_[i] /= deviation;
  }
}

std::vector<std::size_t> Task::order(std::uint64_t seed) const {
  std::vector<std::size_t> order(labels_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!set_.stationary) return order;
  Rng rng(seed, kShuffleStream, 0);
  shuffle(order, rng);
  if (options_.balance == Balance::random) {
    // In random order, the first rows of a class are a random sample of it.
    std::size_t taken[2] = {0, 0};
    std::erase_if(order, [&](std::size_t i) { return taken[labels_[i]]++ >= rows_of_run_ / 2; });
  }
  return order;
}

}  // namespace plumbline::paper
