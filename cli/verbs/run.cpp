// `plumbline run`: test-then-learn over a stream.

#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/options/checks.h"
#include "cli/options/command_line.h"
#include "cli/options/components.h"
#include "cli/options/cost_options.h"
#include "cli/options/layout_option.h"
#include "cli/options/model_options.h"
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
#include "cli/verbs/verbs.h"
#include "plumbline/base/file.h"
#include "plumbline/decisions/decision.h"
#include "plumbline/decisions/prior_shift.h"
#include "plumbline/evaluation/recorder.h"
#include "plumbline/io/sample.h"
#include "plumbline/model/model.h"
#include "plumbline/threads/thread_pool.h"

namespace plumbline::cli {
namespace {

struct RunOptions {
  StreamOptions stream;
  ModelOptions model;
  CostOptions costs;
  std::string load, save;
  std::uint64_t save_every = 0;  // rows; 0 is never
  std::string predictions, report;
  bool append = false;
  std::string layout = "wide";
  std::string progress = "auto";
  bool json = false;
  // The command that was given, without the options of the model and the columns, which a saved model has.
  std::function<CommandLine()> command;
};

// The state of one run, so that whatever ends it (the end of the stream, Ctrl-C, a bad row, a full
// disk) finds what there is to save and to tell.
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
                                    .decisions = options_.costs.given(),
                                    .learning = true},
          pipeline_->schema());
    }
    progress_ = std::make_unique<Progress>(options_.progress);
    attempts_.attempt([&] { learn(); });
    finish();
    attempts_.rethrow();
    if (end_ == End::interrupted) throw Interrupted{};
  }

 private:
  // What cannot be written at the end should be known at the beginning.
  void check_outputs() const {
    if (options_.predictions == "-" && options_.json) {
      throw Error(ErrorKind::config,
                  "--predictions - and --json both want standard output; give one of them a file");
    }
    if (!options_.load.empty() && (options_.model.any() || options_.stream.any_columns())) {
      throw Error(ErrorKind::config,
                  "--load goes on with a model that has its configuration and its columns already; "
                  "leave out the options of the model and of the columns, or leave out --load");
    }
    const std::vector<NamedPath> inputs{{"the stream", options_.stream.path},
                                        {"--config", options_.model.config_file}};
    const NamedPath save{"--save", options_.save}, report{"--report", options_.report},
        predictions{"--predictions", options_.predictions};
    check_different(inputs, {save, report, predictions});
    // A model may be saved over the one that was loaded, and nothing else may.
    check_different({{"--load", options_.load}}, {report, predictions});
    for (const std::string& path : {options_.save, options_.report}) {
      if (!path.empty()) check_writable(path);
    }
  }

  void open() {
    if (!options_.load.empty()) {
      pipeline_ = std::make_unique<Model>(Model::load(options_.load));
      reader_ = open_stream(options_.stream, pipeline_->encoder());
    } else {
      const Config config = make_config(options_.model);
      auto sampled =
          std::make_unique<SampledStream>(open_stream(options_.stream), options_.stream.sample);
      if (!options_.stream.skips_bad_rows()) sampled->need_a_row();
      std::vector<std::string> notes;
      ColumnChoices columns = without_costs(options_.stream.columns, options_.costs, *sampled);
      columns.multiclass = !options_.model.multiclass.empty();
      Encoder encoder = Encoder::fit(config.encoder, *sampled, sampled->sample(), columns, notes);
      if (options_.progress != "none") {
        for (const std::string& note : notes) say("{}", note);
      }
      pipeline_ = std::make_unique<Model>(config, std::move(encoder));
      reader_ = std::move(sampled);
    }
    check_two_classes(options_.costs, pipeline_->schema());
    Rows::Options rows = rows_options(options_.stream);
    rows.costs = options_.costs.of_rows();
    if (auto tell = rows.on_bad_row) {
      rows.on_bad_row = [this, tell](const Error& error) {
        progress_->hide();
        tell(error);
      };
    }
    rows_ = std::make_unique<Rows>(*reader_, pipeline_->encoder(), std::move(rows));
  }

  void learn() {
    Minibatch batch(pipeline_->encoder().schema().size());
    std::vector<double> scores, probabilities;
    // Once interrupted, what is in memory already is still learned from.
    while (!interrupted() || reader_->holds_a_row()) {
      if (!read(batch)) return;
      scores.resize(batch.rows() * pipeline_->outputs());
      probabilities.resize(scores.size());
      step(batch, scores, probabilities);
      position_ = rows_->position();
      write_predictions(scores, probabilities, batch.examples());
      progress_->step(recorder_, reader_->share_read());
      save_now_and_then();
    }
    end_ = rows_->at_end() ? End::whole : End::interrupted;
  }

  // False at the end of the rows, or if an interrupt cuts a minibatch short: its rows are left for the
  // next time.
  bool read(Minibatch& batch) {
    try {
      if (rows_->read(batch, pipeline_->batch_size())) return true;
      end_ = End::whole;
    } catch (const Interrupted&) {
      end_ = End::interrupted;
    }
    return false;
  }

  void step(Minibatch& batch, std::vector<double>& scores, std::vector<double>& probabilities) {
    broken_ = true;
    try {
      const auto rounds = pipeline_->step(batch, scores, probabilities);
      recorder_.add(*pipeline_, scores, probabilities, batch.examples().y, rounds,
                    batch.examples().costs);
      broken_ = false;
    } catch (const Error&) {
      broken_ = false;  // any other exception, of memory, may leave half a step
      throw;
    }
  }

  void save_now_and_then() {
    if (options_.save_every == 0 || recorder_.examples() < next_save_) return;
    next_save_ = recorder_.examples() + options_.save_every;
    // First the predictions: a model that is found later must not know rows that they lack.
    if (predictions_) predictions_->flush();
    pipeline_->save(options_.save);
  }

  void write_predictions(const std::vector<double>& scores,
                         const std::vector<double>& probabilities, const Examples& examples) {
    if (!predictions_) return;
    const Schema& schema = pipeline_->schema();
    const std::size_t outputs = pipeline_->outputs();
    const bool numbered = !pipeline_->multiclass() && options_.layout == "wide";
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const Label label = examples.y[i];
      const double scaled = scale_odds(probabilities[i], options_.costs.negatives_kept);
      PredictionWriter::Row row{.number = rows_->numbers()[i],
                                .label = label_name(schema, label),
                                .score = scores[i],
                                .probabilities = {&scaled, 1}};
      if (numbered) row.label = label == 1 ? "1" : "0";
      if (pipeline_->multiclass()) {
        row.probabilities = std::span(probabilities).subspan(i * outputs, outputs);
      }
      if (!examples.costs.empty()) row.decision = decide(probabilities[i], examples.costs[i]);
      predictions_->add(row);
    }
    predictions_->write();
  }

  static std::string_view label_name(const Schema& schema, Label label) {
    if (!schema.classes.empty()) return schema.classes[label];
    return label == 1 ? schema.positive : schema.negative;
  }

  // Saves, writes and tells what there is, also after a failure; each of them is tried.
  void finish() {
    const double seconds = progress_->seconds();
    const bool learned = recorder_.examples() > 0, stopped = attempts_.failed();
    progress_->finish(recorder_);
    if (!learned && !stopped && end_ == End::whole) {
      attempts_.attempt([&] {
        throw Error(ErrorKind::data, "there is no row to learn from", {.source = reader_->name()});
      });
    }
    RunResult result{.pipeline = *pipeline_,
                     .recorder = recorder_,
                     .source = reader_->name(),
                     .rows_read = position_,
                     .bad_rows = rows_->bad_rows(),
                     .seconds = seconds,
                     .interrupted = end_ == End::interrupted};
    const auto write = [&](const char* what, const std::string& path, const auto& write_it) {
      const bool written = !path.empty() && attempts_.attempt(write_it);
      if (written) result.files.emplace_back(what, path);
      return written;
    };
    bool saved = false;
    if (learned && !broken_) {
      saved = write("model", options_.save, [&] { pipeline_->save(options_.save); });
    }
    if (learned) {
      write("report", options_.report, [&] {
        const std::string html = run_report(*pipeline_, recorder_, reader_->name(), seconds);
        write_file(options_.report, std::as_bytes(std::span(html)));
      });
    }
    write("predictions", options_.predictions, [&] { predictions_->close(); });
    if (stopped || result.interrupted) tell_how_to_go_on(stopped, saved);
    // One object, of a whole run or an interrupted one.
    const bool silent = !learned || options_.predictions == "-" || (stopped && options_.json);
    if (!silent)
      attempts_.attempt([&] { print(options_.json ? run_json(result) : run_summary(result)); });
  }

  void tell_how_to_go_on(bool stopped, bool saved) const {
    const bool learned = recorder_.examples() > 0;
    if (learned || stopped) {
      say("{} after {} rows", stopped ? "stopped" : "interrupted", position_);
    } else {
      say("interrupted before a minibatch was complete; nothing was learned");
    }
    if (!options_.save.empty() && broken_) {
      say("the model was in the middle of a minibatch and is not saved; '{}' is as it was",
          options_.save);
    } else if (!options_.save.empty() && !learned) {
      say("'{}' is as it was", options_.save);
    }
    if (saved) say("the model is saved; go on with: {}", next_command());
  }

  std::string next_command() const {
    CommandLine command = options_.command();
    if (predictions_ && options_.predictions != "-") command.set("--append");
    if (options_.stream.limit > 0) {
      command.set("--limit", std::to_string(options_.stream.limit - recorder_.examples()));
    }
    command.set("--skip", std::to_string(position_)).set("--load", options_.save);
    return command.text();
  }

  const RunOptions& options_;
  std::unique_ptr<Stream> reader_;
  std::unique_ptr<Model> pipeline_;
  std::unique_ptr<Rows> rows_;
  std::unique_ptr<PredictionWriter> predictions_;
  std::unique_ptr<Progress> progress_;
  Recorder recorder_;
  Attempts attempts_;
  enum class End { whole, interrupted };
  End end_ = End::whole;         // unless learning failed
  std::uint64_t position_ = 0;   // rows of the file that the model has learned from or passed over
  std::uint64_t next_save_ = 0;  // in examples
  bool broken_ = false;          // the model is in the middle of a step
};

constexpr const char* kResults = "Results";

void add_model_files(Verb& verb, RunOptions& options) {
  add_options(verb, kResults,
              {{.names = {"--load"},
                .metavar = "FILE",
                .help = "Go on with this model",
                .completion = Completion::files,
                .value = path(options.load)},
               {.names = {"--save"},
                .metavar = "FILE",
                .help = "Save the model at the end, or when interrupted",
                .completion = Completion::files,
                .value = path(options.save)},
               {.names = {"--save-every"},
                .metavar = "N",
                .help = "Save the model after each so many rows too, in case the program is killed",
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
                "if there are costs; of several classes the probability of each; - is standard "
                "output",
        .completion = Completion::files,
        .value = path(options.predictions)},
       {.names = {"--append"},
        .help =
            "Add to the file of --predictions, e.g. after an interrupt, instead of replacing it",
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
               {.names = {"--progress"},
                .metavar = "MODE",
                .help = "What to show on standard error: auto, table, bar or none",
                .fallback = options.progress,
                .choices = {"auto", "table", "bar", "none"},
                .value = text(options.progress)}});
}

void run(RunOptions& options, const CommandLine& line) {
  catch_interrupts();
  options.command = [&line] { return CommandLine(line).remove_kept_in_model(); };
  const ThreadLimit limit(options.stream.threads);
  Run(options).run();
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
           "plumbline run monday.csv --save m && plumbline run tuesday.csv --load m --save m"},
      .run = [options](const CommandLine& line) { run(*options, line); }};
  add_stream_options(verb, options->stream);
  add_column_options(verb, options->stream);
  add_model_options(verb, options->model);
  add_cost_options(verb, options->costs, /*learns=*/true);
  add_model_files(verb, *options);
  add_prediction_options(verb, *options);
  add_result_options(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
