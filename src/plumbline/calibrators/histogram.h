// Online histogram calibration with calibeating (Foster & Hart, "Calibeating: beating forecasters
// at their own game", Theoretical Economics 18, 2023; Gupta & Ramdas, "Online Platt scaling with
// calibeating", ICML 2023): the output q of a base map is assigned to a bin and replaced by the bin's
// share of positives. With discounted sums n of examples, n+ of positives and Q of q in the bin:
//   p = (n+ + m Q/n)/(n + m), m = `shrinkage`, and q itself while the bin is empty.
// The papers use m = 0 and no forgetting. With m > 0, a bin of few examples stays near the base's mean
// output. Bins have equal width in arcsin(sqrt q), where the standard error of a frequency is constant,
// not in q. They are filled with out-of-sample outputs of the base. Scores are clamped to
// [1e-6, 1 - 1e-6].
// Memory: 3 numbers per bin, and those of the base. Cost: O(bins) per example, one arcsine.
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
  void discount();
  void add(double output, Label label);
  double corrected(double output) const;

  Params params_;
  std::unique_ptr<Calibrator> base_;
  std::vector<double> examples_;   // n of each bin
  std::vector<double> positives_;  // n+
  std::vector<double> outputs_;    // Q
  bool fitted_ = false;
  std::vector<double> base_outputs_;  // scratch for calibrate()
};

}  // namespace plumbline::inline v0
