// How long the inner loops take: examples per second of training and of scoring, for ensembles of
// several sizes. Google Benchmark's options apply (--help).
#include <benchmark/benchmark.h>

#include "plumbline/core/rng.h"
#include "plumbline/ensemble/bank.h"
#include "plumbline/ensemble/online_boost.h"

namespace plumbline {
namespace {

Minibatch examples(std::size_t rows, std::size_t features) {
  Minibatch batch(features);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(1, 0, i);
    const Label label = rng.uniform() < 0.5 ? 1 : 0;
    for (double& x : batch.add(label)) x = rng.normal() + 0.2 * label;
  }
  return batch;
}

OnlineBoost ensemble(const Spec& learner, std::size_t size, std::size_t features,
                     Correctness correctness) {
  const OnlineBoost::Params params{.size = static_cast<std::int64_t>(size),
                                   .correctness = correctness};
  return OnlineBoost(params, make_bank(learner, size, features, false), 1);
}

void count(benchmark::State& state, std::size_t rows, std::size_t size, std::size_t features) {
  const auto done = static_cast<double>(state.iterations()) * static_cast<double>(rows);
  state.counters["examples/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  state.counters["ns_per_moment"] =
      benchmark::Counter(done * static_cast<double>(size * features) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void train(benchmark::State& state, const char* learner, Correctness correctness) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const auto features = static_cast<std::size_t>(state.range(1));
  const auto rows = static_cast<std::size_t>(state.range(2));
  const Minibatch batch = examples(rows, features);
  OnlineBoost boost = ensemble(learner, size, features, correctness);
  for (int i = 0; i < 20; ++i) boost.train(batch.examples());
  for (auto _ : state) boost.train(batch.examples());
  count(state, rows, size, features);
}

void score(benchmark::State& state, const char* learner) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const auto features = static_cast<std::size_t>(state.range(1));
  const auto rows = static_cast<std::size_t>(state.range(2));
  const Minibatch batch = examples(rows, features);
  OnlineBoost boost = ensemble(learner, size, features, Correctness::after_update);
  boost.train(batch.examples());
  std::vector<double> scores(rows);
  for (auto _ : state) boost.scores(batch.features(), scores);
  count(state, rows, size, features);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Args({10, 8, 50})->Args({10, 54, 50})->Args({25, 54, 100});
}

BENCHMARK_CAPTURE(train, nb_after, "gaussian_nb", Correctness::after_update)->Apply(sizes);
BENCHMARK_CAPTURE(train, nb_before, "gaussian_nb", Correctness::before_update)->Apply(sizes);
BENCHMARK_CAPTURE(train, nb_before_batch, "gaussian_nb", Correctness::before_batch)->Apply(sizes);
BENCHMARK_CAPTURE(train, logistic_after, "logistic", Correctness::after_update)->Apply(sizes);
BENCHMARK_CAPTURE(score, nb, "gaussian_nb")->Apply(sizes);
BENCHMARK_CAPTURE(score, logistic, "logistic")->Apply(sizes);

}  // namespace
}  // namespace plumbline

BENCHMARK_MAIN();
