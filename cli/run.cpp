// `plumbline run`: test-then-learn over a stream.

#include <memory>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/class_results.h"
#include "cli/cost_options.h"
#include "cli/cost_report.h"
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/model_options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/run_report.h"
#include "cli/stream_options.h"
#include "cli/verbs.h"
#include "plumbline/core/decision.h"
#include "plumbline/core/file.h"
#include "plumbline/core/prior_shift.h"
#include "plumbline/core/team.h"
#include "plumbline/core/version.h"
#include "plumbline/model/pipeline.h"
#include "plumbline/model/recorder.h"
#include "plumbline/streams/csv_writer.h"
#include "plumbline/streams/sample.h"

namespace plumbline::cli {
namespace {

struct RunOptions {
  StreamOptions stream;
  ModelOptions model;
  CostOptions costs;
  std::string load, save;
  std::string predictions, report;
  std::string progress = "auto";
  bool json = false;
};

// The state of one run, so that whatever ends it (the end of the stream, Ctrl-C, a bad row, a full
// disk) finds what there is to save and to tell.
class Run {
 public:
  explicit Run(const RunOptions& options)
      : options_(options), recorder_(options.costs.negatives_kept) {}

  void run() {
    check_outputs();
    open();
    if (!options_.predictions.empty()) {
      predictions_ = std::make_unique<Output>(options_.predictions);
      predictions_->write(prediction_names(
          *pipeline_, {.other_classes = true, .decisions = options_.costs.given()}));
      columns_ = pipeline_->outputs();
    }
    progress_ = std::make_unique<Progress>(options_.progress);
    std::exception_ptr failure;
    try {
      learn();
      if (recorder_.examples() == 0) {
        throw Error(ErrorKind::data, "there is no row to learn from", {.source = reader_->name()});
      }
    } catch (const Interrupted&) {
      // The rows of a minibatch that is not complete are left for the next time.
    } catch (...) {
      failure = std::current_exception();
    }
    finish(failure != nullptr);
    if (failure) std::rethrow_exception(failure);
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
    check_different(
        {{"the stream", options_.stream.path}, {"--config", options_.model.config_file}},
        {{"--save", options_.save},
         {"--report", options_.report},
         {"--predictions", options_.predictions}});
    for (const std::string& path : {options_.save, options_.report}) {
      if (!path.empty()) check_writable(path);
    }
  }

  void open() {
    if (!options_.load.empty()) {
      pipeline_ = std::make_unique<Pipeline>(Pipeline::load(options_.load));
      reader_ = open_stream(options_.stream, pipeline_->encoder());
    } else {
      const PipelineConfig config = make_config(options_.model);
      auto sampled =
          std::make_unique<SampledReader>(open_stream(options_.stream), options_.stream.sample);
      if (!options_.stream.skips_bad_rows()) sampled->need_a_row();
      std::vector<std::string> notes;
      ColumnChoices columns = without_costs(options_.stream.columns, options_.costs, *sampled);
      columns.multiclass = !options_.model.multiclass.empty();
      Encoder encoder = Encoder::fit(config.encoder, *sampled, sampled->sample(), columns, notes);
      if (options_.progress != "none") {
        for (const std::string& note : notes) fmt::print(stderr, "plumbline: {}\n", note);
      }
      pipeline_ = std::make_unique<Pipeline>(config, std::move(encoder));
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
    while ((!interrupted() || reader_->holds_a_row()) &&
           rows_->read(batch, pipeline_->batch_size())) {
      scores.resize(batch.rows() * pipeline_->outputs());
      probabilities.resize(scores.size());
      const auto rounds = pipeline_->step(batch, scores, probabilities);
      const auto labels = batch.examples().y;
      recorder_.add(*pipeline_, scores, probabilities, labels, rounds, batch.examples().costs);
      position_ = rows_->position();
      write_predictions(scores, probabilities, batch.examples());
      progress_->step(recorder_, reader_->share_read());
    }
  }

  void write_predictions(const std::vector<double>& scores,
                         const std::vector<double>& probabilities, const Examples& examples) {
    if (!predictions_) return;
    text_.clear();
    for (std::size_t i = 0; i < examples.size(); ++i) {
      text_.add(rows_->numbers()[i]);
      if (pipeline_->multiclass()) {
        const std::size_t outputs = pipeline_->outputs();
        write_classes(examples.y[i], std::span(probabilities).subspan(i * outputs, outputs));
      } else {
        text_.add(std::uint64_t{examples.y[i]})
            .add(scores[i])
            .add(scale_odds(probabilities[i], options_.costs.negatives_kept));
      }
      if (!examples.costs.empty()) {
        text_.add(std::uint64_t{decide(probabilities[i], examples.costs[i])});
      }
      text_.end_row();
    }
    predictions_->write(text_.text());
  }

  // Classes that came after the names of the columns had been written share the last column.
  void write_classes(Label label, std::span<const double> probabilities) {
    const auto& names = pipeline_->schema().classes;
    const auto later = probabilities.subspan(columns_);
    text_.add(names[label]).add(names[likeliest(probabilities)]).add(probabilities.first(columns_));
    text_.add(std::accumulate(later.begin(), later.end(), 0.0));
  }

  // Saves and tells what there is, also after a failure.
  void finish(bool failed) {
    seconds_ = progress_->seconds();
    progress_->finish(recorder_);
    if (!options_.save.empty()) pipeline_->save(options_.save);
    if (recorder_.examples() == 0) return;
    if (predictions_ && !failed) predictions_->close();
    if (!options_.report.empty()) {
      const std::string html = run_report(*pipeline_, recorder_, source_text(), seconds_);
      write_file(options_.report, std::as_bytes(std::span(html)));
    }
    if (failed || interrupted()) tell_how_to_go_on(failed);
    if (failed && options_.json) return;  // one object, of a whole run or an interrupted one
    if (options_.predictions == "-") return;
    print(options_.json ? json() : summary());
  }

  void tell_how_to_go_on(bool failed) const {
    fmt::print(stderr, "plumbline: {} after {} rows\n", failed ? "stopped" : "interrupted",
               position_);
    if (options_.save.empty()) return;
    fmt::print(stderr,
               "plumbline: the model is saved; go on with: plumbline run {} --load {} --save {} "
               "--skip {}{}\n",
               options_.stream.path, options_.save, options_.save, position_,
               options_.costs.text());
  }

  std::string source_text() const { return reader_->name(); }

  std::string summary() const {
    const PipelineConfig& config = pipeline_->config();
    const Schema& schema = pipeline_->schema();
    const bool several = pipeline_->multiclass();
    const double n = static_cast<double>(recorder_.examples());
    const double positives = static_cast<double>(recorder_.positives()) / n;
    std::string text = fmt::format(
        "{}: {} examples in {} minibatches of {}; {}\n"
        "{}{}, calibrator {}, policy {}, seed {}\n\n"
        "  log-loss     {:.4f}   (scores before calibration: {:.4f}; always saying {}: {:.4f})\n"
        "  Brier score  {:.4f}\n"
        "  ECE          {:.4f}   (scores before calibration: {:.4f}{})\n"
        "  accuracy     {:.4f}\n",
        source_text(), count_text(recorder_.examples()), count_text(recorder_.batches()),
        config.batch, pipeline_->encoder().summary(),
        several ? fmt::format("{} classes, {}; ", pipeline_->outputs(),
                              long_name(config.model.multiclass))
                : "",
        learners_text(config.model), config.model.calibrator.name, config.model.policy.name,
        config.model.seed, recorder_.log_loss(), recorder_.score_log_loss(),
        several ? "the classes' shares" : fmt::format("{:.3f}", positives),
        recorder_.base_log_loss(), recorder_.brier(), recorder_.ece(), recorder_.score_ece(),
        several ? "; mean over the classes" : "", recorder_.accuracy());
    if (!several) {
      text += fmt::format("  positives    {:.4f}   (label '{}' is '{}')\n", positives, schema.label,
                          schema.positive);
    }
    text += "  actions     ";
    const char* separator = " ";
    for (std::size_t i = 0; i < kActionCount; ++i) {
      const auto action = static_cast<Action>(i);
      if (recorder_.actions(action) == 0) continue;
      text +=
          fmt::format("{}{} {}", separator, name(action), count_text(recorder_.actions(action)));
      separator = ", ";
    }
    text += several ? " (of all binary models)\n" : "\n";
    if (recorder_.costs() != nullptr) text += cost_summary(*recorder_.costs());
    text += fmt::format("  time         {:.2f} s, {} examples/s\n", seconds_,
                        count_text(static_cast<std::uint64_t>(n / std::max(seconds_, 1e-9))));
    if (rows_->bad_rows() > 0) {
      text += fmt::format("  bad rows     {} skipped\n", count_text(rows_->bad_rows()));
    }
    if (pipeline_->encoder().crowded() > 0) {
      text += fmt::format(
          "  crowded      {} values share a feature; --set encoder.max_categories=N or "
          "encoder.max_features=N gives them room\n",
          count_text(pipeline_->encoder().crowded()));
    }
    for (const auto& [what, path] : {std::pair{"model", options_.save},
                                     {"report", options_.report},
                                     {"predictions", options_.predictions}}) {
      if (!path.empty()) text += fmt::format("  {:<12} {}\n", what, path);
    }
    if (several) text += "\n" + class_lines(schema.classes, recorder_.classes());
    return text;
  }

  std::string json() const {
    const Schema& schema = pipeline_->schema();
    Json json;
    json["plumbline"] = kVersion;
    json["source"] = source_text();
    json["examples"] = recorder_.examples();
    json["batches"] = recorder_.batches();
    json["bad_rows"] = rows_->bad_rows();
    json["rows_read"] = position_;
    json["interrupted"] = interrupted().load();
    json["log_loss"] = recorder_.log_loss();
    json["brier"] = recorder_.brier();
    json["ece"] = recorder_.ece();
    json["accuracy"] = recorder_.accuracy();
    json["scores"] = {{"log_loss", recorder_.score_log_loss()}, {"ece", recorder_.score_ece()}};
    if (recorder_.several()) {
      json["base_rate"] = {{"log_loss", recorder_.base_log_loss()}};
      json["multiclass"] = name(pipeline_->config().model.multiclass);
      json["classes"] = classes_json(schema.classes, recorder_.classes());
      json["confusion"] = confusion_json(recorder_.classes());
    } else {
      json["base_rate"] = {{"positives", recorder_.positives()},
                           {"log_loss", recorder_.base_log_loss()}};
    }
    if (recorder_.costs() != nullptr) json["costs"] = cost_json(*recorder_.costs());
    for (std::size_t i = 0; i < kActionCount; ++i) {
      const auto action = static_cast<Action>(i);
      json["actions"][std::string(name(action))] = recorder_.actions(action);
    }
    json["seconds"] = seconds_;
    json["examples_per_second"] =
        static_cast<double>(recorder_.examples()) / std::max(seconds_, 1e-9);
    json["seed"] = pipeline_->config().model.seed;
    json["features"] = schema.size();
    json["label"] = label_json(schema);
    json["config"] = Json::parse(to_json(pipeline_->config()));
    return to_text(json);
  }

  const RunOptions& options_;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<Rows> rows_;
  std::unique_ptr<Output> predictions_;
  std::unique_ptr<Progress> progress_;
  Recorder recorder_;
  std::uint64_t position_ = 0;  // rows of the file that the model has learned from or passed over
  double seconds_ = 0;
  CsvWriter text_;
  std::size_t columns_ = 0;  // classes with a column of their own in the predictions
};

}  // namespace

void add_run(CLI::App& program) {
  CLI::App* verb = program.add_subcommand(
      "run", "Predict each minibatch of a labelled stream, then learn from it");
  const auto options = std::make_shared<RunOptions>();
  options->stream.threads = 0;
  add_stream_options(*verb, options->stream);
  add_column_options(*verb, options->stream);
  add_model_options(*verb, options->model);
  add_cost_options(*verb, options->costs);
  constexpr const char* kGroup = "Results";
  verb->add_option("--load", options->load, "Go on with this model")
      ->type_name("FILE")
      ->check(path())
      ->group(kGroup);
  verb->add_option("--save", options->save, "Save the model at the end, or when interrupted")
      ->type_name("FILE")
      ->check(path())
      ->group(kGroup);
  verb->add_option("--predictions", options->predictions,
                   "Write row, label, score and probability of each example as CSV, and the "
                   "decision if there are costs; of several classes the probability of each; - is "
                   "standard output")
      ->type_name("FILE")
      ->check(path())
      ->group(kGroup);
  verb->add_option("--report", options->report, "Write a page with charts")
      ->type_name("FILE")
      ->check(path())
      ->group(kGroup);
  verb->add_option("--threads", options->stream.threads,
                   "Threads; 0 uses all cores. The results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str()
      ->group(kGroup);
  verb->add_flag("--json", options->json, "Print the result as one JSON object")->group(kGroup);
  verb->add_option("--progress", options->progress,
                   "What to show on standard error: auto, table, bar or none")
      ->type_name("MODE")
      ->check(CLI::IsMember({"auto", "table", "bar", "none"}))
      ->capture_default_str()
      ->group(kGroup);
  verb->footer(
      list_of_components() +
      "Examples:\n"
      "  plumbline run stream.csv.gz\n"
      "  plumbline run stream.csv --label clicked --positive yes --report run.html\n"
      "  plumbline run stream.csv --label species --multiclass ovo\n"
      "  plumbline run - --learner logistic --learners 25 --policy thompson --json < a.csv\n"
      "  plumbline run payments.csv --cost-fp 5 --cost-fn-column amount --predictions p.csv\n"
      "  plumbline run monday.csv --save m && plumbline run tuesday.csv --load m --save m\n");
  verb->callback([options] {
    catch_interrupts();
    const ThreadLimit limit(options->stream.threads);
    Run(*options).run();
    if (interrupted()) throw Interrupted{};
  });
}

}  // namespace plumbline::cli
