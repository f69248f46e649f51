// `plumbline generate`: synthetic streams, as CSV on standard output.

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/components.h"
#include "cli/options/value.h"
#include "cli/output/output.h"
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
  return text;
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

// The options of the drift.
void add_drift_options(Verb& verb, Drift::Params& drift) {
  const auto add = [&](const char* name, std::int64_t& value, const char* help) {
    verb.options.push_back(
        {.names = {name},
         .metavar = "N",
         .help = help,
         .fallback = std::to_string(value),
         .needs = {"--drift-to"},
         .value = whole(value, std::int64_t{0}, std::int64_t{1'000'000'000'000'000})});
  };
  add("--position", drift.position, "Example around which the drift happens");
  add("--width", drift.width, "Number of examples that the drift takes; 0 or 1 is abrupt");
  add("--period", drift.period, "Number of examples until it drifts back, and again; 0 is never");
}

}  // namespace

Verb generate_verb() {
  const auto options = std::make_shared<GenerateOptions>();
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  Verb verb{.name = "generate",
            .summary = "Write a synthetic stream as CSV to standard output",
            .positionals = {{.names = {"generator"},
                             .help = "Generator, e.g. sea or sea:concept=2,noise=0",
                             .offers = offer_specs_of<plumbline::generators>,
                             .required = true,
                             .value = text(options->name)}},
            .options = {{.names = {"-n", "--examples"},
                         .metavar = "N",
                         .help = "Number of examples",
                         .required = true,
                         .value = whole(options->examples, std::uint64_t{1}, kMost)},
                        {.names = {"--seed"},
                         .metavar = "N",
                         .help = "Seed of the random numbers",
                         .fallback = std::to_string(options->seed),
                         .value = whole(options->seed)},
                        {.names = {"--drift-to"},
                         .metavar = "SPEC",
                         .help = "Drift to this concept of the same generator",
                         .offers = offer_specs_of<plumbline::generators>,
                         .value = text(options->drift_to)}},
            .lists = list_of_generators,
            .examples = {"plumbline generate waveform -n 5000 > waveform.csv",
                         "plumbline generate sea:noise=0.2 -n 20000 --drift-to sea:concept=3 "
                         "--position 10000"},
            .run = [options](const CommandLine&) { generate(*options); }};
  add_drift_options(verb, options->drift);
  return verb;
}

}  // namespace plumbline::cli
