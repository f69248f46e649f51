#include "plumbline/ensemble/score_sources.h"

#include <gtest/gtest.h>

#include "plumbline/data/score_table.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/learner.h"
#include "plumbline/math/loss.h"
#include "tests/ensemble/serial_boost.h"
#include "tests/support.h"

namespace plumbline::score_sources_test {
namespace {

struct Said {
  ScoreTable table;
  Margins margins;
};

Said ask(const ScoreSources& sources, const Batch& batch) {
  Said said;
  sources.scores(batch, {}, said.table, said.margins);
  return said;
}

TEST(ScoreSources, SaysWhatItsEnsembleAndItsCompanionsSay) {
  const OnlineBoost::Params params{.size = 3, .score = ScoreKind::logistic};
  ScoreSources sources(learners(), params, "gaussian_nb", {"logistic", "logistic_adaptive"}, 21, 0,
                       1);
  OnlineBoost ensemble = test::serial_boost(
      params, [] { return learners().make("gaussian_nb", 21); }, 1);
  const auto logistic = learners().make("logistic", 21),
             adaptive = learners().make("logistic_adaptive", 21);
  const Minibatch data = test::waveform(200), fresh = test::waveform(20, 2);

  Said said = ask(sources, data.features());
  sources.train(data.examples(), said.margins);
  ensemble.train(data.examples());
  const std::vector<double> ones(200, 1);
  for (Learner* one : {logistic.get(), adaptive.get()}) {
    one->learn_batch(data.examples(), ones, Weighting::importance);
  }

  said = ask(sources, fresh.features());
  const Scores scores = said.table.scores();
  ASSERT_EQ(scores.columns(), 5u);
  std::vector<double> expected(20);
  ensemble.scores(fresh.features(), expected);
  EXPECT_TRUE(std::ranges::equal(scores.column(0), expected));
  for (std::size_t c = 0; c < 2; ++c) {
    (c == 0 ? logistic : adaptive)->margins(fresh.features(), expected);
    for (double& value : expected) value = sigmoid(value);
    EXPECT_TRUE(std::ranges::equal(scores.column(3 + c), expected)) << c;
  }
  for (const double s : scores.values) EXPECT_TRUE(s >= 0 && s <= 1) << s;
}

TEST(ScoreSources, GivesTheOtherScoreToo) {
  const Minibatch data = test::waveform(200);
  for (const ScoreKind kind : {ScoreKind::logistic, ScoreKind::vote_fraction}) {
    const ScoreKind other =
        kind == ScoreKind::logistic ? ScoreKind::vote_fraction : ScoreKind::logistic;
    ScoreSources one(learners(), {.size = 3, .score = kind}, "gaussian_nb", {}, 21, 0, 1);
    ScoreSources two(learners(), {.size = 3, .score = other}, "gaussian_nb", {}, 21, 0, 1);
    for (ScoreSources* sources : {&one, &two}) sources->train(data.examples(), {});
    Said first = ask(one, data.features()), second = ask(two, data.features());
    EXPECT_TRUE(std::ranges::equal(first.table.column(0), second.table.column(1)));
    EXPECT_TRUE(std::ranges::equal(first.table.column(1), second.table.column(0)));
    EXPECT_TRUE(std::ranges::equal(first.table.column(2), second.table.column(2)));
  }
}

}  // namespace
}  // namespace plumbline::score_sources_test
