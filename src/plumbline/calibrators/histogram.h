// Online histogram calibration with calibeating (Foster & Hart, "Calibeating: beating forecasters
// at their own game", Theoretical Economics 18, 2023; Gupta & Ramdas, "Online Platt scaling with
// calibeating", ICML 2023): the output q of a base map is sorted into bins, and replaced by what
// came of its bin. With faded sums n of examples, n+ of positives and Q of q in the bin:
//   p = (n+ + m Q/n)/(n + m), m = `shrinkage`, and q itself while the bin is empty.
// The papers' average is m = 0 without forgetting; m examples' worth of the base's mean keep a bin
// of few examples near it. Bins are of equal width in arcsin(sqrt q), where a frequency has the
// same standard error everywhere, not in q. They are filled with what the base said of an example
// before it learned from it. Scores are kept 1e-6 off 0 and 1.
// It remembers 3 numbers per bin and the base's. Cost: O(bins) per example, one arcsine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "plumbline/calibrator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Histogram : public Calibrator {
 public:
  enum class Base { raw, platt_newton };

  struct Params {
    std::int64_t bins = 20;
    double forgetting = 0.999;
    double shrinkage = 40;
    Base base = Base::platt_newton;
    double base_forgetting = 0.999;
    void visit(OptionVisitor& visitor);
  };

  explicit Histogram(const Params& params);

  void observe(std::span<const Label>) override {}
  void calibrate(const Scores& scores, std::span<const Label> labels) override;
  void apply(const Scores& scores, std::span<double> probabilities) const override;
  void archive(Archive& archive) override;

 private:
  std::size_t bin(double output) const;
  void fade();
  void add(double output, Label label);
  double corrected(double output) const;

  Params params_;
  std::unique_ptr<Calibrator> base_;
  std::vector<double> examples_;   // n of each bin
  std::vector<double> positives_;  // n+
  std::vector<double> outputs_;    // Q
  bool fitted_ = false;
  std::vector<double> said_;  // scratch of calibrate()
};

}  // namespace plumbline::inline v0
