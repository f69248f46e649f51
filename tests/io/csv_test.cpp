#include "plumbline/io/csv.h"
#include "plumbline/io/number.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "plumbline/io/separators.h"
#include "plumbline/io/source.h"
#include "tests/support.h"

namespace plumbline::csv_test {
namespace {

using test::expect_error;
using Rows = std::vector<std::vector<std::string>>;

CsvReader open(const std::string& text, const CsvOptions& options = {}) {
  return {source_from(text, "a.csv"), "a.csv", options};
}

std::vector<std::string> names_of(const Stream& reader) {
  std::vector<std::string> names;
  for (const Column& column : reader.columns()) names.push_back(column.name);
  return names;
}

Rows rows_of(CsvReader& reader) {
  Rows rows;
  while (reader.next()) rows.emplace_back(reader.row().fields.begin(), reader.row().fields.end());
  return rows;
}

Rows rows_of(const std::string& text, const CsvOptions& options = {}) {
  CsvReader reader = open(text, options);
  return rows_of(reader);
}

TEST(Csv, ReadsRowsBelowAHeader) {
  CsvReader reader = open("a,b,y\n1,2,0\n3,4,1\n");
  EXPECT_TRUE(reader.has_names());
  EXPECT_EQ(names_of(reader), (std::vector<std::string>{"a", "b", "y"}));
  EXPECT_EQ(rows_of(reader), (Rows{{"1", "2", "0"}, {"3", "4", "1"}}));
}

TEST(Csv, WithoutAHeaderColumnsAreNumbered) {
  CsvReader reader = open("1,2,yes\n3,4,no\n");
  EXPECT_FALSE(reader.has_names());
  EXPECT_EQ(names_of(reader), (std::vector<std::string>{"x1", "x2", "x3"}));
  EXPECT_EQ(rows_of(reader).size(), 2u);
}

TEST(Csv, AHeaderIsATextOverANumberOrARowWithoutNumbers) {
  EXPECT_TRUE(open("2001,b\n1,2\n").has_names());
  EXPECT_TRUE(open("colour,class\nred,yes\n").has_names());
  EXPECT_FALSE(open("1,red\n2,blue\n").has_names());
  EXPECT_FALSE(open("2024-05-31T12:30:05,red,yes\n2024-05-31T12:31:00,blue,no\n").has_names());
  EXPECT_FALSE(open("colour,class\nred,yes\n", {.delimiter = {}, .header = false}).has_names());
}

TEST(Csv, WhatIsMissingSaysNothingOfAHeader) {
  for (const char* missing : {"NA", "?", "", "nan"}) {
    EXPECT_FALSE(open(std::string("1,") + missing + ",0\n2,3,1\n").has_names()) << missing;
  }
}

TEST(Csv, KnownNamesTellAHeader) {
  const CsvOptions names{.delimiter = {}, .header = {}, .names = {"a", "b", "y"}};
  EXPECT_TRUE(open("b,a\n1,2\n", names).has_names());
  EXPECT_FALSE(open("1,2,3\n", names).has_names());
  EXPECT_FALSE(open("a,2,3\n", names).has_names());  // a value that is the name of a column too
}

TEST(Csv, TrimsNamesAndNumbersThoseWithout) {
  EXPECT_EQ(names_of(open(" a , b,,\" y\"\n1,2,3,4\n")),
            (std::vector<std::string>{"a", "b", "x3", "y"}));
}

TEST(Csv, TakesBlanksBeforeAQuote) {
  EXPECT_EQ(rows_of("a,b\n1, \"x, \"\"y\"\"\"\n  \"two\nlines\",2\n"),
            (Rows{{"1", "x, \"y\""}, {"two\nlines", "2"}}));
}

TEST(Csv, RefusesLinesThatEndWithCrAlone) {
  expect_error(ErrorKind::data, {"a.csv, line 1", "CR alone"}, [] { open("a,b\r1,2\r3,4\r"); });
}

TEST(Csv, FindsTheDelimiterThatSplitsTheFirstRowMost) {
  EXPECT_EQ(open("a;b;c\n1,5;2,5;0\n").delimiter(), ';');
  EXPECT_EQ(open("a\tb\n1\t2\n").delimiter(), '\t');
  EXPECT_EQ(open("a|b\n1|2\n").delimiter(), '|');
  EXPECT_EQ(open("\"a;b;c;d\",b\n1,2\n").delimiter(), ',');
  EXPECT_EQ(open("a;b,c\n1;2,3\n", {.delimiter = ',', .header = {}}).columns().size(), 2u);
}

TEST(Csv, TakesRunsOfBlanksAsOneWhereThereIsNoOtherDelimiter) {
  const Rows expected{{"1.5", "2", "yes"}, {"-3", "4", "no"}};
  for (const char* text : {"1.5 2 yes\n-3 4 no\n", "  1.5  2   yes  \n\n   -3     4 no\n",
                           "1.5 2 yes\r\n  -3 4 no\r\n", "1.5  2\t yes\n-3 4 \t no\n"}) {
    EXPECT_EQ(rows_of(text, {.delimiter = ' ', .header = false}), expected) << text;
  }
  EXPECT_EQ(rows_of("  1.5  2   yes\n-3  4 no", {.delimiter = {}, .header = false}), expected);
  EXPECT_EQ(open("a b y\n1 2 0\n").delimiter(), ' ');
  EXPECT_EQ(names_of(open(" a  b y \n1 2 0\n")), (std::vector<std::string>{"a", "b", "y"}));
  EXPECT_EQ(rows_of("a b\n\"one two\"  \"say \"\"hi\"\"\"\nx \"\"\n"),
            (Rows{{"one two", "say \"hi\""}, {"x", ""}}));
  EXPECT_EQ(names_of(open("\"first column\" \"y\"\n1 2\n")),
            (std::vector<std::string>{"first column", "y"}));
  // Another delimiter, and a name that is known.
  EXPECT_EQ(open("a b, y\n1, 2\n").delimiter(), ',');
  EXPECT_EQ(open("\"a b\"\n1\n").delimiter(), ',');
  EXPECT_EQ(
      open("my column\n1\n", {.delimiter = {}, .header = {}, .names = {"my column"}}).delimiter(),
      ',');
}

TEST(Csv, TakesCrlfBlankLinesAByteOrderMarkAndAMissingLastLineBreak) {
  const Rows expected{{"1", "2"}, {"3", "4"}};
  EXPECT_EQ(rows_of("a,b\r\n1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(rows_of("\n\r\n\na,b\n\n1,2\n\n\n3,4"), expected);
  EXPECT_EQ(rows_of("\xef\xbb\xbf"
                    "a,b\n1,2\n3,4\r"),
            expected);
  EXPECT_EQ(open("\xef\xbb\xbf"
                 "a,b\n1,2\n")
                .columns()[0]
                .name,
            "a");
}

TEST(Csv, KeepsEmptyFields) {
  EXPECT_EQ(rows_of("a,b,c\n,,\n1,,3\n"), (Rows{{"", "", ""}, {"1", "", "3"}}));
}

TEST(Csv, UnquotesFields) {
  EXPECT_EQ(rows_of("a,b\n\"x, y\",\"say \"\"hi\"\"\"\n\"\",\"\"\"\"\n"),
            (Rows{{"x, y", "say \"hi\""}, {"", "\""}}));
  EXPECT_EQ(rows_of("a,b\n\"two\nlines\",1\n\"\r\n\",2\n"),
            (Rows{{"two\nlines", "1"}, {"\r\n", "2"}}));
  // A quote in the middle of a field is a character like any other.
  EXPECT_EQ(rows_of("a,b\n5\" pipe,1\n6\",2\n"), (Rows{{"5\" pipe", "1"}, {"6\"", "2"}}));
}

TEST(Csv, CountsLinesAlsoInsideQuotes) {
  CsvReader reader = open("a,b\n\n\"x\ny\",1\n2,3\n");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 3u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 5u);
}

TEST(Csv, ARowOfAnotherWidthIsNamedAndReadingGoesOn) {
  CsvReader reader = open("a,b\n1,2\n1,2,3\n4\n5,6\n");
  EXPECT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"a.csv, line 3: ", "3 fields", "2 are expected"},
               [&] { reader.next(); });
  expect_error(ErrorKind::data, {"line 4", "1 fields"}, [&] { reader.next(); });
  EXPECT_TRUE(reader.next());
  EXPECT_EQ(reader.row().fields[0], "5");
  EXPECT_FALSE(reader.next());
}

TEST(Csv, RefusesAnEmptyFileAndAnOpenQuote) {
  expect_error(ErrorKind::data, {"a.csv", "no data"}, [] { open(""); });
  expect_error(ErrorKind::data, {"a.csv", "no data"}, [] { open("\n\r\n\n"); });
  CsvReader reader = open("a,b\n1,2\n3,4\n5,\"6\n7,8\n");
  EXPECT_TRUE(reader.next());
  EXPECT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"line 4", "quote is not closed"}, [&] { reader.next(); });
}

TEST(Csv, ARowWithoutEndIsRefusedAndReadingGoesOnAfterItsLine) {
  const std::string filler = std::string(65u << 20, 'x') + "\n";
  CsvReader reader = open("a,b\n1,2\n3," + filler + "5,6\n7,\"\n" + filler + "9,10\n");
  ASSERT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"line 3: ", "64 MiB"}, [&] { reader.next(); });
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 4u);
  EXPECT_EQ(reader.row().fields[1], "6");
  expect_error(ErrorKind::data, {"line 5: ", "64 MiB", "quote"}, [&] { reader.next(); });
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 7u);
  EXPECT_EQ(reader.row().fields[1], "10");
  EXPECT_FALSE(reader.next());
}

TEST(Csv, AHeaderAloneHasNoRows) {
  CsvReader reader = open("a,b\n");
  EXPECT_EQ(reader.columns().size(), 2u);
  EXPECT_FALSE(reader.next());
}

// Many rows with quotes and line breaks, so that they fall across the reader's buffers everywhere.
TEST(Csv, DoesNotCareWhereItsBuffersEnd) {
  std::string text = "id,text,number\n";
  Rows expected;
  Rng rng(2, 0, 0);
  for (int i = 0; i < 60000; ++i) {
    std::string field(rng.below(20), 'x');
    const bool quoted = rng.below(3) == 0;
    const std::string number = std::to_string(rng.below(1000000));
    if (quoted) field += "\n,";
    text += std::to_string(i) + (quoted ? ",\"" + field + "\"\"\"," : "," + field + ",") + number;
    text += rng.below(2) == 0 ? "\n" : "\r\n";
    expected.push_back({std::to_string(i), quoted ? field + "\"" : field, number});
  }
  ASSERT_GT(text.size(), 4u << 18);
  EXPECT_EQ(rows_of(text), expected);
}

// Gives few bytes at a time, so that the reader never has enough of them for its fast way.
class Drip : public Source {
 public:
  explicit Drip(std::string bytes) : bytes_(std::move(bytes)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t n = std::min({buffer.size(), bytes_.size() - at_, std::size_t{40}});
    bytes_.copy(buffer.data(), n, at_);
    at_ += n;
    return n;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// All that a reader says of a text: its rows with their lines, and its complaints.
std::vector<std::string> everything(std::unique_ptr<Source> source) {
  std::vector<std::string> said;
  try {
    CsvReader reader(std::move(source), "a.csv", {.delimiter = ',', .header = true});
    for (bool more = true; more;) {
      try {
        more = reader.next();
        if (!more) break;
        std::string row = std::to_string(reader.line());
        for (const std::string_view field : reader.row().fields) row.append("|").append(field);
        said.push_back(row);
      } catch (const Error& error) {
        said.emplace_back(error.what());
      }
    }
  } catch (const Error& error) {
    said.emplace_back(error.what());
  }
  return said;
}

TEST(Csv, ReadsManyRowsAtOnceAsItReadsThemOneByOne) {
  Rng rng(7, 0, 0);
  constexpr std::string_view kCharacters = "ab1,,,,\n\r\"";
  std::size_t rows = 0;
  for (int text_number = 0; text_number < 3000; ++text_number) {
    const std::size_t columns = 1 + rng.below(40);
    std::string text = "c" + std::string(columns - 1, ',') + "\n";
    for (std::size_t row = rng.below(30); row > 0; --row) {
      const std::uint64_t kind = rng.below(20);
      if (kind == 0) {  // anything at all
        for (std::uint64_t n = rng.below(100); n > 0; --n) text += kCharacters[rng.below(11)];
      } else {
        const std::size_t width = kind == 1 ? 1 + rng.below(40) : columns;
        for (std::size_t j = 0; j < width; ++j) {
          if (j > 0) text += ',';
          const std::string field(rng.below(kind == 2 ? 80 : 4), 'x');
          text += rng.below(100) == 0 ? "\"" + field + "\n\"" : field;
        }
      }
      text += kind % 2 == 0 ? "\n" : "\r\n";
    }
    const std::vector<std::string> expected = everything(std::make_unique<Drip>(text));
    ASSERT_EQ(everything(source_from(text, "a.csv")), expected) << text;
    rows += expected.size();
  }
  EXPECT_GT(rows, 30000u);
}

Separators separators_by_byte(const char* bytes, char delimiter) {
  Separators found;
  for (std::size_t i = 0; i < Separators::kBytes; ++i) {
    if (bytes[i] == delimiter) found.delimiters |= std::uint64_t{1} << i;
    if (bytes[i] == '\n' || bytes[i] == '"') found.others |= std::uint64_t{1} << i;
  }
  return found;
}

TEST(Csv, SeparatorsAreWhereALoopFindsThem) {
  Rng rng(8, 0, 0);
  constexpr std::string_view kCharacters = ",;\t|\n\r\"a\x80\xff";
  for (int i = 0; i < 20000; ++i) {
    std::array<char, Separators::kBytes + 1> bytes{};  // one more, to begin anywhere
    for (char& c : bytes) c = kCharacters[rng.below(kCharacters.size())];
    const char* const begin = bytes.data() + rng.below(2);
    for (const char delimiter : {',', ';', '\t', '|', '\xff'}) {
      ASSERT_EQ(find_separators(begin, delimiter), separators_by_byte(begin, delimiter));
    }
  }
}

// The C library's strtod rounds correctly too, and shares no code with ours.
TEST(ParseNumber, RoundsShortNumbersCorrectly) {
  Rng rng(9, 0, 0);
  for (int i = 0; i < 300000; ++i) {
    std::string text(1 + rng.below(20), '0');
    for (char& c : text) c = static_cast<char>('0' + rng.below(10));
    if (rng.below(4) > 0) text.insert(rng.below(text.size() + 1), ".");
    if (rng.below(2) > 0) text.insert(0, "-");
    const std::optional<double> number = parse_number(text);
    const double expected = std::strtod(text.c_str(), nullptr);
    ASSERT_TRUE(number.has_value()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*number), std::bit_cast<std::uint64_t>(expected))
        << text;
  }
}

TEST(ParseNumber, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(*parse_number("-0")));
  EXPECT_TRUE(std::signbit(*parse_number("-0.00")));
  EXPECT_FALSE(std::signbit(*parse_number("0")));
}

TEST(Number, KnowsADecimalNumberWhateverItsSize) {
  for (const char* text : {"1", "1.5", ".5", "5.", "1e5", "1E+5", "1.e-5", "1e99999"}) {
    EXPECT_TRUE(is_decimal(text)) << text;
  }
  EXPECT_TRUE(is_decimal(std::string(400, '9')));
  for (const char* text :
       {"", ".", "e5", "1e", "1e+", "1e5.5", "-1", "+1", "1 ", "1,5", "0x1", "1.5.2", "inf"}) {
    EXPECT_FALSE(is_decimal(text)) << text;
  }
}

TEST(ParseNumber, TakesNumbersAsPeopleWriteThem) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number(" -2 "), -2);
  EXPECT_EQ(parse_number("+3"), 3);
  EXPECT_EQ(parse_number("1e5"), 1e5);
  EXPECT_EQ(parse_number("1E-5"), 1e-5);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5);
  EXPECT_EQ(parse_number("0.1"), 0.1);
  EXPECT_EQ(parse_number("1e-400"), 0);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text : {"",      " ",
                           "abc",   "1.5x",
                           "1,5",   "--1",
                           "+-1",   "nan",
                           "inf",   "-inf",
                           "1e400", "0x10",
                           "1 2",   "?",
                           "-",     ".",
                           "-.",    "1.2.3",
                           "1-",    "/",
                           ":",     "123456789012345678x"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace plumbline::csv_test
