// Shows JSON rows to an encoder, as a stream of one row at a time.
//
// If the model has columns, the fields are put in their order; a column that the row lacks is missing, and a field that
// is no column is refused. If rows name their features, a number is a feature, a string "k": "v" the feature k=v with
// the value 1, a boolean 1 or 0, and null is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/base/text_hash.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/stream.h"
#include "serve/json_row.h"

namespace plumbline::serve {

class RowStream : public Stream {
 public:
  // For rows that name their features.
  RowStream();
  // For the rows of the encoder's model.
  explicit RowStream(const Encoder& encoder);

  // Throws a data error if a field is no column. The row must live as long as it is shown.
  void show(const JsonRow& row, std::optional<std::string_view> label);
  bool next() override { return false; }

 private:
  void show_columns(const JsonRow& row);
  void show_names(const JsonRow& row);

  TextMap<std::uint32_t> places_;  // of the columns
  std::vector<char> is_numeric_;   // for each column
  std::vector<std::string_view> fields_, names_;
  std::vector<double> numbers_;
  std::string made_names_;  // "k=v"
  std::vector<std::pair<std::size_t, std::size_t>> made_;
};

}  // namespace plumbline::serve
