// `plumbline demo`: the paper's experiment on an embedded stream, as one small table.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/options/components.h"
#include "cli/options/value.h"
#include "cli/output/job_progress.h"
#include "cli/output/output.h"
#include "cli/verbs/verbs.h"
#include "plumbline/ensemble/online_boost.h"
#include "plumbline/generators/registry.h"
#include "plumbline/learner.h"
#include "plumbline/math/stats.h"
#include "plumbline/metrics.h"
#include "plumbline/session.h"
#include "plumbline/threads/parallel_for.h"

namespace plumbline::cli {
namespace {

struct DemoOptions {
  std::size_t runs = 10;
  std::uint64_t examples = 3300;
  std::size_t batch = 50;
  std::string learner = "gaussian_nb";
  std::int64_t size = 10;
  std::size_t threads = 0;
};

struct Contender {
  Contender(std::string title_, ModelConfig config_, std::size_t runs)
      : title(std::move(title_)),
        config(std::move(config_)),
        log_loss(runs),
        brier(runs),
        ece(runs),
        calibrated(runs) {}

  double mean_log_loss() const { return mean_interval(log_loss).mean; }

  std::string title;
  ModelConfig config;
  std::vector<double> log_loss, brier, ece, calibrated;  // one for each run
};

std::vector<Contender> contenders(const DemoOptions& options) {
  std::vector<Contender> list;
  const auto add = [&](const std::string& title, const Spec& policy) {
    ModelConfig config = preset("paper").model;
    config.learner = Spec(options.learner);
    config.ensemble.size = options.size;
    config.policy = policy;
    list.emplace_back(title, config, options.runs);
  };
  add("uncalibrated", "always_train");
  for (const std::int64_t every : {2, 4, 6, 8, 10, 12, 14}) {
    add(fmt::format("fixed, every {}", every), Spec("fixed").set("every", every));
  }
  add("UCB1", "ucb1");
  add("UCB1-Improved", "ucb1_improved");
  add("Thompson", "thompson");
  add("UCB1, discounted", "discounted_ucb1");
  add("UCB1-Improved, discounted", "discounted_ucb1_improved");
  add("Thompson, discounted", "discounted_thompson");
  list.emplace_back("preset auto", preset("auto").model, options.runs);
  return list;
}

void run_once(Contender& contender, std::size_t run, const DemoOptions& options) {
  const std::uint64_t seed = run + 1;
  const auto stream = generators().make("waveform", seed);
  Config config;
  config.model = contender.config;
  config.batch = static_cast<std::int64_t>(options.batch);
  config.model.seed = seed;
  config.encoder.standardize = EncoderOptions::Standardize::no;
  Model model(config, stream->schema());
  Session session(*stream, model, {.limit = options.examples});

  const auto log_loss = metrics().make("log_loss");
  const auto brier = metrics().make("brier");
  const auto error = metrics().make("calibration_error");
  double rounds = 0, calibrated = 0;
  while (session.step()) {
    for (Metric* metric : {log_loss.get(), brier.get(), error.get()}) {
      metric->observe(session.predictions().probabilities, session.labels());
    }
    rounds += 1;
    calibrated += calibrates(session.records().front().action) ? 1 : 0;
  }
  contender.log_loss[run] = *log_loss->value();
  contender.brier[run] = *brier->value();
  contender.ece[run] = *error->value();
  contender.calibrated[run] = calibrated / rounds;
}

// Runs everything on all cores.
void run_all(std::vector<Contender>& list, const DemoOptions& options) {
  const std::size_t jobs = list.size() * options.runs;
  JobProgress progress(JobProgress::Elsewhere::nothing);
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(jobs, options.threads, [&](std::size_t job) {
    run_once(list[job % list.size()], job / list.size(), options);
    const std::lock_guard lock(mutex);
    ++done;
    progress.step(static_cast<double>(done) / static_cast<double>(jobs),
                  fmt::format("run {} of {}", done, jobs));
  });
}

void print_row(const Contender& contender, const std::string& title, bool best) {
  const MeanInterval loss = mean_interval(contender.log_loss);
  print(fmt::format("  {:<26} {:>8.4f} ±{:.4f} {:>8.4f} {:>8.4f} {:>10.0f} %{}\n", title, loss.mean,
                    loss.half_width, mean_interval(contender.brier).mean,
                    mean_interval(contender.ece).mean,
                    100 * mean_interval(contender.calibrated).mean, best ? "  <- lowest" : ""));
}

void demo(const DemoOptions& options) {
  learners().complete(Spec(options.learner));  // throws before anything is printed
  std::vector<Contender> list = contenders(options);
  print(fmt::format(
      "Waveform stream, {} examples in minibatches of {}; OnlineBoost of {} x {}; {} runs.\n"
      "Each minibatch is predicted first, then spent on training or on calibrating.\n\n",
      options.examples, options.batch, options.size, options.learner, options.runs));
  run_all(list, options);

  const auto lower = [](const Contender& a, const Contender& b) {
    return a.mean_log_loss() < b.mean_log_loss();
  };
  const auto is_fixed = [](const Contender& contender) {
    return contender.config.policy.name == "fixed";
  };
  const auto fixed_begin = std::find_if(list.begin(), list.end(), is_fixed);
  const auto fixed_end = std::find_if_not(fixed_begin, list.end(), is_fixed);
  const auto [best_fixed, worst_fixed] = std::minmax_element(fixed_begin, fixed_end, lower);
  const auto best = std::min_element(list.begin(), list.end(), lower);

  print(fmt::format("  {:<26} {:>16} {:>8} {:>8} {:>12}\n", "policy", "log-loss", "Brier", "ECE",
                    "calibrating"));
  for (auto row = list.begin(); row != list.end(); ++row) {
    if (is_fixed(*row) && row != best_fixed && row != worst_fixed) continue;
    std::string title = row->title;
    if (row == best_fixed) title = "best " + title;
    if (row == worst_fixed) title = "worst " + title;
    print_row(*row, title, row == best);
  }
  print(fmt::format(
      "\nLower is better; ± is the 95 % interval over the runs. ECE: expected calibration error.\n"
      "The best and worst fixed schedules are known only in hindsight; the bandits chose as they "
      "went.\nThe preset auto, the default of 'plumbline run', uses each minibatch for both, and "
      "its "
      "calibrators\nhave memory.\n"));
}

}  // namespace

Verb demo_verb() {
  const auto options = std::make_shared<DemoOptions>();
  Verb verb{.name = "demo",
            .summary = "Compare calibration policies on an embedded stream (waveform)",
            .run = [options](const CommandLine&) { demo(*options); }};
  const auto add = [&](const char* name, auto& number, const char* help, int low, int high) {
    using Number = std::remove_reference_t<decltype(number)>;
    verb.options.push_back(
        {.names = {name},
         .metavar = "N",
         .help = help,
         .fallback = std::to_string(number),
         .value = whole(number, static_cast<Number>(low), static_cast<Number>(high))});
  };
  add("--runs", options->runs, "Number of runs, each with its own seed", 1, 100000);
  add("--examples", options->examples, "Number of examples", 1, 1000000000);
  add("--batch", options->batch, "Examples per minibatch", 1, 1000000);
  verb.options.push_back({.names = {"--learner"},
                          .metavar = "SPEC",
                          .help = "Weak learner, e.g. logistic:penalty=l1",
                          .fallback = options->learner,
                          .offers = offer_specs_of<plumbline::learners>,
                          .value = text(options->learner)});
  add("--learners", options->size, "Number of weak learners", 1, 100000);
  add("--threads", options->threads, "Threads; 0 uses all cores", 0, 1024);
  return verb;
}

}  // namespace plumbline::cli
