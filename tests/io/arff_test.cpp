#include "plumbline/io/arff.h"

#include <gtest/gtest.h>

#include "plumbline/io/source.h"
#include "tests/support.h"

namespace plumbline::arff_test {
namespace {

using test::expect_error;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* kWeather =
    "@relation weather\n"
    "@attribute outlook {sunny, overcast, rainy}\n"
    "@attribute humidity numeric\n"
    "@attribute play {yes,no}\n"
    "@data\n";

ArffReader open(const std::string& text) { return {source_from(text, "a.arff"), "a.arff"}; }

Rows rows_of(ArffReader& reader) {
  Rows rows;
  while (reader.next()) rows.emplace_back(reader.row().fields.begin(), reader.row().fields.end());
  return rows;
}

Rows rows_of(const std::string& text) {
  ArffReader reader = open(text);
  return rows_of(reader);
}

Rows weather(const std::string& data) { return rows_of(kWeather + data); }

// Expects a header to be refused: in the constructor, with this line.
void expect_bad_header(const std::string& text, const char* line,
                       std::initializer_list<const char*> parts) {
  expect_error(ErrorKind::data, {"a.arff, line ", line}, [&] { open(text); });
  expect_error(ErrorKind::data, parts, [&] { open(text); });
}

// Expects a row to be refused with its line, and the next one to be read nevertheless.
void expect_bad_row(const std::string& row, std::initializer_list<const char*> parts) {
  SCOPED_TRACE(row);
  ArffReader reader = open(kWeather + std::string("sunny,1,yes\n") + row + "\nrainy,2,no\n");
  ASSERT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"a.arff, line 7"}, [&] { reader.next(); });
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.row().fields[0], "rainy");
  EXPECT_EQ(reader.line(), 8u);
  EXPECT_FALSE(reader.next());
  expect_error(ErrorKind::data, parts, [&] { weather(row); });
}

TEST(Arff, ReadsDeclaredColumnsAndDenseRows) {
  ArffReader reader = open(kWeather + std::string("sunny,85,no\nrainy,70.5,yes\n"));
  EXPECT_EQ(
      reader.columns(),
      (std::vector<Column>{{"outlook", ColumnKind::categorical, {"sunny", "overcast", "rainy"}},
                           {"humidity", ColumnKind::numeric},
                           {"play", ColumnKind::categorical, {"yes", "no"}}}));
  EXPECT_EQ(rows_of(reader), (Rows{{"sunny", "85", "no"}, {"rainy", "70.5", "yes"}}));
}

TEST(Arff, TypesBecomeKindsOfColumns) {
  const ArffReader reader = open(
      "@relation r\n"
      "@attribute a numeric\n"
      "@attribute b REAL [0, 10]\n"
      "@attribute c Integer % how many\n"
      "@attribute d string\n"
      "@attribute e date \"yyyy-MM-dd HH:mm:ss\"\n"
      "@attribute f date\n"
      "@attribute g{x}\n"
      "@data\n");
  const std::vector<ColumnKind> expected{
      ColumnKind::numeric, ColumnKind::numeric, ColumnKind::numeric,    ColumnKind::categorical,
      ColumnKind::unknown, ColumnKind::unknown, ColumnKind::categorical};
  std::vector<ColumnKind> kinds;
  for (const Column& column : reader.columns()) kinds.push_back(column.kind);
  EXPECT_EQ(kinds, expected);
  EXPECT_TRUE(reader.columns()[3].values.empty());
  EXPECT_EQ(reader.columns()[6].name, "g");
}

TEST(Arff, KeywordsAreOfAnyCaseAndARelationMayBeLeftOut) {
  EXPECT_EQ(rows_of("@RELATION r\n@ATTRIBUTE x NUMERIC\n@DATA\n1\n"), (Rows{{"1"}}));
  EXPECT_EQ(rows_of("@Attribute x Numeric\n  @Data  % now\n1\n"), (Rows{{"1"}}));
}

TEST(Arff, NamesAndValuesMayBeQuotedWithEscapes) {
  ArffReader reader = open(
      "@relation 'a b'\n"
      "@attribute 'the \\'x\\'' numeric\n"
      "@attribute \"two words\" {'a, b', \"it's\", 'tab\\there', c d, ''}\n"
      "@data\n"
      "'1',  'a, b'\n"
      "2, \"it's\"\n"
      "3, \"tab\\there\"\n"
      "4, 'it\\'s'\n"
      "5,c d\n"
      "6,''\n");
  EXPECT_EQ(reader.columns()[0].name, "the 'x'");
  EXPECT_EQ(reader.columns()[1].name, "two words");
  EXPECT_EQ(reader.columns()[1].values,
            (std::vector<std::string>{"a, b", "it's", "tab\there", "c d", ""}));
  EXPECT_EQ(rows_of(reader), (Rows{{"1", "a, b"},
                                   {"2", "it's"},
                                   {"3", "tab\there"},
                                   {"4", "it's"},
                                   {"5", "c d"},
                                   {"6", ""}}));
}

TEST(Arff, SeveralEscapedValuesOfARowStandSideBySide) {
  EXPECT_EQ(rows_of("@attribute a string\n@attribute b string\n@attribute c string\n@data\n"
                    "'\\\\','a\\nb\\r','\\%\\\"'\n"
                    "'\\\\','a\\nb\\r','\\%\\\"'\n"),
            (Rows{{"\\", "a\nb\r", "%\""}, {"\\", "a\nb\r", "%\""}}));
  const std::string a(50, 'a'), b(5000, 'b');
  EXPECT_EQ(
      rows_of("@attribute a string\n@attribute b string\n@data\n'\\n" + a + "','\\n" + b + "'\n"),
      (Rows{{"\n" + a, "\n" + b}}));
}

TEST(Arff, TrimsValuesAndTakesTabsAndCrlfAndAByteOrderMark) {
  const Rows expected{{"sunny", "85", "no"}, {"rainy", "70", "yes"}};
  EXPECT_EQ(weather("  sunny ,\t85 , no \n rainy,70,yes"), expected);
  EXPECT_EQ(weather("sunny\t85\tno\t\n'rainy' \t 70\tyes\n"), expected);
  std::string crlf = "\xef\xbb\xbf";
  for (const char* c = kWeather; *c != '\0'; ++c) crlf += *c == '\n' ? "\r\n" : std::string(1, *c);
  EXPECT_EQ(rows_of(crlf + "sunny,85,no\r\n\r\nrainy,70,yes\r\n"), expected);
}

TEST(Arff, ACommentBeginsWithAPercentSignThatBeginsAWord) {
  EXPECT_EQ(rows_of("% title\n\n  % more\n@attribute x {10%, '% 5', 5} % the x\n@data\n"
                    "% none\n10% % ten\n'% 5'%\n5 % 6\n"),
            (Rows{{"10%"}, {"% 5"}, {"5"}}));
}

TEST(Arff, AMissingValueIsGivenAsAQuestionMark) {
  EXPECT_EQ(weather("?,?,?\n{0 ?, 1 ?}\n"), (Rows{{"?", "?", "?"}, {"?", "?", "yes"}}));
}

TEST(Arff, ExpandsSparseRows) {
  EXPECT_EQ(weather("{1 85, 2 no}\n{ 0  'rainy' ,2 \"no\"}\n{}\n{ }\n{2 no,1\t-1e5 } % last\n"),
            (Rows{{"sunny", "85", "no"},
                  {"rainy", "0", "no"},
                  {"sunny", "0", "yes"},
                  {"sunny", "0", "yes"},
                  {"sunny", "-1e5", "no"}}));
}

TEST(Arff, StringsAndDatesThatASparseRowLeavesOutAreMissing) {
  EXPECT_EQ(rows_of("@attribute s string\n@attribute d date\n@attribute n real\n@data\n{}\n"
                    "{1 2020-01-01, 0 x}\n"),
            (Rows{{"?", "?", "0"}, {"x", "2020-01-01", "0"}}));
}

TEST(Arff, SparseAndDenseRowsMayBeMixed) {
  EXPECT_EQ(weather("{1 5}\nrainy,6,no\n{}\n"),
            (Rows{{"sunny", "5", "yes"}, {"rainy", "6", "no"}, {"sunny", "0", "yes"}}));
}

TEST(Arff, AWeightOfOneIsTakenAndAnyOtherRefused) {
  EXPECT_EQ(weather("rainy,6,no,{1}\nrainy,6,no, { 1.0 } % x\n{1 7}, {1}\n{1 7} {1}\n").size(), 4u);
  expect_bad_row("rainy,6,no,{5}", {"weight '5'", "not supported yet"});
  expect_bad_row("rainy,6,no,{x}", {"weight 'x'"});
  expect_bad_row("{1 7}, {0.5}", {"weight '0.5'"});
  expect_bad_row("rainy,{1},no", {"stands last", "quote"});
  expect_bad_row("rainy,6,no,{1", {"stands last"});
}

TEST(Arff, RefusesAValueThatIsNotDeclaredWithItsPlaceAndTheDeclaredOnes) {
  expect_bad_row("sunny,1,maybe", {"line 6, column 3: ", "'maybe'", "'play'", "'yes', 'no'"});
  expect_bad_row("Sunny,1,yes", {"column 1: ", "'Sunny'", "'sunny', 'overcast', 'rainy'"});
  expect_bad_row("{2 maybe}", {"column 3: ", "'maybe'", "'yes', 'no'"});
  expect_error(ErrorKind::data, {"'v0'", "'v9' and 90 more"}, [] {
    std::string text = "@attribute x {v0";
    for (int i = 1; i < 100; ++i) text += ",v" + std::to_string(i);
    rows_of(text + "}\n@data\nw\n");
  });
}

TEST(Arff, RefusesAWrongNumberOfValues) {
  expect_bad_row("sunny,1", {"line 6: ", "has 2 values", "3 are expected"});
  expect_bad_row("sunny,1,yes,4", {"has 4 values", "3 are expected"});
  expect_bad_row("sunny 1 yes", {"has 1 values", "commas or tabs"});
}

TEST(Arff, RefusesEmptyValuesAndWhatFollowsAQuote) {
  expect_bad_row("sunny,,yes", {"column 2: ", "empty", "write ?"});
  expect_bad_row("sunny,1,yes,", {"column 4: ", "empty"});
  expect_bad_row("'sunny' x,1,yes", {"column 1: ", "comma must follow the quote"});
  expect_bad_row("'sunny''x',1,yes", {"column 1: ", "comma must follow the quote"});
}

TEST(Arff, RefusesAQuoteThatIsNotClosed) {
  expect_bad_row("'sunny,1,yes", {"line 6: ", "quote", "not closed"});
  expect_bad_row("sunny,1,\"yes\\\"", {"not closed"});
  expect_bad_row("sunny,1,'", {"not closed"});
  expect_bad_row("{0 'sunny}", {"not closed"});
  expect_bad_header("@attribute 'x numeric\n@data\n", "1", {"quote", "not closed"});
  expect_bad_header("\n@attribute x {'a, b}\n@data\n", "2", {"quote", "not closed"});
}

TEST(Arff, RefusesSparseRowsThatAreNotRight) {
  expect_bad_row("{1 5, 1 6}", {"line 6, column 2: ", "twice"});
  expect_bad_row("{3 5}", {"'3' is out of range", "0 to 2"});
  expect_bad_row("{99999999999999999999999 5}", {"out of range"});
  expect_bad_row("{-1 5}", {"'-1' must be an index"});
  expect_bad_row("{x 5}", {"'x' must be an index"});
  expect_bad_row("{1}", {"column 2: ", "empty"});
  expect_bad_row("{1 5,}", {"'' must be an index"});
  expect_bad_row("{1 5", {"not closed"});
  expect_bad_row("{", {"not closed"});
  expect_bad_row("{1 5,", {"not closed"});
  expect_bad_row("{2 'no' 1 5}", {"commas must separate"});
  expect_bad_row("{1 5} 7", {"'7' follows the brace"});
}

TEST(Arff, AnIndexMayComeAgainInTheNextSparseRow) {
  EXPECT_EQ(weather("{1 5}\n{1 6}\n").size(), 2u);
}

TEST(Arff, RefusesAHeaderThatEndsTooEarly) {
  expect_error(ErrorKind::data, {"a.arff", "@data"}, [] { open(""); });
  expect_bad_header("@relation r\n@attribute x numeric\n", "2", {"without a line @data"});
  expect_bad_header("@relation r\n\n@data\n1\n", "3", {"no @attribute"});
}

TEST(Arff, RefusesBadHeaderLines) {
  expect_bad_header("@relation r\n@attribute x\n@data\n", "2", {"'x' has no type", "numeric"});
  expect_bad_header("@relation r\n@attribute % x\n@data\n", "2", {"name and a type"});
  expect_bad_header("@attribute\n@data\n", "1", {"name and a type"});
  expect_bad_header("@attribute '' numeric\n@data\n", "1", {"name and a type"});
  expect_bad_header("@attribute {a,b}\n@data\n", "1", {"name and a type"});
  expect_bad_header("@attribute x float\n@data\n", "1", {"unknown type 'float'", "real"});
  expect_bad_header("@attribute x relational\n@data\n", "1", {"relational", "not supported"});
  expect_bad_header("@relation r\nx numeric\n@data\n", "2", {"'x'", "@attribute"});
  expect_bad_header("@attribute x real\n@data 1\n", "2", {"line after @data"});
  expect_bad_header("@attribute x real\n@attribute x real\n@data\n", "2", {"two", "'x'"});
}

TEST(Arff, RefusesBadListsOfValues) {
  expect_bad_header("@attribute x {}\n@data\n", "1", {"'x' declares no values"});
  expect_bad_header("@attribute x {a,b\n@data\n", "1", {"not closed with a brace"});
  expect_bad_header("@attribute x {\n@data\n", "1", {"not closed with a brace"});
  expect_bad_header("@attribute x {a,,b}\n@data\n", "1", {"a.arff, line 1: ", "empty"});
  expect_bad_header("@attribute x {'a' 'b'}\n@data\n", "1", {"comma must follow the value 'a'"});
  expect_bad_header("@attribute x {a,b,a}\n@data\n", "1", {"the value 'a' twice"});
  expect_bad_header("@attribute x {a,b} c\n@data\n", "1", {"'c' follows the list"});
}

TEST(Arff, CountsLinesFromTheBeginningOfTheFile) {
  ArffReader reader = open(kWeather + std::string("\n% c\nsunny,1,yes\n\n{}\n"));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 8u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 10u);
}

// Many rows, so that they fall across the reader's buffers everywhere.
TEST(Arff, DoesNotCareWhereItsBuffersEnd) {
  std::string text = "@attribute id numeric\n@attribute s string\n@attribute n real\n@data\n";
  Rows expected;
  Rng rng(2, 0, 0);
  for (int i = 0; i < 40000; ++i) {
    const std::string id = std::to_string(i), word(rng.below(20), 'x');
    const std::string number = std::to_string(rng.below(1000000));
    if (rng.below(2) == 0) {
      text += id + ",'" + word + "\\','," + number + (rng.below(2) == 0 ? "\n" : "\r\n");
      expected.push_back({id, word + "',", number});
    } else {
      text += "{0 " + id + ", 2 " + number + "}\n";
      expected.push_back({id, "?", number});
    }
  }
  ASSERT_GT(text.size(), 3u << 18);
  EXPECT_EQ(rows_of(text), expected);
}

TEST(Arff, IsRecognisedByItsFirstLine) {
  EXPECT_TRUE(ArffReader::recognises("@relation r\n"));
  EXPECT_TRUE(ArffReader::recognises("\n\r\n  @RELATION r"));
  EXPECT_TRUE(ArffReader::recognises("% 1. Title: Iris\n"));
  EXPECT_TRUE(ArffReader::recognises("\xef\xbb\xbf@relation r\n"));
  for (const char* head : {"", "\n", "a,b\n1,2\n", "relation\n", "@rel", "a%\n@relation r\n"}) {
    EXPECT_FALSE(ArffReader::recognises(head)) << head;
  }
}

}  // namespace
}  // namespace plumbline::arff_test
