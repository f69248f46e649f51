// Predicts from the labels that are known: on many streams the next label resembles the last ones.
//
// For each rate r, sums over the labels so far fade: s_k <- (1 - r) s_k + r [y = k] for each class k, and their weight
// w <- (1 - r) w + r. With the base rate b_k = (n_k + 1/2)/(n + K/2) of the labels so far, the prediction for a row
// with `age` rows between it and the last known label is
//   q_k = b_k + (1 - r)^age (s_k - w b_k),      margin ln(q_k/(1 - q_k)), q_k kept in [0.001, 0.999]:
// labels before the first one, and labels that are not known yet, count as the base rate.
// Far ahead, all rates therefore predict the base rate.
// Memory: K numbers for each rate. Cost per row: a logarithm for each rate and class.
#pragma once

#include <array>
#include <vector>

#include "plumbline/companions/companion.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class LabelHistory : public Companion {
 public:
  static constexpr std::array<double, 5> kRates{0.9, 0.5, 0.2, 0.05, 0.01};
  static constexpr CompanionTraits kTraits{.columns = kRates.size(), .follows_labels = true};

  struct Params {
    void visit(OptionVisitor&) {}
  };

  LabelHistory(const Params& params, const CompanionUse& use);

  void learn(const Examples& examples) override;
  void margins(const Batch& batch, std::size_t ahead, std::span<double> margins) const override;
  void grow(std::size_t) override {}
  void add_class() override;
  void archive(Archive& archive) override;

 private:
  bool several_;
  std::vector<double> counts_;                   // n_k
  std::array<double, kRates.size()> weights_{};  // w
  std::vector<double> sums_;                     // s_k, class after class, of each rate
};

}  // namespace plumbline::inline v0
