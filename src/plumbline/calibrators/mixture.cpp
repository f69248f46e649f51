#include "plumbline/calibrators/mixture.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "plumbline/calibrators/beta.h"
#include "plumbline/calibrators/histogram.h"
#include "plumbline/calibrators/isotonic.h"
#include "plumbline/calibrators/none.h"
#include "plumbline/calibrators/platt_newton.h"
#include "plumbline/calibrators/spline.h"
#include "plumbline/calibrators/stack.h"
#include "plumbline/data/score_table.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

// A lower bound that no stream is long enough to reach.
constexpr double kLeastLogWeight = -1e18;

// Rows that `apply` processes at a time. Its scratch is on the stack, because several threads may call it.
constexpr std::size_t kTogether = 32;

std::size_t columns_for(Mixture::Members members, std::size_t columns) {
  return members == Mixture::Members::stack ? std::min(columns, Stack::kMaxColumns) : 1;
}

void copy_first(const Scores& scores, std::span<double> probabilities) {
  std::ranges::copy(scores.column(0), probabilities.begin());
}

// Clips as the log-loss does: the regret bound holds for clipped probabilities.
double clipped(double probability) {
  return std::clamp(probability, kLogLossClip, 1 - kLogLossClip);
}

}  // namespace

void Mixture::Params::visit(OptionVisitor& visitor) {
  visitor.choice(
      "members", members,
      {{"all", Members::all},
       {"smooth", Members::smooth},
       {"platt", Members::platt},
       {"stack", Members::stack},
       {"shape", Members::shape}},
      "members to average: the raw score and platt_newton with three rates of forgetting "
      "(platt), also beta and spline (smooth), also the share of positives, histogram "
      "and isotonic (all); the raw score and stack with three rates of forgetting "
      "(stack); the raw score, spline, histogram and isotonic (shape)");
  visit_weights(visitor);
}

void Mixture::Params::visit_weights(OptionVisitor& visitor) {
  visitor.real("rate", rate, Range::closed(0.001, 1),
               "learning rate of the weights: 1 is Bayes' rule, less adapts more slowly");
  visitor.real("share", share, Range::closed(0, 0.5),
               "share of the weight redistributed evenly with each example; 0 never forgets");
}

std::vector<Mixture::Member> Mixture::make(Members members, std::size_t columns) {
  std::vector<Member> list;
  const auto add = [&]<class C>(const char* name, std::in_place_type_t<C>,
                                typename C::Params params = {}) {
    list.push_back({name, std::make_unique<C>(params)});
  };
  const auto add_stack = [&](const char* name, double forgetting) {
    list.push_back(
        {name, std::make_unique<Stack>(Stack::Params{.forgetting = forgetting}, columns)});
  };
  add("raw", std::in_place_type<NoCalibrator>);
  if (members == Members::stack) {
    add_stack("stack_fast", 0.99);
    add_stack("stack", 0.999);
    add_stack("stack_slow", 0.9999);
    return list;
  }
  if (members == Members::shape) {
    add("spline", std::in_place_type<Spline>);
    add("histogram", std::in_place_type<Histogram>, {.base = Histogram::Base::raw});
    add("isotonic", std::in_place_type<Isotonic>);
    return list;
  }
  add("platt_fast", std::in_place_type<PlattNewton>, {.forgetting = 0.99});
  add("platt", std::in_place_type<PlattNewton>, {.forgetting = 0.999});
  add("platt_slow", std::in_place_type<PlattNewton>, {.forgetting = 0.9999});
  if (members == Members::platt) return list;
  add("beta", std::in_place_type<Beta>);
  add("spline", std::in_place_type<Spline>);
  if (members == Members::smooth) return list;
  // A single bin gives the share of positives.
  add("share", std::in_place_type<Histogram>,
      {.bins = 1, .shrinkage = 1, .base = Histogram::Base::raw});
  add("histogram", std::in_place_type<Histogram>);
  add("isotonic", std::in_place_type<Isotonic>);
  return list;
}

Mixture::Mixture(const Params& params, std::size_t columns)
    : params_(params),
      members_(make(params.members, columns)),
      columns_(columns_for(params.members, columns)),
      log_weights_(members_.size()) {
  assert(members_.size() <= kMostMembers);
}

void Mixture::observe(std::span<const Label> labels) {
  for (const Member& member : members_) member.calibrator->observe(labels);
}

Mixture::PerMember Mixture::member_weights() const {
  PerMember result{};
  double sum = 0;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    result[k] = std::exp(log_weights_[k]);
    sum += result[k];
  }
  for (double& weight : result) weight /= sum;
  return result;
}

std::vector<double> Mixture::weights() const {
  const PerMember all = member_weights();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(members_.size())};
}

std::vector<Calibrator::Part> Mixture::parts() const {
  std::vector<Part> result;
  const std::vector<double> weights = this->weights();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    result.push_back({members_[k].name, weights[k]});
  }
  return result;
}

// With redistribution, weights are never so small that they need logarithms.
void Mixture::learn_sharing(std::span<const double> losses, std::size_t examples) {
  const std::size_t members = members_.size();
  const double each = params_.share / static_cast<double>(members);
  PerMember all = member_weights();
  const std::span<double> weights = std::span(all).first(members);
  for (std::size_t i = 0; i < examples; ++i) {
    double least = losses[i];
    for (std::size_t k = 1; k < members; ++k) least = std::min(least, losses[k * examples + i]);
    double sum = 0;
    for (std::size_t k = 0; k < members; ++k) {
      weights[k] *= std::exp(params_.rate * (least - losses[k * examples + i]));
      sum += weights[k];
    }
    for (double& weight : weights) weight = (1 - params_.share) * (weight / sum) + each;
  }
  std::ranges::transform(weights, log_weights_.begin(), [](double w) { return std::log(w); });
}

void Mixture::learn_alone(std::span<const double> losses, std::size_t examples) {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    for (std::size_t i = 0; i < examples; ++i) {
      log_weights_[k] -= params_.rate * losses[k * examples + i];
    }
  }
}

void Mixture::calibrate(const Scores& scores, std::span<const Label> labels) {
  predicted_.resize(labels.size());
  calibrate(scores, labels, predicted_);
}

void Mixture::calibrate(const Scores& scores, std::span<const Label> labels,
                        std::span<double> predicted) {
  const Scores shared(scores.values, scores.rows, logits_of(scores, logits_));
  outputs_.resize(members_.size() * scores.rows);
  apply_members(shared, outputs_);
  fitted_ ? average(outputs_, member_weights(), predicted) : copy_first(scores, predicted);
  learn(shared, labels);
}

void Mixture::apply_traced(const Scores& scores, std::span<double> probabilities,
                           std::span<double> trace) const {
  thread_local std::vector<double> logits;
  apply_members({scores.values, scores.rows, logits_of(scores, logits)}, trace);
  fitted_ ? average(trace, member_weights(), probabilities) : copy_first(scores, probabilities);
}

void Mixture::calibrate_traced(const Scores& scores, std::span<const Label> labels,
                               std::span<const double> trace) {
  outputs_.assign(trace.begin(), trace.end());
  learn({scores.values, scores.rows, logits_of(scores, logits_)}, labels);
}

std::span<const double> Mixture::logits_of(const Scores& scores,
                                           std::vector<double>& scratch) const {
  const std::size_t needed = columns_ * scores.rows;
  if (scores.logits.size() >= needed) return scores.logits.first(needed);
  scratch.resize(needed);
  std::ranges::transform(scores.values.first(needed), scratch.begin(), score_logit);
  return scratch;
}

void Mixture::learn(const Scores& scores, std::span<const Label> labels) {
  const std::size_t count = labels.size();
  for (std::size_t k = 0; k < members_.size(); ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      outputs_[k * count + i] = log_loss(outputs_[k * count + i], labels[i]);
    }
  }
  params_.share > 0 ? learn_sharing(outputs_, count) : learn_alone(outputs_, count);
  const double largest = *std::ranges::max_element(log_weights_);
  for (double& log_weight : log_weights_) log_weight -= largest;
  for (const Member& member : members_) member.calibrator->calibrate(scores, labels);
  fitted_ = true;
}

void Mixture::apply_members(const Scores& scores, std::span<double> outputs) const {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    members_[k].calibrator->apply(scores, outputs.subspan(k * scores.rows, scores.rows));
  }
}

void Mixture::average(std::span<const double> outputs, const PerMember& weights,
                      std::span<double> probabilities) const {
  const std::size_t rows = probabilities.size();
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      sum += weights[k] * clipped(outputs[k * rows + i]);
    }
    probabilities[i] = std::min(sum, 1.0);
  }
}

void Mixture::apply(const Scores& scores, std::span<double> probabilities) const {
  if (!fitted_) return copy_first(scores, probabilities);
  const PerMember weights = member_weights();
  std::array<double, Stack::kMaxColumns * kTogether> values, logits;
  std::array<double, kMostMembers * kTogether> outputs;
  for (std::size_t first = 0; first < scores.rows; first += kTogether) {
    const std::size_t rows = std::min(kTogether, scores.rows - first);
    for (std::size_t k = 0; k < columns_; ++k) {
      for (std::size_t i = 0; i < rows; ++i) {
        values[k * rows + i] = scores.column(k)[first + i];
        logits[k * rows + i] = scores.logit(k, first + i);
      }
    }
    apply_members(
        {std::span(values).first(columns_ * rows), rows, std::span(logits).first(columns_ * rows)},
        outputs);
    average(outputs, weights, probabilities.subspan(first, rows));
  }
}

void Mixture::archive(Archive& archive) {
  for (const Member& member : members_) {
    archive.scope(member.name, [&](Archive& inner) { member.calibrator->archive(inner); });
  }
  archive.values("log_weights", log_weights_);
  archive.value("fitted", fitted_);
  archive.require_within("log_weights", log_weights_, kLeastLogWeight, 0);
  if (archive.loading() && *std::ranges::max_element(log_weights_) != 0) {
    archive.refuse("log_weights", "must have a maximum of 0");
  }
}

}  // namespace plumbline::inline v0
