#include "plumbline/encoding/row_batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plumbline/io/libsvm.h"
#include "plumbline/io/source.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::row_batch_test {
namespace {

using test::csv;
using test::fit;
using test::Fitted;
using test::row;
using Entries = std::vector<Entry>;
using Labels = std::vector<Label>;
using Texts = std::vector<std::string>;
using Values = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Schema sparse_schema(std::size_t features) {
  Schema schema = Schema::numeric(features);
  schema.sparse = true;
  return schema;
}

Entries sparse_row(const RowBatch& batch, std::size_t i) {
  const auto entries = batch.features().sparse_row(i);
  return {entries.begin(), entries.end()};
}

Labels labels_of(const RowBatch& batch) {
  const auto y = batch.examples().y;
  return {y.begin(), y.end()};
}

std::unique_ptr<Stream> libsvm(const std::string& text) {
  return std::make_unique<LibsvmReader>(source_from(text, "a"), "a");
}

// All rows of a text, as they are read for this encoder; nothing is taken over.
RowBatch read(const Encoder& encoder, std::unique_ptr<Stream> stream, ReadOptions options = {}) {
  RowBatch batch;
  RowReader(*stream, encoder, Encoder::LabelUse::learn, std::move(options)).read(batch, 1000);
  return batch;
}

// ---- Rows that are canceled

TEST(RowBatch, WithdrawsWhatACanceledRowProposed) {
  const Fitted fitted = fit("c,n,y\nred,1,a\nblue,2,b\nred,3,c\n");
  // A number and a label that are bad, behind values that are new.
  const RowBatch batch = read(fitted.encoder,
                              csv("c,n,y\ngreen,1,a\n"
                                  "black,oops,d\n"
                                  "white,2,7\n"
                                  "grey,3,e\n"),
                              {.skip_bad_rows = true});
  EXPECT_EQ(batch.rows(), 2u);
  EXPECT_EQ(batch.new_features().size(), 2u);  // green and grey
  EXPECT_EQ(batch.new_labels().classes, Texts{"e"});
  EXPECT_EQ(labels_of(batch), (Labels{0, 3}));
  // As wide as what is left needs: red, blue, n, green, grey.
  EXPECT_EQ(batch.features().columns, 5u);
  EXPECT_EQ(row(batch, 0), (Values{0, 0, 1, 1, 0}));
  EXPECT_EQ(row(batch, 1), (Values{0, 0, 3, 0, 1}));
}

// In rows that name their features the label stands before what is bad.
TEST(RowBatch, WithdrawsTheClassOfACanceledRow) {
  const Encoder encoder = test::fit_stream(libsvm("1 1:1\n2 1:2\n3 1:3\n")).encoder;
  const RowBatch batch =
      read(encoder, libsvm("4 1:1\n5 9:1 1:1e200\n6 8:1\n4 1:2\n"), {.skip_bad_rows = true});
  EXPECT_EQ(batch.new_labels().classes, (Texts{"4", "6"}));
  EXPECT_EQ(labels_of(batch), (Labels{3, 4, 3}));
  EXPECT_EQ(batch.new_features().size(), 1u);
  EXPECT_EQ(row(batch, 1), (Values{0, 1}));
}

// The place that it had proposed goes to the next value that is new.
TEST(RowBatch, LeavesNoTraceOfACanceledRow) {
  const Encoder encoder = fit("c,n,y\nred,1,0\nblue,2,1\n").encoder;
  Encoder with = encoder, without = encoder;
  RowBatch spoiled = read(with, csv("c,n,y\nred,1,0\nblack,oops,0\ngreen,2,1\nred,3,1\n"),
                          {.skip_bad_rows = true});
  RowBatch clean = read(without, csv("c,n,y\nred,1,0\ngreen,2,1\nred,3,1\n"));
  with.commit(spoiled);
  without.commit(clean);
  EXPECT_EQ(with.to_json(), without.to_json());
  EXPECT_EQ(with.schema(), without.schema());
  EXPECT_EQ(save_state(with), save_state(without));
  EXPECT_EQ(spoiled.features().columns, clean.features().columns);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(row(spoiled, i), row(clean, i));
}

TEST(RowBatch, HasTheWidthOfTheSchemaIfOnlyACanceledRowBroughtSomething) {
  Encoder encoder = fit("c,n,y\nred,1,0\nblue,2,1\n").encoder;
  RowBatch batch =
      read(encoder, csv("c,n,y\nred,1,0\nblack,oops,0\nblue,2,1\n"), {.skip_bad_rows = true});
  EXPECT_TRUE(batch.new_features().empty());
  encoder.commit(batch);
  EXPECT_EQ(batch.features().columns, encoder.schema().size());
  EXPECT_EQ(row(batch, 1), (Values{0, 1, 2}));
}

TEST(RowBatch, CountsNoOverflowOfACanceledRow) {
  Encoder encoder = fit("c,n,y\nred,1,0\nred,2,1\n", {}, {.max_categories = 1}).encoder;
  RowBatch batch = read(encoder, csv("c,n,y\nblack,oops,0\ngreen,2,1\n"), {.skip_bad_rows = true});
  encoder.commit(batch);
  EXPECT_EQ(encoder.overflowed(), 1u);
  EXPECT_EQ(encoder.schema().features, (Texts{"c=red", "n", "c=*"}));
}

TEST(RowBatch, WithdrawsNamesOfACanceledSparseRow) {
  RowBatch batch;
  const Schema schema = sparse_schema(2);
  const FeatureDictionary dictionary({.categories = 9, .features = 9}, 0, /*named=*/true);
  batch.clear(schema);
  const auto add_row = [&](std::initializer_list<const char*> names, bool good) {
    batch.begin_row();
    for (const char* name : names) batch.add(dictionary.of_name(name, 2, batch.new_features()), 1);
    good ? batch.end_row(1, batch.rows() + 1) : batch.cancel_row();
  };
  add_row({"a"}, true);
  add_row({"b", "a", "c"}, false);
  add_row({"c", "a"}, true);
  EXPECT_EQ(batch.rows(), 2u);
  EXPECT_EQ(batch.new_features().size(), 2u);
  EXPECT_EQ(batch.features().columns, 4u);
  EXPECT_EQ(sparse_row(batch, 0), (Entries{{2, 1}}));
  EXPECT_EQ(sparse_row(batch, 1), (Entries{{2, 1}, {3, 1}}));
}

// ---- Settling

// Two batches that were read before the first of them was committed.
struct TwoReads {
  Encoder encoder;
  RowBatch first, second;
};

TEST(RowBatch, SettlesWhereItWasPromisedIfNothingCameBetween) {
  Encoder encoder = fit("c,n,y\nred,1,0\nblue,2,1\n").encoder;
  RowBatch batch = read(encoder, csv("c,n,y\ngreen,1,0\nred,2,1\ngrey,3,0\n"));
  EXPECT_EQ(batch.known_features(), 3u);
  encoder.commit(batch);
  EXPECT_TRUE(batch.new_features().empty());
  EXPECT_EQ(batch.known_features(), 5u);
  EXPECT_EQ(encoder.schema().features, (Texts{"c=red", "c=blue", "n", "c=green", "c=grey"}));
  EXPECT_EQ(row(batch, 0), (Values{0, 0, 1, 1, 0}));
  EXPECT_EQ(row(batch, 2), (Values{0, 0, 3, 0, 1}));
}

TEST(RowBatch, SettlesDenseRowsWhereAnotherBatchHasPutTheirValues) {
  const Encoder fresh = fit("c,n,y\nred,1,0\nblue,2,1\n").encoder;
  TwoReads reads{fresh, read(fresh, csv("c,n,y\ngreen,1,0\ngrey,2,1\n")),
                 read(fresh, csv("c,n,y\nwhite,3,0\ngreen,4,1\ngrey,5,1\nred,6,0\n"))};
  reads.encoder.commit(reads.first);
  reads.encoder.commit(reads.second);
  // red, blue, n, green, grey, white
  EXPECT_EQ(reads.encoder.schema().features,
            (Texts{"c=red", "c=blue", "n", "c=green", "c=grey", "c=white"}));
  EXPECT_EQ(row(reads.second, 0), (Values{0, 0, 3, 0, 0, 1}));
  EXPECT_EQ(row(reads.second, 1), (Values{0, 0, 4, 1, 0, 0}));
  EXPECT_EQ(row(reads.second, 2), (Values{0, 0, 5, 0, 1, 0}));
  EXPECT_EQ(row(reads.second, 3), (Values{1, 0, 6, 0, 0, 0}));
}

TEST(RowBatch, IsWidenedIfOnlyTheOtherBatchBroughtSomething) {
  const Encoder fresh = fit("c,n,y\nred,1,0\nblue,2,1\n").encoder;
  TwoReads reads{fresh, read(fresh, csv("c,n,y\ngreen,1,0\n")),
                 read(fresh, csv("c,n,y\nblue,3,0\n"))};
  reads.encoder.commit(reads.first);
  reads.encoder.commit(reads.second);
  EXPECT_EQ(row(reads.second, 0), (Values{0, 1, 3, 0}));
}

// Enough names, few of them in each row, that the stream counts as sparse.
std::string many_names() {
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += (i % 2 == 0 ? "+1 " : "-1 ") + std::to_string(i + 1) + ":1\n";
  }
  return text;
}

TEST(RowBatch, SettlesSparseRowsWhereAnotherBatchHasPutTheirNames) {
  const Encoder fresh = test::fit_stream(libsvm(many_names())).encoder;
  ASSERT_TRUE(fresh.schema().sparse);
  TwoReads reads{fresh, read(fresh, libsvm("+1 201:1 202:1\n")),
                 read(fresh, libsvm("-1 1:5 203:3 202:2\n+1 201:4\n"))};
  // As it was read, in the order of what it proposed: 203 and 202.
  EXPECT_EQ(sparse_row(reads.second, 0), (Entries{{0, 5}, {100, 3}, {101, 2}}));
  reads.encoder.commit(reads.first);
  reads.encoder.commit(reads.second);
  // 201, 202 and then 203, with ascending features in each row.
  EXPECT_EQ(reads.encoder.schema().size(), 103u);
  EXPECT_EQ(sparse_row(reads.second, 0), (Entries{{0, 5}, {101, 2}, {102, 3}}));
  EXPECT_EQ(sparse_row(reads.second, 1), (Entries{{100, 4}}));
  EXPECT_EQ(reads.second.features().columns, 103u);
}

TEST(RowBatch, SettlesClassesWhereAnotherBatchHasPutThem) {
  const Encoder fresh = fit("n,y\n1,a\n2,b\n3,c\n").encoder;
  TwoReads reads{fresh, read(fresh, csv("n,y\n1,d\n2,e\n")),
                 read(fresh, csv("n,y\n1,f\n2,e\n3,a\n4,d\n"))};
  EXPECT_EQ(labels_of(reads.second), (Labels{3, 4, 0, 5}));
  reads.encoder.commit(reads.first);
  reads.encoder.commit(reads.second);
  EXPECT_EQ(reads.encoder.schema().classes, (Texts{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(labels_of(reads.second), (Labels{5, 4, 0, 3}));
}

// What would be too large is refused when it is read; so must what adds up to it be bounded.
TEST(RowBatch, BoundsWhatFeaturesAddUpToWhereTheyComeToShareOne) {
  const Encoder fresh =
      test::fit_stream(libsvm("+1 1:1\n-1 1:2\n"), {}, {.max_features = 2}).encoder;
  TwoReads reads{fresh, read(fresh, libsvm("+1 2:1\n")),
                 read(fresh, libsvm("-1 3:1e150 4:1e150 5:1e150 6:1e150\n"))};
  reads.encoder.commit(reads.first);
  reads.encoder.commit(reads.second);
  for (const double value : row(reads.second, 0)) EXPECT_LE(value, kMaxMagnitude);
  EXPECT_EQ(row(reads.second, 0)[0] + row(reads.second, 0)[1] >= kMaxMagnitude, true);
  RowBatch batch;
  batch.clear(sparse_schema(1));
  batch.begin_row();
  for (int i = 0; i < 3; ++i) batch.add(0, -1e150);
  batch.end_row(0, 1);
  EXPECT_EQ(sparse_row(batch, 0), (Entries{{0, -1e150}}));
}

// ---- Rows that are added as they are

TEST(RowBatch, PutsTheFeaturesOfASparseRowInOrderAndAddsThemUp) {
  RowBatch batch;
  batch.clear(sparse_schema(9));
  batch.begin_row();
  for (const auto& [feature, value] : Entries{{7, 1}, {2, 3}, {7, 4}, {0, 5}}) {
    batch.add(feature, value);
  }
  batch.end_row(1, 1);
  batch.begin_row();
  batch.end_row(0, 2);  // a row without features is a row
  EXPECT_EQ(sparse_row(batch, 0), (Entries{{0, 5}, {2, 3}, {7, 5}}));
  EXPECT_TRUE(sparse_row(batch, 1).empty());
  check_examples(batch.examples(), 9);
}

TEST(RowBatch, RepeatsTheLastRowWithItsLabelCostsAndNumber) {
  for (const bool sparse : {false, true}) {
    Schema schema = sparse ? sparse_schema(3) : Schema::numeric(3);
    RowBatch batch;
    batch.clear(schema);
    for (const Label label : {Label{0}, Label{1}}) {
      batch.begin_row();
      batch.add(label, 5);
      batch.add(2, 7 + label);
      batch.end_row(label, 10u + label);
      batch.add_costs({1.0 + label, 4});
    }
    batch.repeat_last();
    batch.repeat_last();
    ASSERT_EQ(batch.rows(), 4u);
    check_examples(batch.examples(), 3);
    for (const std::size_t i : {1u, 2u, 3u}) {
      EXPECT_EQ(batch.examples().y[i], 1);
      EXPECT_EQ(batch.examples().costs[i], (Costs{2, 4}));
      EXPECT_EQ(batch.numbers()[i], 11u);
      if (sparse) {
        EXPECT_EQ(sparse_row(batch, i), (Entries{{1, 5}, {2, 8}}));
      } else {
        EXPECT_EQ(row(batch, i), (Values{0, 5, 8}));
      }
    }
    if (sparse) {
      EXPECT_EQ(sparse_row(batch, 0), (Entries{{0, 5}, {2, 7}}));
    } else {
      EXPECT_EQ(row(batch, 0), (Values{5, 0, 7}));
    }
  }
}

TEST(RowBatch, TakesADenseRowIntoASparseBatchWithoutItsZerosAndMissingValues) {
  Minibatch dense = test::rows({{{0, 2, kNan, -0.0, 3}, 1}, {{0, 0, 0, 0, 0}, 0}});
  dense.add_costs({2, 3});
  dense.add_costs({4, 5});
  RowBatch batch;
  batch.clear(sparse_schema(5));
  for (std::size_t i = 0; i < 2; ++i) batch.add_row(dense.examples(), i);
  EXPECT_EQ(sparse_row(batch, 0), (Entries{{1, 2}, {4, 3}}));
  EXPECT_TRUE(sparse_row(batch, 1).empty());
  EXPECT_EQ(labels_of(batch), (Labels{1, 0}));
  EXPECT_EQ(batch.examples().costs[1], (Costs{4, 5}));
  check_examples(batch.examples(), 5);
}

TEST(RowBatch, TakesSparseRowsIntoADenseBatchAndKeepsMissingValuesThere) {
  const Entries entries{{1, 2}, {4, 3}, {0, 9}};
  const std::vector<std::size_t> starts{0, 2, 3};
  const Labels labels{1, 0};
  const Examples sparse{{.rows = 2, .columns = 5, .entries = entries, .starts = starts}, labels};
  RowBatch batch;
  batch.clear(Schema::numeric(5));
  for (std::size_t i = 0; i < 2; ++i) batch.add_row(sparse, i);
  EXPECT_EQ(row(batch, 0), (Values{0, 2, 0, 0, 3}));
  EXPECT_EQ(row(batch, 1), (Values{9, 0, 0, 0, 0}));
  const Minibatch dense = test::rows({{{1, kNan, 0, 0, 0}, 1}});
  batch.add_row(dense.examples(), 0);
  EXPECT_TRUE(std::isnan(row(batch, 2)[1]));
}

TEST(RowBatch, IsAsNewWhenItIsCleared) {
  const Fitted fitted = fit("c,n,y\nred,1,a\nblue,2,b\nred,3,c\n");
  RowBatch batch = read(fitted.encoder, csv("c,n,y\ngreen,1,d\n"));
  batch.clear(fitted.encoder.schema());
  EXPECT_EQ(batch.rows(), 0u);
  EXPECT_TRUE(batch.new_features().empty());
  EXPECT_TRUE(batch.new_labels().empty());
  EXPECT_EQ(batch.features().columns, 3u);
}

}  // namespace
}  // namespace plumbline::row_batch_test
