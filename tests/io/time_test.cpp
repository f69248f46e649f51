#include "plumbline/io/time.h"

#include <gtest/gtest.h>

#include <optional>

namespace plumbline::time_test {
namespace {

std::optional<double> seconds(std::string_view text) {
  double value = 0;
  if (parse_time(text, value)) return value;
  return std::nullopt;
}

// The numbers are those of `date -u -d TEXT +%s`.
TEST(Time, TakesIso8601) {
  EXPECT_EQ(seconds("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds("2024-05-31T12:30:05"), 1717158605);
  EXPECT_EQ(seconds("2024-05-31 12:30:05"), 1717158605);
  EXPECT_EQ(seconds("2024-05-31t12:30:05z"), 1717158605);
  EXPECT_EQ(seconds(" 2024-05-31T12:30:05 "), 1717158605);
  EXPECT_EQ(seconds("2024-05-31T12:30"), 1717158600);
  EXPECT_EQ(seconds("2024-05-31"), 1717113600);
  EXPECT_EQ(seconds("2024-02-29"), 1709164800);
  EXPECT_EQ(seconds("1969-12-31T23:59:59"), -1);
  EXPECT_EQ(seconds("2016-12-31T23:59:60Z"), 1483228800);  // a leap second
  EXPECT_EQ(seconds("0001-01-01"), kEarliestTime);
  EXPECT_EQ(seconds("9999-12-31T23:59:59"), kLatestTime);
}

TEST(Time, TakesFractionsOfASecond) {
  EXPECT_EQ(seconds("2024-05-31T12:30:05.25"), 1717158605.25);
  EXPECT_EQ(seconds("2024-05-31T12:30:05,5Z"), 1717158605.5);
  EXPECT_EQ(seconds("2024-05-31 12:30:05.123456789123+00:00"), 1717158605.123456789);
}

TEST(Time, TakesZones) {
  for (const char* zone : {"+02:00", "+0200", "+02", " +02:00"}) {
    EXPECT_EQ(seconds(std::string("2024-05-31T12:30:05") + zone), 1717158605 - 7200) << zone;
  }
  EXPECT_EQ(seconds("2024-05-31T12:30:05-05:30"), 1717158605 + 19800);
  EXPECT_EQ(seconds("2024-05-31 12:30:05 UTC"), 1717158605);
  EXPECT_EQ(seconds("2024-05-31 12:30:05 GMT"), 1717158605);
}

TEST(Time, RefusesEverythingElse) {
  for (const char* text : {"",
                           "2024",
                           "20240531",
                           "2024-05",
                           "2024-13-01",
                           "2024-02-30",
                           "2023-02-29",
                           "2024-00-10",
                           "0000-01-01",
                           "2024-05-31T",
                           "2024-05-31T12",
                           "2024-05-31T24:00",
                           "2024-05-31T12:60",
                           "2024-05-31T12:30:61",
                           "2024-05-31T12:30:05.",
                           "2024-05-31T12:30:05 CET",
                           "2024-05-31x12:30",
                           "2024-05-31T12:30:05+2",
                           "2024-05-31T12:30:05+02:0",
                           "2024-05-31T12:30:05+25:00",
                           "2024-05-31T12:30:05Zx",
                           "2024-05-31-12",
                           "24-05-31T12:30:05",
                           "31.05.2024",
                           "05/31/2024",
                           "+2024-05-31",
                           "12:30:05",
                           "0001-01-01T00:00:00+01:00",
                           "1717158605"}) {
    EXPECT_EQ(seconds(text), std::nullopt) << text;
  }
}

TEST(Time, WritesWhatItTakes) {
  const auto written = [](std::int64_t whole, std::uint32_t nanoseconds) {
    std::string text;
    write_time(whole, nanoseconds, text);
    return text;
  };
  EXPECT_EQ(written(1717158605, 0), "2024-05-31T12:30:05");
  EXPECT_EQ(written(1717158605, 250000000), "2024-05-31T12:30:05.250000000");
  EXPECT_EQ(written(-1, 0), "1969-12-31T23:59:59");
  EXPECT_EQ(seconds(written(-62135596800, 0)), kEarliestTime);
  for (const std::int64_t beyond : {-62135596801, 253402300800, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(seconds(written(beyond, 0)), std::nullopt);
  }
}

}  // namespace
}  // namespace plumbline::time_test
