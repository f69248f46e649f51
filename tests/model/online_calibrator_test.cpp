#include "plumbline/online_calibrator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "plumbline/calibrator.h"
#include "plumbline/config.h"
#include "plumbline/math/loss.h"
#include "plumbline/math/rng.h"
#include "plumbline/model.h"
#include "tests/support.h"

namespace plumbline::online_calibrator_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Rows of scores with their labels.
struct Data {
  std::vector<double> scores;
  std::vector<Label> labels;

  std::span<const double> row(std::size_t i) const {
    const std::size_t width = scores.size() / labels.size();
    return std::span(scores).subspan(i * width, width);
  }
};

// Labels follow the logit z in [-3, 3]; `score_of(z, i)` is what is known of it.
Data binary(std::size_t rows, const std::function<double(double, std::size_t)>& score_of) {
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(11, 0, i);
    const double z = 6 * rng.uniform() - 3;
    data.labels.push_back(rng.uniform() < sigmoid(z) ? 1 : 0);
    data.scores.push_back(score_of(z, i));
  }
  return data;
}

// The expected log-loss of the true probabilities of `binary`, from a quadrature.
double true_loss() {
  double sum = 0;
  constexpr int kPoints = 10000;
  for (int i = 0; i < kPoints; ++i) {
    const double p = sigmoid(6 * (i + 0.5) / kPoints - 3);
    sum -= p * std::log(p) + (1 - p) * std::log(1 - p);
  }
  return sum / kPoints;
}

double loss_of(std::span<const double> p, Label y) {
  return p.size() == 1 ? log_loss(p[0], y) : -std::log(p[y]);
}

// The mean log-loss of rows from `from` on, each predicted before it is learned.
double run(OnlineCalibrator& calibrator, const Data& data, std::size_t from = 0) {
  std::vector<double> p(calibrator.outputs());
  double sum = 0;
  for (std::size_t i = 0; i < data.labels.size(); ++i) {
    calibrator.step(data.row(i), {&data.labels[i], 1}, p);
    if (i >= from) sum += loss_of(p, data.labels[i]);
  }
  return sum / static_cast<double>(data.labels.size() - from);
}

// Three classes; the scores are the true probabilities to a power.
Data classes(std::size_t rows, double power) {
  Data data;
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(12, 0, i);
    std::vector<double> p(3);
    double sum = 0, powers = 0;
    for (double& value : p) sum += value = -std::log(1 - rng.uniform()) + 1e-9;
    for (double& value : p) value /= sum;
    const double u = rng.uniform();
    data.labels.push_back(u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2);
    for (double& value : p) powers += value = std::pow(value, power);
    for (const double value : p) data.scores.push_back(value / powers);
  }
  return data;
}

OnlineCalibrator with_input(ScoreInput input, std::size_t number_of_classes = 2) {
  return OnlineCalibrator({.inputs = {input}, .classes = number_of_classes});
}

// Five standard errors of a mean loss of 5,000 rows, whose deviation is about 0.5.
constexpr double kFiveErrors = 0.036;

TEST(OnlineCalibrator, PassesAScoreThroughBeforeAnyLearning) {
  const std::vector<double> p{0.1, 0.5, 0.9};
  const auto passed = with_input(ScoreInput::probability).predict(p);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(passed[i], p[i], 1e-12);  // rounded to 2^-40
  const auto q = with_input(ScoreInput::probability, 3).predict(p);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(q[k], p[k] / 1.5, 1e-12);  // rounding
  EXPECT_NEAR(with_input(ScoreInput::logit).predict(std::vector<double>{2})[0], sigmoid(2), 1e-12);
}

TEST(OnlineCalibrator, MendsScoresOfEachInput) {
  const auto sharp = [](double z, std::size_t) { return 4 * z + 1; };
  const auto probability = [&](double z, std::size_t i) { return sigmoid(sharp(z, i)); };
  const auto score = [](double z, std::size_t) { return 1000 + 0.01 * z; };
  const struct {
    ScoreInput input;
    Data data;
  } cases[]{{ScoreInput::probability, binary(10000, probability)},
            {ScoreInput::logit, binary(10000, sharp)},
            {ScoreInput::score, binary(10000, score)}};
  for (const auto& [input, data] : cases) {
    OnlineCalibrator calibrator = with_input(input);
    EXPECT_NEAR(run(calibrator, data, 5000), true_loss(), kFiveErrors) << name_of(input);
    EXPECT_EQ(calibrator.examples(), 10000u);
  }
}

TEST(OnlineCalibrator, MendsSeveralClassesJointly) {
  const Data right = classes(10000, 1), wrong = classes(10000, 3);
  double truth = 0, given = 0;
  for (std::size_t i = 5000; i < 10000; ++i) {
    truth += loss_of(right.row(i), right.labels[i]) / 5000;
    given += std::min(loss_of(wrong.row(i), wrong.labels[i]), 13.8) / 5000;
  }
  ASSERT_GT(given, 1.3 * truth);
  OnlineCalibrator calibrator = with_input(ScoreInput::probability, 3);
  EXPECT_LT(run(calibrator, wrong, 5000), 1.01 * truth);
  Data logs = wrong, scores = wrong;
  for (double& value : logs.scores) value = std::log(value) + 5;
  for (double& value : scores.scores) value = 100 * std::log(value) + 1000;
  OnlineCalibrator of_logits = with_input(ScoreInput::logit, 3),
                   of_scores = with_input(ScoreInput::score, 3);
  EXPECT_LT(run(of_logits, logs, 5000), 1.01 * truth);
  // The scale is estimated from 200 values, with an error of 5 %.
  EXPECT_LT(run(of_scores, scores, 5000), 1.03 * truth);
}

TEST(OnlineCalibrator, LosesAtMostItsBoundToTheScoresAsTheyAre) {
  constexpr std::size_t kRows = 2000;
  const auto bound = [&](std::size_t scores) {
    return std::log(2 * static_cast<double>(scores)) + kRows * 1.001e-5;
  };
  // True probabilities: there is nothing to gain.
  const Data two = binary(kRows, [](double z, std::size_t) { return sigmoid(z); });
  double given = 0;
  for (std::size_t i = 0; i < kRows; ++i) given += log_loss(two.scores[i], two.labels[i]);
  for (const char* spec : {"cascade", "histogram", "platt"}) {
    OnlineCalibrator calibrator({.calibrator = spec});
    EXPECT_LE(kRows * run(calibrator, two), given + bound(1)) << spec;
  }
  const Data three = classes(kRows, 1);
  given = 0;
  for (std::size_t i = 0; i < kRows; ++i) given += loss_of(three.row(i), three.labels[i]);
  OnlineCalibrator calibrator = with_input(ScoreInput::probability, 3);
  EXPECT_LE(kRows * run(calibrator, three), given + bound(1));
  // A second score that is noise.
  Data pair{{}, two.labels};
  given = 0;
  for (std::size_t i = 0; i < kRows; ++i) {
    pair.scores.push_back(Rng(13, 0, i).uniform());
    pair.scores.push_back(two.scores[i]);
    given += log_loss(two.scores[i], two.labels[i]);
  }
  OnlineCalibrator of_pair({.scores = 2});
  EXPECT_LE(kRows * run(of_pair, pair), given + bound(2));
}

TEST(OnlineCalibrator, WeighsSeveralScores) {
  // Two halves of the logit.
  Data pair;
  for (std::size_t i = 0; i < 10000; ++i) {
    Rng rng(14, 0, i);
    const double a = 4 * rng.uniform() - 2, b = 4 * rng.uniform() - 2;
    pair.labels.push_back(rng.uniform() < sigmoid(a + b) ? 1 : 0);
    pair.scores.insert(pair.scores.end(), {sigmoid(a), b});
  }
  double truth = 0;
  Data first{{}, pair.labels};
  for (std::size_t i = 0; i < 10000; ++i) {
    const double z =
        std::log(pair.scores[2 * i] / (1 - pair.scores[2 * i])) + pair.scores[2 * i + 1];
    if (i >= 5000) truth += log_loss(sigmoid(z), pair.labels[i]) / 5000;
    first.scores.push_back(pair.scores[2 * i]);
  }
  OnlineCalibrator both({.scores = 2, .inputs = {ScoreInput::probability, ScoreInput::logit}});
  OnlineCalibrator one = with_input(ScoreInput::probability);
  EXPECT_LT(run(both, pair, 5000), truth + 0.01);  // the loss of learning: some tens of nats
  EXPECT_GT(run(one, first, 5000), truth + 0.05);
}

TEST(OnlineCalibrator, ClampsProbabilitiesOfZeroAndOne) {
  for (const double wrong : {0.0, 1.0}) {
    OnlineCalibrator calibrator = with_input(ScoreInput::probability);
    const std::vector<double> score{wrong};
    const double before = calibrator.predict(score)[0];
    EXPECT_NEAR(before, wrong, 1.01e-6);
    EXPECT_TRUE(before > 0 && before < 1);
    // Right nine times of ten.
    const Label usual = wrong == 1 ? 1 : 0;
    for (int i = 0; i < 1000; ++i) {
      calibrator.learn(score, std::vector<Label>{i % 10 == 0 ? Label(1 - usual) : usual});
    }
    EXPECT_NEAR(calibrator.predict(score)[0], wrong == 1 ? 0.9 : 0.1, 0.03);
  }
  OnlineCalibrator several = with_input(ScoreInput::probability, 3);
  for (const double p : several.predict(std::vector<double>{0, 1, 0})) EXPECT_GT(p, 0);
  for (const double p : several.predict(std::vector<double>{0, 0, 0}))
    EXPECT_NEAR(p, 1.0 / 3, 1e-12);
  // Infinite logits are those of 0 and 1.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const OnlineCalibrator logits = with_input(ScoreInput::logit);
  EXPECT_NEAR(logits.predict(std::vector<double>{-kInfinity})[0], 0, 1.01e-6);
  const OnlineCalibrator of_three = with_input(ScoreInput::logit, 3);
  EXPECT_NEAR(of_three.predict(std::vector<double>{-kInfinity, 0, -kInfinity})[1], 1, 1e-5);
}

TEST(OnlineCalibrator, RefusesBadInputAndIsUnchanged) {
  OnlineCalibrator calibrator({.scores = 2,
                               .inputs = {ScoreInput::probability, ScoreInput::score},
                               .columns = {"fast", "slow"}});
  calibrator.learn(std::vector<double>{0.3, 5, 0.4, 6}, std::vector<Label>{1, 0});
  const Tensors before = save_state(calibrator);
  const std::vector<Label> labels{1, 0};
  const auto refused = [&](std::initializer_list<const char*> words, std::vector<double> scores) {
    std::vector<double> p(2);
    test::expect_error(ErrorKind::data, words, [&] { calibrator.predict(scores); });
    test::expect_error(ErrorKind::data, words, [&] { calibrator.learn(scores, labels); });
    test::expect_error(ErrorKind::data, words, [&] { calibrator.step(scores, labels, p); });
  };
  refused({"'slow' of row 2", "not a number", "leave such rows out"}, {0.1, 1, 0.2, kNaN});
  refused({"'fast' of row 1", "nan"}, {kNaN, 1, 0.2, 2});
  refused({"'fast' of row 2", "1.5", "probability from 0 to 1"}, {0.1, 1, 1.5, 2});
  refused({"'slow' of row 1", "inf", "too large"},
          {0.1, std::numeric_limits<double>::infinity(), 1, 2});
  refused({"3 numbers", "a row has 2"}, {0.1, 1, 0.2});
  test::expect_error(ErrorKind::data, {"1 labels of 2 rows"}, [&] {
    calibrator.learn(std::vector<double>{0.1, 1, 0.2, 2}, std::vector<Label>{1});
  });
  test::expect_error(ErrorKind::data, {"label 2 of row 2", "2 classes"}, [&] {
    calibrator.learn(std::vector<double>{0.1, 1, 0.2, 2}, std::vector<Label>{1, 2});
  });
  std::vector<double> p(1);
  test::expect_error(ErrorKind::data, {"not a number"}, [&] {
    calibrator.hold(1, std::vector<double>{kNaN, 0}, p);
  });
  EXPECT_EQ(save_state(calibrator), before);
  calibrator.hold(1, std::vector<double>{0.1, 0}, p);
  test::expect_error(ErrorKind::data, {"id 1", "already"}, [&] {
    calibrator.hold(1, std::vector<double>{0.1, 0}, p);
  });
  test::expect_error(ErrorKind::data, {"label 7"}, [&] { calibrator.learn(1, 7); });
  EXPECT_EQ(calibrator.pending(), 1u);
}

TEST(OnlineCalibrator, LearnsTheShareOfPositivesFromAConstantScore) {
  for (const ScoreInput input : {ScoreInput::probability, ScoreInput::logit, ScoreInput::score}) {
    OnlineCalibrator calibrator = with_input(input);
    const Data data = binary(3000, [](double, std::size_t) { return 0.25; });
    Data skewed = data;
    for (std::size_t i = 0; i < skewed.labels.size(); ++i) {
      skewed.labels[i] = Rng(15, 0, i).uniform() < 0.8 ? 1 : 0;
    }
    run(calibrator, skewed);
    EXPECT_NEAR(calibrator.predict(std::vector<double>{0.25})[0], 0.8, 0.06) << name_of(input);
  }
}

TEST(OnlineCalibrator, FollowsAScoreThatChangesItsScale) {
  const auto tenfold = [](double z, std::size_t i) { return i < 5000 ? z : 10 * z; };
  const auto hundredth = [](double z, std::size_t i) { return i < 5000 ? z : z / 100 + 7; };
  const struct {
    ScoreInput input;
    Data data;
    double lost;  // nats over all rows, at most
  } cases[]{{ScoreInput::logit, binary(10000, tenfold), 150},
            {ScoreInput::score, binary(10000, tenfold), 150},
            {ScoreInput::score, binary(10000, hundredth), 300}};
  for (const auto& [input, data, lost] : cases) {
    OnlineCalibrator calibrator = with_input(input), same = with_input(input);
    const Data steady = binary(10000, [](double z, std::size_t) { return z; });
    EXPECT_LT(10000 * (run(calibrator, data) - run(same, steady)), lost) << name_of(input);
  }
}

// isotonic, histogram and others count equal scores.
TEST(OnlineCalibrator, TreatsScoresThatDifferByRoundingAlike) {
  for (const auto& row : calibrators().rows()) {
    OnlineCalibrator one({.calibrator = Spec(row.name)}), other({.calibrator = Spec(row.name)});
    for (std::uint64_t i = 0; i < 500; ++i) {
      Rng rng(17, 0, i);
      const double p = 0.1 * static_cast<double>(rng.below(10)) + 0.05, q = p * (1 + 1e-15);
      const Label label = rng.uniform() < p ? 1 : 0;
      one.learn({&p, 1}, {&label, 1});
      other.learn(i % 2 == 0 ? std::span(&p, 1) : std::span(&q, 1), {&label, 1});
    }
    EXPECT_EQ(save_state(one), save_state(other)) << row.name;
  }
}

// Within a minibatch the score of the next row is that of the row before, but no minibatch resembles the next one.
TEST(OnlineCalibrator, LearnsTheWeightsOfAMinibatchFromWhatItPredicted) {
  OnlineCalibrator together = with_input(ScoreInput::probability),
                   one_by_one = with_input(ScoreInput::probability);
  double of_together = 0, of_rows = 0;
  std::vector<double> p(50);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const double share = Rng(18, 0, i).uniform();
    std::vector<Label> labels;
    for (std::uint64_t j = 0; j < 50; ++j)
      labels.push_back(Rng(19, 0, 50 * i + j).uniform() < share ? 1 : 0);
    const std::vector<double> scores(50, 0.5);
    const double before = one_by_one.predict(std::vector<double>{0.5})[0];
    together.step(scores, labels, p);
    one_by_one.learn(scores, labels);
    for (const Label label : labels) {
      of_together += log_loss(p[0], label);
      of_rows += log_loss(before, label);
    }
  }
  EXPECT_LT(of_together / 10000, std::log(2) + 0.02);  // 200 nats to learn the weights
  EXPECT_GT(of_rows / 10000, std::log(2) + 0.05);
}

TEST(OnlineCalibrator, LearnsTheSameFromOneCallAndFromMany) {
  for (const std::size_t number : {2u, 3u}) {
    const Data data = number == 2
                          ? binary(300, [](double z, std::size_t) { return sigmoid(2 * z); })
                          : classes(300, 2);
    OnlineCalibrator one = with_input(ScoreInput::probability, number),
                     many = with_input(ScoreInput::probability, number);
    one.learn(data.scores, data.labels);
    for (std::size_t i = 0; i < 300; ++i) many.learn(data.row(i), {&data.labels[i], 1});
    EXPECT_EQ(save_state(one), save_state(many));
    // And predicts them together as one by one.
    const auto together = one.predict(data.scores);
    for (std::size_t i = 0; i < 300; ++i) {
      const auto alone = one.predict(data.row(i));
      for (std::size_t k = 0; k < alone.size(); ++k) {
        EXPECT_EQ(together[i * alone.size() + k], alone[k]);
      }
    }
  }
}

TEST(OnlineCalibrator, LearnsLateLabelsFromThePredictionsOfTheirTime) {
  for (const std::size_t number : {2u, 3u}) {
    const Data data = number == 2
                          ? binary(600, [](double z, std::size_t) { return sigmoid(3 * z); })
                          : classes(600, 3);
    OnlineCalibrator at_once = with_input(ScoreInput::probability, number),
                     by_id = with_input(ScoreInput::probability, number),
                     late = with_input(ScoreInput::probability, number);
    std::vector<double> p(at_once.outputs());
    for (std::size_t i = 0; i < 600; ++i) {
      at_once.learn(data.row(i), {&data.labels[i], 1});
      by_id.hold(i, data.row(i), p);
      EXPECT_TRUE(by_id.learn(i, data.labels[i]));
      // The label of every row but the last fifty is known.
      const auto predicted = late.predict(data.row(i));
      late.hold(1000 + i, data.row(i), p);
      EXPECT_EQ(p, predicted);
      if (i >= 50) {
        EXPECT_TRUE(late.learn(1000 + i - 50, data.labels[i - 50]));
      }
    }
    EXPECT_EQ(save_state(by_id), save_state(at_once));
    EXPECT_EQ(late.pending(), 50u);
    EXPECT_EQ(late.examples(), 550u);
    EXPECT_FALSE(late.learn(1000, 0));
    EXPECT_LT(loss_of(late.predict(data.row(0)), data.labels[0]) - 2, 0);
  }
}

TEST(OnlineCalibrator, LearnsWithALabelDelayAsByIds) {
  constexpr std::size_t kDelay = 50;
  for (const std::size_t number : {2u, 3u}) {
    const Data data = number == 2
                          ? binary(400, [](double z, std::size_t) { return sigmoid(3 * z); })
                          : classes(400, 3);
    const OnlineCalibratorOptions options{.classes = number, .label_delay = kDelay};
    OnlineCalibrator delayed(options), learned(options), in_batches(options),
        by_id = with_input(ScoreInput::probability, number);
    const std::size_t each = delayed.width(), outputs = delayed.outputs();
    std::vector<double> p(outputs), expected(outputs), together(4 * outputs);
    for (std::size_t i = 0; i < 400; ++i) {
      delayed.step(data.row(i), {&data.labels[i], 1}, p);
      by_id.hold(i, data.row(i), expected);
      if (i >= kDelay) {
        EXPECT_TRUE(by_id.learn(i - kDelay, data.labels[i - kDelay]));
      }
      EXPECT_EQ(p, expected);
      EXPECT_EQ(delayed.pending(), std::min(i + 1, kDelay));
      if (i % 4 != 3) continue;
      const auto rows = std::span(data.scores).subspan((i - 3) * each, 4 * each);
      const auto labels = std::span(data.labels).subspan(i - 3, 4);
      learned.learn(rows, labels);
      in_batches.step(rows, labels, together);
      // Each row of a minibatch is predicted before any label becomes known by it.
      EXPECT_EQ(in_batches.examples(), delayed.examples());
    }
    EXPECT_EQ(save_state(learned), save_state(delayed));
    EXPECT_EQ(delayed.examples(), 350u);
    EXPECT_EQ(delayed.predict(data.row(0)), by_id.predict(data.row(0)));
  }
}

TEST(OnlineCalibrator, ResumesExactlyWithALabelDelay) {
  for (const std::size_t number : {2u, 3u}) {
    const OnlineCalibratorOptions options{
        .inputs = {ScoreInput::score}, .classes = number, .label_delay = 7};
    OnlineCalibrator whole(options), part(options);
    std::vector<double> row(whole.width()), p(whole.outputs()), again(whole.outputs());
    for (std::uint64_t i = 0; i < 60; ++i) {
      Rng rng(17, 0, i);
      for (double& value : row) value = 9 * rng.uniform();
      const auto label = static_cast<Label>(rng.below(number));
      part = OnlineCalibrator::from_bytes(part.to_bytes(), "the bytes");
      whole.step(row, {&label, 1}, p);
      part.step(row, {&label, 1}, again);
      EXPECT_EQ(p, again);
    }
    EXPECT_EQ(part.to_bytes(), whole.to_bytes());
    EXPECT_EQ(part.options().label_delay, 7u);
  }
  test::expect_error(ErrorKind::config, {"label delay"},
                     [] { OnlineCalibrator calibrator({.label_delay = 1000001}); });
}

TEST(OnlineCalibrator, RefusesAFileWithAnImpossibleLateRow) {
  OnlineCalibrator calibrator({.label_delay = 3});
  const std::vector<double> scores{0.2, 0.7};
  calibrator.learn(scores, std::vector<Label>{0, 1});
  for (const auto& [at, wrong, words] :
       {std::tuple{0u, 2.0, "late.numbers"}, {1u, 1.5, "no class"}, {1u, 2.0, "no class"}}) {
    Tensors tensors = save_state(calibrator);
    for (Tensor& tensor : tensors) {
      if (tensor.name != "late.numbers") continue;
      const std::size_t place = at == 0 ? 0 : tensor.bytes.size() / sizeof(double) - 1;
      std::memcpy(tensor.bytes.data() + place * sizeof(double), &wrong, sizeof(double));
    }
    OnlineCalibrator other({.label_delay = 3});
    test::expect_error(ErrorKind::model_file, {words}, [&] { load_state(other, tensors); });
  }
}

TEST(OnlineCalibrator, LearnsTheRowPredictedLastWithoutPredictingItAgain) {
  for (const OnlineCalibratorOptions& options :
       {OnlineCalibratorOptions{.inputs = {ScoreInput::score}},
        {.classes = 3},
        {.inputs = {ScoreInput::score}, .label_delay = 3}}) {
    const Data data = options.classes == 2
                          ? binary(200, [](double z, std::size_t) { return 5 * z; })
                          : classes(200, 3);
    OnlineCalibrator plain(options), quick(options);
    std::vector<double> p(plain.outputs());
    EXPECT_FALSE(quick.learn_last(1));
    for (std::size_t i = 0; i < 200; ++i) {
      quick.predict_next(data.row(i), p);
      EXPECT_EQ(p, plain.predict(data.row(i)));
      EXPECT_TRUE(quick.learn_last(data.labels[i]));
      plain.learn(data.row(i), {&data.labels[i], 1});
    }
    EXPECT_EQ(save_state(quick), save_state(plain));
    // Whatever learns or holds another row forgets the one predicted.
    const auto forgets = [&](const auto& change) {
      quick.predict_next(data.row(0), p);
      change();
      EXPECT_FALSE(quick.learn_last(1));
    };
    forgets([&] { quick.learn(data.row(1), {&data.labels[1], 1}); });
    forgets([&] { quick.step(data.row(1), {&data.labels[1], 1}, p); });
    forgets([&] { quick.hold(1, data.row(1), p); });
    forgets([&] { quick.learn(1, data.labels[1]); });
    forgets([&] { load_state(quick, save_state(plain)); });
    EXPECT_EQ(save_state(quick), save_state(plain));
  }
}

TEST(OnlineCalibrator, DropsTheOldestOfTooManyPendingRows) {
  OnlineCalibrator calibrator({.max_pending = 2});
  std::vector<double> p(1);
  for (std::uint64_t id = 1; id <= 3; ++id) calibrator.hold(id, std::vector<double>{0.5}, p);
  EXPECT_EQ(calibrator.pending(), 2u);
  EXPECT_EQ(calibrator.dropped(), 1u);
  EXPECT_FALSE(calibrator.learn(1, 1));
  EXPECT_TRUE(calibrator.learn(2, 1));
}

TEST(OnlineCalibrator, ResumesExactlyWithPendingRows) {
  const std::vector<OnlineCalibratorOptions> all{
      {},
      {.calibrator = "mixture"},
      {.inputs = {ScoreInput::score}, .calibrator = "platt"},
      {.inputs = {ScoreInput::score}, .classes = 3},
      {.scores = 2, .inputs = {ScoreInput::logit, ScoreInput::score}, .classes = 20}};
  for (const OnlineCalibratorOptions& options : all) {
    OnlineCalibrator whole(options), part(options);
    std::vector<double> row(whole.width()), p(whole.outputs()), again(whole.outputs());
    for (std::uint64_t i = 0; i < 120; ++i) {
      Rng rng(16, 0, i);
      for (double& value : row) value = rng.uniform();
      const auto label = static_cast<Label>(rng.below(options.classes));
      part = OnlineCalibrator::from_bytes(part.to_bytes(), "the bytes");
      whole.hold(i, row, p);
      part.hold(i, row, again);
      EXPECT_EQ(p, again);
      if (i % 3 == 0) continue;
      whole.learn(i - 1, label);
      part.learn(i - 1, label);
    }
    EXPECT_EQ(part.to_bytes(), whole.to_bytes());
    EXPECT_EQ(part.options().columns, whole.options().columns);
  }
}

// Rows of a model that is too sure: its logits are three times the true ones, of two classes at first, then of three.
struct TooSure {
  explicit TooSure(std::uint64_t row, bool third) {
    Rng rng(3, 0, row);
    std::vector<double> z{rng.normal(), rng.normal()};
    if (third) z.push_back(rng.normal() - 1);
    std::vector<double> p;
    for (const double one : z) {
      p.push_back(std::exp(one));
      scores.push_back(std::exp(3 * one));
    }
    const auto divide = [](std::vector<double>& numbers) {
      const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
      for (double& number : numbers) number /= sum;
    };
    divide(p);
    divide(scores);
    two = {scores[1]};
    const double u = rng.uniform();
    label = u < p[0] ? Label{0} : u < p[0] + p[1] || !third ? Label{1} : Label{2};
  }
  std::vector<double> scores, two;
  Label label;
};

double mean_loss_of_third_phase(OnlineCalibrator& calibrator) {
  double sum = 0;
  constexpr std::uint64_t kRows = 100;
  for (std::uint64_t i = 5000; i < 5000 + kRows; ++i) {
    const TooSure row(i, true);
    sum -= std::log(calibrator.predict(row.scores)[row.label]);
    calibrator.learn(row.scores, {&row.label, 1});
  }
  return sum / kRows;
}

TEST(OnlineCalibrator, KeepsWhatItLearnedWhenAClassIsAdded) {
  OnlineCalibrator grown({.class_names = {"a", "b"}});
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const TooSure row(i, false);
    grown.learn(row.two, {&row.label, 1});
  }
  const std::vector<double> scores{0.3, 0.7, 1e-6}, two{0.7};
  const double before = grown.predict(two)[0];
  const double weight = grown.weights().back().weight;
  grown.add_class("c");
  EXPECT_EQ(grown.options().classes, 3u);
  EXPECT_EQ(grown.examples(), 2000u);
  EXPECT_EQ(grown.weights().back().weight, weight);
  // The joint map is that of the calibrator around even odds: exactly so up to the curvature of that one.
  EXPECT_NEAR(grown.predict(scores)[1], before, 0.02);
  OnlineCalibrator anew({.classes = 3, .class_names = {"a", "b", "c"}});
  OnlineCalibrator grown_again = OnlineCalibrator::from_bytes(grown.to_bytes(), "the bytes");
  const double kept = mean_loss_of_third_phase(grown), fresh = mean_loss_of_third_phase(anew);
  EXPECT_LT(kept, fresh - 0.01);
  EXPECT_EQ(mean_loss_of_third_phase(grown_again), kept);

  // A fourth class changes nothing about the three, except that it gets its share: 0 is clamped to 1e-6, which at the
  // slope of 1/3 is a hundredth.
  const std::vector<double> three = grown.predict(std::vector<double>{0.2, 0.7, 0.1});
  grown.add_class("d");
  const std::vector<double> four = grown.predict(std::vector<double>{0.2, 0.7, 0.1, 0});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(four[k], three[k], 0.02) << k;
  EXPECT_LT(four[3], 0.02);
  EXPECT_EQ(grown.options().columns.size(), 4u);
}

TEST(OnlineCalibrator, RefusesAClassWhileRowsWaitOrThatItHas) {
  OnlineCalibrator calibrator({.class_names = {"a", "b"}});
  double p = 0;
  const double score = 0.3;
  calibrator.hold(7, {&score, 1}, {&p, 1});
  const std::vector<std::byte> before = calibrator.to_bytes();
  test::expect_error(ErrorKind::data, {"1 rows wait", "'c'"}, [&] { calibrator.add_class("c"); });
  test::expect_error(ErrorKind::data, {"'a'"}, [&] { calibrator.add_class("a"); });
  EXPECT_EQ(calibrator.to_bytes(), before);
}

TEST(OnlineCalibrator, AndModelRefuseEachOthersFiles) {
  const OnlineCalibrator calibrator({});
  const Model model(preset("fast"), Schema::numeric(2));
  test::expect_error(ErrorKind::model_file, {"calibrator of scores"},
                     [&] { Model::from_bytes(calibrator.to_bytes(), "a"); });
  test::expect_error(ErrorKind::model_file, {"model of rows"},
                     [&] { OnlineCalibrator::from_bytes(model.to_bytes(), "b"); });
}

TEST(OnlineCalibrator, RefusesTruncatedFiles) {
  OnlineCalibrator calibrator = with_input(ScoreInput::probability, 3);
  std::vector<double> p(3);
  calibrator.hold(1, std::vector<double>{0.1, 0.2, 0.7}, p);
  const auto bytes = calibrator.to_bytes();
  for (const std::size_t size : {bytes.size() - 8, bytes.size() / 2, std::size_t{4}}) {
    test::expect_error(ErrorKind::model_file, {"file"},
                       [&] { OnlineCalibrator::from_bytes(std::span(bytes).first(size), "file"); });
  }
}

TEST(OnlineCalibrator, RefusesOptionsThatAreWrong) {
  const auto refused = [](std::initializer_list<const char*> words,
                          OnlineCalibratorOptions options) {
    test::expect_error(ErrorKind::config, words, [&] { OnlineCalibrator calibrator(options); });
  };
  refused({"scores", "16", "15"}, {.scores = 16});
  refused({"classes", "1"}, {.classes = 1});
  refused({"calibrator", "plat", "platt"}, {.calibrator = "plat"});
  refused({"inputs", "2"}, {.inputs = {ScoreInput::logit, ScoreInput::score}});
  refused({"names of columns"}, {.scores = 2, .columns = {"a"}});
  refused({"pending"}, {.max_pending = 0});
  test::expect_error(ErrorKind::config, {"input", "odds", "logit"},
                     [] { score_input_named("odds"); });
}

TEST(OnlineCalibrator, SaysWhatItsAverageConsistsOf) {
  OnlineCalibrator calibrator({.columns = {"model"}});
  run(calibrator, binary(2000, [](double z, std::size_t) { return sigmoid(4 * z); }));
  const auto weights = calibrator.weights();
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0].name, "model");
  EXPECT_EQ(weights[1].name, "calibrator");
  EXPECT_GT(weights[1].weight, 0.99);
  EXPECT_FALSE(calibrator.parts().empty());
}

}  // namespace
}  // namespace plumbline::online_calibrator_test
