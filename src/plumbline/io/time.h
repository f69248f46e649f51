// Times as people write them in files: ISO 8601, in seconds since 1970-01-01 00:00 UTC.
//
// A date (2024-05-31), then perhaps T or a blank and the time of day (12:30, 12:30:05, 12:30:05.25), then perhaps
// the zone (Z, +02:00, +0200, +02, UTC). A time without a zone is taken as UTC.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::inline v0 {

// The years 1 to 9999.
inline constexpr double kEarliestTime = -62135596800, kLatestTime = 253402300799;

// False if the text is no such time.
bool parse_time(std::string_view text, double& seconds);

// Appends the time as parse_time takes it, without a zone.
void write_time(std::int64_t seconds, std::uint32_t nanoseconds, std::string& text);

}  // namespace plumbline::inline v0
