#include "plumbline/keyed_model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "plumbline/error.h"
#include "plumbline/math/rng.h"

namespace plumbline {
namespace {

struct KeyedRows {
  std::vector<std::string> keys;
  Minibatch rows{4};
};

KeyedRows keyed_rows(std::size_t count, std::size_t keys) {
  KeyedRows all;
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(7, 1, i);
    const std::size_t key = static_cast<std::size_t>(rng.uniform() * static_cast<double>(keys));
    double sum = static_cast<double>(key % 3) - 1;
    double values[4];
    for (double& value : values) sum += value = rng.normal();
    std::ranges::copy(values,
                      all.rows.add(rng.uniform() < 1 / (1 + std::exp(-sum)) ? 1 : 0).begin());
    all.keys.push_back("key " + std::to_string(key));
  }
  return all;
}

std::string in_temporary_folder(const char* name) {
  const auto path = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path.string();
}

TEST(KeyedModel, EqualsModelsThatSawTheirOwnRowsOnly) {
  const KeyedRows all = keyed_rows(600, 9);
  const Examples examples = all.rows.examples();
  KeyedModel together = KeyedModel::create("", preset("small"), Schema::numeric(4), {.parent = ""});
  KeyedPredictions predictions;
  together.step(all.keys, examples, predictions);
  for (const std::string key : {"key 0", "key 8"}) {
    Model alone(preset("small"), Schema::numeric(4));
    Predictions of_alone;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (all.keys[i] != key) continue;
      alone.step(examples.part(i, 1), of_alone);
      EXPECT_EQ(of_alone.probabilities[0], predictions.probabilities[i]);
    }
    EXPECT_EQ(save_state(alone), save_state(*together.model_of(key)));
  }
}

TEST(KeyedModel, WithAParentEqualsModelsThatHaveItsProbabilitiesAsAScore) {
  const KeyedRows all = keyed_rows(600, 9);
  const Examples examples = all.rows.examples();
  KeyedModel together = KeyedModel::create("", preset("small"), Schema::numeric(4));
  KeyedPredictions predictions;
  together.step(all.keys, examples, predictions);
  Schema schema = Schema::numeric(4);
  schema.scores.push_back({"parent"});
  Model alone(preset("small"), schema);
  Predictions of_alone;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (all.keys[i] != "key 4") continue;
    Examples row = examples.part(i, 1);
    row.x.scores = {&predictions.parents[i], 1};
    alone.step(row, of_alone);
    EXPECT_EQ(of_alone.probabilities[0], predictions.probabilities[i]);
  }
  EXPECT_EQ(save_state(alone), save_state(*together.model_of("key 4")));
}

TEST(KeyedModel, HasTheSameResultsWithAnyMemoryAndWhereverItIsSavedAndOpened) {
  const KeyedRows all = keyed_rows(900, 200);
  const Examples examples = all.rows.examples();
  KeyedPredictions whole;
  KeyedModel::create("", preset("small"), Schema::numeric(4)).step(all.keys, examples, whole);

  const std::string path = in_temporary_folder("parts.keyed");
  KeyedModel::create(path, preset("small"), Schema::numeric(4));
  std::vector<double> parts;
  for (std::size_t first = 0; first < examples.size(); first += 150) {
    KeyedModel model = KeyedModel::open(path, KeyedModel::Use::learn, {.cache_bytes = 20000});
    KeyedPredictions part;
    model.step(std::span(all.keys).subspan(first, 150), examples.part(first, 150), part);
    EXPECT_LT(model.cached_bytes(), 25000);
    EXPECT_GT(model.misses(), 50);
    parts.insert(parts.end(), part.probabilities.begin(), part.probabilities.end());
    model.save(std::vector<Position>{{"rows", first + 150}});
  }
  EXPECT_EQ(parts, whole.probabilities);
  KeyedModel saved = KeyedModel::open(path, KeyedModel::Use::predict);
  EXPECT_EQ(saved.positions(), (std::vector<Position>{{"rows", 900}}));
  std::uint64_t keys = 0, rows = 0;
  saved.each([&](const KeyStatistics& of) {
    ++keys;
    rows += of.rows;
    return true;
  });
  EXPECT_EQ(keys, saved.totals().keys);
  EXPECT_EQ(rows, 900);
}

TEST(KeyedModel, PredictingChangesNothing) {
  const KeyedRows all = keyed_rows(300, 20);
  const Examples examples = all.rows.examples();
  KeyedPredictions without, with, ignored;
  for (KeyedPredictions* predictions : {&without, &with}) {
    KeyedModel model = KeyedModel::create("", preset("small"), Schema::numeric(4));
    for (std::size_t i = 0; i < examples.size(); ++i) {
      KeyedPredictions one;
      if (predictions == &with) model.predict(all.keys, examples.x, ignored);
      model.step({&all.keys[i], 1}, examples.part(i, 1), one);
      predictions->probabilities.push_back(one.probabilities[0]);
    }
  }
  EXPECT_EQ(without.probabilities, with.probabilities);
}

TEST(KeyedModel, ANewStateOfTwentyFeaturesTakesLessThan4KiB) {
  EXPECT_LT(KeyedModel::create("", preset("small"), Schema::numeric(20)).fresh_bytes(), 4096);
}

TEST(KeyedModel, RefusesWhatItCannotDoBeforeThereIsAFile) {
  const std::string path = in_temporary_folder("refused.keyed");
  Config config = preset("small");
  config.batch = 10;
  EXPECT_THROW(KeyedModel::create(path, config, Schema::numeric(4)), Error);
  config = preset("small");
  config.label_delay = 5;
  EXPECT_THROW(KeyedModel::create(path, config, Schema::numeric(4)), Error);
  Schema schema = Schema::numeric(4);
  schema.classes = {"a", "b", "c"};
  EXPECT_THROW(KeyedModel::create(path, preset("small"), schema), Error);
  EXPECT_THROW(KeyedModel::create(path, preset("small"), Schema::numeric(4), {.parent = "none"}),
               Error);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace plumbline
