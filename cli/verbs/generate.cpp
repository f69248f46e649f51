// `plumbline generate`: streams for trying things, as CSV on standard output.

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/checks.h"
#include "cli/output/output.h"
#include "cli/shell/values.h"
#include "cli/verbs/verbs.h"
#include "plumbline/generators/drift.h"
#include "plumbline/generators/registry.h"
#include "plumbline/io/csv_writer.h"

namespace plumbline::cli {
namespace {

struct GenerateOptions {
  std::string name;
  std::uint64_t examples = 0;
  std::uint64_t seed = 1;
  std::string drift_to;
  Drift::Params drift;
};

// The generators with their options, for the end of the help.
std::string list_of_generators() {
  std::string text = "Generators, with their options and defaults:\n";
  for (const auto& row : generators().rows()) {
    text += fmt::format("  {:<12} {}\n", row.name, row.summary);
    for (const OptionInfo& option : row.options) {
      text += fmt::format("    {:<16} {:<8} {} ({})\n", option.name, to_string(option.fallback),
                          option.help, option.allowed);
    }
  }
  return text +
         "Examples:\n"
         "  plumbline generate waveform -n 5000 > waveform.csv\n"
         "  plumbline generate sea:noise=0.2 -n 20000 --drift-to sea:concept=3 --position 10000\n";
}

std::unique_ptr<Generator> make_stream(const GenerateOptions& options) {
  std::unique_ptr<Generator> stream = generators().make(Spec(options.name), options.seed);
  if (options.drift_to.empty()) return stream;
  return std::make_unique<Drift>(options.drift, std::move(stream),
                                 generators().make(Spec(options.drift_to), options.seed),
                                 options.seed);
}

void generate(const GenerateOptions& options) {
  const std::unique_ptr<Generator> stream = make_stream(options);
  const Schema& schema = stream->schema();
  print(fmt::format("{},{}\n", fmt::join(schema.features, ","), schema.label));

  constexpr std::uint64_t kRowsAtOnce = 1000;
  Minibatch batch(schema.size());
  CsvWriter rows;
  for (std::uint64_t done = 0; done < options.examples; done += batch.rows()) {
    stream->read(batch, static_cast<std::size_t>(std::min(kRowsAtOnce, options.examples - done)));
    rows.clear();
    for (std::size_t i = 0; i < batch.rows(); ++i) {
      const bool positive = batch.examples().y[i] == 1;
      rows.add(batch.features().row(i)).add(positive ? schema.positive : schema.negative).end_row();
    }
    print(rows.text());
  }
}

}  // namespace

void add_generate(CLI::App& program) {
  CLI::App* verb = program.add_subcommand(
      "generate", "Write a stream for trying things, as CSV on standard output");
  const auto options = std::make_shared<GenerateOptions>();
  offer_values(
      verb->add_option("generator", options->name, "Generator, e.g. sea or sea:concept=2,noise=0"),
      names_of(generators()))
      ->required();
  verb->add_option("-n,--examples", options->examples, "Number of examples")
      ->required()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
  verb->add_option("--seed", options->seed, "Seed of the random numbers")
      ->check(whole_number(0))
      ->capture_default_str();
  CLI::Option* drift = offer_values(verb->add_option("--drift-to", options->drift_to,
                                                     "Drift to this concept of the same generator"),
                                    names_of(generators()));
  const CLI::Range positive(std::int64_t{0}, std::int64_t{1'000'000'000'000'000});
  verb->add_option("--position", options->drift.position, "Example around which the drift happens")
      ->needs(drift)
      ->check(positive)
      ->capture_default_str();
  verb->add_option("--width", options->drift.width,
                   "Examples that the drift takes; 0 or 1 is abrupt")
      ->needs(drift)
      ->check(positive)
      ->capture_default_str();
  verb->add_option("--period", options->drift.period,
                   "Examples until it drifts back, and forth again; 0 is never")
      ->needs(drift)
      ->check(positive)
      ->capture_default_str();
  verb->footer(list_of_generators());
  verb->callback([options] { generate(*options); });
}

}  // namespace plumbline::cli
