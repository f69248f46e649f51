// The scales of axes: where a value lies between the ends, and which values get a tick.
//
// Ticks are multiples of 1, 2 or 5 times a power of ten; on a log scale they are powers of ten, or
// 1-2-5 times them where the range is short. Every function accepts any finite range, an empty
// one included, and returns finite numbers only.
#pragma once

#include <string>
#include <vector>

namespace plumbline::report {

class Scale {
 public:
  // `low` >= `high` is widened to a range around it. A log scale without a positive
  // end shows the surroundings of 1.
  Scale(double low, double high, bool log = false);

  double low() const { return low_; }
  double high() const { return high_; }
  bool log() const { return log_; }

  // Whether the value has a place on the scale, be it outside the ends: NaN and infinities do not,
  // nor does zero or less on a log scale.
  bool has(double value) const;
  bool within(double value) const { return has(value) && value >= low_ && value <= high_; }

  // 0 at the low end, 1 at the high end. The value must have a place.
  double position(double value) const;

 private:
  double low_, high_;
  bool log_;
};

// Values too large to draw are as good as missing: their differences could overflow.
bool drawable(double value);

// Ticks within the scale, ascending: at most `most` + 1, or five where these would be too few; on
// linear scales at least two.
std::vector<double> ticks(const Scale& scale, int most);

// The ticks between those of a log scale of few decades (2, 3, … times a power of ten); none on
// other scales.
std::vector<double> minor_ticks(const Scale& scale);

// The range widened to whole ticks; log scales are left as they are.
Scale widened_to_ticks(const Scale& scale, int most);

// One label per tick, in one style for all: 0.25, 20k, 1.5M, 10⁻⁶, or per cent.
std::vector<std::string> tick_labels(const std::vector<double>& ticks, const Scale& scale,
                                     bool percent = false);

}  // namespace plumbline::report
