// The text format of Vowpal Wabbit: `[LABEL [IMPORTANCE [BASE]]] ['TAG]|NAMESPACE[:SCALE]
// FEATURE[:VALUE] … |NAMESPACE …`, one row a line.
//
// A feature is named NAMESPACE^FEATURE, or FEATURE alone where a blank follows the bar. Without a
// value it is 1; a scale multiplies the values of its namespace; values of a feature that repeats
// are added up. As in VW itself, the word before the first bar is a tag if it begins with ' or
// touches the bar: `1|f x` has the tag 1 and no label. An importance other than 1, a base other than
// 0 and labels with colons or commas are refused. How VW hashes the names is not done here.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/lines.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class VwReader : public Stream {
 public:
  // `name` stands in messages.
  VwReader(std::unique_ptr<Source> source, std::string name);

  // True if the first line is a row of VW and hardly one of a table with bars. Before the first bar
  // there may be numbers and a tag with its quote; a blank parts them from the bar (`1|2|3` is a
  // table), and each further bar from what is before it. Then one of these must be seen:
  //   a name behind a bar, no number, and a feature after it:     1 |f a b
  //   a value behind a feature that is not itself a number:       1 | a:2 | b
  //   two or more features behind the only bar, not all numbers:  1 | a b
  //   a value behind a feature, one bar only:                     1 | 7:0.5
  static bool recognises(std::string_view head);

  bool next() override;
  std::optional<double> share_read() const override { return lines_.share_read(); }

 private:
  // A part of text_, which may still move.
  struct Piece {
    std::size_t begin = 0, size = 0;
  };
  struct Feature {
    Piece name, value;
  };
  // Hashes are quicker to sort than names.
  struct Key {
    std::size_t hash = 0, feature = 0;
  };

  void read_row(std::string_view text);
  std::optional<std::string_view> read_label(std::string_view text) const;
  void read_namespace(std::string_view text);
  void add_feature(std::string_view word, std::string_view space, double scale);
  void add_up_repeated();
  double number(std::string_view text, std::string_view what) const;
  Piece own(std::string_view text);
  Piece own(double value);
  std::string_view view(Piece piece) const {
    return std::string_view(text_).substr(piece.begin, piece.size);
  }

  Lines lines_;
  std::string text_;  // the names and values of the row
  std::vector<Feature> features_;
  std::vector<Key> order_;  // of the features: those of one name side by side
  std::vector<std::string_view> names_, values_;
};

}  // namespace plumbline::inline v0
