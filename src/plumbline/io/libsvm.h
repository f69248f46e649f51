// The sparse text format of LibSVM and SVMlight: `LABEL INDEX:VALUE INDEX:VALUE … # comment`.
//
// White space of any kind separates the words. The names of a row's features are their indices
// without leading zeros; labels and values are given as they stand. A row whose first word has a
// colon has no label. Blank lines and lines of comment are left out. Several labels in a row
// ("1,3") and the query numbers of ranking (`qid:`) are refused, as is an index that repeats.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/lines.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class LibsvmReader : public Stream {
 public:
  // `name` stands in messages.
  LibsvmReader(std::unique_ptr<Source> source, std::string name);

  // True if the first line is a number and then one or more pairs of whole number and number.
  static bool recognises(std::string_view head);

  bool next() override;
  std::optional<double> share_read() const override { return lines_.share_read(); }

 private:
  void read_row(std::string_view text);
  void add_feature(std::string_view word);
  void refuse_repeated_names();

  Lines lines_;
  std::vector<std::string_view> names_, values_;
  std::vector<std::string_view> sorted_;  // the names, to find one that repeats
  bool ascending_ = true;                 // the indices of the row so far
};

}  // namespace plumbline::inline v0
