// ARFF, the format of Weka: a header that declares the columns, then rows, dense or sparse.
//
// Takes numeric, real and integer attributes, nominal ones with their list of values, strings and
// dates. Names and values may stand in single or double quotes, with backslash escapes inside.
// Commas or tabs separate the values of a dense row. What a sparse row `{INDEX VALUE, …}` leaves out
// is 0 for a number and the first declared value of a nominal attribute, as in Weka; for strings and
// dates it is missing. A missing value is given as "?". A % at the beginning of a word opens a
// comment. Values of nominal attributes are checked here; what is a number the encoder finds out.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "plumbline/io/lines.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class ArffReader : public Stream {
 public:
  // Reads the header; throws a data error if there is something wrong with it. `name` stands in
  // messages.
  ArffReader(std::unique_ptr<Source> source, std::string name);

  // True if the first line is a comment of ARFF or names a relation.
  static bool recognises(std::string_view head);

  bool next() override;
  std::optional<double> share_read() const override { return lines_.share_read(); }

 private:
  void read_header();
  void read_attribute(std::string_view rest);
  void read_type(std::string_view rest, Column& column);
  void read_declared_values(std::string_view& rest, Column& column);
  void prepare_columns();

  void read_dense(std::string_view rest);
  void read_sparse(std::string_view rest);
  void read_entry(std::string_view& rest);
  std::size_t read_index(std::string_view& rest);
  void read_weight(std::string_view rest);
  void check_declared(std::size_t j) const;

  // Takes a value off the front, quoted or up to one of two stops; the column is for a message.
  std::string_view take_value(std::string_view& rest, std::string_view stops,
                              std::size_t column = 0);
  std::string_view take_quoted(std::string_view& rest);
  std::string_view unescaped(std::string_view text);
  bool take_separator(std::string_view& rest) const;

  Lines lines_;
  std::vector<std::string_view> fields_;
  std::string unescaped_;  // the values of the line that had escapes; never moved within a row

  // For each column: the values declared (none if any text will do), what a sparse row that leaves
  // it out means, and the line of the last sparse row that held it.
  std::vector<std::unordered_set<std::string_view>> declared_;
  std::vector<std::string_view> left_out_;
  std::vector<std::size_t> held_by_;
};

}  // namespace plumbline::inline v0
