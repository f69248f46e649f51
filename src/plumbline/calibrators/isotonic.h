// Online isotonic regression in bounded memory: the nondecreasing map that best fits a summary of
// the past, by pooling adjacent violators (Ayer et al., Annals of Mathematical Statistics 26, 1955;
// for calibration: Zadrozny & Elkan, KDD 2002).
// The summary is up to `cells` cells in the order of the score's logit, each with its mean logit,
// its weight and its positive weight. An example is a cell of weight 1; when there are too many,
// the two neighbours that weigh least together become one, so that cells hold about equal masses.
// With each example all weights fade by `forgetting`. An imagined positive of weight `prior` below
// every score and a negative above, pooled like the rest, keep the ends off 0 and 1.
// Between cells the probability is linear in the logit; scores are kept 1e-6 off 0 and 1.
// It remembers 3 numbers per cell. Cost: O(cells) per example and per calibration.
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
  // Neighbouring cells of one probability.
  struct Block {
    double weight, positive;
    std::size_t cells;
    double rate() const { return positive / weight; }
  };

  void fade();
  void add(double logit, Label label);
  void merge_lightest();
  // Pools adjacent violators: the probability of each cell.
  void fit();
  double probability(double logit) const;

  Params params_;
  std::vector<Cell> cells_;    // in the order of their logits, which differ
  std::vector<double> fit_;    // of each cell; not state: follows from the cells
  std::vector<Block> blocks_;  // scratch of fit()
};

}  // namespace plumbline::inline v0
