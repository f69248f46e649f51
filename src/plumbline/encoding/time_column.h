// A column of times as features.
//
//  - The time of day and the day of the week (UTC) are places in a cycle, each as its sine and cosine.
//  - The gap is ln(1 + seconds since the previous row). One longer than any that was learned counts as the longest,
//    so that no learner extrapolates. It is missing if the previous time is not known, or lies later.
//
// A column may also be one number instead, the seconds since 1970. A missing time makes each feature missing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::inline v0 {

enum class TimePart { hour, weekday, gap, seconds };
// The notation of times: texts (io/time.h), or seconds or milliseconds since 1970. Each accepts texts too.
enum class TimeUnit { text, seconds, milliseconds };

struct TimeColumn {
  TimeUnit unit = TimeUnit::text;
  std::vector<TimePart> parts{};
  std::size_t place = 0;  // among the time columns

  std::size_t features() const;
};

// State of a time column from earlier rows.
struct TimeHistory {
  static constexpr double kNone = -1e12;  // before any time

  double previous = kNone;  // time of the previous row
  double longest_gap = 0;   // in seconds

  bool operator==(const TimeHistory&) const = default;
};

std::vector<std::string> feature_names(const TimeColumn& column, const std::string& name);
// "hour of day, day of week, time since the previous row"
std::string description(const TimeColumn& column);

// The seconds that a number stands for; false if that is no time.
bool time_from_number(double number, TimeUnit unit, double& seconds);

// Writes the features of a time, NaN if it is missing, from the first of them on, and adds it to the proposed history.
void write_time_features(const TimeColumn& column, double seconds, const TimeHistory& learned,
                         TimeHistory& proposed, std::span<double> features);

}  // namespace plumbline::inline v0
