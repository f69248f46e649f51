// `plumbline predict`: probabilities for rows, by a model that stays as it is.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/checks.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/stream_options.h"
#include "cli/verbs.h"
#include "plumbline/model/pipeline.h"
#include "plumbline/streams/csv_writer.h"

namespace plumbline::cli {
namespace {

struct PredictOptions {
  StreamOptions stream;
  std::string model;
  std::string output = "-";
  bool unbuffered = false;
  bool no_names = false;
};

void predict(const PredictOptions& options) {
  check_different({{"the stream", options.stream.path}, {"--model", options.model}},
                  {{"--output", options.output}});
  const Pipeline pipeline = Pipeline::load(options.model);
  const auto reader = open_stream(options.stream, pipeline.encoder());
  Rows rows(*reader, pipeline.encoder(), rows_options(options.stream));
  Output output(options.output);
  if (!options.no_names) output.write("row,label,score,probability\n");
  if (options.unbuffered) output.flush();

  const std::size_t rows_at_once = options.unbuffered ? 1 : 1000;
  Minibatch batch(pipeline.encoder().schema().size());
  std::vector<double> scores, probabilities;
  CsvWriter text;
  const auto write_batch = [&] {
    scores.resize(batch.rows());
    probabilities.resize(batch.rows());
    pipeline.predict(batch, scores, probabilities);
    text.clear();
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      text.add(rows.numbers()[i])
          .add(rows.labels()[i])
          .add(scores[i])
          .add(probabilities[i])
          .end_row();
    }
    output.write(text.text());
    if (options.unbuffered) output.flush();
  };
  try {
    while (!interrupted() && rows.read(batch, rows_at_once)) write_batch();
  } catch (const Error&) {
    write_batch();  // the good rows before the bad one
    output.close();
    throw;
  }
  output.close();
  if (rows.bad_rows() > 0) {
    fmt::print(stderr, "plumbline: {} bad rows were skipped\n", rows.bad_rows());
  }
}

}  // namespace

void add_predict(CLI::App& program) {
  CLI::App* verb = program.add_subcommand(
      "predict", "Give probabilities for rows, labelled or not, by a saved model");
  const auto options = std::make_shared<PredictOptions>();
  options->stream.threads = 0;
  add_stream_options(*verb, options->stream);
  constexpr const char* kGroup = "Results";
  verb->add_option("-m,--model", options->model, "Model that 'plumbline run --save' wrote")
      ->required()
      ->type_name("FILE")
      ->check(path())
      ->group(kGroup);
  verb->add_option("-o,--output", options->output, "File to write; - is standard output")
      ->type_name("FILE")
      ->check(path())
      ->capture_default_str()
      ->group(kGroup);
  verb->add_flag("--unbuffered", options->unbuffered, "Answer each row at once, for live pipes")
      ->group(kGroup);
  verb->add_flag("--no-names", options->no_names, "Leave out the row with the names of the columns")
      ->group(kGroup);
  verb->footer(
      "Writes CSV: the row's number, its label if it has one, the ensemble's score and the "
      "calibrated probability of the positive class.\n"
      "Examples:\n"
      "  plumbline predict new.csv --model m.safetensors > probabilities.csv\n"
      "  tail -f live.csv | plumbline predict - --model m.safetensors --unbuffered\n");
  verb->callback([options] {
    catch_interrupts();
    predict(*options);
    if (interrupted()) throw Interrupted{};
  });
}

}  // namespace plumbline::cli
