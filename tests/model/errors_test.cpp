// Faults in rows of numbers, in new classes and in files: none leaves a trace in a model.
// Those in the rows of streams are in stream_errors_test.cpp.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/encoding/stored_rows.h"
#include "plumbline/math/rng.h"
#include "plumbline/session.h"
#include "tests/model/no_trace.h"
#include "tests/model/running.h"
#include "tests/support.h"

namespace plumbline::errors_test {
namespace {

using test::copy_of;
using test::expect_no_trace;
using test::expect_unchanged;
using test::place_of_error;
using test::small_config;
using test::Words;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRows = 10, kColumns = 3;

// Rows that a test may spoil.
struct Numbers {
  std::size_t rows = kRows, columns = kColumns;
  std::vector<double> values{};
  std::vector<Entry> entries{};  // of sparse rows
  std::vector<std::size_t> starts{};
  std::vector<Label> y{};
  std::vector<Costs> costs{};

  Batch x() const { return {values, rows, columns, entries, starts}; }
  Examples examples() const { return {x(), y, costs}; }
};

Numbers good_rows(std::size_t classes, bool sparse, std::uint64_t seed) {
  Numbers rows;
  Rng rng(5, 0, seed);
  if (sparse) rows.starts.push_back(0);
  for (std::size_t i = 0; i < kRows; ++i) {
    rows.y.push_back(static_cast<Label>(i % classes));
    rows.costs.push_back({1, 2});
    for (std::uint32_t j = 0; j < kColumns; ++j) {
      const double value = rng.normal() + static_cast<double>(i % classes) * (j == 1 ? 3 : 0);
      sparse ? rows.entries.push_back({j, value}) : rows.values.push_back(value);
    }
    if (sparse) rows.starts.push_back(rows.entries.size());
  }
  return rows;
}

struct Fault {
  const char* name;
  Words words;
  std::function<void(Numbers&)> spoil;
  bool in_a_row = true;  // not in the shape of them all
};

// In row 5, feature 2, where there is a row and a feature.
const std::vector<Fault> kDenseFaults{
    {"infinity", {"row 5, feature 2", "inf"}, [](Numbers& n) { n.values[13] = kInfinity; }},
    {"-infinity", {"row 5, feature 2", "-inf"}, [](Numbers& n) { n.values[13] = -kInfinity; }},
    {"too large", {"row 5, feature 2", "1e150"}, [](Numbers& n) { n.values[13] = 1.1e150; }},
    {"a feature too few",
     {"2 features", "has 3"},
     [](Numbers& n) { n.columns = 2, n.values.resize(20); },
     false},
    {"a feature too many",
     {"4 features", "has 3"},
     [](Numbers& n) { n.columns = 4, n.values.resize(40); },
     false},
    {"a value too few",
     {"29 values were given for 10 rows of 3 features"},
     [](Numbers& n) { n.values.pop_back(); },
     false},
    {"too many rows",
     {"30 values were given for"},
     [](Numbers& n) { n.rows = std::size_t{1} << 63; },
     false},
};

const std::vector<Fault> kSparseFaults{
    {"infinity", {"row 5, feature 2", "inf"}, [](Numbers& n) { n.entries[13].value = kInfinity; }},
    {"too large", {"row 5, feature 2", "1e150"}, [](Numbers& n) { n.entries[13].value = -1e151; }},
    {"NaN", {"row 5, feature 2", "nan"}, [](Numbers& n) { n.entries[13].value = kNaN; }, false},
    {"a feature too many", {"4 features", "3"}, [](Numbers& n) { n.columns = 4; }, false},
    {"a feature beyond the last",
     {"row 5", "below 3", "7"},
     [](Numbers& n) { n.entries[14].feature = 7; },
     false},
    {"a feature twice", {"row 5"}, [](Numbers& n) { n.entries[13].feature = 0; }, false},
    {"a start too few",
     {"10 starts of rows were given for 10 sparse rows"},
     [](Numbers& n) { n.starts.pop_back(); },
     false},
    {"an end before the beginning",
     {"sparse row 5 ends before it begins"},
     [](Numbers& n) { n.starts[5] = 2; },
     false},
};

const std::vector<Fault> kTargetFaults{
    {"a bad label", {"row 5", "the label is 200"}, [](Numbers& n) { n.y[4] = 200; }},
    {"a label too few",
     {"9 labels were given for 10 rows"},
     [](Numbers& n) { n.y.pop_back(); },
     false},
    {"a negative cost",
     {"row 5", "-1"},
     [](Numbers& n) {
       n.costs[4] = {1, -1};
     }},
    {"a cost of NaN",
     {"row 5", "nan"},
     [](Numbers& n) {
       n.costs[4] = {kNaN, 1};
     }},
    {"an infinite cost",
     {"row 5", "inf"},
     [](Numbers& n) {
       n.costs[4] = {1, kInfinity};
     }},
    {"a cost too few",
     {"costs were given for 9 of 10 rows"},
     [](Numbers& n) { n.costs.pop_back(); },
     false},
};

struct Kind {
  const char* name;
  const char* learner;
  std::size_t classes;
  Multiclass multiclass = Multiclass::ovr;
  bool sparse = false;
  EncoderOptions::Standardize standardize = EncoderOptions::Standardize::automatic;

  Model model() const {
    Config config = small_config(Spec(learner), kRows);
    config.encoder.standardize = standardize;
    config.model.multiclass = multiclass;
    config.model.policy = "thompson";
    config.model.reward = "cost";
    Schema schema = Schema::numeric(kColumns);
    schema.sparse = sparse;
    if (classes > 2) {
      for (std::size_t k = 0; k < classes; ++k)
        schema.classes.push_back(std::string(1, "abcdef"[k]));
    }
    Model model(config, schema);
    for (std::uint64_t seed = 0; seed < 3; ++seed) model.learn(rows(seed).examples());
    return model;
  }
  Numbers rows(std::uint64_t seed) const { return good_rows(classes, sparse, seed); }
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class Errors : public testing::TestWithParam<Kind> {
 protected:
  // Each fault of the list, in rows that are good otherwise.
  template <class Use>
  void each(const std::vector<Fault>& faults, const Use& use) const {
    for (const Fault& fault : faults) {
      SCOPED_TRACE(fault.name);
      Numbers rows = GetParam().rows(9);
      fault.spoil(rows);
      use(fault, rows);
    }
  }
  const std::vector<Fault>& faults_in_features() const {
    return GetParam().sparse ? kSparseFaults : kDenseFaults;
  }
  void go_on(Model& model) const { model.learn(GetParam().rows(4).examples()); }
};

TEST_P(Errors, InRowsThatAreLearnedLeaveNoTrace) {
  for (const auto* faults : {&faults_in_features(), &kTargetFaults}) {
    each(*faults, [&](const Fault& fault, const Numbers& rows) {
      const auto check = [&](auto&& call) {
        Model model = GetParam().model();
        expect_no_trace(
            model, ErrorKind::data, fault.words, [&] { call(model); },
            [&](Model& one) { go_on(one); });
      };
      Predictions predictions;
      check([&](Model& model) { model.learn(rows.examples()); });
      check([&](Model& model) { model.step(rows.examples(), predictions); });
      if (!fault.in_a_row) return;
      check([&](Model& model) {
        StoredRows stored(model.schema(), rows.examples(), {0, 1, 2, 3, 4, 5, 6, 7});
        Session(stored, model).step();
      });
      check([&](Model& model) {
        RowBatch batch;
        batch.clear(model.schema());
        for (std::size_t i = 0; i < kRows; ++i) batch.add_row(rows.examples(), i);
        model.step(batch, predictions);
      });
    });
  }
}

TEST_P(Errors, InRowsThatArePredictedLeaveNoTrace) {
  const Model model = GetParam().model();
  each(faults_in_features(), [&](const Fault& fault, const Numbers& rows) {
    const auto check = [&](auto&& call) {
      expect_unchanged(model, ErrorKind::data, fault.words, call);
    };
    Predictions predictions;
    check([&] { model.predict(rows.x()); });
    check([&] { model.predict(rows.x(), predictions); });
    if (!fault.in_a_row) return;
    StoredRows stored(model.schema(), rows.examples(), {0, 1, 2, 3, 4, 5, 6, 7});
    Session session(stored, model);
    check([&] { session.predict(8); });
    check([&] { session.predict_rest(); });
    check([&] { model.predict(session.rows(), predictions); });
  });
  // Labels and costs are not looked at.
  Numbers rows = GetParam().rows(9);
  rows.y[4] = 200;
  rows.costs[4] = {-1, kNaN};
  StoredRows stored(model.schema(), rows.examples(), {4});
  Session session(stored, model);
  ASSERT_TRUE(session.predict(1));
  const Examples good = rows.examples().part(4, 1);
  EXPECT_EQ(session.predictions().probabilities, model.predict(good.x));
}

// A bad minibatch between good ones.
TEST_P(Errors, OfAMinibatchLeaveThoseAroundItAsTheyAre) {
  Model model = GetParam().model(), twin = copy_of(model);
  Numbers rows = GetParam().rows(9);
  rows.y[4] = 200;
  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  StoredRows stored(model.schema(), rows.examples(), all);
  Session session(stored, model);
  ASSERT_TRUE(session.step(3));
  EXPECT_EQ(session.position(), 3u);
  place_of_error(ErrorKind::data, {"row 2", "the label is 200"}, [&] { session.step(3); });
  EXPECT_FALSE(session.broken());
  EXPECT_EQ(session.position(), 3u);
  ASSERT_TRUE(session.step(4));
  EXPECT_FALSE(session.step(4));
  EXPECT_EQ(session.position(), 10u);
  twin.learn(rows.examples().part(0, 3));
  twin.learn(rows.examples().part(6, 4));
  EXPECT_TRUE(model.to_bytes() == twin.to_bytes());
}

// Rows of another model, whose classes or features these are not.
TEST_P(Errors, OfRowsThatWereMadeForAnotherModelLeaveNoTrace) {
  const auto check = [&](const char* name, const Schema& other, const Words& words) {
    SCOPED_TRACE(name);
    Model model = GetParam().model();
    Numbers rows = good_rows(2, other.sparse, 9);
    rows.columns = other.size();
    if (!other.sparse) rows.values.resize(kRows * other.size());
    if (other.classes.size() > 3) rows.y[4] = static_cast<Label>(other.classes.size() - 1);
    StoredRows stored(other, rows.examples(), {0, 1, 2, 3, 4, 5, 6, 7});
    Session session(stored, model);
    expect_no_trace(
        model, ErrorKind::data, words, [&] { session.step(); }, [&](Model& one) { go_on(one); });
  };
  const Model model = GetParam().model();
  Schema other = model.schema();
  other.features.push_back("x4");
  check("more features", other, {"4 features", "has 3"});
  other = model.schema();
  other.features.pop_back();
  if (!other.sparse) check("fewer features", other, {"2 features", "has 3"});
  other = model.schema();
  other.sparse = !other.sparse;
  check("rows of the other kind", other, {"sparse", "dense"});
  other = model.schema();
  if (other.classes.empty()) {
    other.classes = {"a", "b", "c"};
    check("several classes", other, {"3 classes", "two"});
  } else {
    other.classes.push_back("x");
    check("more classes", other, {"classes"});
    other.classes.clear();
    check("two classes", other, {"two", "classes"});
  }
}

// A model of numbers has no room for a new category.
TEST(Errors, OfRowsWithFeaturesThatAModelCannotHaveLeaveNoTrace) {
  test::Running running(test::stream_of("n,c,y\n1,red,0\n2,blue,1\n"), small_config("logistic"));
  ASSERT_EQ(running.model.schema().size(), kColumns);
  const auto stream = test::stream_of("n,c,y\n1,green,0\n2,blue,1\n");
  RowBatch batch;
  RowReader(*stream, running.model.encoder(), Encoder::LabelUse::learn, {}).read(batch, 10);
  Model model = Kind{"two", "logistic", 2}.model();
  Predictions predictions;
  const Words words{"the rows have 4 features, but the model has 3"};
  expect_unchanged(model, ErrorKind::data, words, [&] { model.predict(batch, predictions); });
  expect_no_trace(
      model, ErrorKind::data, words, [&] { model.step(batch, predictions); },
      [](Model& one) { one.learn(good_rows(2, false, 4).examples()); });
}

// What a batch says of itself must be so.
TEST_P(Errors, OfRowsThatContradictThemselvesLeaveNoTrace) {
  const auto check = [&](const char* name, const Words& words, auto&& spoil) {
    SCOPED_TRACE(name);
    Model model = GetParam().model();
    RowBatch batch;
    batch.clear(model.schema());
    for (std::size_t i = 0; i < 4; ++i) batch.add_row(GetParam().rows(9).examples(), i);
    spoil(batch);
    Predictions predictions;
    expect_no_trace(
        model, ErrorKind::data, words, [&] { model.step(batch, predictions); },
        [&](Model& one) { go_on(one); });
  };
  const char* const beyond = GetParam().sparse ? "row 5 has feature 8" : "8 features";
  check("a feature beyond the last", {beyond, "3"}, [](RowBatch& batch) {
    batch.begin_row();
    batch.add(7, 1.0);
    batch.end_row(0, 5);
    batch.add_costs({1, 1});
  });
  check("a row without costs", {"costs were given for 4 of 5 rows"}, [](RowBatch& batch) {
    batch.begin_row();
    batch.end_row(0, 5);
  });
  check("a class that is missing", {GetParam().classes == 2 ? "neither" : "missing"},
        [&](RowBatch& batch) {
          batch.new_labels().classes = {"z", ""};
        });
  if (GetParam().classes == 2) {
    check("a second negative class", {"'-1'"},
          [&](RowBatch& batch) { batch.new_labels().negative = "-1"; });
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Errors,
                         testing::Values(Kind{"naive_bayes", "gaussian_nb", 2},
                                         Kind{"standardized", "logistic", 2},
                                         Kind{"sparse", "logistic", 2, {}, true},
                                         Kind{"one_vs_rest", "logistic", 4},
                                         Kind{"one_vs_one", "gaussian_nb", 4, Multiclass::ovo},
                                         Kind{"sparse_classes", "logistic", 4, Multiclass::ovo,
                                              true, EncoderOptions::Standardize::yes}),
                         [](const auto& of) { return std::string(of.param.name); });

// ---- Missing values

constexpr const char* kMixed = "n,c,y\n1,red,0\n2,blue,1\n3,red,0\n4,blue,1\n";

// A number may be missing; whether a row is of a category is known.
TEST(Errors, ACategoryThatIsNaNLeavesNoTrace) {
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    test::Running running(test::stream_of(kMixed), small_config(learner));
    Model& model = running.model;
    ASSERT_EQ(model.schema().features, (Words{"n", "c=red", "c=blue"}));
    const std::vector<double> good{1, 1, 0, kNaN, 0, 1}, bad{1, 1, 0, kNaN, 0, kNaN};
    const std::vector<Label> y{0, 1};
    const auto learn = [&](const std::vector<double>& values) {
      return [&](Model& one) { one.learn({{values, 2, 3}, y}); };
    };
    model.learn({{good, 2, 3}, y});
    expect_no_trace(
        model, ErrorKind::data, {"row 2, feature 3", "missing"}, [&] { learn(bad)(model); },
        learn(good));
    expect_unchanged(model, ErrorKind::data, {"row 2, feature 3", "missing"}, [&] {
      model.predict({bad, 2, 3});
    });
  }
}

// The sum of many numbers of the largest magnitude is rounded, and so is their mean, which stands for what is missing.
TEST(Errors, AMeanIsNeverLargerThanANumberMayBe) {
  constexpr std::size_t kMany = 80;
  for (const char* learner : {"gaussian_nb", "logistic"}) {
    Model model(small_config(learner), Schema::numeric(1));
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> values(kMany, sign * kMaxMagnitude);
      values.push_back(kNaN);
      std::vector<Label> y(kMany + 1);
      y[1] = 1;
      model.learn({{values, kMany + 1, 1}, y});
      EXPECT_TRUE(copy_of(model).to_bytes() == model.to_bytes());
      model = Model(small_config(learner), Schema::numeric(1));
    }
  }
}

// ---- New classes

struct NewClasses {
  Words names;
  Words words;
};

// The first one is good.
const std::vector<NewClasses> kBadClasses{
    {{"e", "5"}, {"'5' is a number"}},
    {{"e", ""}, {"missing"}},
    {{"e", "NaN"}, {"missing"}},
    {{"e", " e "}, {"' e '", "reads the same"}},
    {{"e", "a"}, {"'a'", "reads the same"}},
    {{"e", "f", "\xff"}, {"UTF-8"}},
};

TEST(Errors, OfNewClassesLeaveNoTrace) {
  const Kind kind{"classes", "gaussian_nb", 4};
  for (const NewClasses& bad : kBadClasses) {
    Model model = kind.model();
    const auto go_on = [&](Model& one) {
      one.add_classes(Words{"e", "f"});
      one.learn(kind.rows(4).examples());
    };
    expect_unchanged(model, ErrorKind::data, bad.words,
                     [&] { model.check_new_classes(bad.names); });
    expect_no_trace(
        model, ErrorKind::data, bad.words, [&] { model.add_classes(bad.names); }, go_on);
    EXPECT_EQ(model.schema().classes, (Words{"a", "b", "c", "d", "e", "f"}));
    EXPECT_EQ(model.outputs(), 6u);
  }
  Model two = Kind{"two", "gaussian_nb", 2}.model();
  expect_unchanged(two, ErrorKind::data, {"'e'", "made for two"},
                   [&] { two.add_classes(Words{"e"}); });
}

TEST(Errors, OfMoreClassesThanThereIsRoomForLeaveNoTrace) {
  Schema schema = Schema::numeric(kColumns);
  for (std::size_t k = 0; k < kMostClasses - 2; ++k)
    schema.classes.push_back("c" + std::to_string(k));
  Model model(small_config("gaussian_nb"), schema);
  const Numbers rows = good_rows(3, false, 1);
  model.learn(rows.examples());
  const Words words{"'z' would be class 257, but 256 are the most"};
  expect_unchanged(model, ErrorKind::data, words, [&] {
    model.check_new_classes(Words{"x", "y", "z"});
  });
  expect_no_trace(
      model, ErrorKind::data, words,
      [&] {
        model.add_classes(Words{"x", "y", "z"});
      },
      [&](Model& one) {
        one.add_classes(Words{"x", "y"});
        one.learn(rows.examples());
      });
  EXPECT_EQ(model.outputs(), kMostClasses);
  // In rows whose classes had room when they were read.
  Model other(small_config("gaussian_nb"), schema);
  const auto propose = [&](RowBatch& batch, const Words& classes) {
    batch.clear(schema);
    batch.new_labels().classes = classes;
    batch.add_row(rows.examples(), 0);
  };
  RowBatch late;
  propose(late, {"p", "q"});
  other.add_classes(Words{"x"});
  Predictions predictions;
  expect_no_trace(
      other, ErrorKind::data, {"'q' would be class 257"}, [&] { other.step(late, predictions); },
      [&](Model& one) {
        RowBatch good;
        propose(good, {"x", "q"});
        one.step(good, predictions);
      });
}

// ---- Files

TEST(Errors, OfFilesLeaveNoTrace) {
  Model model = Kind{"two", "logistic", 2}.model();
  const auto go_on = [](Model& one) { one.learn(good_rows(2, false, 4).examples()); };
  auto cut = model.to_bytes(), altered = cut;
  cut.resize(cut.size() - 100);
  altered.back() ^= std::byte{1};
  for (const auto& [bytes, word] : {std::pair{cut, "truncated"}, {altered, "checksum"}}) {
    expect_no_trace(
        model, ErrorKind::model_file, {"the bytes", word},
        [&, &bytes = bytes] { model = Model::from_bytes(bytes, "the bytes"); }, go_on);
  }
  const std::string folder = testing::TempDir() + "plumbline_errors";
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/m";
  model.save(path);
  std::filesystem::resize_file(path, 200);
  expect_no_trace(
      model, ErrorKind::model_file, {path}, [&] { model = Model::load(path); }, go_on);
  std::filesystem::remove_all(folder);
  expect_no_trace(
      model, ErrorKind::io, {path}, [&] { model = Model::load(path); }, go_on);
  expect_no_trace(
      model, ErrorKind::io, {path}, [&] { model.save(path); }, go_on);
}

}  // namespace
}  // namespace plumbline::errors_test
