#include "plumbline/generators/led.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "plumbline/generators/registry.h"
#include "tests/support.h"

namespace plumbline::led_test {
namespace {

// How the digits look, three lines each, to be compared with the columns of the stream.
constexpr const char* kDisplay[] = {
    " _     _  _     _  _  _  _  _ ",
    "| |  | _| _||_||_ |_   ||_||_|",
    "|_|  ||_  _|  | _||_|  ||_| _|",
};

using Segments = std::array<bool, 7>;

Segments segments_of(std::size_t digit) {
  const auto lit = [&](int line, std::size_t column) {
    return kDisplay[line][3 * digit + column] != ' ';
  };
  return {lit(0, 1), lit(1, 0), lit(1, 2), lit(1, 1), lit(2, 0), lit(2, 2), lit(2, 1)};
}

Segments segments_of(std::span<const double> row) {
  Segments segments{};
  for (std::size_t j = 0; j < 7; ++j) segments[j] = row[j] == 1;
  return segments;
}

Spec one_digit(std::int64_t digit, double noise) {
  return Spec("led:task=digit").set("digit", digit).set("noise", noise);
}

TEST(Led, ShowsEachDigitWithoutNoise) {
  for (std::size_t digit = 0; digit < 10; ++digit) {
    const Minibatch data = test::generate(one_digit(static_cast<std::int64_t>(digit), 0), 1000);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const bool shown = segments_of(data.features().row(i)) == segments_of(digit);
      ASSERT_EQ(data.examples().y[i], shown ? 1 : 0) << digit;
    }
    EXPECT_NEAR(test::positive_rate(data), 0.1, test::five_errors(0.1, 1000)) << digit;
  }
}

TEST(Led, TellsOddFromEvenUnlessToldOtherwise) {
  std::map<Segments, std::size_t> digits;
  for (std::size_t digit = 0; digit < 10; ++digit) digits[segments_of(digit)] = digit;
  const Minibatch data = test::generate("led:noise=0", 5000);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    ASSERT_EQ(data.examples().y[i], digits.at(segments_of(data.features().row(i))) % 2);
  }
  EXPECT_NEAR(test::positive_rate(data), 0.5, test::five_errors(0.5, 5000));
}

TEST(Led, InvertsATenthOfEachSegment) {
  const Minibatch data = test::generate("led:task=digit,digit=2,irrelevant=0", 50000);
  const Segments two = segments_of(2);
  for (std::size_t j = 0; j < 7; ++j) {
    double count = 0, inverted = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (data.examples().y[i] == 0) continue;
      ++count;
      inverted += segments_of(data.features().row(i))[j] != two[j];
    }
    EXPECT_NEAR(inverted / count, 0.1, test::five_errors(0.1, count)) << j;
  }
}

// CART gives the Bayes error of ten classes at 10 % noise as 0.26, rounded. Here it is that of the
// digits as the stream shows them without noise: a display with k of 7 segments inverted has
// probability 0.1^k 0.9^(7-k), and the best guess is the digit to which it is likeliest.
TEST(Led, HasTheBayesErrorOfTheBook) {
  std::set<Segments> digits;
  const Minibatch data = test::generate("led:noise=0", 1000);
  for (std::size_t i = 0; i < 1000; ++i) digits.insert(segments_of(data.features().row(i)));
  ASSERT_EQ(digits.size(), 10u);
  double right = 0;
  for (unsigned display = 0; display < 128; ++display) {
    double best = 0;
    for (const Segments& digit : digits) {
      double likelihood = 1;
      for (unsigned j = 0; j < 7; ++j) likelihood *= (display >> j & 1) == digit[j] ? 0.9 : 0.1;
      best = std::max(best, likelihood);
    }
    right += best / 10;
  }
  EXPECT_NEAR(1 - right, 0.26, 0.005);
}

TEST(Led, AddsIrrelevantCoinTosses) {
  const auto stream = generators().make("led", 1);
  ASSERT_EQ(stream->schema().size(), 24u);
  EXPECT_EQ(stream->schema().features[0], "top");
  EXPECT_EQ(stream->schema().features[23], "irrelevant17");
  Minibatch data(24);
  stream->read(data, 10000);
  for (std::size_t j = 7; j < 24; ++j) {
    double ones = 0, equal_to_label = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const double x = data.features().row(i)[j];
      ASSERT_TRUE(x == 0 || x == 1);
      ones += x;
      equal_to_label += x == data.examples().y[i];
    }
    EXPECT_NEAR(ones / 10000, 0.5, test::five_errors(0.5, 10000)) << j;
    EXPECT_NEAR(equal_to_label / 10000, 0.5, test::five_errors(0.5, 10000)) << j;
  }
  EXPECT_EQ(generators().make("led:irrelevant=0", 1)->schema().size(), 7u);
}

TEST(Led, HasTheSameFeaturesAndSchemaInEveryTask) {
  const Minibatch a = test::generate("led", 50), b = test::generate("led:task=digit,digit=4", 50);
  EXPECT_TRUE(std::ranges::equal(a.features().values, b.features().values));
  EXPECT_EQ(generators().make("led", 1)->schema(),
            generators().make("led:task=digit", 1)->schema());
}

}  // namespace
}  // namespace plumbline::led_test
