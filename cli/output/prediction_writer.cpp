#include "cli/output/prediction_writer.h"

#include <fstream>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "cli/output/messages.h"
#include "plumbline/error.h"
#include "plumbline/metrics/multiclass.h"

namespace plumbline::cli {
namespace {

// Cannot be the column of a class, which begins with "probability=".
constexpr const char* kLaterClasses = "total_of_later_classes";

}  // namespace

PredictionWriter::PredictionWriter(const Options& options, const Schema& schema)
    : options_(options), schema_(schema), columns_(schema.classes.size()) {
  const bool append = options_.append && options_.path != "-";
  const bool named = append && has_rows_already();
  output_ = std::make_unique<Output>(options_.path,
                                     append ? Output::Mode::append : Output::Mode::replace);
  if (options_.names && !named) output_->write(header(columns_));
}

std::string PredictionWriter::header(std::size_t columns) const {
  CsvWriter names;
  names.add("row").add("label");
  if (options_.long_layout) {
    names.add("class").add("probability");
  } else if (several()) {
    names.add("predicted");
    for (std::size_t k = 0; k < columns; ++k) names.add("probability=" + schema_.classes[k]);
    if (options_.learning) names.add(kLaterClasses);
  } else {
    names.add("score").add("probability");
  }
  if (options_.decisions) names.add("decision");
  if (options_.asks) names.add("ask");
  names.end_row();
  return names.text();
}

bool PredictionWriter::has_rows_already() {
  const auto refuse = [&](const char* reason) {
    throw Error(ErrorKind::io, fmt::format("cannot append to '{}': {}", options_.path, reason));
  };
  std::ifstream file(options_.path, std::ios::binary);
  if (file.peek() == std::ifstream::traits_type::eof()) return false;  // empty, or does not exist
  std::string head(header(columns_).size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  file.clear();
  file.seekg(-1, std::ios::end);
  if (file.get() != '\n') refuse("it ends in the middle of a line");
  for (std::size_t columns = columns_ + 1; columns-- > 0;) {
    if (!head.starts_with(header(columns))) continue;
    columns_ = columns;
    return true;
  }
  refuse("it has other columns; write to another file");
  return false;
}

void PredictionWriter::add(const Row& row) { options_.long_layout ? add_long(row) : add_wide(row); }

void PredictionWriter::add_wide(const Row& row) {
  text_.add(row.number).add(row.label);
  if (several()) {
    const auto later = row.probabilities.subspan(columns_);
    text_.add(schema_.classes[likeliest(row.probabilities)]).add(row.probabilities.first(columns_));
    if (options_.learning) text_.add(std::accumulate(later.begin(), later.end(), 0.0));
    if (!later.empty()) tell_of_later_classes();
  } else {
    text_.add(row.score).add(row.probabilities.front());
  }
  end_line(row);
}

void PredictionWriter::end_line(const Row& row) {
  if (row.decision) text_.add(std::uint64_t{*row.decision});
  if (options_.asks) text_.add(std::uint64_t{row.ask});
  text_.end_row();
}

void PredictionWriter::add_long(const Row& row) {
  const auto add_line = [&](const std::string& name, double probability) {
    text_.add(row.number).add(row.label).add(name).add(probability);
    end_line(row);
  };
  if (several()) {
    for (std::size_t k = 0; k < row.probabilities.size(); ++k) {
      add_line(schema_.classes[k], row.probabilities[k]);
    }
  } else {
    add_line(schema_.negative, 1 - row.probabilities.front());
    add_line(schema_.positive, row.probabilities.front());
  }
}

void PredictionWriter::tell_of_later_classes() {
  if (std::exchange(warned_, true)) return;
  say("the class '{}' first occurred after the columns of '{}' were written; '{}' is the sum of "
      "the probabilities of such classes, and --layout long has a line for each",
      schema_.classes[columns_], options_.path, kLaterClasses);
}

void PredictionWriter::write() {
  output_->write(text_.text());
  text_.clear();
}

void PredictionWriter::flush() {
  write();
  output_->flush();
}

}  // namespace plumbline::cli
