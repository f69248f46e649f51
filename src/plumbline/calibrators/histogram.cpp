#include "plumbline/calibrators/histogram.h"

#include "plumbline/calibrators/none.h"
#include "plumbline/calibrators/platt_newton.h"
#include "plumbline/data/score_table.h"
#include "plumbline/math/unit_bins.h"

namespace plumbline::inline v0 {
namespace {

// Bins with a smaller weight count as empty; denormal numbers would be slow.
constexpr double kEmptyBin = 1e-12;
// More examples than any stream has.
constexpr double kMaxExamples = 1e18;

std::unique_ptr<Calibrator> make_base(const Histogram::Params& params) {
  if (params.base == Histogram::Base::raw) {
    return std::make_unique<NoCalibrator>(NoCalibrator::Params{});
  }
  return std::make_unique<PlattNewton>(PlattNewton::Params{.forgetting = params.base_forgetting});
}

}  // namespace

void Histogram::Params::visit(OptionVisitor& visitor) {
  visitor.integer("bins", bins, Range::closed(1, 1000), "number of bins");
  visitor.real("forgetting", forgetting, Range::closed(0.5, 1),
               "share of the past kept with each example; 1 forgets nothing");
  visitor.real("shrinkage", shrinkage, Range::closed(0.001, 1e6),
               "weight of the base's mean output in each bin, in examples");
  visitor.choice("base", base, {{"raw", Base::raw}, {"platt_newton", Base::platt_newton}},
                 "map whose output is binned: the raw score, or a learned sigmoid");
  visitor.real("base_forgetting", base_forgetting, Range::closed(0.5, 1),
               "forgetting of the base platt_newton");
}

Histogram::Histogram(const Params& params)
    : params_(params),
      base_(make_base(params)),
      examples_(static_cast<std::size_t>(params.bins)),
      positives_(examples_.size()),
      outputs_(examples_.size()) {}

std::size_t Histogram::bin(double output) const {
  return bin_of(arcsine_scale(output), examples_.size());
}

void Histogram::discount() {
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    const double factor = examples_[i] < kEmptyBin ? 0 : params_.forgetting;
    examples_[i] *= factor;
    positives_[i] *= factor;
    outputs_[i] *= factor;
  }
}

void Histogram::add(double output, Label label) {
  discount();
  const std::size_t b = bin(output);
  examples_[b] += 1;
  positives_[b] += label;
  outputs_[b] += output;
}

void Histogram::calibrate(const Scores& scores, std::span<const Label> labels) {
  // The bins count outputs of the base for examples that it has not learned from.
  base_outputs_.resize(labels.size());
  base_->apply(scores, base_outputs_);
  for (std::size_t i = 0; i < labels.size(); ++i) add(clipped_score(base_outputs_[i]), labels[i]);
  base_->calibrate(scores, labels);
  fitted_ = true;
}

double Histogram::corrected(double output) const {
  const std::size_t b = bin(output);
  const double n = examples_[b], m = params_.shrinkage;
  if (n == 0) return output;
  return (positives_[b] + m * (outputs_[b] / n)) / (n + m);
}

void Histogram::apply(const Scores& scores, std::span<double> probabilities) const {
  base_->apply(scores, probabilities);
  if (!fitted_) return;
  for (double& p : probabilities.first(scores.rows)) p = corrected(clipped_score(p));
}

void Histogram::archive(Archive& archive) {
  archive.scope("base", [&](Archive& inner) { base_->archive(inner); });
  archive.values("examples", examples_);
  archive.values("positives", positives_);
  archive.values("outputs", outputs_);
  archive.value("fitted", fitted_);
  archive.require_within("examples", examples_, 0, kMaxExamples);
  for (std::size_t b = 0; b < examples_.size(); ++b) {
    // Both are sums of numbers in [0, 1], increased and discounted together: rounding keeps their order.
    archive.require_within("positives", {&positives_[b], 1}, 0, examples_[b]);
    archive.require_within("outputs", {&outputs_[b], 1}, 0, examples_[b]);
  }
}

}  // namespace plumbline::inline v0
