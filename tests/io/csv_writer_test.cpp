#include "plumbline/io/csv_writer.h"
#include "plumbline/io/number.h"

#include <gtest/gtest.h>

#include "plumbline/io/csv.h"
#include "plumbline/io/source.h"

namespace plumbline::csv_writer_test {
namespace {

TEST(CsvWriter, WritesWhatTheReaderReads) {
  const std::vector<std::string> texts{"plain", "", "a,b", "say \"hi\"", "two\nlines", "\r"};
  CsvWriter writer;
  for (const std::string& text : texts) writer.add(text);
  writer.end_row();
  CsvReader reader(source_from("h1,h2,h3,h4,h5,h6\n" + writer.text(), "a"), "a",
                   {.delimiter = ',', .header = true});
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(std::vector<std::string>(reader.row().fields.begin(), reader.row().fields.end()),
            texts);
}

TEST(CsvWriter, NumbersReadBackToTheSameBits) {
  const std::vector<double> numbers{0.1, -0.0, 1e300, 5e-324, 1.0 / 3, 123456789, 1};
  CsvWriter writer;
  writer.add(std::uint64_t{7}).add(numbers).end_row();
  EXPECT_EQ(writer.text().substr(0, 6), "7,0.1,");
  CsvReader reader(source_from(writer.text(), "a"), "a", {.delimiter = ',', .header = false});
  ASSERT_TRUE(reader.next());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(parse_number(reader.row().fields[i + 1]), numbers[i]);
  }
  writer.clear();
  EXPECT_EQ(writer.text(), "");
}

}  // namespace
}  // namespace plumbline::csv_writer_test
