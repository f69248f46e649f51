#include "plumbline/encoding/row_reader.h"

#include <gtest/gtest.h>

#include "plumbline/encoding/row_batch.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::row_reader_test {
namespace {

using test::expect_error;
using test::fit;
using test::Fitted;
using Numbers = std::vector<std::uint64_t>;

constexpr const char* kText = "a,y\n1,0\n2,1\nbad,0\n4,1\n5,0\n";

Numbers numbers_of(const RowBatch& batch) {
  return {batch.numbers().begin(), batch.numbers().end()};
}

TEST(RowReader, SkipsAndLimits) {
  const auto numbers = [&](ReadOptions options) {
    Fitted fitted = fit(kText, {.numeric = {"a"}});
    return numbers_of(test::read_all(fitted, std::move(options)));
  };
  EXPECT_EQ(numbers({.skip_bad_rows = true}), (Numbers{1, 2, 4, 5}));
  EXPECT_EQ(numbers({.skip_bad_rows = true, .limit = 3}), (Numbers{1, 2, 4}));
  EXPECT_EQ(numbers({.skip = 3}), (Numbers{4, 5}));  // a bad row that is passed over does no harm
}

TEST(RowReader, KeepsTheGoodRowsBeforeABadOneAndGoesOn) {
  Fitted fitted = fit(kText, {.numeric = {"a"}});
  RowBatch batch;
  RowReader rows(*fitted.stream, fitted.encoder, Encoder::LabelUse::learn, {});
  expect_error(ErrorKind::data, {"a.csv, line 4", "'bad'"}, [&] { rows.read(batch, 100); });
  EXPECT_EQ(numbers_of(batch), (Numbers{1, 2}));
  EXPECT_EQ(batch.rows(), 2u);
  EXPECT_EQ(rows.position(), 3u);
  EXPECT_TRUE(rows.read(batch, 100));
  EXPECT_EQ(numbers_of(batch), (Numbers{4, 5}));
  EXPECT_EQ(test::row(batch, 1)[0], 5);
  EXPECT_EQ(rows.position(), 5u);
  EXPECT_FALSE(rows.read(batch, 100));
}

}  // namespace
}  // namespace plumbline::row_reader_test
