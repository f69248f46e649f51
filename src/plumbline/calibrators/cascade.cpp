#include "plumbline/calibrators/cascade.h"

#include <algorithm>

namespace plumbline::inline v0 {
namespace {

Mixture::Params stack_params(const Cascade::Params& params) {
  return {.members = Mixture::Members::stack, .rate = params.rate, .share = params.share};
}

Mixture::Params shape_params(const Cascade::Params& params) {
  Mixture::Params result = stack_params(params);
  result.members = Mixture::Members::shape;
  result.rate = params.shape_rate;
  return result;
}

}  // namespace

void Cascade::Params::visit(OptionVisitor& visitor) {
  Mixture::Params first = stack_params(*this);
  first.visit_weights(visitor);
  rate = first.rate;
  share = first.share;
  visitor.flag("residual", residual,
               "correct small persistent errors as a last step (calibrator residual)");
  visitor.real("shape_rate", shape_rate, Range::closed(0.001, 1),
               "learning rate of the second mixture");
}

Cascade::Cascade(const Params& params, std::size_t columns)
    : stack_(stack_params(params), columns), shape_(shape_params(params), 1) {
  if (params.residual) residual_.emplace(Residual::Params{});
}

void Cascade::observe(std::span<const Label> labels) {
  stack_.observe(labels);
  shape_.observe(labels);
}

void Cascade::calibrate(const Scores& scores, std::span<const Label> labels) {
  stacked_.resize(labels.size());
  shaped_.resize(labels.size());
  stack_.calibrate(scores, labels, stacked_);
  shape_.calibrate(stacked_, labels, shaped_);
  if (residual_) residual_->calibrate(shaped_, labels);
}

void Cascade::apply(const Scores& scores, std::span<double> probabilities) const {
  stack_.apply(scores, probabilities);
  shape_.apply(Scores(probabilities), probabilities);
  if (residual_) residual_->apply(probabilities, probabilities);
}

void Cascade::apply_traced(const Scores& scores, std::span<double> probabilities,
                           std::span<double> trace) const {
  const std::size_t rows = scores.rows, of_stack = stack_.trace_columns() * rows;
  const std::span<double> of_shape = trace.subspan(of_stack + rows);
  stack_.apply_traced(scores, probabilities, trace.first(of_stack));
  std::ranges::copy(probabilities, trace.subspan(of_stack).begin());
  shape_.apply_traced(Scores(probabilities), probabilities, of_shape.first(of_shape.size() - rows));
  std::ranges::copy(probabilities, of_shape.last(rows).begin());
  if (residual_) residual_->apply(probabilities, probabilities);
}

void Cascade::calibrate_traced(const Scores& scores, std::span<const Label> labels,
                               std::span<const double> trace) {
  const std::size_t rows = scores.rows, of_stack = stack_.trace_columns() * rows;
  const std::span<const double> of_shape = trace.subspan(of_stack + rows);
  stack_.calibrate_traced(scores, labels, trace.first(of_stack));
  shape_.calibrate_traced(trace.subspan(of_stack, rows), labels,
                          of_shape.first(of_shape.size() - rows));
  if (residual_) residual_->calibrate(of_shape.last(rows), labels);
}

std::vector<Calibrator::Part> Cascade::parts() const {
  std::vector<Part> result = stack_.parts();
  for (Part& part : shape_.parts()) {
    part.name = "then_" + part.name;
    result.push_back(std::move(part));
  }
  return result;
}

void Cascade::archive(Archive& archive) {
  archive.scope("stack", [&](Archive& inner) { stack_.archive(inner); });
  archive.scope("shape", [&](Archive& inner) { shape_.archive(inner); });
  if (!residual_) return;
  archive.scope("residual", [&](Archive& inner) { residual_->archive(inner); });
}

}  // namespace plumbline::inline v0
