#include "plumbline/online_calibrator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "plumbline/data/score_table.h"
#include "plumbline/error.h"
#include "plumbline/math/loss.h"
#include "plumbline/model/online_calibrator_impl.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {
namespace {

// Bayes' rule; the share lets a weight recover when the best source changes.
constexpr double kAverageRate = 1, kAverageShare = 1e-5;

// Half of the weight is that of the calibrator, the last one.
std::vector<double> prior_weights(std::size_t scores) {
  std::vector<double> prior(scores, 0.5 / static_cast<double>(scores));
  prior.push_back(0.5);
  return prior;
}

HeldRows no_held_rows(const OnlineCalibratorOptions& options, std::size_t mapped,
                      std::size_t outputs, std::size_t trace) {
  const double low = options.classes == 2 ? 0 : ScoreMap::kLeastLog;
  return {mapped + outputs + trace, options.max_pending, low, 1};
}

double loss_of(std::span<const double> probabilities, Label label) {
  if (probabilities.size() == 1) return log_loss(probabilities[0], label);
  return -std::log(std::max(probabilities[label], kLogLossClip));
}

void check_room(std::size_t rows, std::size_t outputs, std::size_t room) {
  if (room == rows * outputs) return;
  throw Error(ErrorKind::data,
              fmt::format("there is room for {} probabilities, but {} rows have {}", room, rows,
                          rows * outputs));
}

}  // namespace

OnlineCalibrator::Impl::Impl(const OnlineCalibratorOptions& complete_options,
                             std::shared_ptr<const Components> shared)
    : options(complete_options),
      components(std::move(shared)),
      map(options.inputs, options.classes, options.columns),
      calibration(
          make_score_calibration(*components, options.calibrator, options.scores, options.classes)),
      weights(prior_weights(options.scores), kAverageRate, kAverageShare),
      held(no_held_rows(options, map.width(), outputs(), calibration->trace_size())),
      losses(weights.size()),
      uncalibrated(outputs()),
      kept(map.width() + outputs() + calibration->trace_size()) {}

void OnlineCalibrator::Impl::average(std::span<const double> mapped_row,
                                     std::span<const double> calibrated_row,
                                     std::span<double> probabilities) const {
  const std::span<const double> v = weights.weights();
  if (outputs() == 1) {
    double sum = v.back() * clipped_score(calibrated_row[0]);
    for (std::size_t m = 0; m < map.scores(); ++m) sum += v[m] * clipped_score(mapped_row[m]);
    probabilities[0] = std::min(sum, 1.0);
    return;
  }
  thread_local std::vector<double> one;
  one.resize(outputs());
  for (std::size_t k = 0; k < outputs(); ++k) probabilities[k] = v.back() * calibrated_row[k];
  for (std::size_t m = 0; m < map.scores(); ++m) {
    map.probabilities(mapped_row, m, one);
    for (std::size_t k = 0; k < outputs(); ++k) probabilities[k] += v[m] * one[k];
  }
  const double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  for (double& p : probabilities) p /= sum;
}

void OnlineCalibrator::Impl::predict_to_learn(std::span<const double> scores) {
  const std::size_t width = map.width(), rows = scores.size() / width;
  next.clear();
  mapped.resize(scores.size());
  calibrated.resize(rows * outputs());
  trace.resize(rows * calibration->trace_size());
  for (std::size_t i = 0; i < rows; ++i) {
    map.map(scores.subspan(i * width, width), std::span(mapped).subspan(i * width, width));
  }
  calibration->apply(mapped, rows, calibrated, trace);
}

void OnlineCalibrator::Impl::learn_predicted(std::span<const Label> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t m = 0; m < map.scores(); ++m) {
      map.probabilities(std::span(mapped).subspan(i * map.width(), map.width()), m, uncalibrated);
      losses[m] = loss_of(uncalibrated, labels[i]);
    }
    const std::span<double> q = std::span(calibrated).subspan(i * outputs(), outputs());
    if (outputs() == 1) q[0] = clipped_score(q[0]);
    losses.back() = loss_of(q, labels[i]);
    weights.learn(losses);
  }
  calibration->learn(mapped, labels, trace);
  examples += labels.size();
}

void OnlineCalibrator::Impl::learn_predicted_row(std::span<const double> row, Label label) {
  if (options.label_delay > 0) {
    add_late(label);
    learn_late();
  } else {
    learn_predicted({&label, 1});
  }
  map.learn(row);
}

void OnlineCalibrator::Impl::check_labels(std::span<const Label> labels, std::size_t rows) const {
  if (labels.size() != rows) {
    throw Error(ErrorKind::data,
                fmt::format("there are {} labels of {} rows", labels.size(), rows));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < options.classes) continue;
    throw Error(ErrorKind::data, fmt::format("the label {} of row {} is not one of {} classes",
                                             labels[i], i + 1, options.classes));
  }
}

void OnlineCalibrator::Impl::check_one(std::span<const double> row,
                                       std::span<const double> probabilities) const {
  if (row.size() != map.width() || probabilities.size() != outputs()) {
    throw Error(ErrorKind::data,
                fmt::format("a row has {} scores and {} probabilities, not {} and {}", map.width(),
                            outputs(), row.size(), probabilities.size()));
  }
  map.check(row);
}

void OnlineCalibrator::Impl::pack() {
  const auto end = std::ranges::copy(mapped, kept.begin()).out;
  std::ranges::copy(trace, std::ranges::copy(calibrated, end).out);
}

void OnlineCalibrator::Impl::unpack(std::span<const double> numbers) {
  const auto after_map = numbers.begin() + static_cast<std::ptrdiff_t>(map.width());
  const auto after_calibrated = after_map + static_cast<std::ptrdiff_t>(outputs());
  next.clear();
  mapped.assign(numbers.begin(), after_map);
  calibrated.assign(after_map, after_calibrated);
  trace.assign(after_calibrated, numbers.end());
}

void OnlineCalibrator::Impl::step_now(std::span<const double> scores, std::span<const Label> labels,
                                      std::span<double> probabilities) {
  const std::size_t width = map.width();
  predict_to_learn(scores);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    average(std::span(mapped).subspan(i * width, width),
            std::span(calibrated).subspan(i * outputs(), outputs()),
            probabilities.subspan(i * outputs(), outputs()));
  }
  learn_predicted(labels);
}

// Row by row, because the trace of a minibatch is not that of its rows.
void OnlineCalibrator::Impl::step_late(std::span<const double> scores,
                                       std::span<const Label> labels,
                                       std::span<double> probabilities) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    predict_to_learn(scores.subspan(i * map.width(), map.width()));
    average(mapped, calibrated, probabilities.subspan(i * outputs(), outputs()));
    add_late(labels[i]);
  }
  learn_late();
}

void OnlineCalibrator::Impl::add_late(Label label) {
  pack();
  late.push(kept);
  late.push(static_cast<double>(label));
}

void OnlineCalibrator::Impl::learn_late() {
  while (late_rows() > options.label_delay) {
    const std::span<const double> row = late.front(kept.size() + 1);
    const auto label = static_cast<Label>(row.back());
    unpack(row.first(kept.size()));
    late.pop(row.size());
    learn_predicted({&label, 1});
  }
}

void OnlineCalibrator::Impl::archive_late(Archive& archive) {
  const std::size_t width = kept.size() + 1;
  std::uint64_t rows = late_rows();
  archive.value("rows", rows);
  if (rows > options.label_delay ||
      (archive.loading() && rows > archive.bytes() / (width * sizeof(double)))) {
    archive.refuse("rows", "is too large");
  }
  std::vector<double> numbers(late.all().begin(), late.all().end());
  numbers.resize(rows * width);
  archive.values("numbers", numbers, rows);
  if (!archive.loading()) return;
  const double low = options.classes == 2 ? 0 : ScoreMap::kLeastLog;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> row = std::span(numbers).subspan(i * width, width);
    archive.require_within("numbers", row.first(width - 1), low, 1);
    const double label = row.back();
    if (!(label >= 0 && label < static_cast<double>(options.classes) &&
          label == std::floor(label))) {
      archive.refuse("numbers", "has a label that is no class");
    }
  }
  late.assign(std::move(numbers));
}

OnlineCalibrator::OnlineCalibrator(const OnlineCalibratorOptions& options,
                                   const Components& components)
    : impl_(std::make_unique<Impl>(complete(options, components), share(components))) {}

OnlineCalibrator::OnlineCalibrator(OnlineCalibrator&&) noexcept = default;
OnlineCalibrator& OnlineCalibrator::operator=(OnlineCalibrator&&) noexcept = default;
OnlineCalibrator::~OnlineCalibrator() = default;

void OnlineCalibrator::add_class(const std::string& name) {
  OnlineCalibratorOptions wider = options();
  if (std::ranges::find(wider.class_names, name) != wider.class_names.end()) {
    throw Error(ErrorKind::data, fmt::format("there is a class '{}' already", name));
  }
  if (pending() > 0) {
    throw Error(ErrorKind::data,
                fmt::format("{} rows wait for their labels, without a probability of the class "
                            "'{}'; learn them before it is added",
                            pending(), name));
  }
  ++wider.classes;
  wider.class_names.push_back(name);
  wider.columns.clear();
  auto impl = std::make_unique<Impl>(complete(wider, *impl_->components), impl_->components);
  impl->calibration = impl_->calibration->with_class(impl_->examples);
  impl->weights = impl_->weights;
  impl->examples = impl_->examples;
  if (impl_->options.classes > 2) impl->map.keep_scales(impl_->map);
  impl_ = std::move(impl);
}

const OnlineCalibratorOptions& OnlineCalibrator::options() const { return impl_->options; }
std::size_t OnlineCalibrator::width() const { return impl_->map.width(); }
std::size_t OnlineCalibrator::outputs() const { return impl_->outputs(); }
std::size_t OnlineCalibrator::pending() const { return impl_->held.size() + impl_->late_rows(); }
std::uint64_t OnlineCalibrator::examples() const { return impl_->examples; }
std::uint64_t OnlineCalibrator::dropped() const { return impl_->held.dropped(); }

void OnlineCalibrator::predict(std::span<const double> scores,
                               std::span<double> probabilities) const {
  const std::size_t rows = impl_->map.check(scores), outputs = this->outputs();
  check_room(rows, outputs, probabilities.size());
  // Several threads may predict at once, and the scratch of each is kept, so that a steady stream allocates nothing.
  constexpr std::size_t kTogether = 32;
  thread_local std::vector<double> mapped, calibrated, trace;
  for (std::size_t first = 0; first < rows; first += kTogether) {
    const std::size_t count = std::min(kTogether, rows - first);
    mapped.resize(count * width());
    calibrated.resize(count * outputs);
    trace.resize(count * impl_->calibration->trace_size());
    const auto mapped_row = [&](std::size_t i) {
      return std::span(mapped).subspan(i * width(), width());
    };
    for (std::size_t i = 0; i < count; ++i) {
      impl_->map.map(scores.subspan((first + i) * width(), width()), mapped_row(i));
    }
    impl_->calibration->apply(mapped, count, calibrated, trace);
    for (std::size_t i = 0; i < count; ++i) {
      impl_->average(mapped_row(i), std::span(calibrated).subspan(i * outputs, outputs),
                     probabilities.subspan((first + i) * outputs, outputs));
    }
  }
}

std::vector<double> OnlineCalibrator::predict(std::span<const double> scores) const {
  std::vector<double> probabilities(scores.size() / width() * outputs());
  predict(scores, probabilities);
  return probabilities;
}

std::vector<double> OnlineCalibrator::uncalibrated(std::span<const double> scores) const {
  const std::size_t rows = impl_->map.check(scores), outputs = this->outputs();
  const std::size_t sources = options().scores;
  std::vector<double> mapped(width()), probabilities(rows * sources * outputs);
  for (std::size_t i = 0; i < rows; ++i) {
    impl_->map.map(scores.subspan(i * width(), width()), mapped);
    for (std::size_t m = 0; m < sources; ++m) {
      impl_->map.probabilities(
          mapped, m, std::span(probabilities).subspan((i * sources + m) * outputs, outputs));
    }
  }
  return probabilities;
}

void OnlineCalibrator::check(std::span<const double> scores) const { impl_->map.check(scores); }

void OnlineCalibrator::check(std::span<const double> scores, std::span<const Label> labels) const {
  impl_->check_labels(labels, impl_->map.check(scores));
}

void OnlineCalibrator::learn(std::span<const double> scores, std::span<const Label> labels) {
  check(scores, labels);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = scores.subspan(i * width(), width());
    impl_->predict_to_learn(row);
    impl_->learn_predicted_row(row, labels[i]);
  }
}

void OnlineCalibrator::predict_next(std::span<const double> row, std::span<double> probabilities) {
  impl_->check_one(row, probabilities);
  impl_->predict_to_learn(row);
  impl_->average(impl_->mapped, impl_->calibrated, probabilities);
  impl_->next.assign(row.begin(), row.end());
}

bool OnlineCalibrator::learn_last(Label label) {
  impl_->check_labels({&label, 1}, 1);
  if (impl_->next.empty()) return false;
  std::swap(impl_->next, impl_->last);  // learning clears `next`
  impl_->learn_predicted_row(impl_->last, label);
  impl_->next.clear();
  return true;
}

void OnlineCalibrator::step(std::span<const double> scores, std::span<const Label> labels,
                            std::span<double> probabilities) {
  check(scores, labels);
  check_room(labels.size(), outputs(), probabilities.size());
  if (labels.empty()) return;
  options().label_delay > 0 ? impl_->step_late(scores, labels, probabilities)
                            : impl_->step_now(scores, labels, probabilities);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    impl_->map.learn(scores.subspan(i * width(), width()));
  }
}

void OnlineCalibrator::check_to_hold(std::span<const std::uint64_t> ids,
                                     std::span<const double> scores) const {
  const std::size_t rows = impl_->map.check(scores);
  if (ids.size() != rows) {
    throw Error(ErrorKind::data, fmt::format("there are {} ids of {} rows", ids.size(), rows));
  }
  std::vector<std::uint64_t> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  auto twice = std::ranges::adjacent_find(sorted);
  if (twice == sorted.end()) {
    twice = std::ranges::find_if(sorted, [&](auto id) { return impl_->held.contains(id); });
  }
  if (twice != sorted.end()) {
    throw Error(ErrorKind::data,
                fmt::format("a row with the id {} waits for its label already", *twice));
  }
}

void OnlineCalibrator::hold(std::uint64_t id, std::span<const double> row,
                            std::span<double> probabilities) {
  if (impl_->held.contains(id)) {
    throw Error(ErrorKind::data,
                fmt::format("a row with the id {} waits for its label already", id));
  }
  impl_->check_one(row, probabilities);
  impl_->predict_to_learn(row);
  impl_->average(impl_->mapped, impl_->calibrated, probabilities);
  impl_->pack();
  impl_->held.add(id, impl_->kept);
  impl_->map.learn(row);
}

bool OnlineCalibrator::learn(std::uint64_t id, Label label) {
  impl_->check_labels({&label, 1}, 1);
  if (!impl_->held.take(id, impl_->kept)) return false;
  impl_->unpack(impl_->kept);
  impl_->learn_predicted({&label, 1});
  return true;
}

std::vector<Calibrator::Part> OnlineCalibrator::weights() const {
  const std::span<const double> v = impl_->weights.weights();
  std::vector<Calibrator::Part> parts;
  const std::size_t each = width() / options().scores;
  for (std::size_t m = 0; m < options().scores; ++m) {
    parts.push_back({options().columns[m * each], v[m]});
  }
  parts.push_back({"calibrator", v.back()});
  return parts;
}

std::vector<Calibrator::Part> OnlineCalibrator::parts() const {
  return impl_->calibration->parts();
}

void OnlineCalibrator::archive(Archive& archive) {
  if (archive.loading()) impl_->next.clear();
  archive.value("examples", impl_->examples);
  impl_->map.archive(archive);
  archive.scope("average", [&](Archive& inner) { impl_->weights.archive(inner); });
  archive.scope("calibrator", [&](Archive& inner) { impl_->calibration->archive(inner); });
  archive.scope("held", [&](Archive& inner) { impl_->held.archive(inner); });
  if (options().label_delay == 0) return;
  archive.scope("late", [&](Archive& inner) { impl_->archive_late(inner); });
}

}  // namespace plumbline::inline v0
