#include "plumbline/data/held_rows.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support.h"

namespace plumbline::held_rows_test {
namespace {

HeldRows three() { return {2, 3, 0, 100}; }

TEST(HeldRows, LeaveInAnyOrder) {
  HeldRows rows = three();
  std::vector<double> row(2);
  for (std::uint64_t id = 1; id <= 3; ++id) {
    const double x = static_cast<double>(id);
    rows.add(id, std::vector<double>{x, 10 * x});
  }
  EXPECT_TRUE(rows.take(2, row));
  EXPECT_EQ(row, (std::vector<double>{2, 20}));
  EXPECT_FALSE(rows.take(2, row));
  EXPECT_TRUE(rows.take(1, row));
  EXPECT_TRUE(rows.take(3, row));
  EXPECT_EQ(row, (std::vector<double>{3, 30}));
  EXPECT_EQ(rows.size(), 0u);
}

TEST(HeldRows, ReplaceTheOldestIfThereAreTooMany) {
  HeldRows rows = three();
  std::vector<double> row(2);
  for (std::uint64_t id = 1; id <= 3; ++id) rows.add(id, row);
  EXPECT_TRUE(rows.take(1, row));
  rows.add(4, row);
  EXPECT_EQ(rows.dropped(), 0u);
  rows.add(5, row);
  EXPECT_EQ(rows.dropped(), 1u);
  EXPECT_FALSE(rows.contains(2));
  for (const std::uint64_t id : {3u, 4u, 5u}) EXPECT_TRUE(rows.contains(id)) << id;
}

TEST(HeldRows, ResumeInTheirOrder) {
  HeldRows rows = three(), loaded = three();
  std::vector<double> row(2);
  for (std::uint64_t id = 1; id <= 5; ++id) rows.add(id, row);
  rows.take(4, row);
  rows.add(9, std::vector<double>{7, 8});
  load_state(loaded, save_state(rows));
  EXPECT_EQ(save_state(loaded), save_state(rows));
  loaded.add(10, row);
  EXPECT_FALSE(loaded.contains(3));
  EXPECT_EQ(loaded.dropped(), 3u);
  EXPECT_TRUE(loaded.take(9, row));
  EXPECT_EQ(row, (std::vector<double>{7, 8}));
}

TEST(HeldRows, RefuseImpossibleState) {
  HeldRows rows = three();
  for (std::uint64_t id = 1; id <= 3; ++id) rows.add(id, std::vector<double>{1, 2});
  Tensors state = save_state(rows);
  HeldRows fewer(2, 2, 0, 100), narrow(2, 3, 0, 1);
  test::expect_error(ErrorKind::model_file, {"too large"}, [&] { load_state(fewer, state); });
  test::expect_error(ErrorKind::model_file, {"not in"}, [&] { load_state(narrow, state); });
  ASSERT_EQ(state[2].name, "ids");
  const std::uint64_t twice = 2;
  std::memcpy(state[2].bytes.data(), &twice, sizeof twice);
  test::expect_error(ErrorKind::model_file, {"twice"}, [&] { load_state(rows, state); });
}

}  // namespace
}  // namespace plumbline::held_rows_test
