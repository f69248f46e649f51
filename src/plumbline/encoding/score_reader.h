// Reads the scores and the label of each row of a stream, for an OnlineCalibrator (plumbline/online_calibrator.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/base/text_hash.h"
#include "plumbline/batch.h"
#include "plumbline/columns.h"
#include "plumbline/encoding/row_counter.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

// The columns of a stream that a calibrator reads, by their names.
struct ScoreColumns {
  std::vector<std::string> scores;
  std::string label;  // the last column if empty
};

// The columns with their full names; they may be given by number. Throws a configuration error if there is none, or if a
// column is given twice.
ScoreColumns resolve(const ScoreColumns& columns, const Stream& stream);
// The values of the label among the first rows: numbers in their order, then texts.
std::vector<std::string> label_values(const SampledStream& stream, const std::string& label);

class ScoreReader {
 public:
  // The stream must outlive the reader. `classes` are all values of the label. `check` throws an error for scores that
  // are not allowed.
  using Check = std::function<void(std::span<const double>)>;
  ScoreReader(Stream& stream, const ScoreColumns& columns, const std::vector<std::string>& classes,
              ReadOptions options, Check check);

  // Reads the next good row; false at the end. Throws a data error that names the place of a bad row, unless those are
  // skipped.
  bool next();
  std::span<const double> scores() const { return scores_; }
  Label label() const { return label_; }
  // Rows read so far, with those that were skipped.
  std::uint64_t position() const { return counter_.position(); }
  std::uint64_t bad_rows() const { return counter_.bad_rows(); }

 private:
  void read();
  double number(std::size_t column, const std::string& name) const;

  Stream& stream_;
  ScoreColumns columns_;
  std::vector<std::size_t> places_;
  std::size_t label_place_;
  TextMap<Label> classes_;
  RowCounter counter_;
  Check check_;
  std::vector<double> scores_;
  Label label_ = 0;
};

}  // namespace plumbline::inline v0
