// Batches of rows from a stream, for one model: a stream and the encoder's columns together, with the choice what
// to do about bad rows. Reading changes neither the encoder nor the model.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "plumbline/columns.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_costs.h"
#include "plumbline/encoding/row_counter.h"
#include "plumbline/encoding/row_source.h"
#include "plumbline/error.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class RowReader : public RowSource {
 public:
  // The stream and the encoder must outlive the reader. With `LabelUse::learn` every row needs a label.
  RowReader(Stream& stream, const Encoder& encoder, Encoder::LabelUse use, ReadOptions options);

  bool read(RowBatch& batch, std::size_t max_rows) override;
  // True if no further row is left, as far as that can be seen without waiting. Takes the next row from the
  // stream, so that no batch can be read afterwards.
  bool at_end();

  std::uint64_t bad_rows() const { return counter_.bad_rows(); }
  std::uint64_t position() const override { return counter_.position(); }

 private:
  Binding bind() const;
  void add_row(RowBatch& batch);

  Stream& stream_;
  const Encoder& encoder_;
  Encoder::LabelUse use_;
  RowCounter counter_;
  std::optional<RowCosts> costs_;
  Binding binding_;
};

}  // namespace plumbline::inline v0
