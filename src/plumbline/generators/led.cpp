#include "plumbline/generators/led.h"

#include <array>
#include <string>
#include <string_view>

#include "plumbline/math/rng.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::array<const char*, 7> kSegments{"top",        "upper_left",  "upper_right", "middle",
                                               "lower_left", "lower_right", "bottom"};

// The lit segments of each digit, in this order.
constexpr std::array<std::string_view, 10> kDigits{"1110111", "0010010", "1011101", "1011011",
                                                   "0111010", "1101011", "1101111", "1010010",
                                                   "1111111", "1111011"};

Schema display(std::size_t irrelevant) {
  Schema schema;
  schema.features.assign(kSegments.begin(), kSegments.end());
  for (std::size_t j = 1; j <= irrelevant; ++j) {
    schema.features.push_back("irrelevant" + std::to_string(j));
  }
  return schema;
}

}  // namespace

void Led::Params::visit(OptionVisitor& visitor) {
  visitor.choice("task", task, {{"odd", Task::odd}, {"digit", Task::digit}},
                 "positive class: the odd digits, or one digit");
  visitor.integer("digit", digit, Range::closed(0, 9), "positive digit, if the task is digit");
  visitor.real("noise", noise, Range::closed(0, 1), "probability that a segment is inverted");
  visitor.integer("irrelevant", irrelevant, Range::closed(0, 1e6),
                  "number of random columns after the 7 segments");
}

Led::Led(const Params& params, std::uint64_t seed)
    : Generator(display(static_cast<std::size_t>(params.irrelevant)), seed), params_(params) {}

bool Led::is_positive(std::uint64_t digit) const {
  return params_.task == Task::odd ? digit % 2 == 1
                                   : digit == static_cast<std::uint64_t>(params_.digit);
}

Label Led::draw(Rng& rng, std::uint64_t, std::span<double> x) {
  const std::uint64_t digit = rng.below(kDigits.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const bool lit = j < kSegments.size() && kDigits[digit][j] == '1';
    const bool inverted = rng.uniform() < (j < kSegments.size() ? params_.noise : 0.5);
    x[j] = lit != inverted ? 1 : 0;
  }
  return static_cast<Label>(is_positive(digit));
}

}  // namespace plumbline::inline v0
