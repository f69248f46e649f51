// What an encoder takes as labels and classes.
#include "plumbline/encoding/encoder.h"
#include "plumbline/io/number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plumbline/encoding/row_batch.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/libsvm.h"
#include "plumbline/io/source.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::encoder_labels_test {
namespace {

using test::any_advice;
using test::any_note;
using test::expect_error;
using test::fit;
using test::Fitted;
using test::read_all;
using test::row;
using Texts = std::vector<std::string>;
using Values = std::vector<double>;

TEST(Encoder, TakesTheLastColumnAsLabelAndTheLargerValueAsPositive) {
  Fitted fitted = fit("a,b,y\n1,2,0\n3,4,1\n");
  EXPECT_EQ(fitted.encoder.schema().features, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(fitted.encoder.schema().label, "y");
  EXPECT_EQ(fitted.encoder.schema().positive, "1");
  EXPECT_EQ(fitted.encoder.schema().negative, "0");
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(row(batch, 0), (Values{1, 2}));
  EXPECT_EQ(row(batch, 1), (Values{3, 4}));
  EXPECT_EQ(batch.examples().y[0], 0);
  EXPECT_EQ(batch.examples().y[1], 1);
}

TEST(Encoder, ComparesLabelsByValue) {
  // As numbers 9 < 10, and "+1", "1.0" and "1" are the same.
  EXPECT_EQ(fit("a,y\n1,9\n3,10\n").encoder.schema().positive, "10");
  EXPECT_EQ(fit("a,y\n1,-1\n3,+1\n2,1.0\n").encoder.schema().positive, "1");
  EXPECT_EQ(fit("a,y\n1,no\n3,yes\n").encoder.schema().positive, "yes");
}

TEST(Encoder, FindsTheLabelByNameAndByNumber) {
  const std::string text = "y,a,b\n0,5,1\n1,6,2\n";
  for (const char* label : {"y", "1", "-3"}) {
    EXPECT_EQ(fit(text, {.label = label}).encoder.schema().label, "y") << label;
  }
  EXPECT_EQ(fit("2,a\n1,0\n2,1\n3,0\n", {.label = "2", .positive = "1"}).encoder.schema().label,
            "2");
  expect_error(ErrorKind::config, {"unknown column 'z'", "known: y, a, b"},
               [&] { fit(text, {.label = "z"}); });
  expect_error(ErrorKind::config, {"unknown column '4'"}, [&] { fit(text, {.label = "4"}); });
  expect_error(ErrorKind::config, {"unknown column '0'"}, [&] { fit(text, {.label = "0"}); });
}

TEST(Encoder, TakesThreeValuesAsClassesAndNamesThem) {
  Fitted fitted = fit("a,y\n1,red\n2,blue\n3,green\n");
  EXPECT_EQ(fitted.encoder.schema().classes, (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_TRUE(any_note(fitted, "label 'y': 3 classes ('blue', 'green', 'red')"));
  EXPECT_TRUE(any_advice(fitted, Setting::positive));
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(batch.examples().y[0], 2);
  EXPECT_EQ(batch.examples().y[1], 0);
  EXPECT_EQ(batch.examples().y[2], 1);
}

// As rows of Python come, whose labels are a list beside them.
TEST(Encoder, TakesALabelThatComesApart) {
  const Fitted fitted = fit("a,c,y\n1,x,red\n2,y,blue\n3,x,green\n");
  const auto stream = test::csv("a,c\n7,x\n8,new\noops,newer\n");
  const Binding binding = fitted.encoder.bind(*stream, /*needs_label=*/false);
  RowBatch batch;
  batch.clear(fitted.encoder.schema());
  batch.new_labels().classes = {"white"};
  for (const Label label : {Label{2}, Label{3}}) {
    ASSERT_TRUE(stream->next());
    fitted.encoder.read(*stream, binding, label, stream->line(), batch);
  }
  ASSERT_TRUE(stream->next());
  expect_error(ErrorKind::data, {"line 4, column 1", "'oops'"},
               [&] { fitted.encoder.read(*stream, binding, Label{0}, stream->line(), batch); });
  EXPECT_EQ(batch.rows(), 2u);
  EXPECT_EQ(batch.examples().y[0], 2);
  EXPECT_EQ(batch.examples().y[1], 3);
  EXPECT_EQ(batch.new_features().size(), 1u);
  EXPECT_EQ(batch.new_labels().classes, (Texts{"white"}));
}

TEST(Encoder, SortsClassesThatAreNumbersByValue) {
  Fitted fitted = fit("a,y\n1,10\n2,9.0\n3,+2\n");
  EXPECT_EQ(fitted.encoder.schema().classes, (std::vector<std::string>{"2", "9", "10"}));
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(batch.examples().y[0], 2);
  EXPECT_EQ(batch.examples().y[1], 1);
}

TEST(Encoder, GivesAClassAPlaceWhenItIsFirstSeen) {
  std::string text = "a,y\n";
  for (int i = 0; i < 1500; ++i) text += "1," + std::string(i % 2 == 0 ? "x" : "y") + "\n";
  Fitted fitted = fit(text + "1,b\n1,x\n1,b\n", {.multiclass = true});
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(fitted.encoder.schema().classes, (std::vector<std::string>{"x", "y", "b"}));
  EXPECT_EQ(batch.examples().y[1500], 2);
  EXPECT_EQ(batch.examples().y[1501], 0);
  EXPECT_EQ(batch.examples().y[1502], 2);
}

// A row that is refused leaves no class behind.
TEST(Encoder, LearnsNoClassFromABadRow) {
  std::string text = "a,y\n";
  for (int i = 0; i < 1500; ++i) text += "1,c" + std::to_string(i % 3) + "\n";
  Fitted fitted = fit(text + "bad,late\n1,7\n1,\xff\n1,\n");
  std::vector<std::string> said;
  ReadOptions options{.skip_bad_rows = true,
                      .on_bad_row = [&](const Error& e) { said.emplace_back(e.what()); }};
  EXPECT_EQ(read_all(fitted, options).rows(), 1500u);
  EXPECT_EQ(fitted.encoder.schema().classes.size(), 3u);
  ASSERT_EQ(said.size(), 4u);
  EXPECT_NE(said[1].find("the label '7' is a number"), std::string::npos) << said[1];
  EXPECT_NE(said[2].find("not valid UTF-8"), std::string::npos) << said[2];
  EXPECT_NE(said[3].find("is missing"), std::string::npos) << said[3];
}

TEST(Encoder, TakesTheUsersWordForTheClasses) {
  const std::string text = "a,y\n1,yes\n2,yes\n";
  Fitted two = fit(text, {.classes = {"yes", "no"}});
  EXPECT_EQ(two.encoder.schema().negative, "yes");
  EXPECT_EQ(two.encoder.schema().positive, "no");
  EXPECT_EQ(read_all(two).examples().y[0], 0);
  const std::vector<std::string> several{"c", "yes", "a"};
  Fitted three = fit(text, {.classes = several});
  EXPECT_EQ(three.encoder.schema().classes, several);
  EXPECT_EQ(read_all(three).examples().y[0], 1);
  EXPECT_EQ(
      fit(text, {.multiclass = true, .classes = {"no", "yes"}}).encoder.schema().classes.size(), 2);
}

TEST(Encoder, GivesClassesThatAreAnnouncedTheNextPlaces) {
  Fitted fitted = fit("a,y\n1,red\n2,blue\n3,green\n");
  fitted.encoder.add_classes(Texts{" black ", "white"});
  const Texts five{"blue", "green", "red", "black", "white"};
  EXPECT_EQ(fitted.encoder.schema().classes, five);
  const auto refuses = [&](const Texts& labels, std::initializer_list<const char*> words) {
    expect_error(ErrorKind::data, words, [&] { fitted.encoder.check_new_classes(labels); });
    expect_error(ErrorKind::data, words, [&] { fitted.encoder.add_classes(labels); });
    // Nor has any of the others been added.
    EXPECT_EQ(fitted.encoder.schema().classes, five);
  };
  refuses({"grey", "red"}, {"'red'", "reads the same"});
  refuses({"grey", "pink", "grey "}, {"'grey '", "reads the same"});
  refuses({"grey", "7"}, {"'7'", "a number"});
  refuses({"grey", "NA"}, {"is missing"});
  Texts many;
  for (int i = 0; i < 252; ++i) many.push_back("c" + std::to_string(i));
  refuses(many, {"'c251'", "class 257", "256 are the most"});
  Fitted two = fit("a,y\n1,0\n2,1\n");
  expect_error(ErrorKind::data, {"'2'", "neither '0' nor '1'"},
               [&] { two.encoder.add_classes(Texts{"2"}); });
}

// A table in memory: texts in columns, and the index of each row's class beside them.
class Table : public Stream {
 public:
  Table(std::vector<Column> columns, Texts classes, std::vector<Texts> rows,
        std::vector<Label> targets)
      : Stream("a table"), rows_(std::move(rows)), targets_(std::move(targets)) {
    columns_ = std::move(columns);
    classes_ = std::move(classes);
  }
  bool next() override {
    if (line_ == rows_.size()) return false;
    fields_.assign(rows_[line_].begin(), rows_[line_].end());
    row_ = {.fields = fields_, .target = targets_[line_]};
    ++line_;
    return true;
  }

 private:
  std::vector<Texts> rows_;
  std::vector<Label> targets_;
  std::vector<std::string_view> fields_;
};

// Labels that the caller knows leave the column of labels out.
TEST(Encoder, AddsRowsWhoseLabelIsKnown) {
  Fitted fitted = fit("a,colour,y\n1,red,no\n2,blue,yes\n");
  Table table({{"a"}, {"colour"}}, {"no", "yes"}, {{"5", "green"}, {"x", "black"}}, {1, 0});
  RowReader reader(table, fitted.encoder, Encoder::LabelUse::learn, {});
  RowBatch batch;
  expect_error(ErrorKind::data, {"a table, line 2", "'x' in 'a'"}, [&] { reader.read(batch, 10); });
  fitted.encoder.adopt(batch);
  EXPECT_EQ(batch.rows(), 1);
  EXPECT_EQ(batch.examples().y[0], 1);
  EXPECT_EQ(row(batch, 0), (Values{5, 0, 0, 1}));
  EXPECT_EQ(fitted.encoder.schema().features.back(), "colour=green");
}

TEST(Encoder, RefusesMoreValuesThanLookLikeClasses) {
  std::string text = "a,y\n";
  for (int i = 0; i < 330; ++i) text += "1," + std::to_string(i % 33) + "\n";
  expect_error(ErrorKind::data, {"'y' has 33 values", "multiclass = 'ovr'", "setting 'positive'"},
               [&] { fit(text); });
  EXPECT_EQ(fit(text, {.multiclass = true}).encoder.schema().classes.size(), 33u);
  expect_error(ErrorKind::config, {"'positive' makes two classes", "'multiclass' several"},
               [&] { fit(text, {.positive = "1", .multiclass = true}); });
}

TEST(Encoder, SetsOneOfThreeClassesAgainstTheRest) {
  const std::string text = "a,y\n1,red\n2,blue\n3,green\n";
  Fitted fitted = fit(text, {.positive = "red"});
  EXPECT_TRUE(fitted.encoder.labels().one_vs_rest());
  const RowBatch batch = read_all(fitted);
  EXPECT_EQ(batch.examples().y[0], 1);
  EXPECT_EQ(batch.examples().y[1], 0);
  EXPECT_EQ(batch.examples().y[2], 0);
}

TEST(Encoder, AThirdLabelLaterIsABadRow) {
  std::string text = "a,y\n";
  for (int i = 0; i < 1500; ++i) text += "1," + std::to_string(i % 2) + "\n";
  Fitted fitted = fit(text + "1,2\n");
  expect_error(
      ErrorKind::data,
      {"a.csv, line 1502, column 2", "the label '2' is neither '0' nor '1'", "setting 'positive'"},
      [&] { read_all(fitted); });
}

TEST(Encoder, KnowsTheOtherClassOfUsualLabels) {
  EXPECT_EQ(fit("a,y\n1,0\n").encoder.schema().positive, "1");
  EXPECT_EQ(fit("a,y\n1,-1\n").encoder.schema().positive, "1");
  EXPECT_EQ(fit("a,y\n1,no\n").encoder.schema().positive, "yes");
  EXPECT_EQ(fit("a,y\n1,1\n").encoder.schema().negative, "0");
  EXPECT_EQ(fit("a,y\n1,TRUE\n2,True\n").encoder.schema().negative, "false");
  expect_error(ErrorKind::data, {"always 'ham'", "setting 'positive'"},
               [] { fit("a,y\n1,ham\n"); });
  expect_error(ErrorKind::data, {"no row has a label"}, [] { fit("a,y\n1,\n"); });
  expect_error(ErrorKind::data, {"no row has a label"}, [] { fit("a,y\n"); });
}

TEST(Encoder, LearnsWhatTheNegativeClassOfOnesIsCalledWhenItComes) {
  for (const std::string negative : {"0", "-1"}) {
    std::string text = "a,y\n";
    for (int i = 0; i < 1500; ++i) text += "1,1\n";
    Fitted fitted = fit(text + "2," + negative + "\n");
    EXPECT_TRUE(any_note(fitted, "'1' is the positive class, '0' or '-1' the negative one"));
    const RowBatch batch = read_all(fitted);
    EXPECT_EQ(batch.examples().y.back(), 0);
    EXPECT_EQ(fitted.encoder.schema().negative, negative);
    // From now on it is that value alone, also after loading.
    Encoder loaded = Encoder::from_json(fitted.encoder.to_json(), {}, fitted.encoder.schema());
    CsvReader reader(source_from("a,y\n1," + std::string(negative == "0" ? "-1" : "0") + "\n", "b"),
                     "b");
    expect_error(ErrorKind::data, {"b, line 2", "is neither"}, [&] { test::read(reader, loaded); });
  }
}

TEST(Encoder, AMissingLabelIsABadRow) {
  Fitted fitted = fit("a,y\n1,0\n2,1\n3,?\n4,\n");
  std::vector<std::string> said;
  ReadOptions options{.skip_bad_rows = true,
                      .on_bad_row = [&](const Error& e) { said.emplace_back(e.what()); }};
  EXPECT_EQ(read_all(fitted, options).rows(), 2u);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0], "a.csv, line 4, column 2: the label 'y' is missing");
}

TEST(Encoder, TheUsualWordsForMissingAreNoLabels) {
  for (const char* word : {"NA", "nan", "null", "None", "N/A", "?"}) {
    Fitted fitted = fit(std::string("a,y\n1,1\n2,") + word + "\n3,0\n");
    EXPECT_EQ(fitted.encoder.schema().positive, "1") << word;
    expect_error(ErrorKind::data, {"line 3", "the label 'y' is missing"},
                 [&] { read_all(fitted); });
  }
}

}  // namespace
}  // namespace plumbline::encoder_labels_test
