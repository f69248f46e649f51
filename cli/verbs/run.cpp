// `plumbline run`: a test-then-learn run over a stream.

#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/options/checks.h"
#include "cli/options/command_line.h"
#include "cli/options/components.h"
#include "cli/options/cost_options.h"
#include "cli/options/key_options.h"
#include "cli/options/layout_option.h"
#include "cli/options/model_options.h"
#include "cli/options/progress_option.h"
#include "cli/options/stream_options.h"
#include "cli/options/threads_option.h"
#include "cli/options/value.h"
#include "cli/output/attempts.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/prediction_writer.h"
#include "cli/output/progress.h"
#include "cli/output/run_report.h"
#include "cli/output/run_summary.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/run_by_key.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/file.h"
#include "plumbline/decisions.h"
#include "plumbline/evaluation/recorder.h"
#include "plumbline/io/source.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"
#include "plumbline/threads/thread_pool.h"

namespace plumbline::cli {
namespace {

struct RunOptions {
  StreamOptions stream;
  ModelOptions model;
  CostOptions costs;
  KeyOptions keys;
  std::string load, save;
  std::uint64_t save_every = 0;  // rows; 0 is never
  std::string predictions, report;
  bool append = false;
  bool learn_all = false;
  std::string layout = "wide";
  std::string progress = "auto";
  bool json = false;
  // The command line without the options of the model and the columns, which a saved model has.
  std::function<CommandLine()> command;
};

// The state of one run. However it ends (end of the stream, Ctrl-C, a bad row, a full disk), the state
// is saved and reported.
class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options),
        recorder_(options.costs.negatives_kept),
        next_save_(options.save_every) {}

  void run() {
    check_outputs();
    try {
      open();
    } catch (const Interrupted&) {
      tell_how_to_go_on(/*stopped=*/false, /*saved=*/false);
      throw;
    }
    if (!options_.predictions.empty()) {
      predictions_ = std::make_unique<PredictionWriter>(
          PredictionWriter::Options{.path = options_.predictions,
                                    .append = options_.append,
                                    .long_layout = options_.layout == "long",
                                    .decisions = options_.costs.any(),
                                    .asks = model_->config().label_budget < 1,
                                    .learning = true},
          model_->schema());
    }
    progress_ = std::make_unique<Progress>(options_.progress);
    attempts_.attempt([&] { learn(); });
    finish();
    attempts_.rethrow();
    if (end_ == End::interrupted) throw Interrupted{};
  }

 private:
  // Finds outputs that could not be written at the end.
  void check_outputs() const {
    if (options_.predictions == "-" && options_.json) {
      throw Error(ErrorKind::config,
                  "--predictions - and --json both use standard output; use a file for one of "
                  "them");
    }
    if (!options_.load.empty() && (options_.model.any() || options_.stream.any_columns())) {
      throw Error(ErrorKind::config,
                  "--load continues with a model that has its configuration and its columns; leave "
                  "out the options of the model and of the columns, or leave out --load");
    }
    const std::vector<NamedPath> inputs{{"the stream", options_.stream.path},
                                        {"--config", options_.model.config_file}};
    const NamedPath save{"--save", options_.save}, report{"--report", options_.report},
        predictions{"--predictions", options_.predictions};
    check_different(inputs, {save, report, predictions});
    // Only the saved model may replace the one that was loaded.
    check_different({{"--load", options_.load}}, {report, predictions});
    for (const std::string& path : {options_.save, options_.report}) {
      if (!path.empty()) check_writable(path);
    }
  }

  void open() {
    if (!options_.load.empty()) {
      model_ = std::make_unique<Model>(Model::load(options_.load));
      stream_ = open_stream(options_.stream, model_->encoder());
    } else {
      const Config config = make_config(options_.model);
      auto sampled =
          std::make_unique<SampledStream>(open_stream(options_.stream), options_.stream.sample);
      if (!options_.stream.skips_bad_rows()) sampled->need_a_row();
      std::vector<Note> notes;
      ColumnChoices columns = without_costs(options_.stream.columns, options_.costs, *sampled);
      columns.multiclass = !options_.model.multiclass.empty();
      model_ = std::make_unique<Model>(config, *sampled, columns, notes);
      if (options_.progress != "none") {
        for (const Note& note : notes) say("{}", in_words(note));
      }
      stream_ = std::move(sampled);
    }
    check_two_classes(options_.costs, model_->schema());
    ReadOptions read = read_options(options_.stream);
    read.costs = options_.costs.of_rows();
    if (auto tell = read.on_bad_row) {
      read.on_bad_row = [this, tell](const Error& error) {
        progress_->hide();
        tell(error);
      };
    }
    session_ = std::make_unique<Session>(*stream_, *model_, std::move(read));
  }

  void learn() {
    // After an interrupt, rows that are already in memory are still learned.
    while (!interrupted() || stream_->holds_a_row()) {
      if (!step()) return;
      recorder_.add(*session_);
      write_predictions();
      progress_->step(figures(), stream_->share_read());
      save_now_and_then();
    }
    end_ = session_->at_end() ? End::whole : End::interrupted;
  }

  Progress::Figures figures() const {
    if (recorder_.examples() == 0) return {};
    return {.examples = recorder_.examples(),
            .batches = recorder_.batches(),
            .log_loss = recorder_.log_loss(),
            .brier = recorder_.brier(),
            .calibrating = recorder_.calibration_share()};
  }

  // Returns false at the end of the rows, or if an interrupt cuts a minibatch short, whose rows are left for
  // the next run.
  bool step() {
    try {
      if (options_.learn_all ? session_->learn(model_->batch_size()) : session_->step())
        return true;
      end_ = End::whole;
    } catch (const Interrupted&) {
      end_ = End::interrupted;
    }
    return false;
  }

  void save_now_and_then() {
    if (options_.save_every == 0 || recorder_.examples() < next_save_) return;
    next_save_ = recorder_.examples() + options_.save_every;
    // Predictions are flushed first: a saved model must not have learned rows whose predictions are missing.
    if (predictions_) predictions_->flush();
    model_->save(options_.save);
  }

  void write_predictions() {
    if (!predictions_) return;
    const Schema& schema = model_->schema();
    const Examples examples = session_->rows().examples();
    const bool numbered = !model_->several_classes() && options_.layout == "wide";
    for (std::size_t i = 0; i < examples.size(); ++i) {
      PredictionWriter::Row row{.number = session_->rows().numbers()[i],
                                .label = label_name(schema, examples.y[i]),
                                .probabilities = session_->predictions().row(i)};
      const double probability = row.probabilities.front();
      const double scaled = scale_odds(probability, options_.costs.negatives_kept);
      if (!model_->several_classes()) {
        row.score = session_->predictions().scores[i];
        row.probabilities = {&scaled, 1};
      }
      if (numbered) row.label = examples.y[i] == 1 ? "1" : "0";
      if (!examples.costs.empty()) row.decision = decide(probability, examples.costs[i]);
      if (!session_->predictions().asked.empty()) row.ask = session_->predictions().asked[i];
      predictions_->add(row);
    }
    predictions_->write();
  }

  static std::string_view label_name(const Schema& schema, Label label) {
    if (!schema.classes.empty()) return schema.classes[label];
    return label == 1 ? schema.positive : schema.negative;
  }

  // Saves, writes and reports the results, also after a failure; each step is attempted.
  void finish() {
    const double seconds = progress_->seconds();
    const bool learned = recorder_.examples() > 0, stopped = attempts_.failed();
    progress_->finish(figures());
    if (!learned && !stopped && end_ == End::whole) {
      attempts_.attempt([&] {
        throw Error(ErrorKind::data, "there is no row to learn from", {.source = stream_->name()});
      });
    }
    RunResult result{.model = *model_,
                     .recorder = recorder_,
                     .source = stream_->name(),
                     .rows_read = session_->position(),
                     .bad_rows = session_->bad_rows(),
                     .seconds = seconds,
                     .interrupted = end_ == End::interrupted};
    const auto write = [&](const char* what, const std::string& path, const auto& write_it) {
      const bool written = !path.empty() && attempts_.attempt(write_it);
      if (written) result.files.emplace_back(what, path);
      return written;
    };
    bool saved = false;
    if (learned && !session_->broken()) {
      saved = write("model", options_.save, [&] { model_->save(options_.save); });
    }
    if (learned) {
      write("report", options_.report, [&] {
        const std::string html = run_report(*model_, recorder_, stream_->name(), seconds);
        write_file(options_.report, std::as_bytes(std::span(html)));
      });
    }
    write("predictions", options_.predictions, [&] { predictions_->close(); });
    if (stopped || result.interrupted) tell_how_to_go_on(stopped, saved);
    // JSON output is one object, of a complete or an interrupted run.
    const bool silent = !learned || options_.predictions == "-" || (stopped && options_.json);
    if (!silent)
      attempts_.attempt([&] { print(options_.json ? run_json(result) : run_summary(result)); });
  }

  void tell_how_to_go_on(bool stopped, bool saved) const {
    const bool learned = recorder_.examples() > 0;
    if (learned || stopped) {
      say("{} after {} rows", stopped ? "stopped" : "interrupted", session_->position());
    } else {
      say("interrupted before a minibatch was complete; nothing was learned");
    }
    if (!options_.save.empty() && session_ && session_->broken()) {
      say("the model was in the middle of a minibatch and is not saved; '{}' is unchanged",
          options_.save);
    } else if (!options_.save.empty() && !learned) {
      say("'{}' is unchanged", options_.save);
    }
    if (saved) say("the model is saved; go on with: {}", next_command());
  }

  std::string next_command() const {
    CommandLine command = options_.command();
    if (predictions_ && options_.predictions != "-") command.set("--append");
    if (options_.stream.limit > 0) {
      command.set("--limit", std::to_string(options_.stream.limit - recorder_.examples()));
    }
    command.set("--skip", std::to_string(session_->position())).set("--load", options_.save);
    return command.text();
  }

  const RunOptions& options_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Session> session_;  // null until stream and model are open
  std::unique_ptr<PredictionWriter> predictions_;
  std::unique_ptr<Progress> progress_;
  Recorder recorder_;
  Attempts attempts_;
  enum class End { whole, interrupted };
  End end_ = End::whole;         // unless learning failed
  std::uint64_t next_save_ = 0;  // in examples
};

constexpr const char* kResults = "Results";

void add_model_files(Verb& verb, RunOptions& options) {
  add_options(verb, kResults,
              {{.names = {"--load"},
                .metavar = "FILE",
                .help = "Continue with this model",
                .completion = Completion::files,
                .value = path(options.load)},
               {.names = {"--learn-all"},
                .help = "Learn every row although the model has a label budget: for rows that "
                        "'plumbline predict' asked for",
                .needs = {"--load"},
                .value = flag(options.learn_all)},
               {.names = {"--save"},
                .metavar = "FILE",
                .help = "Save the model at the end, or when interrupted",
                .completion = Completion::files,
                .value = path(options.save)},
               {.names = {"--save-every"},
                .metavar = "N",
                .help = "Also save the model every N rows, in case the program is killed",
                .needs = {"--save"},
                .value = whole(options.save_every, std::uint64_t{1})}});
}

void add_prediction_options(Verb& verb, RunOptions& options) {
  Option layout = layout_option(options.layout);
  layout.needs = {"--predictions"};
  add_options(
      verb, kResults,
      {{.names = {"--predictions"},
        .metavar = "FILE",
        .help = "Write row, label, score and probability of each example as CSV, and the decision "
                "if there are costs; for several classes the probability of each; with a label "
                "budget also whether the label was asked for; - is standard output",
        .completion = Completion::files,
        .value = path(options.predictions)},
       {.names = {"--append"},
        .help =
            "Append to the file of --predictions instead of replacing it, e.g. after an interrupt",
        .needs = {"--predictions"},
        .value = flag(options.append)},
       std::move(layout)});
}

void add_result_options(Verb& verb, RunOptions& options) {
  add_options(verb, kResults,
              {{.names = {"--report"},
                .metavar = "FILE",
                .help = "Write a page with charts",
                .completion = Completion::files,
                .value = path(options.report)},
               threads_option(options.stream.threads,
                              "Threads; 0 uses all cores. The results do not depend on it"),
               {.names = {"--json"},
                .help = "Print the result as one JSON object",
                .value = flag(options.json)},
               progress_option(options.progress)});
}

// Options that have no meaning, or no form yet, for one model per key.
void check_by_key(const RunOptions& options) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorKind::config,
                fmt::format("{} cannot be used with --key; leave one of them out", option));
  };
  if (!options.report.empty()) refuse("--report");
  if (options.layout == "long") refuse("--layout long");
  if (options.costs.any() || options.costs.negatives_kept != 1) refuse("a cost");
  if (!options.model.multiclass.empty()) refuse("--multiclass");
}

void run(RunOptions& options, const CommandLine& line) {
  catch_interrupts();
  options.command = [&line] { return CommandLine(line).remove_kept_in_model(); };
  const ThreadLimit limit(options.stream.threads);
  if (options.keys.key.empty()) return Run(options).run();
  check_by_key(options);
  run_by_key({.stream = options.stream,
              .model = options.model,
              .keys = options.keys,
              .skips = line.has("--skip"),
              .load = options.load,
              .save = options.save,
              .save_every = options.save_every,
              .predictions = options.predictions,
              .append = options.append,
              .progress = options.progress,
              .json = options.json,
              .command = options.command});
}

}  // namespace

Verb run_verb() {
  const auto options = std::make_shared<RunOptions>();
  options->stream.threads = 0;
  Verb verb{
      .name = "run",
      .summary = "Predict each minibatch of a labelled stream, then learn from it",
      .lists = list_of_components,
      .examples =
          {"plumbline run stream.csv.gz",
           "plumbline run stream.csv --label clicked --positive yes --report run.html",
           "plumbline run stream.csv --label species --multiclass ovo",
           "plumbline run - --learner logistic --learners 25 --policy thompson --json < a.csv",
           "plumbline run payments.csv --cost-fp 5 --cost-fn-column amount --predictions p.csv",
           "plumbline run monday.csv --save m && plumbline run tuesday.csv --load m --save m",
           "plumbline run sales.csv --key shop --save shops.keyed --save-every 1000000"},
      .run = [options](const CommandLine& line) { run(*options, line); }};
  add_stream_options(verb, options->stream);
  add_column_options(verb, options->stream);
  add_model_options(verb, options->model);
  add_cost_options(verb, options->costs, /*learns=*/true);
  add_key_options(verb, options->keys);
  add_model_files(verb, *options);
  add_prediction_options(verb, *options);
  add_result_options(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
