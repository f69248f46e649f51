// `plumbline predict`: probabilities of rows by a saved model, which does not change.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/options/checks.h"
#include "cli/options/cost_options.h"
#include "cli/options/key_options.h"
#include "cli/options/layout_option.h"
#include "cli/options/stream_options.h"
#include "cli/options/value.h"
#include "cli/output/attempts.h"
#include "cli/output/key_predictions.h"
#include "cli/output/messages.h"
#include "cli/output/prediction_writer.h"
#include "cli/shell/interrupt.h"
#include "cli/verbs/verbs.h"
#include "plumbline/decisions.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/io/number.h"
#include "plumbline/io/source.h"
#include "plumbline/keyed_model.h"
#include "plumbline/model/label_budget.h"
#include "plumbline/session.h"

namespace plumbline::cli {
namespace {

struct PredictOptions {
  StreamOptions stream;
  std::string model;
  CostOptions costs;
  KeyOptions keys;
  std::string prior;
  std::string output = "-";
  bool unbuffered = false;
  bool no_names = false;
  std::string layout = "wide";
};

constexpr const char* kEstimate = "estimate";
constexpr std::size_t kRowsAtOnce = 1000;

// Decisions use the corrected probabilities, so costs need no correction for undersampling.
ReadOptions predicted_rows(const PredictOptions& options) {
  ReadOptions rows = read_options(options.stream);
  rows.costs = options.costs.of_rows();
  if (rows.costs) rows.costs->negatives_kept = 1;
  return rows;
}

// Estimates the share of positives from the rows, in a separate pass.
double estimated_prior(const PredictOptions& options, const Model& model, double learned) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(options.stream.path, none)) {
    throw Error(ErrorKind::config,
                "--prior estimate reads the rows twice and needs a file; standard input and "
                "pipes can be read only once");
  }
  const auto stream = open_stream(options.stream, model.encoder());
  ReadOptions read = predicted_rows(options);
  read.on_bad_row = {};  // the second pass reports them
  Session session(*stream, model, std::move(read));
  PriorEstimator estimator(learned);
  while (!interrupted() && session.predict(kRowsAtOnce)) {
    estimator.add(session.predictions().probabilities);
  }
  if (interrupted()) throw Interrupted{};
  const double prior = estimator.estimate();
  say("the share of positives is estimated at {:.4g} from {} rows; the "
      "model learned with {:.4g}",
      prior, estimator.rows(), learned);
  return prior;
}

// The factor of the odds that corrects the probabilities for the rows to predict.
double odds_factor_for(const PredictOptions& options, const Model& model) {
  if (options.prior.empty()) return options.costs.negatives_kept;
  const std::optional<double> learned = model.positive_share();
  if (!learned) {
    throw Error(ErrorKind::config,
                "--prior needs a model that has learned from positives and negatives by 'plumbline "
                "run', and this one has not; leave out --prior",
                {.source = options.model});
  }
  const double prior = options.prior == kEstimate ? estimated_prior(options, model, *learned)
                                                  : parse_number(options.prior).value();
  return odds_factor(*learned, prior);
}

// Predicts rows by a store of models: each row as the next one of its key.
void predict_by_key(const PredictOptions& options) {
  const auto refuse = [](const char* option) {
    throw Error(ErrorKind::config,
                fmt::format("{} cannot be used with a store of models by key", option));
  };
  if (options.layout == "long") refuse("--layout long");
  if (options.costs.any() || options.costs.negatives_kept != 1) refuse("a cost");
  if (!options.prior.empty()) refuse("--prior");
  KeyedModel model = KeyedModel::open(options.model, KeyedModel::Use::predict,
                                      {.cache_bytes = options.keys.cache_mib << 20});
  const auto stream = open_stream(options.stream, model.encoder());
  KeyedSession session(*stream, model, KeyedModel::Use::predict, read_options(options.stream),
                       options.keys.key);
  KeyPredictions output(options.output, /*append=*/false, !options.no_names,
                        model.parent() != nullptr);
  if (options.unbuffered) output.flush();
  std::uint64_t unknown = 0;
  Attempts attempts;
  attempts.attempt([&] {
    while (!interrupted() && session.step()) {
      if (!session.known()) ++unknown;
      output.add(session, session.label_text());
      options.unbuffered ? output.flush() : output.write();
    }
  });
  attempts.attempt([&] { output.close(); });
  if (session.bad_rows() > 0) say("{} bad rows were skipped", session.bad_rows());
  if (unknown > 0) {
    say("{} rows have a key without a model; their probability is {}", unknown,
        model.parent() != nullptr ? "the parent's" : "that of a new model");
  }
  attempts.rethrow();
}

void predict(const PredictOptions& options) {
  check_different({{"the stream", options.stream.path}, {"--model", options.model}},
                  {{"--output", options.output}});
  if (KeyedModel::is_store(options.model)) return predict_by_key(options);
  if (!options.keys.key.empty()) {
    throw Error(ErrorKind::config,
                "it is a single model, not a store of models by key; leave out --key",
                {.source = options.model});
  }
  const Model model = Model::load(options.model);
  check_two_classes(options.costs, model.schema());
  const double factor = odds_factor_for(options, model);
  const auto stream = open_stream(options.stream, model.encoder());
  Session session(*stream, model, predicted_rows(options));
  const bool decides = options.costs.any();
  PredictionWriter output({.path = options.output,
                           .long_layout = options.layout == "long",
                           .names = !options.no_names,
                           .decisions = decides,
                           .asks = model.config().label_budget < 1},
                          model.schema());
  if (options.unbuffered) output.flush();

  LabelBudget budget = model.label_budget();  // the model's is unchanged
  std::vector<std::uint8_t> asked;
  const std::size_t rows_at_once = options.unbuffered ? 1 : kRowsAtOnce;
  const auto write_batch = [&] {
    const RowBatch& rows = session.rows();
    const Predictions& predicted = session.predictions();
    if (budget.limited()) budget.next(predicted.probabilities, predicted.outputs, asked);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      PredictionWriter::Row row{.number = rows.numbers()[i],
                                .label = rows.label_texts()[i],
                                .score = predicted.scores[i * model.outputs()],
                                .probabilities = predicted.row(i)};
      if (budget.limited()) row.ask = asked[i];
      const double scaled = scale_odds(row.probabilities.front(), factor);
      if (!model.several_classes()) row.probabilities = {&scaled, 1};
      if (decides) row.decision = decide(scaled, rows.examples().costs[i]);
      output.add(row);
    }
    options.unbuffered ? output.flush() : output.write();
  };
  Attempts attempts;
  const auto read = [&] {
    bool more = false;
    attempts.attempt([&] { more = session.predict(rows_at_once); });
    return more;
  };
  attempts.attempt([&] {
    while (!interrupted() && read()) write_batch();
    if (!attempts.failed()) return;
    session.predict_rest();  // the good rows before a bad one, or before an interrupt
    write_batch();
  });
  attempts.attempt([&] { output.close(); });
  if (session.bad_rows() > 0) say("{} bad rows were skipped", session.bad_rows());
  attempts.rethrow();
}

// A share of positives, or `estimate`.
Value prior(std::string& to) {
  return {.set = [&to](const Words& words) {
    try {
      if (words[0] != kEstimate) {
        parse_real(words[0], {.low = 0, .high = 1, .low_open = true, .high_open = true});
      }
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}, nor '{}'", error.what(), kEstimate));
    }
    to = words[0];
  }};
}

void add_output_options(Verb& verb, PredictOptions& options) {
  add_options(verb, "Results",
              {{.names = {"-m", "--model"},
                .metavar = "FILE",
                .help = "Model written by 'plumbline run --save'",
                .completion = Completion::files,
                .required = true,
                .value = path(options.model)},
               {.names = {"-o", "--output"},
                .metavar = "FILE",
                .help = "File to write; - is standard output",
                .fallback = options.output,
                .completion = Completion::files,
                .value = path(options.output)},
               {.names = {"--unbuffered"},
                .help = "Write each prediction at once, for live pipes",
                .value = flag(options.unbuffered)},
               {.names = {"--no-names"},
                .help = "Do not write the names of the columns",
                .value = flag(options.no_names)},
               layout_option(options.layout)});
}

void add_prior_option(Verb& verb, PredictOptions& options) {
  add_options(verb, "Costs",
              {{.names = {"--prior"},
                .metavar = "SHARE",
                .help = "Share of positives among the rows to predict, if it differs from that of "
                        "the training data; 'estimate' estimates it from the rows, which are read "
                        "twice",
                .excludes = {"--negatives-kept"},
                .value = prior(options.prior)}});
}

}  // namespace

Verb predict_verb() {
  const auto options = std::make_shared<PredictOptions>();
  options->stream.threads = 0;
  Verb verb{
      .name = "predict",
      .summary = "Predict probabilities of rows, labelled or not, with a saved model",
      .notes =
          "Writes CSV: the row's number, its label if it has one, the ensemble's score and the "
          "calibrated probability of the positive class; with costs also the decision of lowest "
          "expected cost, 1 for positive. For several classes: the most likely class and the "
          "probability of each. With a label budget also the column 'ask': 1 if the row is worth a "
          "label now, as far as the budget goes. Get these labels, and learn the rows by "
          "'plumbline run "
          "--load MODEL --learn-all'.\n",
      .examples =
          {"plumbline predict new.csv --model m.safetensors > probabilities.csv",
           "plumbline predict new.csv --model m.safetensors --cost-fp 5 --cost-fn-column amount",
           "plumbline predict new.csv --model m.safetensors --prior 0.01",
           "tail -f live.csv | plumbline predict - --model m.safetensors --unbuffered"},
      .run = [options](const CommandLine&) {
        catch_interrupts();
        predict(*options);
        if (interrupted()) throw Interrupted{};
      }};
  add_stream_options(verb, options->stream);
  add_output_options(verb, *options);
  add_cost_options(verb, options->costs, /*learns=*/false);
  add_prior_option(verb, *options);
  add_options(verb, "One model per key",
              {{.names = {"--key"},
                .metavar = "COLUMN",
                .help = "Column of the keys, for a store of models written by 'plumbline run "
                        "--key'; that of the store unless given",
                .value = text(options->keys.key)},
               key_cache_option(options->keys)});
  return verb;
}

}  // namespace plumbline::cli
