// A fixed piece of work for each of the main kernels, to have its instructions counted by callgrind
// (guard.py). What is counted is each function `guard_…`; what they need is made before.
//
// Prints what the counts depend on: the compiler, the C library and the vectors, which are those of AVX2 on
// every machine that has them; on others it exits with 77.

#include <gnu/libc-version.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/kernels/examples.h"
#include "plumbline/calibrator.h"
#include "plumbline/companions/companion.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/number.h"
#include "plumbline/io/source.h"
#include "plumbline/kernels/instruction_set.h"
#include "plumbline/learner.h"
#include "plumbline/learners/bank.h"
#include "plumbline/math/rng.h"

#define GUARD(name) extern "C" __attribute__((noipa)) void guard_##name

namespace {

using namespace plumbline;

constexpr std::size_t kSize = 25, kFeatures = 54, kRows = 100;

OnlineBoost trained(const Spec& learner, Correctness correctness, const Examples& examples) {
  const OnlineBoost::Params params{.size = kSize, .correctness = correctness};
  OnlineBoost boost(params, make_bank(learners(), learner, kSize, kFeatures, {}), 1);
  // Then `before_batch` is what it says.
  for (int i = 0; i < 20; ++i) boost.train(examples);
  return boost;
}

// Scores of four kinds, as the preset `auto` has them and one more.
std::vector<double> scores(std::size_t rows, std::size_t kinds = 4) {
  std::vector<double> all;
  for (std::size_t i = 0; i < kinds * rows; ++i) all.push_back(Rng(1, 1, i).uniform());
  return all;
}

std::string csv(std::size_t rows, std::size_t columns) {
  std::string text = "label";
  for (std::size_t j = 1; j < columns; ++j) text += ",x" + std::to_string(j);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(1, 2, i);
    text += i % 2 == 0 ? "\n1" : "\n0";
    for (std::size_t j = 1; j < columns; ++j) text += "," + std::to_string(rng.normal());
  }
  return text + "\n";
}

}  // namespace

GUARD(nb_after_update)(OnlineBoost& boost, const Examples& rows) { boost.train(rows); }
GUARD(nb_before_update)(OnlineBoost& boost, const Examples& rows) { boost.train(rows); }
GUARD(nb_before_batch)(OnlineBoost& boost, const Examples& rows) { boost.train(rows); }
GUARD(nb_margins)(const OnlineBoost& boost, const Batch& rows, std::span<double> scores) {
  boost.scores(rows, scores);
}
GUARD(logistic_learn)(OnlineBoost& boost, const Examples& rows) { boost.train(rows); }
GUARD(logistic_margins)(const OnlineBoost& boost, const Batch& rows, std::span<double> scores) {
  boost.scores(rows, scores);
}
GUARD(logistic_adaptive_learn)
(Learner& learner, const Examples& rows, std::span<const double> weights, std::span<Label> votes) {
  learner.learn_each(rows, weights, {}, votes);
}
GUARD(logistic_adaptive_margins)
(const Learner& learner, const Batch& rows, std::span<double> margins) {
  learner.margins(rows, margins);
}
GUARD(cascade_calibrate)
(Calibrator& calibrator, const Scores& scores, std::span<const Label> labels) {
  calibrator.calibrate(scores, labels);
}
GUARD(cascade_apply)
(const Calibrator& calibrator, const Scores& scores, std::span<double> probabilities) {
  calibrator.apply(scores, probabilities);
}
GUARD(cascade_step)
(Calibrator& calibrator, const Scores& scores, std::span<const Label> labels,
 std::span<double> probabilities, std::span<double> trace) {
  calibrator.apply_traced(scores, probabilities, trace);
  calibrator.calibrate_traced(scores, labels, trace);
}
GUARD(neighbors_margins)
(const Companion& neighbors, const Batch& rows, std::span<double> margins) {
  neighbors.margins(rows, 0, margins);
}
GUARD(neighbors_learn)(Companion& neighbors, const Examples& rows) { neighbors.learn(rows); }
GUARD(csv_read)(CsvReader& reader, double& sum) {
  while (reader.next()) {
    for (const std::string_view field : reader.row().fields) sum += *parse_number(field);
  }
}
GUARD(poisson)(std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < 1000; ++i) sum += Rng(1, kLearnerStream, i).poisson(1.0);
}

int main() {
  if (!kernels::is_supported(kernels::InstructionSet::avx2)) {
    std::puts("this processor has no AVX2");
    return 77;
  }
  kernels::use_instruction_set(kernels::InstructionSet::avx2);
  std::printf("gcc %s, C library %s, AVX2\n", __VERSION__, gnu_get_libc_version());

  const Minibatch data = bench::examples(kRows, kFeatures);
  const Examples rows = data.examples();
  std::vector<double> out(kRows);
  {
    OnlineBoost boost = trained("gaussian_nb", Correctness::after_update, rows);
    guard_nb_after_update(boost, rows);
    boost.scores(rows.x, out);
    guard_nb_margins(boost, rows.x, out);
  }
  {
    OnlineBoost boost = trained("gaussian_nb", Correctness::before_update, rows);
    guard_nb_before_update(boost, rows);
  }
  {
    OnlineBoost boost = trained("gaussian_nb", Correctness::before_batch, rows);
    boost.train(rows);
    guard_nb_before_batch(boost, rows);
  }
  {
    OnlineBoost boost = trained("logistic", Correctness::after_update, rows);
    guard_logistic_learn(boost, rows);
    boost.scores(rows.x, out);
    guard_logistic_margins(boost, rows.x, out);
  }
  {
    const auto learner = learners().make("logistic_adaptive:reach=10", kFeatures);  // as in auto
    const std::vector<double> weights(kRows, 1.0);
    std::vector<Label> votes(kRows);
    learner->learn_each(rows, weights, {}, votes);
    guard_logistic_adaptive_learn(*learner, rows, weights, votes);
    learner->margins(rows.x, out);
    guard_logistic_adaptive_margins(*learner, rows.x, out);
  }
  {
    const auto cascade = calibrators().make("cascade", 4);
    const std::vector<double> all = scores(kRows);
    for (int i = 0; i < 5; ++i) {
      cascade->observe(rows.y);
      cascade->calibrate({all, kRows}, rows.y);
    }
    cascade->apply({all, kRows}, out);
    guard_cascade_calibrate(*cascade, {all, kRows}, rows.y);
    guard_cascade_apply(*cascade, {all, kRows}, out);
  }
  {
    // As many scores as in the preset `auto`.
    constexpr std::size_t kScores = 16;
    const auto cascade = calibrators().make("cascade", kScores);
    const std::vector<double> all = scores(kRows, kScores);
    std::vector<double> trace(cascade->trace_columns() * kRows);
    cascade->calibrate({all, kRows}, rows.y);
    guard_cascade_step(*cascade, {all, kRows}, rows.y, out, trace);
  }
  {
    const auto neighbors = companions().make(
        "neighbors", {.features = kFeatures, .several_classes = false, .seed = 1});
    for (int i = 0; i < 50; ++i) neighbors->learn(rows);
    std::vector<double> margins(2 * kRows);
    guard_neighbors_margins(*neighbors, rows.x, margins);
    guard_neighbors_learn(*neighbors, rows);
  }
  double sum = 0;
  CsvReader reader(source_from(csv(500, kFeatures), "rows"), "rows");
  guard_csv_read(reader, sum);
  std::uint64_t draws = 0;
  guard_poisson(draws);
  // So that nothing is left out as useless.
  return sum == 0 || draws == 0;
}
