#include "report/scale.h"

#include <algorithm>
#include <cmath>

#include "report/text.h"

namespace plumbline::report {

namespace {

constexpr double kLargest = 1e150;
constexpr double kSmallest = 1e-150;  // of a range, and of a value on a log scale
constexpr double kLeastRelativeRange =
    1e-9;  // below it, ticks would differ in rounding errors only

// 10 to an integer power, exact if a double can represent it.
double power_of_ten(int exponent) {
  double result = 1;
  for (int i = std::abs(exponent); i > 0; --i) result *= 10;
  return exponent < 0 ? 1 / result : result;
}

int decade_of(double value) { return static_cast<int>(std::floor(std::log10(value) + 1e-9)); }

// digit × 10^exponent. Multiples are divided, not multiplied, by powers of ten: 3 × 0.1 is not 0.3.
struct Step {
  int digit;
  int exponent;

  double multiple(double i) const {
    return exponent < 0 ? i * digit / power_of_ten(-exponent) : i * digit * power_of_ten(exponent);
  }
  Step finer() const {
    return digit == 5 ? Step{2, exponent} : digit == 2 ? Step{1, exponent} : Step{5, exponent - 1};
  }
};

Step step_for(double range, int most) {
  const double raw = range / std::max(most, 1);
  const int exponent = decade_of(raw);
  const double lead = raw / power_of_ten(exponent) - 1e-9;
  if (lead <= 1) return {1, exponent};
  if (lead <= 2) return {2, exponent};
  if (lead <= 5) return {5, exponent};
  return {1, exponent + 1};
}

std::vector<double> multiples_within(const Step& step, double low, double high) {
  const double size = step.multiple(1);
  const double first = std::ceil(low / size - 1e-9);
  const int count = static_cast<int>(std::floor(high / size + 1e-9) - first) + 1;
  std::vector<double> result(static_cast<std::size_t>(std::max(count, 0)));
  for (int i = 0; i < count; ++i) {
    result[static_cast<std::size_t>(i)] = step.multiple(first + i) + 0.0;  // + 0.0 turns −0 into 0
  }
  return result;
}

std::vector<double> linear_ticks(double low, double high, int most) {
  Step step = step_for(high - low, most);
  std::vector<double> result = multiples_within(step, low, high);
  // A scale needs at least two numbers.
  for (; result.size() < 2; result = multiples_within(step, low, high)) step = step.finer();
  return result;
}

// The multiples of each power of ten that lie within the scale.
std::vector<double> decade_ticks(const Scale& scale, const std::vector<int>& multiples,
                                 int stride) {
  std::vector<double> result;
  for (int decade = decade_of(scale.low()); decade <= decade_of(scale.high()); ++decade) {
    if (decade % stride != 0) continue;
    for (const int multiple : multiples) {
      const double tick = Step{multiple, decade}.multiple(1);
      if (tick >= scale.low() * (1 - 1e-9) && tick <= scale.high() * (1 + 1e-9)) {
        result.push_back(tick);
      }
    }
  }
  return result;
}

double decades(const Scale& scale) { return std::log10(scale.high()) - std::log10(scale.low()); }

// The smallest number of digits after the point that represents all values.
int decimals_for(const std::vector<double>& values, double unit) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value / unit));
  for (int decimals = 0; decimals < 9; ++decimals) {
    const double shift = power_of_ten(decimals);
    const bool exact = std::all_of(values.begin(), values.end(), [&](double value) {
      const double shifted = value / unit * shift;
      return std::abs(shifted - std::round(shifted)) < 1e-6 + largest * shift * 1e-13;
    });
    if (exact) return decimals;
  }
  return 9;
}

struct Unit {
  double size;
  const char* suffix;
};

Unit unit_for(double largest, double first_thousand) {
  if (largest >= 1e9) return {1e9, "G"};
  if (largest >= 1e6) return {1e6, "M"};
  if (largest >= first_thousand) return {1e3, "k"};
  return {1, ""};
}

std::vector<std::string> labels_in(const std::vector<double>& ticks, Unit unit) {
  int decimals = decimals_for(ticks, unit.size);
  if (decimals > 2 && unit.size > 1) {  // 100.125k is harder to read than 100,125
    unit = {1, ""};
    decimals = decimals_for(ticks, 1);
  }
  std::vector<std::string> result;
  result.reserve(ticks.size());
  for (const double tick : ticks) {
    result.push_back(tick == 0 ? "0" : fixed_text(tick / unit.size, decimals) + unit.suffix);
  }
  return result;
}

}  // namespace

bool drawable(double value) { return std::abs(value) <= kLargest; }  // false for NaN

Scale::Scale(double low, double high, bool log) : low_(low), high_(high), log_(log) {
  if (log_ && !(high_ >= kSmallest)) low_ = high_ = 1;
  if (log_ && !(low_ >= kSmallest)) low_ = std::max(high_ / 1000, kSmallest);
  if (low_ > high_) std::swap(low_, high_);
  const double size = std::max(std::abs(low_), std::abs(high_));
  const double range = high_ - low_;
  if (log_) {
    if (range > kLeastRelativeRange * size) return;
    low_ = std::max(low_ / 2, kSmallest);
    high_ *= 2;
  } else if (range <= std::max(kLeastRelativeRange * size, kSmallest)) {
    const double margin = size > kSmallest ? size / 2 : 1;
    low_ -= margin;
    high_ += margin;
  }
}

bool Scale::has(double value) const { return drawable(value) && (!log_ || value >= kSmallest); }

double Scale::position(double value) const {
  if (!log_) return (value - low_) / (high_ - low_);
  return (std::log10(value) - std::log10(low_)) / decades(*this);
}

std::vector<double> ticks(const Scale& scale, int most) {
  if (!scale.log()) return linear_ticks(scale.low(), scale.high(), most);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades(scale) / std::max(most, 1))));
  std::vector<double> result = decade_ticks(scale, {1}, stride);
  if (result.size() < 3 && stride == 1) result = decade_ticks(scale, {1, 2, 5}, 1);
  if (result.size() < 3 && stride == 1) result = linear_ticks(scale.low(), scale.high(), most);
  return result;
}

std::vector<double> minor_ticks(const Scale& scale) {
  if (!scale.log() || decades(scale) > 8 || decades(scale) < 0.5) return {};
  return decade_ticks(scale, {2, 3, 4, 5, 6, 7, 8, 9}, 1);
}

Scale widened_to_ticks(const Scale& scale, int most) {
  if (scale.log()) return scale;
  const Step step = step_for(scale.high() - scale.low(), most);
  const double size = step.multiple(1);
  return Scale(step.multiple(std::floor(scale.low() / size + 1e-9)),
               step.multiple(std::ceil(scale.high() / size - 1e-9)));
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks, const Scale& scale,
                                     bool percent) {
  std::vector<std::string> result;
  double largest = 0, smallest = kLargest;
  for (const double tick : ticks) {
    largest = std::max(largest, std::abs(tick));
    if (tick != 0) smallest = std::min(smallest, std::abs(tick));
  }
  if (percent) return labels_in(ticks, {0.01, "%"});
  const bool powers = largest >= 1e12 || (scale.log() ? smallest < 1e-4 : largest < 1e-3);
  if (powers) {
    for (const double tick : ticks) result.push_back(power_text(tick));
  } else if (scale.log()) {
    for (const double tick : ticks) {
      result.push_back(labels_in({tick}, unit_for(tick, 1e3)).front());
    }
  } else {
    result = labels_in(ticks, unit_for(largest, 1e4));
  }
  return result;
}

}  // namespace plumbline::report
