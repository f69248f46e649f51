// Scores of other models beside the features (Schema::scores, ColumnChoices::scores).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "plumbline/config.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/model.h"
#include "plumbline/session.h"
#include "tests/encoding/fitted.h"
#include "tests/support.h"

namespace plumbline::model_scores_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Labels follow x + z; the model sees x alone, and the score follows z.
struct Data {
  std::vector<double> x, scores;
  std::vector<Label> y;

  Examples row(std::size_t i) const { return rows(i, 1); }
  Examples rows(std::size_t first, std::size_t count) const {
    return {{.values = std::span(x).subspan(first, count),
             .rows = count,
             .columns = 1,
             .scores = std::span(scores).subspan(first, count)},
            std::span(y).subspan(first, count)};
  }
};

Data data(std::size_t rows, ScoreInput input = ScoreInput::probability) {
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(31, 0, i);
    const double x = 4 * rng.uniform() - 2, z = 6 * rng.uniform() - 3;
    data.x.push_back(x);
    data.scores.push_back(input == ScoreInput::probability ? sigmoid(z)
                          : input == ScoreInput::logit     ? z
                                                           : 1000 + 50 * z);
    data.y.push_back(rng.uniform() < sigmoid(x + z) ? 1 : 0);
  }
  return data;
}

Schema schema(ScoreInput input = ScoreInput::probability) {
  Schema schema = Schema::numeric(1);
  schema.scores = {{"other", input}};
  return schema;
}

double mean_loss(Model& model, const Data& data) {
  Predictions predictions;
  double sum = 0;
  for (std::size_t i = 0; i < data.y.size(); ++i) {
    model.step(data.row(i), predictions);
    sum += log_loss(predictions.probabilities[0], data.y[i]);
  }
  return sum / static_cast<double>(data.y.size());
}

TEST(ModelScores, OfAnotherModelAreWeighedByTheCalibrator) {
  Data without = data(3000);
  double score_alone = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    score_alone += log_loss(without.scores[i], without.y[i]) / 3000;
  }
  without.scores.clear();
  Model alone(preset("auto"), Schema::numeric(1));
  Predictions predictions;
  double alone_loss = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    alone.step({{.values = {&without.x[i], 1}, .rows = 1, .columns = 1}, {&without.y[i], 1}},
               predictions);
    alone_loss += log_loss(predictions.probabilities[0], without.y[i]) / 3000;
  }
  for (const ScoreInput input : {ScoreInput::probability, ScoreInput::logit, ScoreInput::score}) {
    Model model(preset("auto"), schema(input));
    const double loss = mean_loss(model, data(3000, input));
    EXPECT_LT(loss, score_alone - 0.01) << name_of(input);
    EXPECT_LT(loss, alone_loss - 0.05) << name_of(input);
    EXPECT_EQ(model.schema().features, (std::vector<std::string>{"x1"}));
  }
}

TEST(ModelScores, MissingOnesCountAsNoOpinion) {
  const Data all = data(300);
  for (const ScoreInput input : {ScoreInput::probability, ScoreInput::logit}) {
    Model one(preset("auto"), schema(input)), two(preset("auto"), schema(input));
    Predictions predictions;
    for (std::size_t i = 0; i < 300; ++i) {
      const bool none = i % 3 == 0;
      const double missing = none ? kNaN : all.scores[i];
      const double neutral = none ? (input == ScoreInput::probability ? 0.5 : 0.0) : all.scores[i];
      Examples row = all.row(i);
      row.x.scores = {&missing, 1};
      one.step(row, predictions);
      row.x.scores = {&neutral, 1};
      two.step(row, predictions);
    }
    EXPECT_EQ(save_state(one), save_state(two));
  }
  // One of any unit has no neutral number; it does not change the scale either.
  Model model(preset("auto"), schema(ScoreInput::score));
  Predictions predictions;
  for (std::size_t i = 0; i < 300; ++i) {
    Examples row = all.row(i);
    const double missing = kNaN;
    row.x.scores = {&missing, 1};
    model.step(row, predictions);
    EXPECT_TRUE(std::isfinite(predictions.probabilities[0]));
  }
  for (const Tensor& tensor : save_state(model)) {
    if (tensor.name != "scores.scale1.count") continue;
    EXPECT_EQ(tensor.bytes, std::vector<std::byte>(8));
  }
}

TEST(ModelScores, ResumeExactly) {
  const Data all = data(200, ScoreInput::score);
  for (const auto& [delay, policy] : {std::pair{0, "always:action=both"},
                                      {7, "always:action=both"},
                                      {7, "ucb1"},
                                      {7, "greedy"}}) {
    Config config = preset("fast");
    config.batch = 4;
    config.label_delay = delay;
    config.model.policy = policy;
    config.model.reward = "log_loss:on=same_batch";
    Model whole(config, schema(ScoreInput::score)), part(config, schema(ScoreInput::score));
    Predictions predictions, again;
    for (std::size_t i = 0; i < 200; i += 4) {
      whole.step(all.rows(i, 4), predictions);
      part = Model::from_bytes(part.to_bytes(), "the bytes");
      part.step(all.rows(i, 4), again);
      EXPECT_EQ(predictions.probabilities, again.probabilities);
    }
    EXPECT_EQ(part.to_bytes(), whole.to_bytes());
    EXPECT_EQ(part.schema(), whole.schema());
  }
}

TEST(ModelScores, OfAStreamAreThoseOfRows) {
  const Data all = data(300);
  std::string text = "other,x,label\n";
  for (std::size_t i = 0; i < 300; ++i) {
    text += std::to_string(all.scores[i]) + "," + std::to_string(all.x[i]) + "," +
            std::to_string(static_cast<int>(all.y[i])) + "\n";
  }
  Session session(test::csv(text), preset("fast"), {.scores = {"other"}});
  Model model(preset("fast"), [] {
    Schema named = schema();
    named.features = {"x"};
    return named;
  }());
  EXPECT_EQ(session.model().schema().features, (std::vector<std::string>{"x"}));
  Predictions predictions;
  std::size_t i = 0;
  while (session.step()) {
    const std::size_t rows = session.labels().size();
    std::vector<double> x, scores;
    for (std::size_t k = i; k < i + rows; ++k) {
      x.push_back(std::stod(std::to_string(all.x[k])));
      scores.push_back(std::stod(std::to_string(all.scores[k])));
    }
    model.step({{.values = x, .rows = rows, .columns = 1, .scores = scores},
                std::span(all.y).subspan(i, rows)},
               predictions);
    EXPECT_EQ(predictions.probabilities, session.predictions().probabilities);
    i += rows;
  }
  EXPECT_EQ(i, 300u);
}

TEST(ModelScores, ThatCannotBeUsedAreRefused) {
  const auto refused = [](std::initializer_list<const char*> words, const char* config,
                          const Schema& schema) {
    test::expect_error(ErrorKind::config, words, [&] { Model model(preset(config), schema); });
  };
  refused({"'platt'", "'other'", "cascade"}, "paper", schema());
  Schema several = schema();
  several.classes = {"a", "b", "c"};
  refused({"several classes", "'other'", "plumbline calibrate"}, "auto", several);
  Schema many = schema();
  for (const char* name : {"b", "c", "d", "e"}) many.scores.push_back({name});
  refused({"22 scores", "23", "5 of other models"}, "auto", many);
  Schema twice = schema();
  twice.scores.push_back({"other"});
  refused({"two scores", "'other'"}, "auto", twice);

  Model model(preset("auto"), schema());
  const Data all = data(10);
  Predictions predictions;
  model.step(all.rows(0, 5), predictions);
  const auto before = model.to_bytes();
  const std::vector<double> wrong{0.5, 1.5};
  Examples rows = all.rows(5, 2);
  rows.x.scores = wrong;
  test::expect_error(ErrorKind::data, {"'other' of row 2", "1.5", "probability"},
                     [&] { model.step(rows, predictions); });
  test::expect_error(ErrorKind::data, {"'other' of row 2"}, [&] { model.predict(rows.x); });
  rows.x.scores = {};
  test::expect_error(ErrorKind::data, {"0 scores", "1 for each of 2 rows"},
                     [&] { model.step(rows, predictions); });
  test::expect_error(ErrorKind::data, {"0 scores"}, [&] { model.predict(rows.x); });
  EXPECT_EQ(model.to_bytes(), before);
}

}  // namespace
}  // namespace plumbline::model_scores_test
