// Rows in messages. The value is a JSON object of numbers, texts, booleans and nulls, or one line of CSV; the key and
// headers are columns, if asked for. Every field is a text here, as in a file; the encoder of the model interprets it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kafka/client.h"
#include "plumbline/base/text_hash.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/stream.h"

namespace plumbline::kafka {

// Names and texts, in the order of the message.
using Fields = std::vector<std::pair<std::string, std::string>>;

struct RowOptions {
  std::string format = "auto";  // auto (by the first character), json, csv
  char delimiter = ',';
  std::vector<std::string> names{};  // of the fields of a CSV line; x1, x2, … if empty
  std::string key_column{};          // the name of a column for the key; none if empty
  std::vector<std::string> headers{};
  std::vector<std::string> ignore{};  // fields to leave out
};

// Throws a data error for a message that is no row. Missing values are left out.
Fields fields_of(const Message& message, const RowOptions& options);
// Takes the field out of the fields.
std::optional<std::string> take_field(Fields& fields, const std::string& name);

// Shows the fields of one message at a time to the encoder of a model, in the order of its columns.
class MessageRows : public Stream {
 public:
  explicit MessageRows(const Encoder& encoder);

  // Throws a data error for a field that is no column. The fields and the label must live as long as they are shown.
  void show(const Fields& fields, std::optional<std::string_view> label);
  bool next() override { return false; }

 private:
  TextMap<std::uint32_t> places_;  // of the columns
  std::vector<std::string_view> texts_;
};

// Messages that a model is made from: their columns are all fields, in the order in which they come first, and the label
// is the last one.
class SampleRows : public Stream {
 public:
  SampleRows(std::string name, const std::vector<std::pair<Fields, std::string>>& rows,
             const std::string& label);
  bool next() override;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t next_ = 0;
  std::vector<std::string_view> texts_;
};

}  // namespace plumbline::kafka
