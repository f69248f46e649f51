#include "plumbline/calibrators/class_mixture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

struct Rate {
  const char* name;
  double forgetting;
};
constexpr std::array<Rate, 3> kRates{{{"fast", 0.99}, {"medium", 0.999}, {"slow", 0.9999}}};
constexpr double kClassRate = 0.5, kClassShare = 1e-4;

}  // namespace

ClassMixture::ClassMixture(std::size_t sources, std::size_t classes)
    : classes_(classes),
      weights_(std::vector<double>(kRates.size(), 1.0 / kRates.size()), kClassRate, kClassShare),
      losses_(kRates.size()) {
  for (const Rate& rate : kRates) members_.emplace_back(rate.forgetting, sources, classes);
}

ClassMixture::ClassMixture(std::size_t sources, std::span<const double> weights, double examples)
    : ClassMixture(sources, weights.size() - sources) {
  members_.clear();
  for (const Rate& rate : kRates) {
    members_.emplace_back(rate.forgetting, sources, weights, examples);
  }
}

ClassMixture ClassMixture::with_class() const {
  ClassMixture wider(members_.front().sources(), classes_ + 1);
  std::ranges::transform(members_, wider.members_.begin(),
                         [](const SoftmaxStack& member) { return member.with_class(); });
  wider.weights_ = weights_;
  return wider;
}

void ClassMixture::apply(std::span<const double> logs, std::span<double> probabilities,
                         std::span<double> trace) const {
  std::ranges::fill(probabilities, 0);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const std::span<double> predicted = trace.subspan(m * classes_, classes_);
    members_[m].apply(logs, predicted);
    for (std::size_t k = 0; k < classes_; ++k) {
      probabilities[k] += weights_.weights()[m] * predicted[k];
    }
  }
}

void ClassMixture::learn(std::span<const double> logs, std::size_t y,
                         std::span<const double> trace) {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    losses_[m] = -std::log(std::max(trace[m * classes_ + y], kLogLossClip));
    members_[m].learn(logs, y);
  }
  weights_.learn(losses_);
}

std::vector<Calibrator::Part> ClassMixture::parts() const {
  std::vector<Calibrator::Part> parts;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    parts.push_back({kRates[m].name, weights_.weights()[m]});
  }
  return parts;
}

void ClassMixture::archive(Archive& archive) {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    archive.scope(kRates[m].name, [&](Archive& inner) { members_[m].archive(inner); });
  }
  weights_.archive(archive);
}

}  // namespace plumbline::inline v0
