#include "plumbline/io/read_ahead.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/error.h"
#include "plumbline/io/arff.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/number.h"
#include "plumbline/io/row_number.h"
#include "plumbline/io/source.h"
#include "plumbline/io/vw.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"

namespace plumbline::read_ahead_test {
namespace {

template <class R>
std::unique_ptr<Stream> open(const std::string& text) {
  return std::make_unique<R>(source_from(text, "a file"), "a file");
}

// A row with its line, and whether its numbers are what parse_number finds.
std::string text_of(const Stream& reader) {
  const Row& row = reader.row();
  std::string text = fmt::format("{}: {}:", reader.line(), row.label.value_or("no label"));
  for (const std::string_view name : row.names) text += fmt::format(" {}", name);
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    text += fmt::format(" [{}]", row.fields[i]);
    double number = 0, parsed = 0;
    EXPECT_EQ(number_in(row, i, number), parse_number(row.fields[i], parsed)) << row.fields[i];
    if (parse_number(row.fields[i])) {
      EXPECT_EQ(number, parsed);
    }
  }
  return text;
}

// All rows, and what is wrong with the bad ones.
std::vector<std::string> rows_of(Stream& reader) {
  std::vector<std::string> rows;
  for (;;) {
    try {
      if (!reader.next()) return rows;
      rows.push_back(text_of(reader));
    } catch (const Error& error) {
      rows.push_back(fmt::format("{}: {}", reader.line(), error.what()));
    }
  }
}

template <class R>
void expect_the_same_rows(const std::string& text) {
  const auto alone = open<R>(text);
  const auto ahead = read_ahead(open<R>(text));
  EXPECT_EQ(ahead->name(), alone->name());
  EXPECT_EQ(ahead->columns(), alone->columns());
  EXPECT_EQ(ahead->has_names(), alone->has_names());
  EXPECT_EQ(ahead->decimal_comma(), alone->decimal_comma());
  EXPECT_EQ(ahead->line(), alone->line());
  const std::vector<std::string> rows = rows_of(*alone);
  ASSERT_GT(rows.size(), 1000u);
  EXPECT_EQ(rows_of(*ahead), rows);
  EXPECT_FALSE(ahead->next());  // the end stays the end
}

TEST(ReadAheadConcurrency, GivesTheSameRowsOfCsv) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 3000; ++i) {
    text += fmt::format("{},\"a \"\"{}\"\"\",{}\n", 0.5 * i, i % 7, i % 2);
    if (i % 500 == 3) text += "1,2\n";                                     // too short
    if (i % 700 == 5) text += "NA,,-1e3\n\n";                              // and a blank line
    if (i % 900 == 7) text += "1," + std::string(100000, 'x') + ",1e9\n";  // larger than a block
  }
  expect_the_same_rows<CsvReader>(text);
}

TEST(ReadAheadConcurrency, GivesTheSameRowsOfOtherFormats) {
  std::string arff = "@relation r\n@attribute a numeric\n@attribute b {u,'v w'}\n@data\n";
  std::string libsvm, vw;
  for (int i = 0; i < 3000; ++i) {
    arff += i % 3 == 0 ? fmt::format("{{0 {}}}\n", i) : fmt::format("{},'v w'\n", i);
    if (i % 500 == 3) arff += "1,x\n";
    libsvm += fmt::format("{} {}:{} 9000:1 # a comment\n", i % 2, i + 1, 0.1 * i);
    if (i % 500 == 3) libsvm += "1\n1 2\n2:1\n";  // no features, no colon, no label
    vw += fmt::format("{} |n a:{} b c_{}\n", i % 2 * 2 - 1, i, i);
    if (i % 500 == 3) vw += "1 |n a:\n";
  }
  expect_the_same_rows<ArffReader>(arff);
  expect_the_same_rows<LibsvmReader>(libsvm);
  expect_the_same_rows<VwReader>(vw);
}

TEST(ReadAheadConcurrency, GivesTheSameRowsIfTheyAreWide) {
  std::string text;
  for (int i = 0; i < 1001; ++i) text += std::string(600, ',') + std::to_string(i) + "\n";
  expect_the_same_rows<CsvReader>(text);
}

// Throws once its bytes are at their end.
template <class Thrown>
class Broken : public Source {
 public:
  explicit Broken(std::string bytes) : bytes_(source_from(std::move(bytes), "a file")) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = bytes_->read(buffer);
    if (got == 0) throw thrown_;
    return got;
  }

  Thrown thrown_;

 private:
  std::unique_ptr<Source> bytes_;
};

struct Damage : Error {
  Damage() : Error(ErrorKind::data, "damaged", {.source = "a file"}) {}
};

template <class Thrown>
void expect_thrown_after_the_rows() {
  std::string text = "a,y\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("{},{}\n", i, i % 2);
  const auto reader =
      read_ahead(std::make_unique<CsvReader>(std::make_unique<Broken<Thrown>>(text), "a file"));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(reader->next());
  for (int i = 0; i < 3; ++i) EXPECT_THROW(reader->next(), Thrown);
}

TEST(ReadAheadConcurrency, ThrowsWhatEndedTheRowsAfterThem) {
  expect_thrown_after_the_rows<Damage>();
  expect_thrown_after_the_rows<Interrupted>();
}

// Tells when it is gone, and how much was read from it.
class Watched : public Source {
 public:
  struct Seen {
    bool gone = false;
    std::size_t bytes = 0;
  };
  Watched(std::string bytes, Seen& seen)
      : bytes_(source_from(std::move(bytes), "a file")), seen_(seen) {}
  ~Watched() override { seen_.gone = true; }

  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = bytes_->read(buffer);
    seen_.bytes += got;
    return got;
  }

 private:
  std::unique_ptr<Source> bytes_;
  Seen& seen_;
};

TEST(ReadAheadConcurrency, MayBeLeftUnread) {
  std::string text = "a,y\n";
  for (int i = 0; i < 200000; ++i) text += fmt::format("{},{}\n", i, i % 2);
  for (int i = 0; i < 50; ++i) {
    Watched::Seen seen;
    {
      const auto reader =
          read_ahead(std::make_unique<CsvReader>(std::make_unique<Watched>(text, seen), "a file"));
      for (int rows = 0; rows < 100 * i; ++rows) {
        ASSERT_TRUE(reader->next());
        ASSERT_EQ(reader->row().fields[0], std::to_string(rows));
      }
      EXPECT_FALSE(seen.gone);
    }
    EXPECT_TRUE(seen.gone);  // its thread has ended, without reading what nobody wants
    EXPECT_LT(seen.bytes, text.size());
  }
}

// Categories and a class come late, well within blocks that are read before they are learned from; so
// does a bad row.
std::string growing_csv() {
  std::string text = "number,colour,y\n";
  const char* const colours[] = {"red", "green", "blue", "grey", "pink", "lime"};
  for (int i = 0; i < 1200; ++i) {
    const char* const colour = colours[i % (i < 310 ? 2 : i < 730 ? 4 : 6)];
    text += fmt::format("{},{},{}\n", 0.37 * (i % 100), colour, i % (i < 510 ? 3 : 4));
    if (i == 1003) text += "oops,black,4\n";
  }
  return text;
}

// What there is to save after each minibatch, and what ends the run.
std::vector<std::string> states_of(std::unique_ptr<Stream> opened, std::size_t resumed_at) {
  SampledStream reader(std::move(opened), 100);
  Config config;
  config.batch = 20;
  config.model.learner = "logistic";  // which wants standardized numbers
  config.model.ensemble.size = 2;
  std::vector<Note> notes;
  std::vector<std::string> states;
  Model model(config, reader, {}, notes);
  std::optional<Session> session(std::in_place, reader, model);
  try {
    while (session->step()) {
      const std::vector<std::byte> bytes = model.to_bytes();
      states.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (states.size() == resumed_at) {
        session.reset();
        model = Model::from_bytes(bytes, "a model");
        session.emplace(reader, model);
      }
    }
  } catch (const Error& error) {
    states.push_back(fmt::format("{} good rows, then: {}", session->rows().rows(), error.what()));
  }
  return states;
}

TEST(ReadAheadConcurrency, SavesWhatWasLearnedAndNotWhatWasRead) {
  const std::vector<std::string> states = states_of(open<CsvReader>(growing_csv()), 0);
  ASSERT_EQ(states.size(), 51u);  // 1004 rows before the bad one
  EXPECT_TRUE(states.back().starts_with("4 good rows, then: a file, line 1006, column 1: 'oops'"));
  EXPECT_EQ(states[14].find("grey"), std::string::npos);  // row 314 has it, in the same block
  EXPECT_NE(states[15].find("grey"), std::string::npos);
  for (const std::size_t resumed_at : {0u, 15u, 16u, 40u}) {
    // Not EXPECT_EQ of the lists: nobody wants to see them.
    const auto ahead = states_of(read_ahead(open<CsvReader>(growing_csv())), resumed_at);
    ASSERT_EQ(ahead.size(), states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      EXPECT_TRUE(ahead[i] == states[i]) << "after minibatch " << i + 1;
    }
    EXPECT_EQ(ahead.back(), states.back());
  }
}

}  // namespace
}  // namespace plumbline::read_ahead_test
