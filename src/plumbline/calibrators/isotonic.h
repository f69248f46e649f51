// Online isotonic regression in bounded memory: the nondecreasing map that best fits a summary of
// the past, by pooling adjacent violators (Ayer et al., Annals of Mathematical Statistics 26, 1955;
// for calibration: Zadrozny & Elkan, KDD 2002).
// The summary is up to `cells` cells in the order of the score's logit, each with its mean logit,
// its weight and its positive weight. An example is a cell of weight 1; when there are too many,
// the two neighbours with the smallest total weight are merged, so that cells have about equal weights.
// With each example all weights are multiplied by `forgetting`. An artificial positive of weight `prior`
// below every score and a negative above, pooled like the rest, keep the ends away from 0 and 1.
// Between cells the probability is linear in the logit. Scores are clamped to [1e-6, 1 - 1e-6].
// Memory: 3 numbers per cell. Cost: O(cells) per example and per calibration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plumbline/calibrator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Isotonic : public Calibrator {
 public:
  struct Params {
    std::int64_t cells = 30;
    double forgetting = 0.999;
    double prior = 1;
    void visit(OptionVisitor& visitor);
  };

  explicit Isotonic(const Params& params);

  void observe(std::span<const Label>) override {}
  void calibrate(const Scores& scores, std::span<const Label> labels) override;
  void apply(const Scores& scores, std::span<double> probabilities) const override;
  void archive(Archive& archive) override;

 private:
  struct Cell {
    double logit = 0;
    double weight = 0;
    double positive = 0;
  };
  // Neighbouring cells with the same probability.
  struct Block {
    double weight, positive;
    std::size_t cells;
    double rate() const { return positive / weight; }
  };

  void discount();
  void add(double logit, Label label);
  void merge_lightest();
  // Computes the probability of each cell by pooling adjacent violators.
  void fit();
  double probability(double logit) const;

  Params params_;
  std::vector<Cell> cells_;    // with strictly ascending logits
  std::vector<double> fit_;    // cache: the probability of each cell
  std::vector<Block> blocks_;  // scratch for fit()
};

}  // namespace plumbline::inline v0
