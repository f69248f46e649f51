#include "plumbline/policies/exp3.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

// A lower bound: weights grow by at most a factor of e per round.
constexpr double kLowestLogWeight = -0x1p62;

}  // namespace

void Exp3::Params::visit(OptionVisitor& visitor) {
  visitor.real("gamma", gamma, Range{.low = 0, .high = 1, .low_open = true},
               "share of rounds with a uniformly random arm");
  if (share != 0) {
    visitor.real(
        "share", share, Range{.low = 0, .high = 1, .low_open = true},
        "share of the total weight redistributed over the arms each round; about one over the "
        "number of rounds between changes");
  }
  range.visit(visitor);
}

Exp3::Exp3(const Params& params, std::span<const Action> actions, std::uint64_t seed)
    : BoundedPolicy(params.range, actions.size()),
      gamma_(params.gamma),
      share_(params.share),
      seed_(seed),
      log_weights_(actions.size()) {}

double Exp3::total_weight() const {
  double total = 0;
  for (const double log_weight : log_weights_) total += std::exp(log_weight);
  return total;
}

double Exp3::probability(std::size_t arm, double total) const {
  const auto count = static_cast<double>(log_weights_.size());
  return (1 - gamma_) * std::exp(log_weights_[arm]) / total + gamma_ / count;
}

std::vector<double> Exp3::probabilities() const {
  const double total = total_weight();
  std::vector<double> p;
  for (std::size_t a = 0; a < log_weights_.size(); ++a) p.push_back(probability(a, total));
  return p;
}

std::size_t Exp3::choose(const Round& round) const {
  const double total = total_weight();
  double left = Rng(seed_, kPolicyStream, round.number).uniform();
  for (std::size_t a = 0; a + 1 < log_weights_.size(); ++a) {
    const double p = probability(a, total);
    if (left < p) return a;
    left -= p;
  }
  return log_weights_.size() - 1;
}

void Exp3::reward(std::size_t arm, double reward) {
  BoundedPolicy::reward(arm, reward);
  // The weights have not changed since the choice, which was drawn with these probabilities.
  const double total = total_weight(), p = probability(arm, total);
  const auto count = static_cast<double>(log_weights_.size());
  log_weights_[arm] += gamma_ * range().to_unit(range().clip(reward)) / (p * count);
  if (share_ != 0) share_weights(total);
  const double largest = *std::max_element(log_weights_.begin(), log_weights_.end());
  for (double& log_weight : log_weights_) log_weight -= largest;
}

void Exp3::share_weights(double total) {
  const double redistributed =
      std::numbers::e * share_ / static_cast<double>(log_weights_.size()) * total;
  // No overflow: weights were at most 1 before this round and grew by at most a factor of e.
  for (double& log_weight : log_weights_)
    log_weight = std::log(std::exp(log_weight) + redistributed);
}

void Exp3::archive(Archive& archive) {
  BoundedPolicy::archive(archive);
  archive.values("log_weights", log_weights_);
  archive.require_within("log_weights", log_weights_, kLowestLogWeight, 0);
  if (*std::max_element(log_weights_.begin(), log_weights_.end()) != 0) {
    archive.refuse("log_weights", "must have a maximum of 0");
  }
}

}  // namespace plumbline::inline v0
