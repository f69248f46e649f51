#include "cli/options/stream_options.h"

#include <fmt/format.h>

#include "cli/options/checks.h"
#include "cli/output/messages.h"
#include "cli/shell/interrupt.h"
#include "plumbline/base/error.h"
#include "plumbline/io/formats.h"

namespace plumbline::cli {
namespace {

constexpr const char* kGroup = "Stream";

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

}  // namespace

void add_stream_options(CLI::App& verb, StreamOptions& options) {
  verb.add_option("file", options.path, "File to read, plain, gzip or zstd; - is standard input")
      ->required()
      ->check(path())
      ->type_name("FILE");
  verb.add_option("--format", options.format,
                  fmt::format("Format of the file ({}); found out from its content and name "
                              "unless given",
                              fmt::join(format_names(), ", ")))
      ->type_name("FORMAT")
      ->group(kGroup);
  verb.add_option("--delimiter", options.delimiter,
                  "Character between the fields of a CSV file; found out unless given")
      ->type_name("CHAR")
      ->group(kGroup);
  CLI::Option* header =
      verb.add_flag("--header", options.header, "The first row of the CSV file names the columns")
          ->group(kGroup);
  verb.add_flag("--no-header", options.no_header, "The first row of the CSV file is data")
      ->excludes(header)
      ->group(kGroup);
  verb.add_option("--ignore", options.columns.ignore, "Columns to leave out")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(kGroup);
  verb.add_option("--on-bad-row", options.on_bad_row,
                  "What to do about a row that cannot be used: stop, or skip and count it")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"stop", "skip"}))
      ->capture_default_str()
      ->group(kGroup);
  verb.add_option("--skip", options.skip, "Rows at the beginning to pass over")
      ->type_name("N")
      ->check(whole_number(0))
      ->group(kGroup);
  verb.add_option("--limit", options.limit, "Rows to read at most; all unless given")
      ->type_name("N")
      ->check(whole_number(1))
      ->group(kGroup);
}

void add_column_options(CLI::App& verb, StreamOptions& options) {
  verb.add_option("--label", options.columns.label,
                  "Column of the label, by name or number (-1 is the last); the last one unless "
                  "given")
      ->type_name("COLUMN")
      ->group(kGroup);
  verb.add_option("--positive", options.columns.positive,
                  "Value of the label that is the positive class, against all others; the larger "
                  "of two values unless given")
      ->type_name("VALUE")
      ->group(kGroup);
  verb.add_option("--categorical", options.columns.categorical,
                  "Columns of categories, even if they look like numbers")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(kGroup);
  verb.add_option("--missing", options.columns.missing,
                  "Texts that stand for a missing number, besides ?, NA, N/A, NaN, null and none")
      ->type_name("TEXT")
      ->delimiter(',')
      ->group(kGroup);
  verb.add_option("--sample", options.sample,
                  "Rows from which the kinds of the columns are found out; they are awaited first")
      ->type_name("N")
      ->check(whole_number(1))
      ->capture_default_str()
      ->group(kGroup);
  verb.add_option("--numeric", options.columns.numeric,
                  "Columns of numbers, even if their first rows do not look so")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(kGroup);
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
