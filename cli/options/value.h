// Where the values of options are stored, each with the check that it passes before.
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
// Not empty, as an unset variable of the shell is.
Value path(std::string& to);
// All that are given, in their order.
Value texts(Words& to, char separator = '\0');
Value number(double& to, const Range& range);
Value number(std::optional<double>& to, const Range& range);

// Throws a configuration error for a text that is no such number. For std::int64_t and std::uint64_t.
template <std::integral T>
T parse_whole(const std::string& text, T low, T high);
double parse_real(const std::string& text, const Range& range);

// "from 1 to 10", "from 0 to 2^64 - 1"; empty for all of the type's numbers if it has a sign.
template <std::integral T>
std::string whole_range(T low, T high);

// `To` is an integer or an optional one.
template <class To, std::integral T>
Value whole_into(To& to, T low, T high) {
  return {.set = [&to, low, high](const Words& words) { to = parse_whole(words[0], low, high); },
          .range = whole_range(low, high)};
}

// A whole number in a range; from 0 on, or any that has a sign, unless told.
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
