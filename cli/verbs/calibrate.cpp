// `plumbline calibrate`: calibrates the scores in a file, test-then-learn.

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/checks.h"
#include "cli/options/command_line.h"
#include "cli/options/components.h"
#include "cli/options/layout_option.h"
#include "cli/options/progress_option.h"
#include "cli/options/stream_options.h"
#include "cli/options/value.h"
#include "cli/output/attempts.h"
#include "cli/output/calibration_report.h"
#include "cli/output/messages.h"
#include "cli/output/output.h"
#include "cli/output/prediction_writer.h"
#include "cli/output/progress.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/file.h"
#include "plumbline/encoding/score_reader.h"
#include "plumbline/io/source.h"
#include "plumbline/online_calibrator.h"

namespace plumbline::cli {
namespace {

struct CalibrateOptions {
  StreamOptions stream;
  Words scores, inputs, classes;
  std::string calibrator;
  std::optional<std::size_t> label_delay;
  std::string load, save, predictions, report;
  bool append = false;
  std::string layout = "wide";
  std::string progress = "auto";
  bool json = false;
  std::function<CommandLine()> command;
};

// One run. However it ends (end of the stream, Ctrl-C, a bad row, a full disk), the state is saved and reported.
class Calibration {
 public:
  explicit Calibration(const CalibrateOptions& options) : options_(options) {}

  void run() {
    check();
    open();
    const OnlineCalibratorOptions& made = calibrator_->options();
    report_ = std::make_unique<CalibrationReport>(*calibrator_);
    schema_ = {.features = made.columns, .label = made.label};
    if (made.classes > 2) {
      schema_.classes = made.class_names;
    } else {
      schema_.negative = made.class_names[0];
      schema_.positive = made.class_names[1];
    }
    if (!options_.predictions.empty()) {
      predictions_ = std::make_unique<PredictionWriter>(
          PredictionWriter::Options{.path = options_.predictions,
                                    .append = options_.append,
                                    .long_layout = options_.layout == "long"},
          schema_);
    }
    progress_ = std::make_unique<Progress>(options_.progress);
    attempts_.attempt([&] { learn(); });
    finish();
    attempts_.rethrow();
    if (interrupted_) throw Interrupted{};
  }

 private:
  // Finds outputs that could not be written at the end.
  void check() const {
    if (options_.predictions == "-" && options_.json) {
      throw Error(
          ErrorKind::config,
          "--predictions - and --json both use standard output; use a file for one of them");
    }
    const bool described = !options_.scores.empty() || !options_.inputs.empty() ||
                           !options_.classes.empty() || !options_.calibrator.empty() ||
                           !options_.stream.columns.label.empty() || options_.label_delay;
    if (!options_.load.empty() && described) {
      throw Error(
          ErrorKind::config,
          "--load continues with a calibrator that knows its columns and options; leave out "
          "--score, --label, --classes, --input, --calibrator and --label-delay, or leave out "
          "--load");
    }
    if (options_.load.empty() && options_.scores.empty()) {
      throw Error(ErrorKind::config, "name the columns of the scores: --score COLUMN");
    }
    const NamedPath report{"--report", options_.report},
        predictions{"--predictions", options_.predictions};
    check_different({{"the stream", options_.stream.path}},
                    {{"--save", options_.save}, report, predictions});
    check_different({{"--load", options_.load}}, {report, predictions});
    for (const std::string& path : {options_.save, options_.report}) {
      if (!path.empty()) check_writable(path);
    }
  }

  void open() {
    auto sampled =
        std::make_unique<SampledStream>(open_stream(options_.stream), SampledStream::kRows);
    if (!options_.stream.skips_bad_rows()) sampled->need_a_row();
    calibrator_ = std::make_unique<OnlineCalibrator>(
        options_.load.empty() ? made_for(*sampled) : OnlineCalibrator::load(options_.load));
    stream_ = std::move(sampled);
    const OnlineCalibratorOptions& made = calibrator_->options();
    ReadOptions read = read_options(options_.stream);
    read.on_bad_row = [this, tell = read.on_bad_row](const Error& error) {
      progress_->hide();
      tell(error);
    };
    reader_ = std::make_unique<ScoreReader>(
        *stream_, ScoreColumns{made.columns, made.label}, made.class_names, std::move(read),
        [this](std::span<const double> scores) { calibrator_->check(scores); });
  }

  OnlineCalibrator made_for(const SampledStream& stream) const {
    const ScoreColumns columns = resolve({options_.scores, options_.stream.columns.label}, stream);
    const Words classes =
        options_.classes.empty() ? two_classes(stream, columns.label) : options_.classes;
    const std::size_t each = classes.size() == 2 ? 1 : classes.size();
    if (columns.scores.size() % each != 0) {
      throw Error(ErrorKind::config,
                  fmt::format("there are {} columns of scores for {} classes; each score has a "
                              "column for each class, in the order of --classes",
                              columns.scores.size(), classes.size()));
    }
    OnlineCalibratorOptions options{.scores = columns.scores.size() / each,
                                    .classes = classes.size(),
                                    .columns = columns.scores,
                                    .label = columns.label,
                                    .class_names = classes};
    if (!options_.calibrator.empty()) options.calibrator = std::string_view(options_.calibrator);
    options.label_delay = options_.label_delay.value_or(0);
    if (!options_.inputs.empty()) options.inputs.clear();
    for (const std::string& input : options_.inputs) {
      options.inputs.push_back(score_input_named(input));
    }
    return OnlineCalibrator(options);
  }

  static Words two_classes(const SampledStream& stream, const std::string& label) {
    const Words values = label_values(stream, label);
    if (values.size() == 2) return values;
    constexpr std::size_t kShown = 5;
    const Words shown(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(
                                                           std::min(values.size(), kShown)));
    throw Error(ErrorKind::data,
                fmt::format("the label '{}' has {} value{} among the first rows ({}{}); name all "
                            "classes with --classes, the positive one of two last, those of more "
                            "in the order of their columns",
                            label, values.size(), values.size() == 1 ? "" : "s",
                            fmt::join(shown, ", "), values.size() > kShown ? ", …" : ""),
                {.source = stream.name()});
  }

  void learn() {
    std::vector<double> probabilities(calibrator_->outputs());
    while (!interrupted() || stream_->holds_a_row()) {
      try {
        if (!reader_->next()) return;
      } catch (const Interrupted&) {
        break;
      }
      learn_row(probabilities);
      progress_->step(figures(), stream_->share_read());
    }
    interrupted_ = true;
  }

  Progress::Figures figures() const {
    return {.examples = report_->examples(),
            .batches = report_->examples(),
            .log_loss = report_->log_loss(),
            .brier = report_->brier()};
  }

  void learn_row(std::vector<double>& probabilities) {
    const Label label = reader_->label();
    const std::vector<double> before = calibrator_->uncalibrated(reader_->scores());
    calibrator_->step(reader_->scores(), {&label, 1}, probabilities);
    done_ = reader_->position();
    report_->add(before, probabilities, label);
    if (!predictions_) return;
    const bool several = calibrator_->outputs() > 1;
    const std::string& name = several      ? schema_.classes[label]
                              : label == 1 ? schema_.positive
                                           : schema_.negative;
    const bool numbered = !several && options_.layout == "wide";
    predictions_->add({.number = reader_->position(),
                       .label = numbered ? (label == 1 ? "1" : "0") : name,
                       .score = before.front(),
                       .probabilities = probabilities});
    predictions_->write();
  }

  void finish() {
    const double seconds = progress_->seconds();
    const bool learned = report_->examples() > 0, stopped = attempts_.failed();
    progress_->finish(figures());
    if (!learned && !stopped && !interrupted_) {
      attempts_.attempt([&] {
        throw Error(ErrorKind::data, "there is no row to learn from", {.source = stream_->name()});
      });
    }
    CalibrationReport::Run result{.source = stream_->name(),
                                  .rows_read = reader_->position(),
                                  .bad_rows = reader_->bad_rows(),
                                  .seconds = seconds,
                                  .interrupted = interrupted_};
    const auto write = [&](const char* what, const std::string& path, const auto& write_it) {
      const bool written = !path.empty() && attempts_.attempt(write_it);
      if (written) result.files.emplace_back(what, path);
      return written;
    };
    bool saved = false;
    if (learned) {
      saved = write("calibrator", options_.save, [&] { calibrator_->save(options_.save); });
      write("report", options_.report, [&] {
        const std::string html = report_->page(result);
        write_file(options_.report, std::as_bytes(std::span(html)));
      });
    }
    write("predictions", options_.predictions, [&] { predictions_->close(); });
    if (stopped || interrupted_) {
      say("{} after {} rows", stopped ? "stopped" : "interrupted", done_);
      if (saved) say("the calibrator is saved; go on with: {}", next_command());
    }
    const bool silent = !learned || options_.predictions == "-" || (stopped && options_.json);
    if (!silent) {
      attempts_.attempt(
          [&] { print(options_.json ? report_->json(result) : report_->text(result)); });
    }
  }

  std::string next_command() const {
    CommandLine command = options_.command();
    if (predictions_ && options_.predictions != "-") command.set("--append");
    if (options_.stream.limit > 0) {
      command.set("--limit", std::to_string(options_.stream.limit - report_->examples()));
    }
    command.set("--skip", std::to_string(done_)).set("--load", options_.save);
    return command.text();
  }

  const CalibrateOptions& options_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<OnlineCalibrator> calibrator_;
  std::unique_ptr<ScoreReader> reader_;
  std::unique_ptr<CalibrationReport> report_;
  Schema schema_;
  std::unique_ptr<PredictionWriter> predictions_;
  std::unique_ptr<Progress> progress_;
  Attempts attempts_;
  std::uint64_t done_ = 0;  // rows up to the last predicted one
  bool interrupted_ = false;
};

void add_score_options(Verb& verb, CalibrateOptions& options) {
  add_options(
      verb, "Scores",
      {{.names = {"--score"},
        .metavar = "COLUMN",
        .help = "Columns of scores, by name or number. Two classes: one for each score, higher for "
                "the positive class. More: one for each class, in the order of --classes",
        .value = texts(options.scores, ',')},
       {.names = {"--label"},
        .metavar = "COLUMN",
        .help =
            "Column of the label, by name or number (-1 is the last); the last one unless given",
        .value = text(options.stream.columns.label)},
       {.names = {"--classes"},
        .metavar = "VALUE",
        .help =
            "All values of the label, the positive one of two last; the larger of two values is "
            "positive unless given",
        .value = texts(options.classes, ',')},
       {.names = {"--input"},
        .metavar = "INPUT",
        .help = "Meaning of the scores, once for all or for each: probability, logit (log-odds; of "
                "more classes ln p), or score (any number); probability unless given",
        .choices = {"probability", "logit", "score"},
        .value = texts(options.inputs, ',')},
       {.names = {"--calibrator"},
        .metavar = "SPEC",
        .help = "Calibrator of two classes; cascade unless given",
        .offers = offer_specs_of<plumbline::calibrators>,
        .value = text(options.calibrator)},
       {.names = {"--label-delay"},
        .metavar = "N",
        .help = "Rows that are predicted after a row before its label is known and it is learned",
        .fallback = "0",
        .value = whole(options.label_delay)}},
      kKeptInModel);
}

void add_output_options(Verb& verb, CalibrateOptions& options) {
  Option layout = layout_option(options.layout);
  layout.needs = {"--predictions"};
  add_options(
      verb, "Results",
      {{.names = {"--load"},
        .metavar = "FILE",
        .help = "Continue with this calibrator",
        .completion = Completion::files,
        .value = path(options.load)},
       {.names = {"--save"},
        .metavar = "FILE",
        .help = "Save the calibrator at the end, or when interrupted",
        .completion = Completion::files,
        .value = path(options.save)},
       {.names = {"--predictions"},
        .metavar = "FILE",
        .help = "Write row, label, first score and calibrated probability as CSV; for more "
                "classes the probability of each; - is standard output",
        .completion = Completion::files,
        .value = path(options.predictions)},
       {.names = {"--append"},
        .help = "Append to the file of --predictions instead of replacing it, e.g. after an "
                "interrupt",
        .needs = {"--predictions"},
        .value = flag(options.append)},
       std::move(layout),
       {.names = {"--report"},
        .metavar = "FILE",
        .help = "Write a page with the reliability of the scores and of the probabilities",
        .completion = Completion::files,
        .value = path(options.report)},
       {.names = {"--json"},
        .help = "Print the result as one JSON object",
        .value = flag(options.json)},
       progress_option(options.progress)});
}

}  // namespace

Verb calibrate_verb() {
  const auto options = std::make_shared<CalibrateOptions>();
  Verb verb{
      .name = "calibrate",
      .summary = "Turn the scores of any model into probabilities, test then learn",
      .notes =
          "Each row is predicted from its scores before its label is learned. The table compares "
          "the uncalibrated scores with the calibrated probabilities.\n",
      .examples = {"plumbline calibrate scores.csv --score p --label clicked",
                   "plumbline calibrate scores.csv --score fast,slow --input logit --save c",
                   "plumbline calibrate scores.csv --score a,b,c --classes oak,pine,spruce --json",
                   "plumbline calibrate tuesday.csv --load c --save c --predictions p.csv"},
      .run = [options](const CommandLine& line) {
        catch_interrupts();
        options->command = [&line] { return CommandLine(line).remove_kept_in_model(); };
        Calibration(*options).run();
      }};
  add_stream_options(verb, options->stream);
  add_score_options(verb, *options);
  add_output_options(verb, *options);
  return verb;
}

}  // namespace plumbline::cli
