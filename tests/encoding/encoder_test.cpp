#include "plumbline/encoding/encoder.h"
#include "plumbline/io/number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/source.h"
#include "plumbline/io/vw.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::encoder_test {
namespace {

using test::any_note;
using test::expect_error;
using test::fit;
using test::fit_stream;
using test::Fitted;
using test::read_all;
using test::row;
using Values = std::vector<double>;

// Examples as they would have been read.
RowBatch raw_rows(const Schema& schema, const Examples& examples) {
  RowBatch batch;
  batch.clear(schema);
  for (std::size_t i = 0; i < examples.size(); ++i) batch.add_row(examples, i);
  return batch;
}

TEST(Encoder, DetectsCategoriesAndSaysSo) {
  Fitted fitted = fit("colour,size,y\nred,1,0\nblue,2,1\nred,3,0\n");
  EXPECT_EQ(fitted.encoder.schema().features,
            (std::vector<std::string>{"colour=red", "colour=blue", "size"}));
  EXPECT_TRUE(any_note(fitted, "categorical columns, with their values so far: colour (2)"));
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(row(batch, 0), (Values{1, 0, 1}));
  EXPECT_EQ(row(batch, 1), (Values{0, 1, 2}));
  EXPECT_TRUE(fitted.encoder.plan().has_role(ColumnRole::categorical));
  EXPECT_FALSE(fit("a,y\n1,0\n2,1\n").encoder.plan().has_role(ColumnRole::categorical));
}

TEST(Encoder, TakesTheUsersWordForKinds) {
  Fitted fitted = fit("zip,a,y\n1,1,0\n2,1,1\n", {.categorical = {"zip"}});
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"zip=1", "zip=2", "a"}));
  EXPECT_EQ(fit("a,b,y\n1,x,0\n2,z,1\n", {.ignore = {"b"}}).encoder.schema().size(), 1u);
  expect_error(ErrorKind::config, {"cannot be ignored"},
               [] { fit("a,y\n1,0\n2,1\n", {.ignore = {"y"}}); });
  // A column of numbers with texts in it has bad rows.
  Fitted numbers = fit("a,y\nx,0\n2,1\n", {.numeric = {"a"}});
  expect_error(ErrorKind::data, {"line 2, column 1", "'x' in 'a' is not a number"},
               [&] { read_all(numbers); });
}

TEST(Encoder, NewCategoriesGetAFeatureWhenTheyComeAndThenShareOne) {
  std::string text = "c,y\n";
  for (int i = 0; i < 1100; ++i) text += "a," + std::to_string(i % 2) + "\n";
  text += "b,0\nc,1\nd,1\n";
  Fitted fitted = fit(text, {.categorical = {"c"}}, {.max_categories = 2});
  EXPECT_EQ(fitted.encoder.schema().size(), 1u);
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"c=a", "c=b", "c=*"}));
  EXPECT_EQ(row(batch, 0), (Values{1, 0, 0}));
  EXPECT_EQ(row(batch, 1100), (Values{0, 1, 0}));
  EXPECT_EQ(row(batch, 1101), (Values{0, 0, 1}));
  EXPECT_EQ(row(batch, 1102), (Values{0, 0, 1}));
  EXPECT_EQ(fitted.encoder.overflowed(), 2u);
}

TEST(Encoder, AMissingCategoryIsAValueOfItsOwn) {
  Fitted fitted = fit("c,y\na,0\n,1\n?,0\n");
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"c=a", "c="}));
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(row(batch, 1), (Values{0, 1}));
  EXPECT_EQ(row(batch, 2), (Values{0, 1}));
}

TEST(Encoder, AMissingNumberBecomesTheRunningMean) {
  Fitted fitted = fit("a,b,y\n1,10,0\n,20,1\n4,NA,0\n7,nan,1\n");
  RowBatch batch = read_all(fitted);
  EXPECT_TRUE(std::isnan(row(batch, 1)[0]));
  fitted.encoder.commit(batch);
  fitted.encoder.transform(batch, false);
  EXPECT_EQ(row(batch, 1)[0], 4);  // (1 + 4 + 7)/3
  EXPECT_EQ(row(batch, 1)[2], 20);
  EXPECT_EQ(row(batch, 2)[2], 15);
  EXPECT_EQ(row(batch, 3)[2], 15);
}

TEST(Encoder, AMissingNumberSetsAFeature) {
  Fitted fitted = fit("a,b,y\n1,10,0\n,20,1\n4,NA,0\n7,nan,1\n");
  RowBatch batch = read_all(fitted);
  fitted.encoder.commit(batch);
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"a", "a=", "b", "b="}));
  fitted.encoder.transform(batch, true);
  // Not standardized: it is no number.
  const auto marks = [&](std::size_t i) { return Values{row(batch, i)[1], row(batch, i)[3]}; };
  EXPECT_EQ(marks(0), (Values{0, 0}));
  EXPECT_EQ(marks(1), (Values{1, 0}));
  EXPECT_EQ(marks(2), (Values{0, 1}));
  EXPECT_EQ(marks(3), (Values{0, 1}));

  const Encoder loaded = Encoder::from_json(fitted.encoder.to_json(), {}, fitted.encoder.schema());
  EXPECT_EQ(loaded.to_json(), fitted.encoder.to_json());
  EXPECT_TRUE(loaded.grows());
}

TEST(Encoder, AFeatureOfMissingNumbersCanComeLater) {
  Fitted fitted = fit("a,y\n1,0\n2,1\n");
  EXPECT_EQ(fitted.encoder.schema().size(), 1u);
  CsvReader later(source_from("a,y\n3,1\n,0\n", "b.csv"), "b.csv");
  RowBatch batch = test::read(later, fitted.encoder);
  fitted.encoder.commit(batch);
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"a", "a="}));
  fitted.encoder.transform(batch, false);
  EXPECT_EQ(row(batch, 0), (Values{3, 0}));
  EXPECT_EQ(row(batch, 1), (Values{3, 1}));
}

TEST(Encoder, MissingNumbersAreNotMarkedIfTheOptionIsOff) {
  Fitted fitted = fit("a,b,y\n1,10,0\n,20,1\n", {}, {.mark_missing = false});
  RowBatch batch = read_all(fitted);
  fitted.encoder.commit(batch);
  EXPECT_EQ(fitted.encoder.schema().size(), 2u);
  EXPECT_FALSE(fitted.encoder.grows());
}

TEST(Encoder, AColumnThatIsAlwaysMissingIsZero) {
  Fitted fitted = fit("a,b,y\n,10,0\n,20,1\n");
  RowBatch batch = read_all(fitted);
  fitted.encoder.commit(batch);
  fitted.encoder.transform(batch, true);
  EXPECT_EQ(row(batch, 0)[0], 0);
}

TEST(Encoder, KnowsTheUsualWordsForMissing) {
  for (const char* text : {"", " ", "?", "NA", "n/a", "NaN", "nan", "null", "NULL", "None"}) {
    EXPECT_TRUE(is_missing(text)) << text;
  }
  for (const char* text : {"0", "x", "missing", "-", "inf"}) EXPECT_FALSE(is_missing(text)) << text;
}

// Minibatch by minibatch, the same moments as of all rows at once.
TEST(Encoder, StandardizesByTheRunningMoments) {
  const Minibatch all = test::waveform(1000);
  const std::size_t d = all.columns();
  Encoder encoder = Encoder::numeric({}, Schema::numeric(d));
  for (std::size_t at = 0; at < 1000; at += 100) {
    RowBatch piece = raw_rows(encoder.schema(), test::slice(all, at, at + 100));
    encoder.commit(piece);
  }
  RowBatch transformed = raw_rows(encoder.schema(), all.examples());
  encoder.transform(transformed, true);
  for (std::size_t j = 0; j < d; ++j) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
      const double z = row(transformed, i)[j];
      sum += z;
      squares += z * z;
    }
    // The mean and the variance of 1000 standardized values; rounding only.
    EXPECT_NEAR(sum / 1000, 0, 1e-12);
    EXPECT_NEAR(squares / 1000, 1, 1e-12);
  }
}

TEST(Encoder, AConstantColumnIsOnlyCentered) {
  Encoder encoder = Encoder::numeric({}, Schema::numeric(1));
  const Minibatch constant = test::rows({{{3.7}, 0}, {{3.7}, 1}, {{3.7}, 0}});
  RowBatch batch = raw_rows(encoder.schema(), constant.examples());
  encoder.commit(batch);
  encoder.transform(batch, true);
  // The rounding of a mean of three equal numbers, which is at most 2 units in the last place of 3.7.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(row(batch, i)[0], 0, 1e-15);
}

TEST(Encoder, ABadRowChangesNothing) {
  Fitted fitted = fit("c,a,y\nx,1,0\ny,2,1\n");
  const std::string before = fitted.encoder.to_json();
  CsvReader later(source_from("c,a,y\nnew,oops,1\nnew,1,9\n", "b.csv"), "b.csv");
  RowBatch batch;
  batch.clear(fitted.encoder.schema());
  const Binding binding = fitted.encoder.bind(later, true);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(later.next());
    EXPECT_THROW(fitted.encoder.read(later, binding, Encoder::LabelUse::learn, 1, batch), Error);
  }
  fitted.encoder.commit(batch);
  EXPECT_EQ(fitted.encoder.to_json(), before);
  EXPECT_EQ(batch.rows(), 0u);
}

TEST(Encoder, BindsColumnsByNameInAnyOrder) {
  Fitted fitted = fit("a,b,y\n1,2,0\n3,4,1\n");
  CsvReader other(source_from("y,b,a\n1,20,10\n", "b.csv"), "b.csv");
  const RowBatch batch = test::read(other, fitted.encoder);
  EXPECT_EQ(row(batch, 0), (Values{10, 20}));
  EXPECT_EQ(batch.examples().y[0], 1);
}

TEST(Encoder, RefusesColumnsThatComeAndGo) {
  const Fitted fitted = fit("a,b,y\n1,2,0\n3,4,1\n");
  const auto bind = [&](const std::string& text, bool needs_label,
                        const std::vector<std::string>& ignore = {}) {
    CsvReader reader(source_from(text, "b.csv"), "b.csv");
    fitted.encoder.bind(reader, needs_label, ignore);
  };
  expect_error(ErrorKind::data, {"b.csv", "no column 'b'"}, [&] { bind("a,y\n1,0\n", true); });
  expect_error(ErrorKind::data, {"b.csv", "column 3", "'c'", "ignore = 'c'"},
               [&] { bind("a,b,c,y\n1,2,3,0\n", true); });
  expect_error(ErrorKind::data, {"no column 'y'"}, [&] { bind("a,b\n1,2\n", true); });
  bind("a,b\n1,2\n", false);
  bind("a,b,c,y\n1,2,3,0\n", true, {"c"});
  expect_error(ErrorKind::data, {"4 fields", "made for 3"}, [&] { bind("1,2,3,4\n", true); });
  bind("1,2,0\n", true);
  bind("1,2\n", false);
  expect_error(ErrorKind::data, {"2 fields"}, [&] { bind("1,2\n", true); });
  LibsvmReader sparse(source_from("1 1:2\n", "c"), "c");
  expect_error(ErrorKind::data, {"name their features"},
               [&] { fitted.encoder.bind(sparse, true); });
}

TEST(Encoder, RefusesTwoColumnsOfOneName) {
  expect_error(ErrorKind::data, {"two columns are named 'a'"},
               [] { fit("a,a,y\n1,2,0\n3,4,1\n"); });
}

TEST(Encoder, AsksWhatTextsAmongManyNumbersMean) {
  std::string text = "a,y\n";
  for (int i = 0; i < 200; ++i) {
    text += (i % 10 == 0 ? "-" : std::to_string(i)) + "," + std::to_string(i % 2) + "\n";
  }
  expect_error(ErrorKind::data, {"'a' has numbers and texts such as '-'", "missing = '-'"},
               [&] { fit(text); });
  Fitted fitted = fit(text, {.missing = {"-"}});
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(fitted.encoder.plan().columns[0].role, ColumnRole::numeric);
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"a", "a="}));
  EXPECT_TRUE(std::isnan(row(batch, 0)[0]));
  EXPECT_GT(fit(text, {.categorical = {"a"}}).encoder.schema().size(), 60u);
  // A few numbers beside words are names of things.
  EXPECT_EQ(fit("doors,y\n2,0\n3,1\n4,0\n5more,1\n").encoder.schema().size(), 4u);
}

TEST(Encoder, TakesCommasInNumbers) {
  Fitted decimal = fit("a;b;y\n1,5;1.234,5;0\n-2,25;2;1\n");
  RowBatch batch = read_all(decimal);
  EXPECT_EQ(row(batch, 0), (Values{1.5, 1234.5}));
  EXPECT_EQ(row(batch, 1), (Values{-2.25, 2}));
  Fitted thousands = fit("a,y\n\"1,234.5\",0\n\"12,345,678\",1\n");
  batch = read_all(thousands);
  EXPECT_EQ(row(batch, 0), (Values{1234.5}));
  EXPECT_EQ(row(batch, 1), (Values{12345678}));
}

TEST(Encoder, ANumberAmongWordsIsABadRow) {
  Fitted fitted = fit("c,y\nred,0\nblue,1\n");
  CsvReader later(source_from("c,y\nred,1\n1.5,0\n", "b.csv"), "b.csv");
  expect_error(ErrorKind::data, {"b.csv, line 3, column 1", "'1.5'", "words so far"},
               [&] { test::read(later, fitted.encoder); });
  // Unless the user said that the values may be anything.
  Fitted chosen = fit("c,y\nred,0\nblue,1\n", {.categorical = {"c"}});
  CsvReader again(source_from("c,y\n1.5,0\n", "b.csv"), "b.csv");
  EXPECT_EQ(test::read(again, chosen.encoder).rows(), 1u);
}

TEST(Encoder, PredictsWithSharedFeaturesAsItLearned) {
  const std::string text = "+1 1:1 2:1\n-1 3:1\n-1 4:1\n";
  Fitted fitted = fit_stream(std::make_unique<LibsvmReader>(source_from(text, "a"), "a"), {},
                             {.max_features = 2});
  const RowBatch learned = read_all(fitted);
  LibsvmReader again(source_from(text, "a"), "a");
  const RowBatch predicted = test::read_unlabeled(again, fitted.encoder);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(row(predicted, i), row(learned, i));
}

TEST(Encoder, TellsNumbersThatAreTooLarge) {
  Fitted fitted = fit("a,y\n1,0\n1e200,1\n");
  expect_error(ErrorKind::data, {"line 3, column 1", "1e200", "beyond 1e150"},
               [&] { read_all(fitted); });
}

TEST(Encoder, TellsATextThatIsNoNumberFromOneThatIsTooLarge) {
  const auto refused = [](const std::string& text, const char* reason) {
    std::string rows = "a,y\n";
    for (int i = 0; i < 40; ++i) rows += std::to_string(i) + "," + std::to_string(i % 2) + "\n";
    Fitted fitted = fit(rows + text + ",1\n");
    expect_error(ErrorKind::data, {"line 42, column 1", reason}, [&] { read_all(fitted); });
  };
  for (const char* text : {"1e", "1e+", "e5", "--inf", "1e5e5"}) refused(text, "is not a number");
  for (const std::string& text :
       {std::string("-inf"), std::string("1e400"), std::string(400, '9')}) {
    refused(text, "is infinite or beyond 1e150");
  }
}

TEST(Encoder, WarnsOfWhatMayBeIdentifiers) {
  std::string text = "id,a,y\n";
  for (int i = 0; i < 100; ++i) {
    text += "u" + std::to_string(i % 99) + ",1," + std::to_string(i % 2) + "\n";
  }
  EXPECT_TRUE(any_note(fit(text), "'id' has 99 different values"));
}

TEST(Encoder, RowsThatNameTheirFeaturesGrowIt) {
  const std::string text = "+1 1:0.5 7:2\n-1 3:1\n+1 1:3\n";
  Fitted fitted = fit_stream(std::make_unique<LibsvmReader>(source_from(text, "a"), "a"));
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"1", "7", "3"}));
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(row(batch, 0), (Values{0.5, 2, 0}));
  EXPECT_EQ(row(batch, 1), (Values{0, 0, 1}));
  LibsvmReader more(source_from("-1 9:4 1:1\n", "b"), "b");
  EXPECT_EQ(row(test::read(more, fitted.encoder), 0), (Values{1, 0, 0, 4}));
}

// Of b's values 0, 0, 4 and 4 the mean and the deviation are 2; of the two rows since its first, they
// would be 4 and 0. Those of a's values 1, 1, 0 and 0 are 1/2. Every step of it is exact.
TEST(Encoder, ANameThatComesLateWasZeroInEveryRowBefore) {
  const auto expect_moments = [](std::unique_ptr<Stream> early, std::unique_ptr<Stream> late) {
    Fitted fitted = fit_stream(std::move(early));
    RowBatch before = read_all(fitted);
    fitted.encoder.commit(before);
    RowBatch after = test::read(*late, fitted.encoder);
    ASSERT_EQ(row(after, 0), (Values{0, 4}));
    fitted.encoder.commit(after);
    fitted.encoder.adopt(before);  // which makes its rows as wide
    for (RowBatch* batch : {&before, &after}) fitted.encoder.transform(*batch, true);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(row(before, i), (Values{1, -1}));
      EXPECT_EQ(row(after, i), (Values{-1, 1}));
    }
  };
  const auto libsvm = [](const char* text) {
    return std::make_unique<LibsvmReader>(source_from(text, "a"), "a");
  };
  const auto vw = [](const char* text) {
    return std::make_unique<VwReader>(source_from(text, "a"), "a");
  };
  expect_moments(libsvm("+1 1:1\n-1 1:1\n"), libsvm("+1 2:4\n-1 2:4\n"));
  expect_moments(vw("1 | a\n-1 | a\n"), vw("1 | b:4\n-1 | b:4\n"));
}

TEST(Encoder, FurtherNamesShareFeatures) {
  const std::string text = "+1 1:1 2:1\n-1 3:1\n-1 4:1\n";
  Fitted fitted = fit_stream(std::make_unique<LibsvmReader>(source_from(text, "a"), "a"), {},
                             {.max_features = 2});
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(fitted.encoder.schema().size(), 2u);
  EXPECT_EQ(fitted.encoder.overflowed(), 2u);
  EXPECT_EQ(row(batch, 1)[0] + row(batch, 1)[1], 1);
}

TEST(Encoder, APredictionLearnsNothing) {
  Fitted fitted = fit("c,a,y\nx,1,0\ny,2,1\n");
  const Encoder encoder = fitted.encoder;
  CsvReader later(source_from("c,a\nnew,5\nx,6\n", "b.csv"), "b.csv");
  const RowBatch batch = test::read_unlabeled(later, encoder);
  RowBatch known;
  encoder.transform_known(batch.features(), batch.known_features(), false, known);
  EXPECT_EQ(row(known, 0), (Values{0, 0, 5}));  // an unknown category is none of the known
  EXPECT_EQ(row(known, 1), (Values{1, 0, 6}));
  EXPECT_TRUE(std::ranges::equal(batch.label_texts(), std::vector<std::string>{"", ""}));
  EXPECT_EQ(encoder.to_json(), fitted.encoder.to_json());
}

TEST(Encoder, SurvivesItsJsonAndItsTensors) {
  Fitted fitted = fit("c,a,b,y\nx,1,,no\ny,2,5,yes\n,3,6,no\n", {.ignore = {"b"}});
  RowBatch batch = read_all(fitted);
  fitted.encoder.commit(batch);
  Encoder loaded = Encoder::from_json(fitted.encoder.to_json(), fitted.encoder.params(),
                                      fitted.encoder.schema());
  load_state(loaded, save_state(fitted.encoder));
  EXPECT_EQ(loaded.to_json(), fitted.encoder.to_json());
  EXPECT_EQ(save_state(loaded), save_state(fitted.encoder));
  EXPECT_EQ(loaded.summary(), fitted.encoder.summary());
  for (const char* text :
       {"", "[]", "{}", R"({"rest":1})", R"({"rest":false,"open":false,"columns":[]})",
        R"({"rest":false,"open":true,"names":[["a",99]],"columns":[]})"}) {
    expect_error(ErrorKind::model_file, {"encoder is malformed"},
                 [&] { Encoder::from_json(text, {}, Schema::numeric(2)); });
  }
}

TEST(Encoder, RemembersHowManyValuesShareAFeature) {
  const auto expect_two_overflowed = [](Fitted fitted) {
    read_all(fitted);
    const Encoder& saved = fitted.encoder;
    EXPECT_EQ(saved.overflowed(), 2u);
    Encoder loaded = Encoder::from_json(saved.to_json(), saved.params(), saved.schema());
    EXPECT_EQ(loaded.overflowed(), 0u);  // it is a count, and so part of the state
    load_state(loaded, save_state(fitted.encoder));
    EXPECT_EQ(loaded.overflowed(), 2u);
  };
  expect_two_overflowed(fit("c,y\na,0\nb,1\nb,0\n", {}, {.max_categories = 1}));
  expect_two_overflowed(
      fit_stream(std::make_unique<LibsvmReader>(source_from("+1 1:1\n-1 2:1\n-1 3:1\n", "a"), "a"),
                 {}, {.max_features = 1}));
}

TEST(Encoder, NamesOfFeaturesAreNeverTheSame) {
  const Fitted fitted = fit("a,a=x,y\nx,1,0\nz,2,1\n");
  EXPECT_EQ(fitted.encoder.schema().size(), 3u);
  check_schema(fitted.encoder.schema());
}

}  // namespace
}  // namespace plumbline::encoder_test
