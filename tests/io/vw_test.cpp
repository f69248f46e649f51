#include "plumbline/io/vw.h"

#include <gtest/gtest.h>

#include "plumbline/io/source.h"
#include "tests/io/named_row.h"
#include "tests/support.h"

namespace plumbline::vw_test {
namespace {

using test::expect_error;
using test::text_of;
using Rows = std::vector<std::string>;

VwReader open(const std::string& text) { return {source_from(text, "a.vw"), "a.vw"}; }

Rows rows_of(const std::string& text) {
  VwReader reader = open(text);
  Rows rows;
  while (reader.next()) rows.push_back(text_of(reader.row()));
  return rows;
}

// Expects a row to be refused with its line, and the next one to be read nevertheless.
void expect_bad_row(const std::string& row, std::initializer_list<const char*> parts) {
  SCOPED_TRACE(row);
  VwReader reader = open("1 |f a\n" + row + "\n-1 |f b:2\n");
  ASSERT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"a.vw, line 2: "}, [&] { reader.next(); });
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "-1: f^b=2");
  EXPECT_FALSE(reader.next());
  expect_error(ErrorKind::data, parts, [&] { rows_of(row); });
}

TEST(Vw, ReadsNamespacesOfFeatures) {
  VwReader reader = open("1 |f a b:2 |g a:-0.5e3\n-1 |f b\n");
  EXPECT_TRUE(reader.columns().empty());
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "1: f^a=1 f^b=2 g^a=-0.5e3");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "-1: f^b=1");
  EXPECT_FALSE(reader.next());
}

TEST(Vw, FeaturesWithoutANamespaceHaveTheirNamesAlone) {
  EXPECT_EQ(rows_of("1 | a b:2 |g c | d\n"), (Rows{"1: a=1 b=2 g^c=1 d=1"}));
}

TEST(Vw, ARowMayHaveNoLabelOrNoFeatures) {
  EXPECT_EQ(rows_of("|f a\n  | b\n1 |\n|\n0 |f\n||f a\n"),
            (Rows{"none: f^a=1", "none: b=1", "1:", "none:", "0:", "none: f^a=1"}));
}

TEST(Vw, ATagBeginsWithAQuoteOrTouchesTheBar) {
  EXPECT_EQ(rows_of("1 'tag|f a\n1 'tag |f a\n1 tag|f a\n'tag |f a\ntag|f a\n1 1 0 'tag|f a\n"),
            (Rows{"1: f^a=1", "1: f^a=1", "1: f^a=1", "none: f^a=1", "none: f^a=1", "1: f^a=1"}));
  EXPECT_EQ(rows_of("1|f a\n"), (Rows{"none: f^a=1"}));  // as in VW itself
  EXPECT_EQ(rows_of("1 5|f a\n"), (Rows{"1: f^a=1"}));
}

TEST(Vw, TakesTabsCrlfBlankLinesAndAByteOrderMark) {
  VwReader reader = open(
      "\xef\xbb\xbf"
      "1\t|f\ta  b:2\t\r\n\r\n \n0 |f a");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "1: f^a=1 f^b=2");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "0: f^a=1");
  EXPECT_EQ(reader.line(), 4u);
  EXPECT_FALSE(reader.next());
}

TEST(Vw, AScaleMultipliesTheValuesOfItsNamespace) {
  EXPECT_EQ(rows_of("1 |f:0.5 a b:3 |g a:3\n"), (Rows{"1: f^a=0.5 f^b=1.5 g^a=3"}));
  EXPECT_EQ(rows_of("1 |f:0.1 a:3 b:7\n"),
            (Rows{"1: f^a=0.30000000000000004 f^b=0.7000000000000001"}));
  EXPECT_EQ(rows_of("1 |f:1 a:3.0 |g:0 b:2\n"), (Rows{"1: f^a=3.0 g^b=0"}));
}

TEST(Vw, ValuesOfAFeatureThatRepeatsAreAddedUp) {
  EXPECT_EQ(rows_of("1 | the cat the dog the:0.5\n"), (Rows{"1: the=2.5 cat=1 dog=1"}));
  EXPECT_EQ(rows_of("1 |b x y |a x |b y:2 x:-1\n"), (Rows{"1: b^x=0 b^y=3 a^x=1"}));
  EXPECT_EQ(rows_of("1 |f:2 a |f:3 a\n"), (Rows{"1: f^a=5"}));
  // The names are what counts, not how they came about.
  EXPECT_EQ(rows_of("1 |f a | f^a:2\n"), (Rows{"1: f^a=3"}));
}

TEST(Vw, AValueStaysTextUnlessItMustBeReckonedWith) {
  EXPECT_EQ(rows_of("1 |f a:007 b:x\n"), (Rows{"1: f^a=007 f^b=x"}));
  expect_bad_row("1 |f:2 b:x", {"'x' is not a number"});
  expect_bad_row("1 |f b b:x", {"'x' is not a number"});
  expect_bad_row("1 |f:1e300 b:1e300", {"too large"});
  expect_bad_row("1 |f b:1e308 b:1e308", {"too large"});
}

TEST(Vw, RefusesImportancesAndBases) {
  EXPECT_EQ(rows_of("1 1 |f a\n1 1.0 0 |f a\n"), (Rows{"1: f^a=1", "1: f^a=1"}));
  expect_bad_row("1 2 |f a", {"line 1: ", "weights are not supported yet", "drop", "'2'"});
  expect_bad_row("1 0.5 'tag|f a", {"drop the importance '0.5'"});
  expect_bad_row("1 1 0.3 |f a", {"drop the base '0.3'"});
  expect_bad_row("1 x |f a", {"importance 'x' is not a number"});
  expect_bad_row("1 1 x |f a", {"base 'x' is not a number"});
  expect_bad_row("1 1 0 0 |f a", {"'0' is too much before the bar"});
}

TEST(Vw, RefusesLabelsThatAreNotSimple) {
  expect_bad_row("1:0.5 |f a", {"label '1:0.5'"});
  expect_bad_row("1:0.5 2:1.5 |f a", {"label '1:0.5'"});
  expect_bad_row("0:1:0.5 |f a", {"label '0:1:0.5'"});
  expect_bad_row("1,3 |f a", {"label '1,3'"});
  expect_bad_row("'tag 1 |f a", {"label ''tag'"});
}

TEST(Vw, RefusesARowWithoutABar) {
  expect_bad_row("1 a b", {"line 1: ", "no '|'"});
  expect_bad_row("{\"f\": 1}", {"no '|'"});
}

TEST(Vw, RefusesBadFeaturesAndNamespaces) {
  expect_bad_row("1 |f :2", {"':2' has no name"});
  expect_bad_row("1 |f a:", {"'a:' has no value"});
  expect_bad_row("1 |f a:1:2", {"'a:1:2'", "colon"});
  expect_bad_row("1 |:2 a", {"name", "':2'"});
  expect_bad_row("1 |f:x a", {"scale 'x' is not a number"});
  expect_bad_row("1 |f: a", {"scale '' is not a number"});
}

TEST(Vw, RefusesNamesThatGrowWithoutMeasure) {
  std::string row = "1 |" + std::string(100000, 'n');
  for (int i = 0; i < 1000; ++i) row += " a";
  expect_bad_row(row, {"64 MiB", "namespace"});
}

// Many rows, so that they fall across the reader's buffers everywhere; one is longer than a buffer.
TEST(Vw, DoesNotCareWhereItsBuffersEnd) {
  std::string text;
  Rows expected;
  Rng rng(2, 0, 0);
  for (std::size_t i = 0; i < 20000; ++i) {
    std::string row = std::to_string(i) + ":";
    text += std::to_string(i) + " |space";
    const std::size_t features = i == 10000 ? 60000 : rng.below(8);
    for (std::size_t j = 0; j < features; ++j) {
      const std::string name = "x" + std::to_string(j), value = std::to_string(rng.below(1000));
      text += (rng.below(2) == 0 ? " " : "\t") + name + ":" + value;
      row += " space^" + name + "=" + value;
    }
    text += rng.below(2) == 0 ? "\n" : "\r\n";
    expected.push_back(row);
  }
  ASSERT_GT(text.size(), 4u << 18);
  EXPECT_EQ(rows_of(text), expected);
}

TEST(Vw, AFileWithoutRowsHasNone) {
  EXPECT_TRUE(rows_of("").empty());
  EXPECT_TRUE(rows_of("\n \n").empty());
}

TEST(Vw, IsRecognisedWhereATableWithBarsIsUnlikely) {
  for (const char* head :
       {"|f a b:2\n", "1 |f a:1\n", "-1 'tag|ns x y\n", "1 'tag |ns x\n", "1 1.0 0 |f a\n",
        "1 | a b c\n", "1 | the quick brown fox |g x y\n", "1 | a:2 | b\n", "1 | 7:0.5\n",
        "| 1:2 7:0.5\n", "1 |f 1:2 |g 2:1\n", "\n\n0 |f:0.5 a\n", "1\t|f a",
        "\xef\xbb\xbf"
        "1 |f a\n"}) {
    EXPECT_TRUE(VwReader::recognises(head)) << head;
  }
}

TEST(Vw, ATableWithBarsIsNotTakenForIt) {
  for (const char* head : {"a|b|label\n",
                           "1|2|0\n",
                           "1.5|red|yes\n",
                           "1|2|3\n",
                           "1 | 2 | 3\n",
                           "1 | red | yes\n",
                           "1 | New York | 3\n",
                           "1 | 12:30 | 5\n",
                           "1 | a:b | c\n",
                           "1 | :5 | c\n",
                           "1 | a:2 |\n",
                           "1 || a:2\n",
                           "1 |2 3\n",
                           "1 |2 a\n",
                           "| a | b |\n",
                           "|a|b|\n",
                           "| a | b\n",
                           "|first name|last name\n",
                           "|f a|g b\n",
                           "a | b c\n",
                           "1 |2 |3\n",
                           "1 | 2\n",
                           "1 | 2 3\n",
                           "1 | a\n",
                           "1|f a:1\n",
                           "tag|f a:1\n",
                           "'tag x|f a:1\n",
                           "1 2 3 4 |f a\n",
                           "1 2 3 4 'tag|f a\n",
                           "yes |f a:1\n",
                           "1:0.5 |f a\n",
                           "",
                           "\n",
                           "1 a b\n",
                           "1 2:3\n",
                           "|\n",
                           "1 |f\n"}) {
    EXPECT_FALSE(VwReader::recognises(head)) << head;
  }
}

}  // namespace
}  // namespace plumbline::vw_test
