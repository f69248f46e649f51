#include "plumbline/streams/csv.h"

#include <gtest/gtest.h>

#include "tests/support.h"

namespace plumbline {
namespace {

using test::expect_error;
using Rows = std::vector<std::vector<std::string>>;

CsvReader open(const std::string& text, const CsvOptions& options = {}) {
  return {source_from(text, "a.csv"), "a.csv", options};
}

std::vector<std::string> names_of(const Reader& reader) {
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
  EXPECT_TRUE(reader.has_header());
  EXPECT_EQ(names_of(reader), (std::vector<std::string>{"a", "b", "y"}));
  EXPECT_EQ(rows_of(reader), (Rows{{"1", "2", "0"}, {"3", "4", "1"}}));
}

TEST(Csv, WithoutAHeaderColumnsAreNumbered) {
  CsvReader reader = open("1,2,yes\n3,4,no\n");
  EXPECT_FALSE(reader.has_header());
  EXPECT_EQ(names_of(reader), (std::vector<std::string>{"x1", "x2", "x3"}));
  EXPECT_EQ(rows_of(reader).size(), 2u);
}

TEST(Csv, AHeaderIsATextOverANumberOrARowWithoutNumbers) {
  EXPECT_TRUE(open("2001,b\n1,2\n").has_header());
  EXPECT_TRUE(open("colour,class\nred,yes\n").has_header());
  EXPECT_FALSE(open("1,red\n2,blue\n").has_header());
  EXPECT_FALSE(open("colour,class\nred,yes\n", {.delimiter = {}, .header = false}).has_header());
}

TEST(Csv, FindsTheDelimiterThatSplitsTheFirstRowMost) {
  EXPECT_EQ(open("a;b;c\n1,5;2,5;0\n").delimiter(), ';');
  EXPECT_EQ(open("a\tb\n1\t2\n").delimiter(), '\t');
  EXPECT_EQ(open("a|b\n1|2\n").delimiter(), '|');
  EXPECT_EQ(open("\"a;b;c;d\",b\n1,2\n").delimiter(), ',');
  EXPECT_EQ(open("a;b,c\n1;2,3\n", {.delimiter = ',', .header = {}}).columns().size(), 2u);
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
  for (const char* text : {"", " ", "abc", "1.5x", "1,5", "--1", "+-1", "nan", "inf", "-inf",
                           "1e400", "0x10", "1 2", "?"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace plumbline
