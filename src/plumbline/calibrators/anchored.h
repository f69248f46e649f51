// The last score, until others predict better: a Bayesian average of four experts.
//
//   the last score s, the anchor, such as the probability of another model that has seen far more     trust
//   a stack of all scores (stack.h) that begins with the last one                                     (1 - trust)/2
//   the score before the last one                                                             trust (1 - trust)/2
//   a stack of all scores but the last that begins with the one before it                   (1 - trust)^2/2
// The numbers are the weights v before the first example; after one with the label y, v_k is proportional to v_k p_k(y).
// So for minibatches of one the total log-loss is at most -ln(v_k) above that of each expert. A single score has only
// the first two experts, with the weights trust and 1 - trust.
// Memory and cost: those of the two stacks.
#pragma once

#include <array>
#include <optional>
#include <vector>

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
  std::size_t columns_used() const override { return columns_; }
  // The outputs of the experts.
  std::size_t trace_columns() const override { return kExperts; }
  void apply_traced(const Scores& scores, std::span<double> probabilities,
                    std::span<double> trace) const override;
  void calibrate_traced(const Scores& scores, std::span<const Label> labels,
                        std::span<const double> trace) override;
  std::vector<Part> parts() const override;
  void archive(Archive& archive) override;

 private:
  static constexpr std::size_t kExperts = 4;
  using PerExpert = std::array<double, kExperts>;

  // The scores without the last column.
  Scores own(const Scores& scores) const;
  PerExpert outputs(const Scores& scores, std::size_t row) const;
  PerExpert weights() const;
  double average(const PerExpert& outputs, const PerExpert& weights) const;

  std::size_t columns_;
  Stack all_;
  std::optional<Stack> own_;  // none for a single score
  // ln v_k up to a constant, with maximum 0.
  PerExpert log_weights_{};
  bool fitted_ = false;
  std::vector<double> trace_;  // scratch for calibrate()
};

}  // namespace plumbline::inline v0
