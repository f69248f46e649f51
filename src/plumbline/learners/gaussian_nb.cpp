#include "plumbline/learners/gaussian_nb.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumbline {
namespace {

// Keeps a sum over features finite when a far value meets a tiny variance.
constexpr double kMaxDistance = 1e290;

struct Moments {
  double weight = 0;
  double mean = 0;
  double variance = 0;
};

// The moments of two samples taken together.
Moments merge(const Moments& a, const Moments& b) {
  const double weight = a.weight + b.weight;
  const double share = b.weight / weight;
  const double delta = b.mean - a.mean;
  return {weight, a.mean + share * delta,
          (1 - share) * (a.variance + share * delta * delta) + share * b.variance};
}

// Population variance of one column, as numpy computes it.
double column_variance(const Batch& x, std::size_t j) {
  const auto n = static_cast<double>(x.rows);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < x.rows; ++i) sum += x.row(i)[j];
  for (std::size_t i = 0; i < x.rows; ++i) {
    const double delta = x.row(i)[j] - sum / n;
    squares += delta * delta / n;
  }
  return squares;
}

}  // namespace

void GaussianNb::Params::visit(OptionVisitor& visitor) {
  visitor.real("variance_floor", variance_floor, Range::closed(1e-100, 1e100),
               "smallest variance of a feature within a class");
  visitor.real("relative_floor", relative_floor, Range::closed(0, 1),
               "the same, as a share of the feature's variance over both classes");
  visitor.real("var_smoothing", var_smoothing, Range::closed(0, 1),
               "share of the largest feature variance that a whole-minibatch update adds");
}

GaussianNb::GaussianNb(const Params& params, std::size_t features)
    : params_(params),
      features_(features),
      mean_(2 * features),
      variance_(2 * features),
      precision_(2 * features) {
  refresh();
}

std::span<double> GaussianNb::of_class(std::vector<double>& values, std::size_t c) const {
  return std::span(values).subspan(c * features_, features_);
}

std::span<const double> GaussianNb::of_class(const std::vector<double>& values,
                                             std::size_t c) const {
  return std::span(values).subspan(c * features_, features_);
}

void GaussianNb::refresh() {
  refresh(0);
  refresh(1);
}

void GaussianNb::refresh(std::size_t c) {
  const auto variance = of_class(variance_, c);
  const auto precision = of_class(precision_, c);
  const double share = weight_[1] > 0 ? weight_[1] / (weight_[0] + weight_[1]) : 0;
  double sum = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    double floor = params_.variance_floor;
    if (params_.relative_floor > 0) {
      const double delta = mean_[features_ + j] - mean_[j];
      const double total =
          (1 - share) * (variance_[j] + share * delta * delta) + share * variance_[features_ + j];
      floor = std::max(floor, params_.relative_floor * total);
    }
    const double effective = std::max(variance[j], floor);
    precision[j] = 1 / effective;
    sum += std::log(effective);
  }
  log_variance_[c] = sum;
}

void GaussianNb::learn(Row x, Label y, double weight) {
  if (weight == 0) return;
  const auto mean = of_class(mean_, y);
  const auto variance = of_class(variance_, y);
  weight_[y] += weight;
  const double share = weight / weight_[y];
  for (std::size_t j = 0; j < features_; ++j) {
    const double delta = x[j] - mean[j];
    mean[j] += share * delta;
    variance[j] = (1 - share) * (variance[j] + share * delta * delta);
  }
  // A relative floor ties the density of either class to the moments of both.
  if (params_.relative_floor > 0) refresh(1 - y);
  refresh(y);
}

void GaussianNb::learn_each(const Examples& examples, std::span<const double> weights,
                            const LearnMode& mode, std::span<Label> votes) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Row x = examples.x.row(i);
    if (mode.correctness == Correctness::before_update) votes[i] = vote(margin(x));
    learn(x, examples.y[i], weights[i]);
    if (mode.correctness == Correctness::after_update) votes[i] = vote(margin(x));
  }
}

void GaussianNb::learn_batch(const Examples& examples, std::span<const double> weights, Weighting) {
  if (examples.size() == 0) return;
  double largest = 0;
  for (std::size_t j = 0; j < features_; ++j) {
    largest = std::max(largest, column_variance(examples.x, j));
  }
  const double smoothing = params_.var_smoothing * largest;

  for (std::size_t c = 0; c < 2; ++c) {
    double batch_weight = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (examples.y[i] == c) batch_weight += weights[i];
    }
    if (batch_weight == 0) continue;
    const auto mean = of_class(mean_, c);
    const auto variance = of_class(variance_, c);
    for (std::size_t j = 0; j < features_; ++j) {
      Moments batch{batch_weight, 0, 0};
      for (std::size_t i = 0; i < examples.size(); ++i) {
        if (examples.y[i] == c) batch.mean += weights[i] / batch_weight * examples.x.row(i)[j];
      }
      for (std::size_t i = 0; i < examples.size(); ++i) {
        const double delta = examples.x.row(i)[j] - batch.mean;
        if (examples.y[i] == c) batch.variance += weights[i] / batch_weight * delta * delta;
      }
      const Moments past{weight_[c], mean[j], variance[j] - smoothing};
      const Moments both = weight_[c] > 0 ? merge(past, batch) : batch;
      mean[j] = both.mean;
      variance[j] = both.variance + smoothing;
    }
    weight_[c] += batch_weight;
  }
  refresh();
}

double GaussianNb::margin(Row x) const {
  if (weight_[0] == 0 || weight_[1] == 0) {
    return weight_[1] > 0 ? 1 : weight_[0] > 0 ? -1 : 0;
  }
  std::array<double, 2> distance{};
  for (std::size_t c = 0; c < 2; ++c) {
    const auto mean = of_class(mean_, c);
    const auto precision = of_class(precision_, c);
    for (std::size_t j = 0; j < features_; ++j) {
      const double delta = x[j] - mean[j];
      distance[c] += std::min(delta * delta * precision[j], kMaxDistance);
    }
  }
  return std::log(weight_[1] / weight_[0]) +
         0.5 * (log_variance_[0] - log_variance_[1] + distance[0] - distance[1]);
}

void GaussianNb::margins(const Batch& batch, std::span<double> margins) const {
  for (std::size_t i = 0; i < batch.rows; ++i) margins[i] = margin(batch.row(i));
}

// A feature that was always 0 has the mean 0 and the variance 0 in both classes.
void GaussianNb::grow(std::size_t features) {
  for (std::vector<double>* values : {&mean_, &variance_}) {
    std::vector<double> wider(2 * features);
    for (std::size_t c = 0; c < 2; ++c) {
      std::ranges::copy(of_class(std::as_const(*values), c),
                        wider.begin() + static_cast<std::ptrdiff_t>(c * features));
    }
    *values = std::move(wider);
  }
  precision_.resize(2 * features);
  features_ = features;
  refresh();
}

void GaussianNb::archive(Archive& archive) {
  archive.values("weight", weight_);
  archive.values("mean", mean_, 2);
  archive.values("variance", variance_, 2);
  archive.require_within("weight", weight_, 0, kMaxState);
  archive.require_within("mean", mean_, -kMaxMagnitude, kMaxMagnitude);
  archive.require_within("variance", variance_, 0, kMaxState);
  if (!archive.loading()) return;
  refresh();
}

}  // namespace plumbline
