// `plumbline compare`: runs several configurations over the same stream, on all cores.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/options/checks.h"
#include "cli/options/components.h"
#include "cli/options/cost_options.h"
#include "cli/options/model_options.h"
#include "cli/options/stream_options.h"
#include "cli/options/threads_option.h"
#include "cli/options/value.h"
#include "cli/output/attempts.h"
#include "cli/output/baselines.h"
#include "cli/output/compare_report.h"
#include "cli/output/job_progress.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/output/rate.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/file.h"
#include "plumbline/calibrator.h"
#include "plumbline/encoding/stored_rows.h"
#include "plumbline/io/source.h"
#include "plumbline/learner.h"
#include "plumbline/math/rng.h"
#include "plumbline/math/stats.h"
#include "plumbline/policy.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"
#include "plumbline/threads/parallel_for.h"
#include "plumbline/version.h"

namespace plumbline::cli {
namespace {

struct CompareOptions {
  StreamOptions stream;
  ModelOptions model;
  CostOptions costs;
  std::vector<std::string> learners, calibrators, policies, multiclass;
  std::size_t runs = 1;
  std::size_t threads = 0;
  bool shuffle = false;
  std::string report;
  bool json = false;
};

// The whole stream in memory, for runs over its rows in random order.
struct Shuffled {
  Encoder encoder;  // before the first row, but with all categories
  RowBatch rows;
};

class Comparison {
 public:
  explicit Comparison(const CompareOptions& options) : options_(options) {}

  void run() {
    if (options_.stream.path == "-") {
      throw Error(ErrorKind::config,
                  "compare reads the stream once for each run; it needs a file, not -");
    }
    check_different(
        {{"the stream", options_.stream.path}, {"--config", options_.model.config_file}},
        {{"--report", options_.report}});
    if (!options_.report.empty()) check_writable(options_.report);
    make_contenders();
    if (options_.shuffle) load();
    run_all();
    if (interrupted()) return;
    if (contenders_.front().runs.front().recorder->examples() == 0) {
      throw Error(ErrorKind::data, "there is no row to learn from",
                  {.source = options_.stream.path});
    }
    Attempts attempts;
    if (!options_.report.empty()) {
      attempts.attempt([&] {
        const std::string html = compare_report(contenders_, report_title(), report_subtitle());
        write_file(options_.report, std::as_bytes(std::span(html)));
      });
    }
    attempts.attempt([&] { print(options_.json ? json() : table()); });
    attempts.rethrow();
  }

 private:
  void make_contenders() {
    const Config base = make_config(options_.model);
    const auto specs_or = [](const std::vector<std::string>& texts, const Spec& otherwise) {
      std::vector<Spec> specs;
      for (const std::string& text : split_specs(texts)) specs.emplace_back(text);
      return specs.empty() ? std::vector<Spec>{otherwise} : specs;
    };
    const auto learners = specs_or(options_.learners, base.model.learner);
    const auto calibrators = specs_or(options_.calibrators, base.model.calibrator);
    const auto policies = specs_or(options_.policies, base.model.policy);
    std::vector<Multiclass> schemes;
    for (const std::string& text : options_.multiclass) schemes.push_back(multiclass_named(text));
    if (schemes.empty()) schemes.push_back(base.model.multiclass);
    for (const Multiclass scheme : schemes) {
      for (const Spec& learner : learners) {
        for (const Spec& calibrator : calibrators) {
          for (const Spec& policy : policies) {
            Config config = base;
            config.model.multiclass = scheme;
            config.model.learner = learner;
            if (!options_.learners.empty()) config.model.companions.clear();
            config.model.calibrator = calibrator;
            config.model.policy = policy;
            // Titles contain only the parts in which contenders differ.
            std::vector<std::string> parts;
            if (schemes.size() > 1) parts.emplace_back(name_of(scheme));
            if (learners.size() > 1) parts.push_back(learner.text());
            if (calibrators.size() > 1) parts.push_back(calibrator.text());
            if (policies.size() > 1 || parts.empty()) parts.push_back(policy.text());
            add_contender(fmt::format("{}", fmt::join(parts, " + ")), config);
          }
        }
      }
    }
  }

  void add_contender(const std::string& title, const Config& config) {
    contenders_.push_back({title, complete(config), std::vector<ContenderRun>(options_.runs)});
  }

  // The encoder of this configuration; notes are printed once.
  Encoder fit(const SampledStream& stream, const Config& config) {
    if (!options_.stream.skips_bad_rows()) stream.need_a_row();
    std::vector<Note> notes;
    ColumnChoices columns = without_costs(options_.stream.columns, options_.costs, stream);
    columns.multiclass = !options_.multiclass.empty();
    Encoder encoder = Encoder::fit(config.encoder, stream, stream.sample(), columns, notes);
    check_two_classes(options_.costs, encoder.schema());
    const std::lock_guard lock(mutex_);
    if (!notes_shown_) {
      for (const Note& note : notes) say("{}", in_words(note));
    }
    notes_shown_ = true;
    return encoder;
  }

  ReadOptions row_options() const {
    ReadOptions options = read_options(options_.stream);
    options.costs = options_.costs.of_rows();
    return options;
  }

  // Reads all rows for shuffling, with the columns of the first contender.
  void load() {
    SampledStream stream(open_stream(options_.stream), options_.stream.sample);
    Encoder encoder = fit(stream, contenders_.front().config);
    RowReader reader(stream, encoder, Encoder::LabelUse::learn, row_options());
    RowBatch all;
    reader.read(all, std::numeric_limits<std::size_t>::max());
    encoder.adopt(all);
    bad_rows_ = reader.bad_rows();
    shuffled_.emplace(Shuffled{std::move(encoder), std::move(all)});
  }

  void run_all() {
    const std::size_t jobs = contenders_.size() * options_.runs;
    JobProgress progress(JobProgress::Elsewhere::nothing);
    std::size_t done = 0;
    const auto show = [&] {
      progress.step(static_cast<double>(done) / static_cast<double>(jobs),
                    fmt::format("run {} of {}", done, jobs));
    };
    show();
    parallel_for(jobs, options_.threads, [&](std::size_t job) {
      if (interrupted()) return;
      Contender& contender = contenders_[job % contenders_.size()];
      const std::size_t run = job / contenders_.size();
      contender.runs[run] =
          options_.shuffle ? run_shuffled(contender, run) : run_file(contender, run);
      const std::lock_guard lock(mutex_);
      ++done;
      show();
    });
  }

  ContenderRun run_file(const Contender& contender, std::size_t run) {
    Config config = contender.config;
    config.model.seed += run;
    SampledStream stream(open_stream(options_.stream), options_.stream.sample);
    Model model(config, fit(stream, config));
    const bool first = run == 0 && &contender == &contenders_.front();
    ReadOptions read = row_options();
    if (!first) read.on_bad_row = {};
    Session session(stream, model, std::move(read));
    const ContenderRun result = measure(session);
    if (first) bad_rows_ = session.bad_rows();
    return result;
  }

  ContenderRun run_shuffled(const Contender& contender, std::size_t run) const {
    Config config = contender.config;
    config.model.seed += run;
    std::vector<std::size_t> order(shuffled_->rows.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(config.model.seed, kShuffleStream, 0);
    shuffle(order, rng);
    Model model(config, shuffled_->encoder);
    StoredRows rows(model.schema(), shuffled_->rows.examples(), std::move(order));
    Session session(rows, model);
    return measure(session);
  }

  ContenderRun measure(Session& session) const {
    ContenderRun result;
    result.recorder = std::make_shared<Recorder>(options_.costs.negatives_kept);
    const Progress clock("none");
    while (!interrupted() && session.step()) result.recorder->add(session);
    result.seconds = clock.seconds();
    result.classes = session.model().schema().classes;
    return result;
  }

  std::string report_title() const {
    return fmt::format("{}: comparison",
                       std::filesystem::path(options_.stream.path).filename().string());
  }

  std::string report_subtitle() const {
    const Recorder& first = *contenders_.front().runs.front().recorder;
    return fmt::format(
        "{} examples in minibatches of {}{}; {} run{}{} of each configuration",
        count_text(first.examples()), contenders_.front().config.batch,
        delay_text(contenders_.front().config) + budget_text(contenders_.front().config),
        options_.runs, options_.runs == 1 ? "" : "s",
        options_.shuffle ? " over shuffled rows" : "");
  }

  std::string table() const {
    const char* const no_color = std::getenv("NO_COLOR");
    const bool bold = ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
    std::size_t width = 13;
    for (const Contender& contender : contenders_) width = std::max(width, contender.title.size());
    const Contender& first = contenders_.front();
    const std::string base_rate = base_rate_name(*first.runs.front().recorder);
    width = std::max({width, base_rate.size(), std::string_view(kLastLabel).size()});
    const bool costs = have_costs(contenders_);
    std::string text = fmt::format(
        "{}: {}\n\n{:<{}} {:>17} {:>8} {:>8} {:>9}{} {:>12} {:>12}\n", options_.stream.path,
        report_subtitle(), "configuration", width, "log-loss", "Brier", "ECE", "accuracy",
        costs ? fmt::format(" {:>10} {:>8}", "cost", "savings") : "", "calibrating", "examples/s");
    const std::size_t best = best_of(contenders_);
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      const Contender& contender = contenders_[i];
      const MeanInterval loss = contender.mean(&Recorder::log_loss);
      const std::string interval =
          options_.runs > 1 ? fmt::format("±{:.4f}", loss.half_width) : std::string(7, ' ');
      const std::string line = fmt::format(
          "{:<{}} {:>8.4f} {} {} {:>8.4f} {:>8.4f} {:>9.4f}{} {:>10.0f} % {:>12}", contender.title,
          width, loss.mean, interval, i == best ? '*' : ' ', contender.mean(&Recorder::brier).mean,
          contender.mean(&Recorder::ece).mean, contender.mean(&Recorder::accuracy).mean,
          costs ? fmt::format(" {:>10.4f} {:>8.4f}", contender.mean(&Recorder::cost).mean,
                              contender.mean(&Recorder::savings).mean)
                : "",
          100 * contender.mean(&Recorder::calibration_share).mean,
          count_text(static_cast<std::uint64_t>(contender.examples_per_second())));
      text += i == best && bold ? fmt::format("\x1b[1m{}\x1b[0m\n", line) : line + "\n";
    }
    const auto baseline = [&](std::string_view name, double log_loss, double accuracy) {
      text += fmt::format("{:<{}} {:>8.4f} {:>37.4f}\n", name, width, log_loss, accuracy);
    };
    // The same for all contenders.
    baseline(base_rate, first.mean(&Recorder::base_log_loss).mean,
             first.mean(&Recorder::base_accuracy).mean);
    baseline(kLastLabel, first.mean(&Recorder::last_label_log_loss).mean,
             first.mean(&Recorder::last_label_accuracy).mean);
    text += options_.runs > 1
                ? "\n* lowest log-loss; ± is the 95 % interval of the mean over the runs\n"
                : "\n* lowest log-loss of one run; --runs 10 adds confidence intervals\n";
    if (bad_rows_ > 0) text += fmt::format("{} bad rows were skipped\n", bad_rows_);
    if (!options_.report.empty()) text += fmt::format("report: {}\n", options_.report);
    return text;
  }

  std::string json() const {
    Json json;
    json["plumbline"] = kVersion;
    json["source"] = options_.stream.path;
    json["examples"] = contenders_.front().runs.front().recorder->examples();
    json["bad_rows"] = bad_rows_;
    json["runs"] = options_.runs;
    json["shuffle"] = options_.shuffle;
    json["best"] = contenders_[best_of(contenders_)].title;
    const Contender& first = contenders_.front();
    json["base_rate"] = {{"log_loss", first.mean(&Recorder::base_log_loss).mean},
                         {"accuracy", first.mean(&Recorder::base_accuracy).mean}};
    json["last_label"] = {{"log_loss", first.mean(&Recorder::last_label_log_loss).mean},
                          {"accuracy", first.mean(&Recorder::last_label_accuracy).mean}};
    for (const Contender& contender : contenders_) {
      Json entry{{"configuration", contender.title}};
      const auto put = [&](const char* key, double (Recorder::*value)() const) {
        const MeanInterval mean = contender.mean(value);
        entry[key] = mean.mean;
        entry[std::string(key) + "_ci95"] = mean.half_width;
      };
      put("log_loss", &Recorder::log_loss);
      put("brier", &Recorder::brier);
      put("ece", &Recorder::ece);
      put("accuracy", &Recorder::accuracy);
      entry["kappa_temporal"] = rate_json(contender.kappa_temporal());
      if (have_costs(contenders_)) {
        put("cost", &Recorder::cost);
        put("savings", &Recorder::savings);
      }
      put("calibration_share", &Recorder::calibration_share);
      entry["examples_per_second"] = contender.examples_per_second();
      entry["config"] = parse_json(to_json(contender.config));
      json["results"].push_back(std::move(entry));
    }
    return to_text(json);
  }

  const CompareOptions& options_;
  std::vector<Contender> contenders_;
  std::optional<Shuffled> shuffled_;
  std::mutex mutex_;
  bool notes_shown_ = false;
  std::uint64_t bad_rows_ = 0;
};

constexpr const char* kContenders = "Contenders";

void add_contender_options(Verb& verb, CompareOptions& options) {
  add_options(verb, kContenders,
              {{.names = {"--learner"},
                .metavar = "SPEC",
                .help = "Weak learners to compare",
                .offers = offer_specs_of<plumbline::learners>,
                .value = texts(options.learners)},
               {.names = {"--calibrator"},
                .metavar = "SPEC",
                .help = "Calibrators to compare",
                .offers = offer_specs_of<plumbline::calibrators>,
                .value = texts(options.calibrators)},
               {.names = {"--policy"},
                .metavar = "SPEC",
                .help = "Policies to compare, e.g. ucb1 thompson fixed:every=4",
                .offers = offer_specs_of<plumbline::policies>,
                .value = texts(options.policies)},
               {.names = {"--multiclass"},
                .metavar = "NAME",
                .help = "Multiclass schemes to compare, for a label with several classes",
                .choices = {"ovr", "ovo"},
                .value = texts(options.multiclass)}});
}

void add_run_options(Verb& verb, CompareOptions& options) {
  add_options(verb, kContenders,
              {{.names = {"--runs"},
                .metavar = "N",
                .help = "Runs of each configuration, with consecutive seeds from --seed on",
                .fallback = std::to_string(options.runs),
                .value = whole(options.runs, std::size_t{1}, std::size_t{100000})},
               {.names = {"--shuffle"},
                .help = "Shuffle the rows in each run, for data without an order; holds them in "
                        "memory",
                .value = flag(options.shuffle)}});
}

void add_result_options(Verb& verb, CompareOptions& options) {
  add_options(verb, "Results",
              {threads_option(options.threads),
               {.names = {"--report"},
                .metavar = "FILE",
                .help = "Write a page with charts",
                .completion = Completion::files,
                .value = path(options.report)},
               {.names = {"--json"},
                .help = "Print the result as one JSON object",
                .value = flag(options.json)}});
}

}  // namespace

Verb compare_verb() {
  const auto options = std::make_shared<CompareOptions>();
  Verb verb{
      .name = "compare",
      .summary = "Run several configurations over the same stream and rank them",
      .lists = list_of_components,
      .notes =
          "Every learner is combined with every calibrator and every policy. For a label with "
          "several classes, log-loss, Brier score and accuracy are the multiclass ones, and ECE "
          "is the mean over the classes.\n",
      .examples = {"plumbline compare a.csv --policy always_train fixed:every=4 ucb1 thompson "
                   "--runs 10",
                   "plumbline compare a.csv --learner gaussian_nb logistic --shuffle --report "
                   "compare.html"},
      .run = [options](const CommandLine&) {
        catch_interrupts();
        Comparison(*options).run();
        if (interrupted()) throw Interrupted{};
      }};
  add_stream_options(verb, options->stream);
  add_column_options(verb, options->stream);
  add_contender_options(verb, *options);
  add_run_options(verb, *options);
  add_shared_model_options(verb, options->model);
  add_cost_options(verb, options->costs, /*learns=*/true);
  add_result_options(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
