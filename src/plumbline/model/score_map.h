// Checks the numbers of scores (plumbline/online_calibrator.h) and maps them to the input of calibrators: for two
// classes the probability of the positive class, for several the K logarithms of the classes' probabilities, at least
// `kLeastLog`.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/calibrators/score_scale.h"
#include "plumbline/online_calibrator.h"

namespace plumbline::inline v0 {

class ScoreMap {
 public:
  static constexpr double kLeastLog = -14;

  // `columns` are names for messages. `inputs` has one entry for each score.
  ScoreMap(std::vector<ScoreInput> inputs, std::size_t classes, std::vector<std::string> columns);

  std::size_t scores() const { return inputs_.size(); }
  std::size_t width() const { return inputs_.size() * each_; }
  // The number of rows. Throws a data error for an incomplete row, and for a number that its input does not allow.
  std::size_t check(std::span<const double> scores) const;
  // Maps a row that has passed the check.
  void map(std::span<const double> row, std::span<double> mapped) const;
  // The uncalibrated probabilities of a mapped score: one number, or one for each class.
  void probabilities(std::span<const double> mapped, std::size_t score,
                     std::span<double> probabilities) const;
  // Updates location and scale of the scores that need it; NaN is passed over.
  void learn(std::span<const double> row);
  // For two classes: the log-odds of rows, column after column. NaN, a missing score, is 0: no opinion.
  void margins(std::span<const double> rows, std::vector<double>& margins) const;
  // Takes over the scales of a map of the same scores and fewer classes.
  void keep_scales(const ScoreMap& other) { scales_ = other.scales_; }
  void archive(Archive& archive);

 private:
  void map_one(double value, std::size_t score, double& mapped) const;
  void map_several(std::span<const double> values, std::size_t score,
                   std::span<double> mapped) const;

  std::vector<ScoreInput> inputs_;
  std::size_t each_;  // numbers per score
  std::vector<std::string> columns_;
  std::vector<ScoreScale> scales_;  // one per score; unused ones are not saved
};

}  // namespace plumbline::inline v0
