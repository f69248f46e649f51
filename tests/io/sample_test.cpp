#include "plumbline/stream.h"

#include <gtest/gtest.h>

#include "plumbline/error.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/formats.h"
#include "plumbline/io/source.h"

namespace plumbline::sample_test {
namespace {

TEST(SampledStream, GivesItsRowsAgainWithTheirLinesAndTheirErrors) {
  const std::string text = "a,y\n1,0\n2\n3,1\n4,0\n5,1\n";
  SampledStream reader(std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv"), 3);
  EXPECT_EQ(reader.sample().size(), 2u);
  std::vector<std::size_t> lines;
  std::vector<std::string> first;
  for (;;) {
    try {
      if (!reader.next()) break;
      lines.push_back(reader.line());
      first.emplace_back(reader.row().fields[0]);
    } catch (const Error& error) {
      lines.push_back(error.where().line);
      first.emplace_back("error");
    }
  }
  EXPECT_EQ(lines, (std::vector<std::size_t>{2, 3, 4, 5, 6}));
  EXPECT_EQ(first, (std::vector<std::string>{"1", "error", "3", "4", "5"}));
}

}  // namespace
}  // namespace plumbline::sample_test
