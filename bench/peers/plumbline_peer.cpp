// Measures how fast plumbline's model learns and predicts, without reading: plumbline_peer FILE [OPTIONS].
//
//   --preset NAME     the configuration to begin with [literal]
//   --learner SPEC    another learner, --calibrator SPEC, --policy SPEC likewise
//   --size N          learners of the ensemble
//   --batch N         rows of a minibatch
//   --prefixes N,N,…  tell the log-loss and the accuracy of the first N examples besides
//   --repeat N        print so many lines, each of a model that begins anew [1]
//
// The rows are read, missing values filled in and, for learners that mind the scale, numbers are
// standardized with running means before any clock runs. Then a Session predicts every minibatch and
// learns from it, and at the end all of them are predicted once more by the final model.
// Prints one JSON object: the seconds of both loops by wall clock and by processor, the loss and the
// accuracy of the predictions that came before learning, and the peak of resident memory, which holds
// the whole stream.

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "plumbline/config.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/encoding/stored_rows.h"
#include "plumbline/error.h"
#include "plumbline/io/formats.h"
#include "plumbline/math/loss.h"
#include "plumbline/model.h"
#include "plumbline/session.h"
#include "plumbline/stream.h"

namespace {

using namespace plumbline;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::config, what); }

class Arguments {
 public:
  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (!word.starts_with("--")) {
        if (!file_.empty()) refuse("one file at a time");
        file_ = word;
      } else if (!options_.contains(word)) {
        refuse("there is no option " + word);
      } else if (i + 1 == argc) {
        refuse(word + " needs a value");
      } else {
        options_[word] = argv[++i];
      }
    }
    if (file_.empty()) refuse("usage: plumbline_peer FILE [OPTIONS]");
  }

  const std::string& file() const { return file_; }
  const std::string& text(const std::string& option) const { return options_.at(option); }
  // Numbers with commas between them; none if the option is not given.
  std::vector<std::int64_t> counts(const std::string& option) const {
    const std::string& value = text(option);
    const char* const end = value.data() + value.size();
    std::vector<std::int64_t> result;
    for (const char* next = value.data(); next < end;) {
      const auto [stop, error] = std::from_chars(next, end, result.emplace_back());
      if (error != std::errc() || result.back() < 1 || (stop != end && *stop != ',')) {
        refuse(option + " takes numbers from 1 on");
      }
      next = stop == end ? end : stop + 1;
    }
    return result;
  }
  std::optional<std::int64_t> count(const std::string& option) const {
    const std::vector<std::int64_t> all = counts(option);
    if (all.size() > 1) refuse(option + " takes one number");
    return all.empty() ? std::nullopt : std::optional(all.front());
  }

 private:
  std::string file_;
  std::map<std::string, std::string> options_{
      {"--preset", "literal"}, {"--learner", ""}, {"--calibrator", ""}, {"--policy", ""},
      {"--size", ""},          {"--batch", ""},   {"--prefixes", ""},   {"--repeat", ""}};
};

Config configure(const Arguments& arguments) {
  Config config = preset(arguments.text("--preset"));
  for (const char* const part : {"learner", "calibrator", "policy"}) {
    const std::string& spec = arguments.text(fmt::format("--{}", part));
    if (!spec.empty()) config = overlay(config, fmt::format(R"({{"{}": "{}"}})", part, spec));
  }
  if (const auto size = arguments.count("--size")) config.model.ensemble.size = *size;
  if (const auto batch = arguments.count("--batch")) config.batch = *batch;
  return complete(config);
}

// A whole stream in memory, as learners take it.
struct Table {
  Schema schema;
  RowBatch rows;
};

Table read(const std::string& path, const Config& config) {
  SampledStream reader(open_stream(path));
  std::vector<Note> notes;
  // The model knows whether its learners want standardized numbers.
  const Model model(config, reader, {}, notes);
  if (model.several_classes()) refuse("the label has more than two values");
  Encoder encoder = model.encoder();
  RowReader rows(reader, encoder, Encoder::LabelUse::learn, {});
  Table table{.schema = encoder.schema(), .rows = {}};
  table.rows.clear(table.schema);
  RowBatch batch;
  while (rows.read(batch, model.batch_size())) {
    encoder.commit(batch);
    encoder.transform(batch, model.standardizes());
    if (encoder.schema().size() != table.schema.size()) refuse("the columns must be numbers");
    for (std::size_t i = 0; i < batch.rows(); ++i) table.rows.add_row(batch.examples(), i);
  }
  return table;
}

StoredRows in_order(const Table& table) {
  std::vector<std::size_t> order(table.rows.rows());
  std::iota(order.begin(), order.end(), 0);
  return {table.schema, table.rows.examples(), std::move(order)};
}

void append(const Session& session, std::vector<double>& probabilities) {
  const std::vector<double>& more = session.predictions().probabilities;
  probabilities.insert(probabilities.end(), more.begin(), more.end());
}

struct Seconds {
  double wall = 0, processor = 0;
};

template <class Work>
Seconds time(Work work) {
  const auto wall = std::chrono::steady_clock::now();
  const std::clock_t processor = std::clock();
  work();
  const double busy = static_cast<double>(std::clock() - processor) / double{CLOCKS_PER_SEC};
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - wall;
  return {passed.count(), busy};
}

struct Quality {
  double log_loss = 0, accuracy = 0;
};

// Of the first `limit` examples.
Quality quality(const Table& table, const std::vector<double>& probabilities, std::size_t limit) {
  double loss = 0;
  std::size_t right = 0, i = 0;
  for (const Label label : table.rows.examples().y) {
    if (i == limit) break;
    loss += log_loss(probabilities[i], label);
    right += (probabilities[i] > 0.5) == (label == 1);
    ++i;
  }
  const auto examples = static_cast<double>(i);
  return {loss / examples, static_cast<double>(right) / examples};
}

// The peak of resident memory so far, in KiB. (getrusage would tell the parent's if that is larger.)
long peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long value = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> value;
  }
  return value;
}

void measure(const Table& table, Config config, const std::vector<std::int64_t>& prefixes,
             long loaded) {
  config.encoder.standardize = EncoderOptions::Standardize::no;  // the rows are so already
  Model model(config, table.schema);
  const std::size_t rows = table.rows.rows();
  std::vector<double> before, after;
  before.reserve(rows);
  after.reserve(rows);
  StoredRows to_learn = in_order(table), to_predict = in_order(table);

  const Seconds learn = time([&] {
    Session session(to_learn, model);
    while (session.step()) append(session, before);
  });
  const Seconds predict = time([&] {
    Session session(to_predict, std::as_const(model));
    while (session.predict(model.batch_size())) append(session, after);
  });

  const Quality all = quality(table, before, rows);
  std::string of_prefixes;
  for (const std::int64_t count : prefixes) {
    const Quality first = quality(table, before, static_cast<std::size_t>(count));
    of_prefixes +=
        fmt::format(R"({}"{}": {{"log_loss": {:.17g}, "accuracy": {:.17g}}})",
                    of_prefixes.empty() ? "" : ", ", count, first.log_loss, first.accuracy);
  }
  fmt::print(R"({{"examples": {}, "seconds_learn": {:.6f}, "seconds_predict": {:.6f}, )"
             R"("cpu_learn": {:.6f}, "cpu_predict": {:.6f}, "loaded_kib": {}, "peak_kib": {}, )"
             R"("log_loss": {:.17g}, "accuracy": {:.17g}, "prefixes": {{{}}}}})"
             "\n",
             rows, learn.wall, predict.wall, learn.processor, predict.processor, loaded,
             peak_memory(), all.log_loss, all.accuracy, of_prefixes);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments(argc, argv);
    const Config config = configure(arguments);
    const Table table = read(arguments.file(), config);
    const std::vector<std::int64_t> prefixes = arguments.counts("--prefixes");
    const long loaded = peak_memory();
    for (std::int64_t left = arguments.count("--repeat").value_or(1); left > 0; --left) {
      measure(table, config, prefixes, loaded);
    }
  } catch (const Error& error) {
    fmt::print(stderr, "plumbline_peer: {}\n", error.what());
    return exit_code(error.kind());
  }
  return 0;
}
