#include "plumbline/model/kept_scores.h"

#include <cassert>
#include <utility>

namespace plumbline::inline v0 {

void KeptScores::keep(const Scores& scores, std::span<const double> trace, std::size_t row,
                      double probability) {
  assert(scores.columns() == scores_ && trace.size() == trace_ * scores.rows);
  for (std::size_t k = 0; k < scores_; ++k) numbers_.push(scores.column(k)[row]);
  for (std::size_t k = 0; k < trace_; ++k) numbers_.push(trace[k * scores.rows + row]);
  numbers_.push(probability);
}

void KeptScores::take(std::size_t rows, ScoreTable& table, std::vector<double>& trace,
                      std::vector<double>& probabilities) {
  assert(rows <= this->rows());
  table.resize(scores_, rows);
  trace.resize(trace_ * rows);
  probabilities.resize(rows);
  const std::span<const double> numbers = numbers_.front(rows * width());
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = numbers.subspan(i * width(), width());
    for (std::size_t k = 0; k < scores_; ++k) table.column(k)[i] = row[k];
    for (std::size_t k = 0; k < trace_; ++k) trace[k * rows + i] = row[scores_ + k];
    probabilities[i] = row.back();
  }
  numbers_.pop(rows * width());
}

void KeptScores::archive(Archive& archive, std::size_t rows) {
  if (archive.loading() && rows > archive.bytes() / (width() * sizeof(double))) {
    archive.refuse("scores", "is too short");
  }
  std::vector<double> numbers(numbers_.all().begin(), numbers_.all().end());
  numbers.resize(rows * width());
  archive.values("scores", numbers, rows);
  if (!archive.loading()) return;
  archive.require_within("scores", numbers, 0, 1);
  numbers_.assign(std::move(numbers));
}

}  // namespace plumbline::inline v0
