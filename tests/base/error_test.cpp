#include "plumbline/error.h"

#include <gtest/gtest.h>

namespace plumbline::error_test {
namespace {

TEST(Error, SaysWhereBeforeWhat) {
  EXPECT_STREQ(Error(ErrorKind::data, "it is bad").what(), "it is bad");
  EXPECT_STREQ(Error(ErrorKind::data, "it is bad", {"a.csv", 3, 7}).what(),
               "a.csv, line 3, column 7: it is bad");
  EXPECT_STREQ(Error(ErrorKind::data, "it is bad", {"", 3, 0}).what(), "line 3: it is bad");
  EXPECT_EQ(Error(ErrorKind::data, "", {"a.csv", 3, 7}).where().line, 3u);
}

// The codes are documented; scripts depend on them.
TEST(Error, KindsHaveNamesAndExitCodes) {
  EXPECT_EQ(exit_code(ErrorKind::config), 2);
  EXPECT_EQ(exit_code(ErrorKind::data), 3);
  EXPECT_EQ(exit_code(ErrorKind::model_file), 4);
  EXPECT_EQ(exit_code(ErrorKind::io), 5);
  EXPECT_EQ(name_of(ErrorKind::config), "config");
  EXPECT_EQ(name_of(ErrorKind::data), "data");
  EXPECT_EQ(name_of(ErrorKind::model_file), "model_file");
  EXPECT_EQ(name_of(ErrorKind::io), "io");
}

}  // namespace
}  // namespace plumbline::error_test
