#include "plumbline/model/score_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "plumbline/calibrators/softmax_stack.h"
#include "plumbline/data/score_input.h"
#include "plumbline/data/score_table.h"
#include "plumbline/error.h"
#include "plumbline/math/loss.h"

namespace plumbline::inline v0 {
namespace {

// The nearest multiple of 2^-40. Calibrators that count scores in bins or cells treat 0.3 and 0.3 + 1e-17 alike only if
// they are the same number, and a model's rounding errors should not matter.
double rounded(double probability) {
  constexpr double kGrid = 0x1p40;
  return std::nearbyint(probability * kGrid) / kGrid;
}

}  // namespace

ScoreMap::ScoreMap(std::vector<ScoreInput> inputs, std::size_t classes,
                   std::vector<std::string> columns)
    : inputs_(std::move(inputs)),
      each_(classes == 2 ? 1 : classes),
      columns_(std::move(columns)),
      scales_(inputs_.size()) {}

std::size_t ScoreMap::check(std::span<const double> scores) const {
  const std::size_t rows = scores.size() / width();
  if (rows * width() != scores.size()) {
    throw Error(ErrorKind::data,
                fmt::format("there are {} numbers, but a row has {}", scores.size(), width()));
  }
  for (std::size_t at = 0; at < scores.size(); ++at) {
    const std::size_t column = at % width();
    const char* const fault = score_fault(scores[at], inputs_[column / each_]);
    if (fault == nullptr) continue;
    const std::string where = rows == 1 ? "" : fmt::format(" of row {}", at / width() + 1);
    throw Error(ErrorKind::data,
                fmt::format("the score '{}'{} is {}, which {}; leave such rows out",
                            columns_[column], where, scores[at], fault));
  }
  return rows;
}

void ScoreMap::map(std::span<const double> row, std::span<double> mapped) const {
  for (std::size_t m = 0; m < scores(); ++m) {
    if (each_ == 1) {
      map_one(row[m], m, mapped[m]);
    } else {
      map_several(row.subspan(m * each_, each_), m, mapped.subspan(m * each_, each_));
    }
  }
}

void ScoreMap::map_one(double value, std::size_t score, double& mapped) const {
  switch (inputs_[score]) {
    case ScoreInput::probability:
      mapped = rounded(std::clamp(value, 0.0, 1.0));
      break;
    case ScoreInput::logit:
      mapped = rounded(sigmoid(value));
      break;
    case ScoreInput::score:
      mapped = rounded(sigmoid(scales_[score].standardized(value)));
      break;
  }
}

void ScoreMap::map_several(std::span<const double> values, std::size_t score,
                           std::span<double> mapped) const {
  if (inputs_[score] == ScoreInput::probability) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    const double even = 1 / static_cast<double>(each_);
    for (std::size_t k = 0; k < each_; ++k) {
      const double p = sum > 0 ? values[k] / sum : even;
      mapped[k] = std::log(clipped_score(p));
    }
    return;
  }
  for (std::size_t k = 0; k < each_; ++k) {
    // Far beyond the clamp, and finite.
    constexpr double kFar = 1e6;
    mapped[k] = inputs_[score] == ScoreInput::logit ? std::clamp(values[k], -kFar, kFar)
                                                    : scales_[score].standardized(values[k]);
  }
  const double top = *std::ranges::max_element(mapped);
  double sum = 0;
  for (const double z : mapped) sum += std::exp(z - top);
  const double shift = top + std::log(sum);
  for (double& z : mapped) z = std::max(z - shift, kLeastLog);
}

void ScoreMap::probabilities(std::span<const double> mapped, std::size_t score,
                             std::span<double> probabilities) const {
  if (each_ == 1) {
    probabilities[0] = clipped_score(mapped[score]);
    return;
  }
  std::ranges::copy(mapped.subspan(score * each_, each_), probabilities.begin());
  softmax(probabilities);
}

void ScoreMap::learn(std::span<const double> row) {
  for (std::size_t m = 0; m < scores(); ++m) {
    if (inputs_[m] != ScoreInput::score) continue;
    for (const double value : row.subspan(m * each_, each_)) {
      if (!std::isnan(value)) scales_[m].learn(value);
    }
  }
}

void ScoreMap::margins(std::span<const double> rows, std::vector<double>& margins) const {
  const std::size_t count = rows.size() / width();
  margins.resize(rows.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t m = 0; m < scores(); ++m) {
      const double score = rows[i * scores() + m];
      double mapped = 0.5;
      if (!std::isnan(score)) map_one(score, m, mapped);
      margins[m * count + i] = score_logit(mapped);
    }
  }
}

void ScoreMap::archive(Archive& archive) {
  for (std::size_t m = 0; m < scores(); ++m) {
    if (inputs_[m] != ScoreInput::score) continue;
    archive.scope("scale" + std::to_string(m + 1),
                  [&](Archive& inner) { scales_[m].archive(inner); });
  }
}

}  // namespace plumbline::inline v0
