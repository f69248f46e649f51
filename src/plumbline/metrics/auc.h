// The area under the ROC curve: the probability that a positive is ranked above a negative; ties count
// one half. It is computed from counts of positives P_b and negatives N_b in fixed bins of the log-odds
// (math/logit_bins.h):
//   AUC = sum_b P_b (N_1 + … + N_{b-1} + N_b/2) / (P N).
// Only pairs within one bin can be counted wrongly, by at most one half, so the error is at most
// sum_b P_b N_b / (2 P N). There is no value until both classes have occurred.
// Memory: 64 KiB. Cost: O(1) per example, and a pass over the bins per value.
#pragma once

#include "plumbline/metrics.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Auc : public Metric {
 public:
  struct Params {
    void visit(OptionVisitor& /*visitor*/) {}
  };

  explicit Auc(const Params& params = {});

  std::optional<double> value() const override;
  void archive(Archive& archive) override;

 protected:
  void add(std::span<const double> probabilities, std::span<const Label> labels) override;

 private:
  std::vector<std::uint64_t> positives_, negatives_;  // per bin
};

}  // namespace plumbline::inline v0
