// Destinations of option values, with the checks that values must pass.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/option.h"
#include "plumbline/options.h"

namespace plumbline::cli {

Value flag(bool& to);
Value text(std::string& to);
// A path; an empty one, as from an unset shell variable, is refused.
Value path(std::string& to);
// All values, in their order.
Value texts(Words& to, char separator = '\0');
Value number(double& to, const Range& range);
Value number(std::optional<double>& to, const Range& range);

// Throws a configuration error if the text is not a number in the range. For std::int64_t and std::uint64_t.
template <std::integral T>
T parse_whole(const std::string& text, T low, T high);
double parse_real(const std::string& text, const Range& range);

// "from 1 to 10", "from 0 to 2^64 - 1"; empty for the whole range of a signed type.
template <std::integral T>
std::string whole_range(T low, T high);

// `To` is an integer or an optional integer.
template <class To, std::integral T>
Value whole_into(To& to, T low, T high) {
  return {.set = [&to, low, high](const Words& words) { to = parse_whole(words[0], low, high); },
          .range = whole_range(low, high)};
}

// An integer in a range; by default the range of its type.
template <std::integral T>
Value whole(T& to, T low = std::numeric_limits<T>::min(), T high = std::numeric_limits<T>::max()) {
  return whole_into(to, low, high);
}
template <std::integral T>
Value whole(std::optional<T>& to, T low = std::numeric_limits<T>::min(),
            T high = std::numeric_limits<T>::max()) {
  return whole_into(to, low, high);
}

}  // namespace plumbline::cli
