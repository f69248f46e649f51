// The speed of the inner loops: examples per second of training and of scoring, for ensembles of several
// sizes, draws, and how near the Naive Bayes kernels come to what the machine could do (roofline.h).
//
//   kernels [--roofline=FILE] [--quick] [OPTIONS OF GOOGLE BENCHMARK]
//
// The roofline is printed last, and written to FILE as JSON. --benchmark_filter=NONE leaves out the rest.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/examples.h"
#include "bench/kernels/roofline.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/kernels/gaussian_nb.h"
#include "plumbline/learners/bank.h"
#include "plumbline/math/rng.h"

namespace plumbline {
namespace {

using bench::examples;

OnlineBoost ensemble(const Spec& learner, std::size_t size, std::size_t features,
                     Correctness correctness) {
  const OnlineBoost::Params params{.size = static_cast<std::int64_t>(size),
                                   .correctness = correctness};
  return OnlineBoost(params, make_bank(learners(), learner, size, features, {}), 1);
}

void count(benchmark::State& state, std::size_t rows, std::size_t size, std::size_t features) {
  const auto done = static_cast<double>(state.iterations()) * static_cast<double>(rows);
  state.counters["examples/s"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  // Seconds for one learner, feature and example.
  state.counters["per_value"] =
      benchmark::Counter(done * static_cast<double>(size * features),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void train(benchmark::State& state, const char* learner, Correctness correctness) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const auto features = static_cast<std::size_t>(state.range(1));
  const auto rows = static_cast<std::size_t>(state.range(2));
  const Minibatch batch = examples(rows, features);
  OnlineBoost boost = ensemble(learner, size, features, correctness);
  // `before_batch` begins when 20 minibatches were seen.
  for (int i = 0; i < 20; ++i) boost.train(batch.examples());
  for (auto _ : state) boost.train(batch.examples());
  count(state, rows, size, features);
}

// Rows with 50 features that are not 0.
void train_sparse(benchmark::State& state, const char* learner) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const auto features = static_cast<std::size_t>(state.range(1));
  const auto rows = static_cast<std::size_t>(state.range(2));
  constexpr std::size_t kSome = 50;
  Minibatch batch(features);
  for (std::size_t i = 0; i < rows; ++i) {
    Rng rng(1, 0, i);
    const std::span<double> row = batch.add(rng.uniform() < 0.5 ? 1 : 0);
    for (std::size_t k = 0; k < kSome; ++k) row[rng.below(features)] = rng.normal();
  }
  OnlineBoost boost = ensemble(learner, size, features, Correctness::after_update);
  for (auto _ : state) boost.train(batch.examples());
  count(state, rows, size, kSome);
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

// The wave alone, of 8 learners whose votes are known: what the weights cost, and with draws what these cost.
void wave(benchmark::State& state, bool draws) {
  constexpr std::size_t kMany = 1000;
  const Minibatch batch = examples(kMany, 1);
  std::vector<double> margins, lambda(kMany);
  for (std::size_t i = 0; i < kernels::kBlock * kMany; ++i)
    margins.push_back(Rng(1, 1, i).normal());
  kernels::Columns columns;
  columns.assign(batch.examples(), false);
  struct alignas(64) Weights : std::array<double, kernels::kBlock * kMany> {};
  const auto weights = std::make_unique<Weights>();
  alignas(64) std::array<double, kernels::kBlock> correct{}, wrong{};
  for (auto _ : state) {
    std::ranges::fill(lambda, 1.0);
    const kernels::Pass pass{.examples = &columns,
                             .first = 0,
                             .stream = kLearnerStream,
                             .learners = kernels::kBlock,
                             .lambda = lambda.data(),
                             .correct = correct.data(),
                             .wrong = wrong.data(),
                             .rule = {.resample = draws,
                                      .test_unseen = true,
                                      .error_floor = 1e-10,
                                      .weight_cap = 1e6,
                                      .prior_weight = 0,
                                      .seed = 1}};
    kernels::boost_precomputed(pass, margins.data(), kMany, weights->data());
  }
  const auto done = static_cast<double>(state.iterations()) * double{kernels::kBlock * kMany};
  state.counters["per_learner"] =
      benchmark::Counter(done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// One draw at a time; the argument is the mean in hundredths.
void poisson(benchmark::State& state) {
  const double mean = static_cast<double>(state.range(0)) / 100;
  std::uint64_t index = 0, sum = 0;
  for (auto _ : state) sum += Rng(1, kLearnerStream, index++).poisson(mean);
  benchmark::DoNotOptimize(sum);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"T", "d", "b"});
  for (const auto& [size, features, rows] :
       std::initializer_list<std::array<std::int64_t, 3>>{{10, 8, 1},
                                                          {10, 8, 50},
                                                          {10, 54, 50},
                                                          {25, 54, 1},
                                                          {25, 54, 100},
                                                          {100, 54, 100},
                                                          {25, 1000, 100}}) {
    benchmark->Args({size, features, rows});
  }
}

BENCHMARK_CAPTURE(train, nb_after_update, "gaussian_nb", Correctness::after_update)->Apply(sizes);
BENCHMARK_CAPTURE(train, nb_before_update, "gaussian_nb", Correctness::before_update)->Apply(sizes);
BENCHMARK_CAPTURE(train, nb_before_batch, "gaussian_nb", Correctness::before_batch)->Apply(sizes);
BENCHMARK_CAPTURE(train, logistic_after_update, "logistic", Correctness::after_update)
    ->Apply(sizes);
BENCHMARK_CAPTURE(train, logistic_before_update, "logistic", Correctness::before_update)
    ->Apply(sizes);
BENCHMARK_CAPTURE(train, logistic_before_batch, "logistic", Correctness::before_batch)
    ->Apply(sizes);
BENCHMARK_CAPTURE(train_sparse, logistic, "logistic")
    ->ArgNames({"T", "d", "b"})
    ->Args({10, 1000, 50})
    ->Args({10, 10000, 50});
BENCHMARK_CAPTURE(score, nb, "gaussian_nb")->Apply(sizes);
BENCHMARK_CAPTURE(score, logistic, "logistic")->Apply(sizes);
BENCHMARK_CAPTURE(wave, weights, false);
BENCHMARK_CAPTURE(wave, weights_and_draws, true);
BENCHMARK(poisson)->ArgName("percent")->Arg(10)->Arg(50)->Arg(100)->Arg(300)->Arg(900)->Arg(1500);

// ---- The roofline

constexpr std::size_t kSize = 25, kFeatures = 54, kRows = 100;
constexpr std::size_t kLess = 27, kLeast = 9;  // features

// The least time of a call in nanoseconds. What disturbs a measurement only makes it longer.
class Stopwatch {
 public:
  template <class Work>
  void measure(std::size_t calls, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; ++i) work();
    const std::chrono::duration<double, std::nano> passed =
        std::chrono::steady_clock::now() - start;
    best_ = std::min(best_, passed.count() / static_cast<double>(calls));
  }
  double best() const { return best_; }

 private:
  double best_ = 1e300;
};

struct Roof {
  const char* what;
  bench::StepCount count;
  double operations, memory;  // limits: nanoseconds for an example
  double together;            // the same for both in one loop
  double ours;                // the same for us
  double goal;

  double limit() const { return std::max(operations, memory); }
  double share() const { return limit() / ours; }
};

struct alignas(64) Line : std::array<double, 8> {};

// The time that the limit does not explain, as factors.
struct Losses {
  double idle_lanes, run_in;
  double per_feature, per_learner;  // nanoseconds for an example: proportional to d, and not
};

class Roofline {
 public:
  explicit Roofline(bool quick) : rounds_(quick ? 5 : 60) {
    moments_.resize(kFeatures * kernels::NbBlock::kMoments * kernels::kBlock / 8);
    for (Line& line : moments_) line.fill(1);
    columns_.assign(batch_.examples(), true);
    for (int i = 0; i < 20; ++i) {
      after_.train(batch_.examples());
      before_.train(batch_.examples());
      less_.train(less_batch_.examples());
      least_.train(least_batch_.examples());
    }
  }

  void run() {
    double* const moments = moments_.front().data();
    std::vector<double> scores(kRows), margins(kSize * kRows);
    const auto bank = make_bank(learners(), "gaussian_nb", kSize, kFeatures, {});
    constexpr std::size_t kPasses = 2000;
    // In turns, so that all see the same machine.
    for (int round = 0; round < rounds_; ++round) {
      training_operations_.measure(1, [&] { bench::training_operations(kPasses, kFeatures); });
      training_memory_.measure(1, [&] {
        bench::training_memory(kPasses, kFeatures, moments, columns_.feature(0), columns_.stride());
      });
      prediction_operations_.measure(1, [&] { bench::prediction_operations(kPasses, kFeatures); });
      prediction_memory_.measure(1, [&] {
        bench::prediction_memory(kPasses, kFeatures, moments, batch_.features().values.data());
      });
      training_together_.measure(1, [&] {
        bench::training_together(kPasses, kFeatures, moments, columns_.feature(0),
                                 columns_.stride());
      });
      prediction_together_.measure(1, [&] {
        bench::prediction_together(kPasses, kFeatures, moments, batch_.features().values.data());
      });
      after_time_.measure(10, [&] { after_.train(batch_.examples()); });
      before_time_.measure(10, [&] { before_.train(batch_.examples()); });
      less_time_.measure(10, [&] { less_.train(less_batch_.examples()); });
      least_time_.measure(10, [&] { least_.train(least_batch_.examples()); });
      score_time_.measure(10, [&] { after_.scores(batch_.features(), scores); });
      margin_time_.measure(10, [&] { bank->margins(batch_.features(), margins); });
    }
    // Steps of all learners and features of an example, if no lane were idle.
    const double steps =
        static_cast<double>(kSize * kFeatures) / static_cast<double>(bench::lanes());
    const double training = steps / static_cast<double>(kPasses * 2 * kFeatures),
                 prediction = steps / static_cast<double>(kPasses * 4 * kFeatures);
    const double rows = kRows;
    roofs_ = {{"training, after_update", bench::kTraining, training_operations_.best() * training,
               training_memory_.best() * training, training_together_.best() * training,
               after_time_.best() / rows, 0.6},
              {"prediction, margins alone", bench::kPrediction,
               prediction_operations_.best() * prediction, prediction_memory_.best() * prediction,
               prediction_together_.best() * prediction, margin_time_.best() / rows, 0.7},
              {"prediction, scores", bench::kPrediction, prediction_operations_.best() * prediction,
               prediction_memory_.best() * prediction, prediction_together_.best() * prediction,
               score_time_.best() / rows, 0.7}};
    find_idle_lanes();
    // The time at zero features, extrapolated from two small numbers of features.
    const double less = less_time_.best() / rows, least = least_time_.best() / rows;
    losses_.per_learner = least - (less - least) * double{kLeast} / double{kLess - kLeast};
    losses_.per_feature = after_time_.best() / rows - losses_.per_learner;
  }

  void print() const {
    fmt::print(
        "\nRoofline: T = {}, d = {}, minibatches of {}; {} with {} lanes; least of {} rounds\n\n",
        kSize, kFeatures, kRows, bench::instruction_set(), bench::lanes(), rounds_);
    fmt::print("{:<27} {:>7} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6}\n", "for each example",
               "flops", "bytes", "ops ns", "memory ns", "both ns", "ours ns", "share", "goal");
    const auto values = static_cast<int>(kSize * kFeatures);
    for (const Roof& roof : roofs_) {
      fmt::print("{:<27} {:>7} {:>8} {:>9.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>6.1f}% {:>5.0f}%\n",
                 roof.what, roof.count.flops * values,
                 (roof.count.bytes_loaded + roof.count.bytes_stored) * values, roof.operations,
                 roof.memory, roof.together, roof.ours, 100 * roof.share(), 100 * roof.goal);
    }
    const Roof& training = roofs_.front();
    fmt::print(
        "\nMachine: training {:.1f} Gflop/s of this mix, {:.1f} GB/s; prediction {:.1f} Gflop/s, "
        "{:.1f} GB/s\n",
        rate(training.count.flops, training.operations),
        rate(training.count.bytes_loaded + training.count.bytes_stored, training.memory),
        rate(roofs_[1].count.flops, roofs_[1].operations),
        rate(roofs_[1].count.bytes_loaded, roofs_[1].memory));
    fmt::print(
        "BoostPass beyond the limit: idle lanes x {:.3f}, run-in of the wave x {:.3f}; {:.0f} ns "
        "grow "
        "with d, {:.0f} ns do not (draws, logarithm, weights, and what minibatches cost)\n",
        losses_.idle_lanes, losses_.run_in, losses_.per_feature, losses_.per_learner);
    fmt::print("BoostPass, before_batch: {:.0f} ns for each example, margins included\n",
               before_time_.best() / static_cast<double>(kRows));
  }

  void write(const std::string& path) const {
    std::ofstream file(path);
    std::string all;
    for (const Roof& roof : roofs_) {
      all += fmt::format(
          R"({}
  {{"what": "{}", "flops": {}, "bytes_loaded": {}, "bytes_stored": {}, "operations_ns": {:.2f}, )"
          R"("memory_ns": {:.2f}, "both_ns": {:.2f}, "ours_ns": {:.2f}, "share": {:.4f}, "goal": {}}})",
          all.empty() ? "" : ",", roof.what, roof.count.flops * static_cast<int>(kSize * kFeatures),
          roof.count.bytes_loaded * static_cast<int>(kSize * kFeatures),
          roof.count.bytes_stored * static_cast<int>(kSize * kFeatures), roof.operations,
          roof.memory, roof.together, roof.ours, roof.share(), roof.goal);
    }
    file << fmt::format(
        R"({{"size": {}, "features": {}, "rows": {}, "instruction_set": "{}", "lanes": {}, )"
        R"("rounds": {}, "before_batch_ns": {:.2f},
 "losses": {{"idle_lanes": {:.4f}, "run_in": {:.4f}, "per_feature_ns": {:.2f}, "per_learner_ns": {:.2f}}},
 "roofs": [{}]}}
)",
        kSize, kFeatures, kRows, bench::instruction_set(), bench::lanes(), rounds_,
        before_time_.best() / static_cast<double>(kRows), losses_.idle_lanes, losses_.run_in,
        losses_.per_feature, losses_.per_learner, all);
  }

 private:
  // As `AllWaves` of kernels/wavefront-inl.h goes: groups of at most two vectors, each with its own run-in.
  void find_idle_lanes() {
    const std::size_t lanes = bench::lanes();
    std::size_t used = 0, ticks = 0;
    for (std::size_t first = 0; first < kSize; first += kernels::kBlock) {
      const std::size_t learners = std::min(kSize - first, kernels::kBlock);
      const std::size_t idle = kernels::kBlock - learners;
      std::size_t vectors = (learners + lanes - 1) / lanes;
      for (std::size_t end = kernels::kBlock; vectors > 0;) {
        const std::size_t group = std::min<std::size_t>(vectors, 2), wide = group * lanes;
        const std::size_t lowest = end - wide, idle_here = idle > lowest ? idle - lowest : 0;
        used += wide;
        ticks += wide * (kRows + wide - 1 - idle_here);
        end = lowest;
        vectors -= group;
      }
    }
    losses_.idle_lanes = static_cast<double>(used) / double{kSize};
    losses_.run_in = static_cast<double>(ticks) / static_cast<double>(used * kRows);
  }
  static double rate(int each, double nanoseconds) {
    return static_cast<double>(each) * static_cast<double>(kSize * kFeatures) / nanoseconds;
  }

  int rounds_;
  Minibatch batch_ = examples(kRows, kFeatures), less_batch_ = examples(kRows, kLess),
            least_batch_ = examples(kRows, kLeast);
  OnlineBoost after_ = ensemble("gaussian_nb", kSize, kFeatures, Correctness::after_update);
  OnlineBoost before_ = ensemble("gaussian_nb", kSize, kFeatures, Correctness::before_batch);
  OnlineBoost less_ = ensemble("gaussian_nb", kSize, kLess, Correctness::after_update);
  OnlineBoost least_ = ensemble("gaussian_nb", kSize, kLeast, Correctness::after_update);
  kernels::Columns columns_;
  std::vector<Line> moments_;
  Stopwatch training_operations_, training_memory_, prediction_operations_, prediction_memory_;
  Stopwatch training_together_, prediction_together_;
  Stopwatch after_time_, before_time_, less_time_, least_time_, score_time_, margin_time_;
  std::vector<Roof> roofs_;
  Losses losses_{};
};

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  std::string path;
  bool quick = false;
  constexpr std::string_view kOption = "--roofline=";
  std::vector<char*> words;
  for (int i = 0; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with(kOption)) {
      path = word.substr(kOption.size());
    } else if (word == "--quick") {
      quick = true;
    } else {
      words.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  benchmark::Initialize(&count, words.data());
  if (benchmark::ReportUnrecognizedArguments(count, words.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  plumbline::Roofline roofline(quick);
  roofline.run();
  roofline.print();
  if (!path.empty()) roofline.write(path);
}
