#include "plumbline/calibrators/cascade.h"

namespace plumbline {
namespace {

Mixture::Params with(const Cascade::Params& params, Mixture::Members members) {
  return {
      .members = members, .rate = params.rate, .share = params.share, .on_drift = params.on_drift};
}

}  // namespace

void Cascade::Params::visit(OptionVisitor& visitor) {
  Mixture::Params of_each = with(*this, {});
  of_each.visit_weights(visitor);
  rate = of_each.rate;
  share = of_each.share;
  on_drift = of_each.on_drift;
}

Cascade::Cascade(const Params& params, std::size_t kinds)
    : stack_(with(params, Mixture::Members::stack), kinds),
      shape_(with(params, Mixture::Members::shape), 1) {}

void Cascade::observe(std::span<const Label> labels) {
  stack_.observe(labels);
  shape_.observe(labels);
}

void Cascade::calibrate(const Scores& scores, std::span<const Label> labels) {
  said_.resize(labels.size());
  stack_.apply(scores, said_);
  shape_.calibrate(said_, labels);
  stack_.calibrate(scores, labels);
}

void Cascade::apply(const Scores& scores, std::span<double> probabilities) const {
  stack_.apply(scores, probabilities);
  shape_.apply(Scores(probabilities), probabilities);
}

std::vector<Calibrator::Part> Cascade::parts() const {
  std::vector<Part> result = stack_.parts();
  for (Part& part : shape_.parts()) {
    part.name = "then_" + part.name;
    result.push_back(std::move(part));
  }
  return result;
}

void Cascade::fade(double keep) {
  stack_.fade(keep);
  shape_.fade(keep);
}

void Cascade::archive(Archive& archive) {
  archive.scope("stack", [&](Archive& inner) { stack_.archive(inner); });
  archive.scope("shape", [&](Archive& inner) { shape_.archive(inner); });
}

}  // namespace plumbline
