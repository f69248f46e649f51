// The options of every verb that reads a stream: which file, of which format, which columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options/verb.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/stream.h"

namespace plumbline::cli {

struct StreamOptions {
  std::string path;
  std::string format;
  std::string delimiter;
  bool header = false, no_header = false;
  ColumnChoices columns;
  std::string on_bad_row = "stop";
  std::uint64_t skip = 0;
  std::uint64_t limit = 0;  // 0 is all
  std::uint64_t sample = SampledStream::kRows;
  std::size_t threads = 1;  // with more than one, a file is read ahead

  // True if any option concerns columns, which a saved model knows already.
  bool any_columns() const {
    return !columns.label.empty() || !columns.positive.empty() || !columns.categorical.empty() ||
           !columns.numeric.empty() || !columns.time.empty() || !columns.missing.empty() ||
           !columns.scores.empty();
  }
  bool skips_bad_rows() const { return on_bad_row == "skip"; }
};

// The file itself and how it is read; `add_column_options` adds what the columns are.
void add_stream_options(Verb& verb, StreamOptions& options);
void add_column_options(Verb& verb, StreamOptions& options,
                        const char* default_label = "the last one");

std::unique_ptr<Stream> open_stream(const StreamOptions& options);
// Options for a model that knows the columns already.
std::unique_ptr<Stream> open_stream(const StreamOptions& options, const Encoder& encoder);
// Reports the first few skipped rows on standard error.
ReadOptions read_options(const StreamOptions& options);

}  // namespace plumbline::cli
