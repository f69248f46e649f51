// The last score, until a stack of all scores (stack.h) predicts better: p = v s + (1 - v) q.
//
// The last score is the anchor s, such as the probability of another model that has seen far more. The stack, with
// output q, begins with it as well. v is Bayes' probability that the anchor is the better one, `trust` before the first
// example and v s(y) / (v s(y) + (1 - v) q(y)) after one with the label y. So the total log-loss is at most
// -ln(trust) above that of the anchor, and -ln(1 - trust) above that of the stack, for minibatches of one.
// Memory and cost: those of the stack.
#pragma once

#include "plumbline/calibrators/stack.h"

namespace plumbline::inline v0 {

class Anchored : public Calibrator {
 public:
  struct Params {
    double trust = 0.8;
    double forgetting = 0.999;
    double ridge = 10;
    void visit(OptionVisitor& visitor);
  };

  Anchored(const Params& params, std::size_t columns);

  void observe(std::span<const Label>) override {}
  void calibrate(const Scores& scores, std::span<const Label> labels) override;
  void apply(const Scores& scores, std::span<double> probabilities) const override;
  std::size_t columns_used() const override { return stack_.columns_used(); }
  // The output of the stack.
  std::size_t trace_columns() const override { return 1; }
  void apply_traced(const Scores& scores, std::span<double> probabilities,
                    std::span<double> trace) const override;
  void calibrate_traced(const Scores& scores, std::span<const Label> labels,
                        std::span<const double> trace) override;
  std::vector<Part> parts() const override;
  void archive(Archive& archive) override;

 private:
  double anchor(const Scores& scores, std::size_t row) const;
  double weight() const;  // of the anchor

  Stack stack_;
  double log_odds_;  // ln(v/(1 - v))
  bool fitted_ = false;
  std::vector<double> outputs_;  // scratch for calibrate()
};

}  // namespace plumbline::inline v0
