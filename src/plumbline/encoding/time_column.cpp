#include "plumbline/encoding/time_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/io/time.h"
#include "plumbline/math/cycle.h"
#include "plumbline/math/portable_math.h"

namespace plumbline::inline v0 {
namespace {

constexpr double kMissingPart = std::numeric_limits<double>::quiet_NaN();
constexpr double kSecondsPerDay = 86400;

struct PartRow {
  const char* description;
  std::array<const char*, 2> suffixes;  // of the features' names; the second may be null
};
constexpr std::array<PartRow, 4> kParts{{{"hour of day", {".hour_sin", ".hour_cos"}},
                                         {"day of week", {".weekday_sin", ".weekday_cos"}},
                                         {"time since the previous row", {".gap", nullptr}},
                                         {"seconds since 1970", {"", nullptr}}}};

const PartRow& row(TimePart part) { return kParts[static_cast<std::size_t>(part)]; }

Cycle hour_of(double seconds) {
  const double days = seconds / kSecondsPerDay;
  return cycle(days - std::floor(days));
}

Cycle weekday_of(double seconds) {
  constexpr double kWeek = 7, kThursday = 3;  // of 1970-01-01, from Monday
  const double day = std::floor(seconds / kSecondsPerDay) + kThursday;
  return cycle((day - kWeek * std::floor(day / kWeek)) / kWeek);
}

double gap_of(double seconds, double previous, double longest) {
  if (previous == TimeHistory::kNone || seconds < previous) return kMissingPart;
  const double gap = seconds - previous;
  return portable_log(1 + (longest > 0 ? std::min(gap, longest) : gap));
}

}  // namespace

std::size_t TimeColumn::features() const {
  std::size_t count = 0;
  for (const TimePart part : parts) count += row(part).suffixes[1] == nullptr ? 1 : 2;
  return count;
}

std::vector<std::string> feature_names(const TimeColumn& column, const std::string& name) {
  std::vector<std::string> names;
  for (const TimePart part : column.parts) {
    for (const char* const suffix : row(part).suffixes) {
      if (suffix != nullptr) names.push_back(name + suffix);
    }
  }
  return names;
}

std::string description(const TimeColumn& column) {
  std::vector<const char*> parts;
  for (const TimePart part : column.parts) parts.push_back(row(part).description);
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool time_from_number(double number, TimeUnit unit, double& seconds) {
  if (unit == TimeUnit::text) return false;
  seconds = unit == TimeUnit::milliseconds ? number / 1000 : number;
  return seconds >= kEarliestTime && seconds <= kLatestTime;  // false for NaN
}

void write_time_features(const TimeColumn& column, double seconds, const TimeHistory& learned,
                         TimeHistory& proposed, std::span<double> features) {
  if (std::isnan(seconds)) {
    std::ranges::fill(features.first(column.features()), kMissingPart);
    return;
  }
  auto at = features.begin();
  const auto put = [&](const Cycle& place) {
    *at++ = place.sine;
    *at++ = place.cosine;
  };
  for (const TimePart part : column.parts) {
    switch (part) {
      case TimePart::hour:
        put(hour_of(seconds));
        break;
      case TimePart::weekday:
        put(weekday_of(seconds));
        break;
      case TimePart::gap:
        *at++ = gap_of(seconds, proposed.previous, learned.longest_gap);
        break;
      case TimePart::seconds:
        *at++ = seconds;
        break;
    }
  }
  if (proposed.previous != TimeHistory::kNone) {
    proposed.longest_gap = std::max(proposed.longest_gap, seconds - proposed.previous);
  }
  proposed.previous = seconds;
}

}  // namespace plumbline::inline v0
