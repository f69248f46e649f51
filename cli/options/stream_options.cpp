#include "cli/options/stream_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/value.h"
#include "cli/output/messages.h"
#include "cli/shell/interrupt.h"
#include "plumbline/error.h"
#include "plumbline/io/formats.h"

namespace plumbline::cli {
namespace {

constexpr const char* kStream = "Stream";

char delimiter_of(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() == 1 && text != "\"" && text != "\n") return text[0];
  throw Error(
      ErrorKind::config,
      fmt::format("the delimiter cannot be '{}'; it is one character, or tab, or space", text));
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

Value score_inputs(std::vector<ScoreInput>& to) {
  const auto set = [&to](const Words& words) {
    to.clear();
    for (const std::string& word : words) to.push_back(score_input_named(word));
  };
  return {.set = set, .repeatable = true, .separator = ','};
}

// The rows that are read, and how.
void add_row_options(Verb& verb, StreamOptions& options) {
  add_options(verb, kStream,
              {{.names = {"--ignore"},
                .metavar = "COLUMN",
                .help = "Columns to leave out",
                .value = texts(options.columns.ignore, ',')},
               {.names = {"--on-bad-row"},
                .metavar = "ACTION",
                .help = "Action for a row that cannot be used: stop, or skip and count it",
                .fallback = options.on_bad_row,
                .choices = {"stop", "skip"},
                .value = text(options.on_bad_row)},
               {.names = {"--skip"},
                .metavar = "N",
                .help = "Number of rows to skip at the beginning",
                .value = whole(options.skip)},
               {.names = {"--limit"},
                .metavar = "N",
                .help = "Maximum number of rows to read; all by default",
                .value = whole(options.limit, std::uint64_t{1})}});
}

void add_label_options(Verb& verb, StreamOptions& options, const char* default_label) {
  add_options(verb, kStream,
              {{.names = {"--label"},
                .metavar = "COLUMN",
                .help = fmt::format("Column of the label, by name or number (-1 is the last); {} "
                                    "unless given",
                                    default_label),
                .value = text(options.columns.label)},
               {.names = {"--positive"},
                .metavar = "VALUE",
                .help = "Value of the label that is the positive class, against all others; the "
                        "larger of two values unless given",
                .excludes = {"--multiclass"},
                .value = text(options.columns.positive)}},
              kKeptInModel);
}

}  // namespace

void add_stream_options(Verb& verb, StreamOptions& options) {
  verb.positionals.push_back({.names = {"file"},
                              .help = "File to read, plain, gzip, bzip2, xz, zstd or zip; - is "
                                      "standard input",
                              .completion = Completion::files,
                              .required = true,
                              .value = path(options.path)});
  add_options(verb, kStream,
              {{.names = {"--format"},
                .metavar = "FORMAT",
                .help = fmt::format("Format of the file ({}); detected from its content and name "
                                    "unless given",
                                    fmt::join(format_names(), ", ")),
                .choices = format_names(),
                .value = text(options.format)},
               {.names = {"--delimiter"},
                .metavar = "CHAR",
                .help = "Character between the fields of a CSV file; detected by default",
                .value = text(options.delimiter)},
               {.names = {"--header"},
                .help = "The first row of the CSV file names the columns",
                .excludes = {"--no-header"},
                .value = flag(options.header)},
               {.names = {"--no-header"},
                .help = "The first row of the CSV file is data",
                .excludes = {"--header"},
                .value = flag(options.no_header)}});
  add_row_options(verb, options);
}

void add_column_options(Verb& verb, StreamOptions& options, const char* default_label) {
  add_label_options(verb, options, default_label);
  add_options(
      verb, kStream,
      {{.names = {"--categorical"},
        .metavar = "COLUMN",
        .help = "Columns of categories, even if they look like numbers",
        .value = texts(options.columns.categorical, ',')},
       {.names = {"--missing"},
        .metavar = "TEXT",
        .help = "Texts that mean a missing number, besides ?, NA, N/A, NaN, null and none",
        .value = texts(options.columns.missing, ',')},
       {.names = {"--sample"},
        .metavar = "N",
        .help = "Rows used to infer column types; nothing is learned until they have been read",
        .fallback = std::to_string(options.sample),
        .value = whole(options.sample, std::uint64_t{1})},
       {.names = {"--numeric"},
        .metavar = "COLUMN",
        .help =
            "Columns of numbers, even if their first rows look like texts, times or identifiers",
        .value = texts(options.columns.numeric, ',')},
       {.names = {"--time"},
        .metavar = "COLUMN",
        .help = "Columns of times: hour of day, day of week and time since the previous row become "
                "features",
        .value = texts(options.columns.time, ',')},
       {.names = {"--scores"},
        .metavar = "COLUMN",
        .help = "Columns of scores of another model, higher for the positive class of two: they go "
                "to the calibrator and are no features",
        .value = texts(options.columns.scores, ',')},
       {.names = {"--score-input"},
        .metavar = "INPUT",
        .help = "Meaning of --scores, once for all or for each: probability, logit (log-odds) or "
                "score (any number); probability unless given",
        .choices = {"probability", "logit", "score"},
        .needs = {"--scores"},
        .value = score_inputs(options.columns.score_inputs)}},
      kKeptInModel);
}

namespace {

OpenOptions reader_options(const StreamOptions& options) {
  OpenOptions reader{.format = options.format, .interrupted = &interrupted()};
  if (!options.delimiter.empty()) reader.csv.delimiter = delimiter_of(options.delimiter);
  if (options.header || options.no_header) reader.csv.header = options.header;
  reader.read_ahead = options.threads != 1;
  return reader;
}

}  // namespace

std::unique_ptr<Stream> open_stream(const StreamOptions& options) {
  return open_stream(options.path, reader_options(options));
}

std::unique_ptr<Stream> open_stream(const StreamOptions& options, const Encoder& encoder) {
  OpenOptions reader = reader_options(options);
  if (encoder.plan().has_names) {
    reader.csv.names = encoder.plan().names();
  } else if (!reader.csv.header) {
    reader.csv.header = false;  // as it was when the model was made
  }
  return open_stream(options.path, reader);
}

ReadOptions read_options(const StreamOptions& options) {
  ReadOptions rows;
  rows.skip_bad_rows = options.skips_bad_rows();
  rows.skip = options.skip;
  if (options.limit > 0) rows.limit = options.limit;
  rows.ignore = options.columns.ignore;
  rows.on_bad_row = [told = 0](const Error& error) mutable {
    constexpr int kTold = 5;
    if (told < kTold) say("skipped: {}", in_words(error));
    if (told == kTold) say("further bad rows are only counted");
    ++told;
  };
  return rows;
}

}  // namespace plumbline::cli
