#include "plumbline/io/libsvm.h"

#include <gtest/gtest.h>

#include "plumbline/io/source.h"
#include "tests/io/named_row.h"
#include "tests/support.h"

namespace plumbline::libsvm_test {
namespace {

using test::expect_error;
using test::text_of;
using Rows = std::vector<std::string>;

LibsvmReader open(const std::string& text) { return {source_from(text, "a.svm"), "a.svm"}; }

Rows rows_of(const std::string& text) {
  LibsvmReader reader = open(text);
  Rows rows;
  while (reader.next()) rows.push_back(text_of(reader.row()));
  return rows;
}

// Expects a row to be refused with its line, and the next one to be read nevertheless.
void expect_bad_row(const std::string& row, std::initializer_list<const char*> parts) {
  SCOPED_TRACE(row);
  LibsvmReader reader = open("1 2:3\n" + row + "\n-1 4:5\n");
  ASSERT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"a.svm, line 2: "}, [&] { reader.next(); });
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "-1: 4=5");
  EXPECT_FALSE(reader.next());
  expect_error(ErrorKind::data, parts, [&] { rows_of(row); });
}

TEST(Libsvm, ReadsLabelsAndFeaturesAsTheyStand) {
  LibsvmReader reader = open("+1 1:0.5 3:-2e3\n-1 2:1\n");
  EXPECT_TRUE(reader.columns().empty());
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "+1: 1=0.5 3=-2e3");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "-1: 2=1");
  EXPECT_FALSE(reader.next());
}

TEST(Libsvm, ARowMayHaveNoLabelOrNoFeatures) {
  EXPECT_EQ(rows_of("1:2 3:4\n5\n"), (Rows{"none: 1=2 3=4", "5:"}));
}

TEST(Libsvm, TakesAnyWhiteSpaceCrlfAndAByteOrderMark) {
  EXPECT_EQ(rows_of("\xef\xbb\xbf\t1 \t 2:3\t4:5  \r\n\v0\f6:7 "), (Rows{"1: 2=3 4=5", "0: 6=7"}));
}

TEST(Libsvm, LeavesOutBlankLinesAndComments) {
  LibsvmReader reader = open("# title\n\n1 2:3 # 4:5\n  # more\n \t\n0 2:4# x\n");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "1: 2=3");
  EXPECT_EQ(reader.line(), 3u);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(text_of(reader.row()), "0: 2=4");
  EXPECT_EQ(reader.line(), 6u);
  EXPECT_FALSE(reader.next());
}

TEST(Libsvm, IndicesLoseTheirLeadingZeros) {
  EXPECT_EQ(rows_of("1 007:1 08:2 10:3\n1 0:4 00000000000000000000000000001:5\n"),
            (Rows{"1: 7=1 8=2 10=3", "1: 0=4 1=5"}));
}

TEST(Libsvm, IndicesMayBeInAnyOrderAndOfAnySize) {
  EXPECT_EQ(rows_of("1 10:1 9:2 99999999999999999999999:3 1:4\n"),
            (Rows{"1: 10=1 9=2 99999999999999999999999=3 1=4"}));
}

TEST(Libsvm, RefusesAnIndexThatRepeats) {
  expect_bad_row("1 2:3 2:3", {"line 1: ", "'2'", "twice"});
  expect_bad_row("1 7:3 1:1 07:3", {"'7'", "twice"});
  expect_bad_row("1 0:3 00:3", {"'0'", "twice"});
}

TEST(Libsvm, RefusesWhatIsNoFeature) {
  expect_bad_row("1 2:3 4", {"'4' is no feature", "INDEX:VALUE"});
  expect_bad_row("1 2:", {"'2:' has no value"});
  expect_bad_row("1 2: 3", {"'2:' has no value"});
  expect_bad_row("1 :3", {"':3'", "whole number"});
  expect_bad_row("1 -2:3", {"'-2:3'", "whole number"});
  expect_bad_row("1 2.5:3", {"'2.5:3'", "whole number"});
  expect_bad_row("1 x:3", {"'x:3'", "whole number"});
  expect_bad_row("1 2:3:4", {"'2:3:4'", "colon"});
}

TEST(Libsvm, RefusesRankingAndSeveralLabels) {
  expect_bad_row("1 qid:3 1:2", {"'qid:3'", "ranking"});
  expect_bad_row("qid:3 1:2", {"'qid:3'", "ranking"});
  expect_bad_row("1,3 1:2", {"'1,3'", "list of labels", "one label only"});
}

TEST(Libsvm, MessagesShowTheBeginningOfALongWordOnly) {
  try {
    rows_of("1 " + std::string(1000, 'x') + ":1\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 200u);
  }
}

TEST(Libsvm, AFileWithoutRowsHasNone) {
  EXPECT_TRUE(rows_of("").empty());
  EXPECT_TRUE(rows_of("\n# x\n").empty());
}

// Many rows, so that they fall across the reader's buffers everywhere; one is longer than a buffer.
TEST(Libsvm, DoesNotCareWhereItsBuffersEnd) {
  std::string text;
  Rows expected;
  Rng rng(2, 0, 0);
  for (std::size_t i = 0; i < 20000; ++i) {
    std::string row = std::to_string(i) + ":";
    text += std::to_string(i);
    const std::size_t features = i == 10000 ? 60000 : rng.below(8);
    for (std::size_t j = 0; j < features; ++j) {
      const std::string value = std::to_string(rng.below(1000));
      text += (rng.below(2) == 0 ? " " : "\t") + std::to_string(j) + ":" + value;
      row += " " + std::to_string(j) + "=" + value;
    }
    text += rng.below(2) == 0 ? "\n" : "\r\n";
    expected.push_back(row);
  }
  ASSERT_GT(text.size(), 4u << 18);
  EXPECT_EQ(rows_of(text), expected);
}

TEST(Libsvm, ALineWithoutEndIsRefusedAndTheNextOneRead) {
  LibsvmReader reader = open("1 2:3\n" + std::string(65u << 20, ' ') + "x\n-1 4:5\n");
  ASSERT_TRUE(reader.next());
  expect_error(ErrorKind::data, {"a.svm, line 2: ", "64 MiB"}, [&] { reader.next(); });
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 3u);
  EXPECT_EQ(text_of(reader.row()), "-1: 4=5");
  EXPECT_FALSE(reader.next());

  LibsvmReader cut = open(std::string(65u << 20, ' '));
  expect_error(ErrorKind::data, {"line 1: ", "64 MiB"}, [&] { cut.next(); });
  EXPECT_FALSE(cut.next());
}

TEST(Libsvm, IsRecognisedByANumberAndPairsOfNumbers) {
  for (const char* head : {"1 1:0.5\n", "-1 3:1 4:1 # x\n", "\n# c\n+1\t0:1e5\n0 1:1\n",
                           "\xef\xbb\xbf"
                           "2.5 1:1",
                           "1:1 2:1\n"}) {
    EXPECT_TRUE(LibsvmReader::recognises(head)) << head;
  }
  for (const char* head :
       {"", "\n", "1\n", "a 1:1\n", "12:30\n", "1,2 1:1\n", "1 1:1 2\n", "1 1:1 x:2\n", "1 1:1,2\n",
        "1 1:\n", "1,2,3\n", "1 2 3\n", "# only\n", "1 -1:5\n", "1 12:30:00\n", "x,y\n1 1:1\n"}) {
    EXPECT_FALSE(LibsvmReader::recognises(head)) << head;
  }
}

TEST(Libsvm, IsRecognisedEvenIfItsFirstLineIsCut) {
  EXPECT_TRUE(LibsvmReader::recognises("1 1:0.5 2:"));
  EXPECT_TRUE(LibsvmReader::recognises("1 1:0.5 2"));
  EXPECT_FALSE(LibsvmReader::recognises("1 1:0.5 x 2:"));
  EXPECT_FALSE(LibsvmReader::recognises("1 2:"));
}

}  // namespace
}  // namespace plumbline::libsvm_test
