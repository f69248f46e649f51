// The scales of axes: positions of values, and ticks.
//
// Ticks are multiples of 1, 2 or 5 times a power of ten; on a log scale they are powers of ten, or
// 1-2-5 times them if the range is short. Every function accepts any finite range, including an empty
// one, and returns finite numbers only.
#pragma once

#include <string>
#include <vector>

namespace plumbline::report {

class Scale {
 public:
  // If `low` >= `high`, the range is widened. A log scale without a positive end shows a range around 1.
  Scale(double low, double high, bool log = false);

  double low() const { return low_; }
  double high() const { return high_; }
  bool log() const { return log_; }

  // True if the value has a position on the scale, possibly outside the ends. NaN and infinities do not,
  // nor do values of zero or less on a log scale.
  bool has(double value) const;
  bool within(double value) const { return has(value) && value >= low_ && value <= high_; }

  // 0 at the low end, 1 at the high end. The value must have a position.
  double position(double value) const;

 private:
  double low_, high_;
  bool log_;
};

// False for values that are too large to draw, whose differences could overflow.
bool drawable(double value);

// Ticks within the scale, ascending: at most `most` + 1, or five if these would be too few; on linear
// scales at least two.
std::vector<double> ticks(const Scale& scale, int most);

// The minor ticks of a log scale of few decades (2, 3, … times a power of ten); empty for other scales.
std::vector<double> minor_ticks(const Scale& scale);

// The range widened to whole ticks; log scales are unchanged.
Scale widened_to_ticks(const Scale& scale, int most);

// One label per tick, in one style for all: 0.25, 20k, 1.5M, 10⁻⁶, or per cent.
std::vector<std::string> tick_labels(const std::vector<double>& ticks, const Scale& scale,
                                     bool percent = false);

}  // namespace plumbline::report
