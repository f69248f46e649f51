// Minibatches of raw numbers from the rows of a file: a reader and an encoder together, with what is
// to be done about bad rows.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/base/error.h"
#include "plumbline/data/batch.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_costs.h"
#include "plumbline/io/stream.h"

namespace plumbline {

class Rows {
 public:
  struct Options {
    bool skip_bad_rows = false;  // count them and go on; else the first one is thrown
    std::uint64_t skip = 0;      // rows at the beginning that are passed over
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  // good rows to read
    std::vector<std::string> ignore{};               // columns, besides the model's
    std::optional<RowCosts::Options> costs{};        // which each row then gets
    std::function<void(const Error&)> on_bad_row{};  // sees each that is skipped
  };

  // For learning: labels are needed, and the encoder learns new categories.
  Rows(Stream& reader, Encoder& encoder, Options options);
  // For predicting: the encoder stays as it is, and labels are kept as they stand.
  Rows(Stream& reader, const Encoder& encoder, Options options);

  // Clears the minibatch and adds up to `max_rows` rows; false at the end. When a bad row is thrown,
  // the minibatch holds the good ones before it, and reading may go on.
  bool read(Minibatch& batch, std::size_t max_rows);

  // Whether no further row is left, as far as that can be seen without waiting. Takes the next row from
  // the reader, so that no minibatch can be read afterwards.
  bool at_end();

  // Of the last minibatch: each row's number in the file, from 1, without the header; and the
  // labels' texts, empty if there is none, when predicting.
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  const std::vector<std::string>& labels() const { return labels_; }

  std::uint64_t bad_rows() const { return bad_rows_; }
  // Rows of the file that were read so far, the bad ones and those passed over too.
  std::uint64_t position() const { return position_; }

 private:
  void add_row(Minibatch& batch);
  void keep_label();
  Encoder::Binding bind(bool needs_label) const;

  Stream& reader_;
  const Encoder& encoder_;
  Encoder* learning_;  // the same, or null when predicting
  Options options_;
  std::optional<RowCosts> costs_;
  Encoder::Binding binding_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::string> labels_;
  std::uint64_t position_ = 0, good_rows_ = 0, bad_rows_ = 0;
};

}  // namespace plumbline
