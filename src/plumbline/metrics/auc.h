// The area under the ROC curve: how often a positive has a higher probability than a negative, a tie
// counting half. From counts of positives P_b and negatives N_b in fixed bins of the log-odds
// (math/logit_bins.h):
//   AUC = sum_b P_b (N_1 + … + N_{b-1} + N_b/2) / (P N).
// Only pairs within one bin may be counted wrongly, by a half at most, so the error is no more than
// sum_b P_b N_b / (2 P N). No value unless both classes were seen.
// Memory: 64 KiB. Cost: O(1) for each example, and a pass over the bins for a value.
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
  std::vector<std::uint64_t> positives_, negatives_;  // of each bin
};

}  // namespace plumbline::inline v0
