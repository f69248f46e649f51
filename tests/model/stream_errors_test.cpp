// Faults in the rows of streams leave no trace in a model, and neither does predicting rows that bring what is new.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include <fmt/format.h>

#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_costs.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/generators/registry.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/formats.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/vw.h"
#include "plumbline/session.h"
#include "tests/model/no_trace.h"
#include "tests/model/running.h"

namespace plumbline::stream_errors_test {
namespace {

using test::copy_of;
using test::expect_no_trace;
using test::expect_unchanged;
using test::place_of_error;
using test::predictions_of;
using test::small_config;
using test::stream_of;
using test::Words;

constexpr std::size_t kBatch = 10;

struct BadRow {
  std::string text;
  Words words;
  std::size_t column;
  bool label = false;  // in the label, which predicting does not need
};

// Rows of one format, and all that can be wrong with one of them.
struct Format {
  const char* name;
  std::unique_ptr<Stream> (*open)(const std::string& text, const std::string& name);
  std::string header;
  std::function<std::string(std::size_t)> row;
  std::string news;  // a good row that brings what is new
  std::vector<BadRow> bad;
  const char* learner = "logistic";
  std::int64_t max_categories = 64, max_features = 0;
  std::size_t sampled = 20;
  ColumnChoices choices{};
  std::optional<RowCosts::Options> costs{};

  std::string rows(std::size_t from, std::size_t to) const {
    std::string text;
    for (std::size_t i = from; i < to; ++i) text += row(i) + "\n";
    return text;
  }
  std::unique_ptr<Stream> stream(const std::string& text) const {
    return open(header + text, "a file");
  }
  test::Running running(const std::string& text) const {
    Config config = small_config(learner, kBatch);
    config.model.policy = "thompson";
    config.encoder.max_categories = max_categories;
    config.encoder.max_features = max_features;
    return test::Running(stream(text), config, choices, sampled);
  }
  ReadOptions options() const { return {.costs = costs}; }
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

std::string number(std::size_t i) { return std::to_string(Rng(7, 0, i).normal()); }
std::string word(std::size_t i, std::size_t of) { return "c" + std::to_string(i % of); }

const std::vector<BadRow> kBadColumns{
    {"oops,c1,yes", {"'oops' in 'n' is not a number"}, 1},
    {"inf,c1,yes", {"'inf' in 'n' is infinite"}, 1},
    {"-1e151,c1,yes", {"'-1e151' in 'n'", "1e150"}, 1},
    {"1e999,later,yes", {"'1e999' in 'n'", "1e150"}, 1},
    {"1,\xff,yes", {"'c' is not valid UTF-8"}, 2},
    {"1,later", {"2 fields", "3"}, 0},
    {"1,later,yes,1", {"4 fields", "3"}, 0},
    {"1,later,maybe", {"'maybe' is neither 'no' nor 'yes'"}, 3, true},
    {"1,later,", {"the label 'y' is missing"}, 3, true},
};

std::vector<Format> formats() {
  const auto csv = [](std::size_t i) {
    return number(i) + "," + word(i, 3) + "," + (i % 2 == 0 ? "no" : "yes");
  };
  const auto classes = [](std::size_t i) {
    return number(i) + "," + word(i, 2) + "," + "abc"[i % 3];
  };
  // One row each 50 minutes, from another minute of the hour on.
  const auto times = [](std::size_t i) {
    const std::size_t minutes = 50 * i + i * i % 7;
    return fmt::format("2024-05-{:02}T{:02}:{:02}:00Z,{},{}", 1 + minutes / 1440, minutes / 60 % 24,
                       minutes % 60, number(i), i % 2 == 0 ? "no" : "yes");
  };
  const auto vw = [](std::size_t i) {
    return std::string(i % 2 == 0 ? "-1" : "1") + " |f a:" + number(i) + " " + word(i, 3);
  };
  const auto libsvm = [](std::size_t i) {
    return std::string(i % 2 == 0 ? "0" : "1") + " 1:" + number(i) + " 3:" + number(i + 1);
  };
  const auto few = [](std::size_t i) {
    return std::to_string(1 + i % 3) + " " + std::to_string(1 + i * 7 % 50) + ":1 " +
           std::to_string(51 + i * 11 % 50) + ":" + number(i);
  };
  // The time of a row with another fault is no previous time.
  const std::vector<BadRow> bad_times{
      {"soon,1,yes", {"'soon' in 'when' is not a time"}, 1},
      {"2024-02-30,1,yes", {"'2024-02-30' in 'when' is not a time"}, 1},
      {"1717158605,1,yes", {"'1717158605' in 'when' is not a time"}, 1},
      {"2024-05-30,oops,yes", {"'oops' in 'n' is not a number"}, 2},
      {"2024-05-30,1", {"2 fields", "3"}, 0},
      {"2024-05-30,1,maybe", {"'maybe' is neither 'no' nor 'yes'"}, 3, true},
  };
  const std::vector<BadRow> bad_names{
      {"1 |f a:x later", {"'x'", "number"}, 2},
      {"1 |f later a:1e200", {"'1e200'", "1e150"}, 3},
      {"1 2 |f later", {"importance"}, 0},
      {"|f a:1 later", {"the row has no label"}, 0, true},
      {"7 |f a:1 later", {"'7' is neither '-1' nor '1'"}, 1, true},
  };
  const std::vector<BadRow> bad_indices{
      {"1 1:x 9:1", {"'x'"}, 2},         {"1 9:1 1:1e151", {"1e150"}, 3},
      {"1 9:1 9:2", {"9"}, 0},           {"1:1 9:2", {"the row has no label"}, 0, true},
      {"word 9:2", {"'word'"}, 1, true},
  };
  const std::vector<BadRow> bad_classes{
      {"1,later,5", {"'5' is a number, but the classes have not been"}, 3, true},
      {"1,later,", {"the label 'y' is missing"}, 3, true},
      {"1,later,nan", {"the label 'y' is missing"}, 3, true},
      {"1,later,\xff", {"UTF-8"}, 3, true},
      {"oops,later,f", {"'oops' in 'n' is not a number"}, 1},
  };
  const auto costly = [](std::size_t i) {
    return number(i) + "," + std::to_string(i % 4) + "," + (i % 2 == 0 ? "no" : "yes");
  };
  const std::vector<BadRow> bad_costs{
      {"1,-1,yes", {"'-1' in 'cost' is no cost"}, 2},
      {"1,nan,yes", {"the cost in 'cost' is missing"}, 2},
      {"1,,yes", {"the cost in 'cost' is missing"}, 2},
      {"1,inf,yes", {"'inf' in 'cost' is no cost"}, 2},
      {"1,2e12,yes", {"'2e12' in 'cost' is no cost", "1e+12"}, 2},
  };
  // The label comes first here: its class is proposed before the value is found to be bad.
  std::vector<BadRow> bad_sparse = bad_indices;
  bad_sparse.push_back({"8 888:1 999:1e151", {"'1e151' in '999'"}, 3});
  const auto open_csv = stream_of<CsvReader>;
  const auto open_vw = stream_of<VwReader>;
  const auto open_libsvm = stream_of<LibsvmReader>;
  return {
      {"csv", open_csv, "n,c,y\n", csv, "1,new,yes", kBadColumns},
      {"csv_without_room", open_csv, "n,c,y\n", csv, "1,new,yes", kBadColumns, "gaussian_nb", 2},
      {"csv_without_features", open_csv, "n,c,y\n", csv, "1,new,yes", kBadColumns, "logistic", 64,
       4},
      {"classes", open_csv, "n,c,y\n", classes, "1,new,e", bad_classes},
      {"times", open_csv, "when,n,y\n", times, "2024-05-20,1,yes", bad_times},
      {"costs",
       open_csv,
       "n,cost,y\n",
       costly,
       "1,7,yes",
       bad_costs,
       "logistic",
       64,
       0,
       20,
       {.ignore = {"cost"}},
       RowCosts::Options{.false_negative_column = "cost"}},
      {"vw", open_vw, "", vw, "1 |g new:2", bad_names},
      {"vw_without_room", open_vw, "", vw, "1 |g new:2", bad_names, "logistic", 64, 4},
      {"libsvm", open_libsvm, "", libsvm, "1 7:2", bad_indices, "gaussian_nb"},
      {"few_of_many_names", open_libsvm, "", few, "4 777:2", bad_sparse, "logistic", 64, 0, 60},
  };
}

class StreamErrors : public testing::TestWithParam<Format> {};

// Three minibatches are learned; the fourth has a row that brings what is new, and then a bad one.
constexpr std::size_t kBefore = 34, kAfter = 40;
constexpr std::size_t kLearned = 30;

TEST_P(StreamErrors, InTheMiddleLeaveNoTraceOfTheirMinibatch) {
  const Format& format = GetParam();
  const std::string before = format.rows(0, kBefore) + format.news + "\n";
  const std::string after = format.rows(kAfter, 65);
  const std::size_t line = (format.header.empty() ? 0 : 1) + kBefore + 2;
  for (const BadRow& bad : format.bad) {
    SCOPED_TRACE(bad.text);
    // It needs all rows of its sample before it is made.
    test::Running running = format.running(format.rows(0, format.sampled));
    Model& model = running.model;
    const auto stream = format.stream(before + bad.text + "\n" + after);
    Session session(*stream, model, format.options());
    EXPECT_EQ(test::run(session, 3).size(), kLearned * model.outputs());
    Model twin = copy_of(model);
    const Where where =
        expect_unchanged(model, ErrorKind::data, bad.words, [&] { session.step(); });
    EXPECT_EQ(where.source, "a file");
    EXPECT_EQ(where.line, line);
    EXPECT_EQ(where.column, bad.column);
    EXPECT_FALSE(session.broken());
    EXPECT_EQ(session.position(), kLearned);
    EXPECT_EQ(session.rows().rows(), kBefore + 1 - kLearned);
    // The rows that follow are learned as if there had been none of this minibatch.
    const auto rest = format.stream(after);
    Session other(*rest, twin, format.options());
    EXPECT_EQ(test::run(session), test::run(other));
    EXPECT_TRUE(model.to_bytes() == twin.to_bytes());
    EXPECT_EQ(session.position(), kBefore + 2 + 65 - kAfter);
  }
}

TEST_P(StreamErrors, ThatAreSkippedLeaveNoTrace) {
  const Format& format = GetParam();
  const auto learned = [&](const std::string& text) {
    test::Running running = format.running(format.rows(0, format.sampled));
    const auto stream = format.stream(text);
    ReadOptions options = format.options();
    options.skip_bad_rows = true;
    Session session(*stream, running.model, std::move(options));
    test::run(session);
    return running.model.to_bytes();
  };
  const std::string news = format.news + "\n";
  const auto expected = learned(format.rows(0, kBefore) + news + format.rows(kAfter, 65));
  for (const BadRow& bad : format.bad) {
    SCOPED_TRACE(bad.text);
    EXPECT_TRUE(learned(format.rows(0, kBefore) + bad.text + "\n" + news + bad.text + "\n" +
                        format.rows(kAfter, 65) + bad.text + "\n") == expected);
  }
}

TEST_P(StreamErrors, InRowsThatArePredictedLeaveNoTrace) {
  const Format& format = GetParam();
  test::Running running = format.running(format.rows(0, 60));
  Session learning(running.stream, running.model, format.options());
  test::run(learning);
  const Model& model = running.model;
  const std::string good = format.rows(60, 67) + format.news + "\n";
  const auto good_stream = format.stream(good);
  const auto expected = predictions_of(model, *good_stream, format.options());
  for (const BadRow& bad : format.bad) {
    SCOPED_TRACE(bad.text);
    const auto stream = format.stream(good + bad.text + "\n" + format.rows(67, 70));
    Session session(*stream, model, format.options());
    const auto before = model.to_bytes();
    if (bad.label) {
      EXPECT_TRUE(session.predict(100));
      EXPECT_EQ(session.rows().rows(), 12u);
    } else {
      const Where where =
          expect_unchanged(model, ErrorKind::data, bad.words, [&] { session.predict(100); });
      EXPECT_EQ(where.line, (format.header.empty() ? 0 : 1) + 9u);
      EXPECT_EQ(where.column, bad.column);
      session.predict_rest();
      EXPECT_EQ(session.predictions().probabilities, expected);
      EXPECT_TRUE(session.predict(100));
      EXPECT_EQ(session.rows().rows(), 3u);
    }
    EXPECT_TRUE(model.to_bytes() == before);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, StreamErrors, testing::ValuesIn(formats()),
                         [](const auto& of) { return std::string(of.param.name); });

// ---- What a row alone cannot tell

// The sample knows positives alone: the first negative label decides between 0 and -1.
TEST(StreamErrors, LeaveANegativeLabelToBeGuessed) {
  const auto rows = [](const char* label, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += std::string(label) + " 1:" + number(i) + "\n";
    return text;
  };
  test::Running running(stream_of<LibsvmReader>(rows("1", 20) + "-1 1:1\n0 1:1\n" + rows("0", 10)),
                        small_config("gaussian_nb", kBatch));
  Session session(running.stream, running.model);
  test::run(session, 2);
  Model twin = copy_of(running.model);
  expect_unchanged(running.model, ErrorKind::data, {"'0' is neither '-1' nor '1'"},
                   [&] { session.step(); });
  ASSERT_TRUE(session.step());
  EXPECT_EQ(running.model.schema().negative, "0");
  const auto rest = stream_of<LibsvmReader>(rows("0", 10));
  Session other(*rest, twin);
  ASSERT_TRUE(other.step());
  EXPECT_TRUE(running.model.to_bytes() == twin.to_bytes());
}

TEST(StreamErrors, OfClassesWithoutRoomLeaveNoTrace) {
  Schema schema = Schema::numeric(1);
  for (std::size_t k = 0; k < kMostClasses - 1; ++k) schema.classes.push_back(word(k, 1000));
  const auto stream = stream_of("x1,label\n1,c1\n2,c2\n3,last\n4,beyond\n5,c3\n6,last\n");
  Model model(small_config("gaussian_nb", 2), schema);
  Session session(*stream, model);
  ASSERT_TRUE(session.step());
  Model twin = copy_of(model);
  const Where where = expect_unchanged(model, ErrorKind::data,
                                       {"'beyond' would be class 257, but 256 are the most"},
                                       [&] { session.step(); });
  EXPECT_EQ(where.line, 5u);
  EXPECT_EQ(where.column, 2u);
  ASSERT_TRUE(session.step());
  const auto rest = stream_of("x1,label\n5,c3\n6,last\n");
  Session other(*rest, twin);
  ASSERT_TRUE(other.step());
  EXPECT_TRUE(model.to_bytes() == twin.to_bytes());
  EXPECT_EQ(model.outputs(), kMostClasses);
}

// Rows that were read before others took the model on.
TEST(StreamErrors, OfRowsThatWereReadTooEarlyLeaveNoTrace) {
  test::Running running(stream_of("n,c,y\n1,red,1\n2,blue,2\n3,red,3\n"),
                        small_config("gaussian_nb"));
  Model& model = running.model;
  Session session(running.stream, model);
  ASSERT_TRUE(session.step());
  const auto read = [&](const std::string& text) {
    RowBatch batch;
    const auto stream = stream_of("n,c,y\n" + text);
    RowReader(*stream, model.encoder(), Encoder::LabelUse::learn, {}).read(batch, 100);
    return batch;
  };
  RowBatch early = read("4,green,4\n5,white,5\n");
  RowBatch bad = read("4,black,6\n5,pink,7\n");
  bad.new_labels().classes[1] = "seven";  // as no reader would propose
  Predictions predictions;
  expect_no_trace(
      model, ErrorKind::data, {"'seven' is not a number"}, [&] { model.step(bad, predictions); },
      [&](Model& one) {
        RowBatch copy = early;
        one.step(copy, predictions);
      });
  EXPECT_EQ(model.schema().classes, (Words{"1", "2", "3", "4", "5"}));
}

// ---- Generators and streams that break

TEST(StreamErrors, OfGeneratorsLeaveNoTrace) {
  const auto stream = generators().make("sea", 1), rest = generators().make("sea", 1);
  const Schema& schema = stream->schema();
  Config config = small_config("logistic", kBatch);
  config.model.reward = "cost";
  Model model(config, schema);
  Session first(*stream, model, {.limit = 20});
  test::run(first);
  const auto go_on = [&](Model& one) {
    const auto again = generators().make("sea", 2);
    Session session(*again, one, {.limit = 25});
    test::run(session);
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const RowCosts::Options& costs :
       {RowCosts::Options{.fixed = {-1, 1}}, RowCosts::Options{.fixed = {1, kNaN}},
        RowCosts::Options{.fixed = {1, 1}, .negatives_kept = 0}}) {
    Session session(*stream, model, {.costs = costs});
    expect_no_trace(
        model, ErrorKind::data, {"row 1: the costs are"}, [&] { session.step(); }, go_on);
  }
  // Another stream than the model's.
  const auto other = generators().make("led", 1);
  expect_no_trace(
      model, ErrorKind::data, {"'top'"}, [&] { Session(*other, model).step(); }, go_on);
  const Model& looked_at = model;
  expect_unchanged(model, ErrorKind::data, {"'top'"}, [&] { Session(*other, looked_at); });
  expect_no_trace(
      model, ErrorKind::config, {"'nothing'"},
      [&] {
        Session(*rest, model, {.costs = RowCosts::Options{.false_positive_column = "nothing"}});
      },
      go_on);
}

// A stream that ends in the middle of a row of the file, or of the disk.
class Breaking : public Stream {
 public:
  explicit Breaking(Stream& inner, std::size_t rows)
      : Stream(inner.name()), inner_(inner), left_(rows) {
    describe_as(inner);
  }
  bool next() override {
    if (left_-- == 0) throw Error(ErrorKind::io, "the disk is gone", {.source = name()});
    const bool more = inner_.next();
    row_ = inner_.row();
    return more;
  }

 private:
  Stream& inner_;
  std::size_t left_;
};

TEST(StreamErrors, OfAStreamThatBreaksLeaveWholeMinibatches) {
  const auto inner = generators().make("sea", 1), again = generators().make("sea", 1);
  Model model(small_config("logistic", kBatch), inner->schema()), twin = copy_of(model);
  Breaking stream(*inner, 37);
  Session session(stream, model, {.skip_bad_rows = true});
  test::run(session, 3);
  expect_unchanged(model, ErrorKind::io, {"the disk is gone"}, [&] { session.step(); });
  EXPECT_EQ(session.rows().rows(), 7u);
  Session other(*again, twin, {.limit = 30});
  test::run(other);
  EXPECT_TRUE(model.to_bytes() == twin.to_bytes());
}

// ---- What is new in rows that are predicted

std::vector<double> said(const Model& model, std::unique_ptr<Stream> stream) {
  return predictions_of(model, *stream);
}

TEST(Unseen, CategoriesArePredictedAsNoneOfThose) {
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    std::string text = "n,c,y\n";
    for (std::size_t i = 0; i < 60; ++i) {
      text += number(i) + "," + word(i, 3) + "," + (i % 3 == 0 ? "1" : "0") + "\n";
    }
    test::Running running(stream_of(text), small_config(learner, kBatch));
    Session session(running.stream, running.model);
    test::run(session);
    const Model& model = running.model;
    const auto before = model.to_bytes();
    ASSERT_EQ(model.schema().size(), 4u);
    const std::vector<double> row{0.5, 0, 0, 0}, seen{0.5, 1, 0, 0};
    const auto expected = model.predict({row, 1, 4});
    EXPECT_NE(model.predict({seen, 1, 4}), expected);
    EXPECT_EQ(said(model, stream_of("n,c\n0.5,violet\n")), expected);
    EXPECT_EQ(said(model, stream_of("n,c\n0.5,\n")), expected);  // missing is a value as well
    // Among others, with a label or without, whatever it is.
    EXPECT_EQ(said(model, stream_of("n,c,y\n0.5,c0,1\n0.5,violet,7\n0.5,mauve,\n0.5,violet,1\n")),
              (std::vector{model.predict({seen, 1, 4})[0], expected[0], expected[0], expected[0]}));
    EXPECT_TRUE(model.to_bytes() == before);
  }
}

// Values without a feature of their own share one, and so does one that is new.
TEST(Unseen, CategoriesWithoutRoomArePredictedAsThoseThatShareAFeature) {
  std::string text = "n,c,y\n";
  for (std::size_t i = 0; i < 60; ++i) {
    text += number(i) + "," + word(i, 5) + "," + (i % 5 < 2 ? "1" : "0") + "\n";
  }
  Config config = small_config("gaussian_nb", kBatch);
  config.encoder.max_categories = 2;
  test::Running running(stream_of(text), config);
  Session session(running.stream, running.model);
  test::run(session);
  const Model& model = running.model;
  const auto before = model.to_bytes();
  ASSERT_EQ(model.schema().features, (Words{"n", "c=c0", "c=c1", "c=*"}));
  const std::vector<double> row{0.5, 0, 0, 1};
  EXPECT_EQ(said(model, stream_of("n,c\n0.5,violet\n")), model.predict({row, 1, 4}));
  EXPECT_EQ(said(model, stream_of("n,c\n0.5,c4\n")), model.predict({row, 1, 4}));
  EXPECT_TRUE(model.to_bytes() == before);
}

TEST(Unseen, NamesArePredictedAsIfTheyWereAbsent) {
  for (const std::size_t names :
       {6u, 100u}) {  // with so many of which a row has two, rows are sparse
    std::string text;
    for (std::size_t i = 0; i < 100; ++i) {
      text += std::string(i % 2 == 0 ? "-1" : "1") + " | " + word(i, names) + " " +
              word(i * 7 + 3, names) + ":" + number(i) + "\n";
    }
    test::Running running(stream_of<VwReader>(text), small_config("logistic", kBatch), {}, 100);
    Session session(running.stream, running.model);
    test::run(session);
    const Model& model = running.model;
    EXPECT_EQ(model.schema().sparse, names == 100u);
    const auto before = model.to_bytes();
    EXPECT_EQ(said(model, stream_of<VwReader>("1 | c1 new:3 c2:2 other\n| newer\n")),
              said(model, stream_of<VwReader>("1 | c1 c2:2\n| \n")));
    EXPECT_NE(said(model, stream_of<VwReader>("| c0\n")),
              said(model, stream_of<VwReader>("| c1\n")));
    EXPECT_TRUE(model.to_bytes() == before);
  }
}

TEST(Unseen, ClassesArePredictedAsTheOthersAre) {
  std::string text = "n,c,y\n";
  for (std::size_t i = 0; i < 60; ++i)
    text += number(i) + "," + word(i, 3) + "," + "abc"[i % 3] + "\n";
  for (const Multiclass scheme : {Multiclass::ovr, Multiclass::ovo}) {
    Config config = small_config("logistic", kBatch);
    config.model.multiclass = scheme;
    test::Running running(stream_of(text), config);
    Session session(running.stream, running.model);
    test::run(session);
    const Model& model = running.model;
    const auto before = model.to_bytes();
    const auto expected = said(model, stream_of("n,c\n0.5,c0\n0.7,c1\n"));
    EXPECT_EQ(expected.size(), 6u);
    EXPECT_EQ(said(model, stream_of("n,c,y\n0.5,c0,d\n0.7,c1,5\n")), expected);
    // Rows that were read to be learned may be predicted before that, with what they propose.
    RowBatch batch;
    const auto stream = stream_of("n,c,y\n0.5,c0,d\n0.7,c1,e\n");
    RowReader(*stream, model.encoder(), Encoder::LabelUse::learn, {}).read(batch, 100);
    EXPECT_EQ(batch.new_labels().classes, (Words{"d", "e"}));
    Predictions predictions;
    model.predict(batch, predictions);
    EXPECT_EQ(predictions.outputs, 3u);
    EXPECT_EQ(predictions.probabilities, expected);
    EXPECT_TRUE(model.to_bytes() == before);
    // And learning them then is learning them.
    Model twin = copy_of(model);
    running.model.step(batch, predictions);
    EXPECT_EQ(predictions.outputs, 5u);
    const auto again = stream_of("n,c,y\n0.5,c0,d\n0.7,c1,e\n");
    Session other(*again, twin);
    ASSERT_TRUE(other.step());
    EXPECT_TRUE(running.model.to_bytes() == twin.to_bytes());
  }
}

}  // namespace
}  // namespace plumbline::stream_errors_test
