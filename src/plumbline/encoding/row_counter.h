// Reads the rows of a stream one after the other and counts them: passes over the first ones, ends at a limit of good
// rows, and skips bad rows if the options say so.
#pragma once

#include <cstdint>
#include <utility>

#include "plumbline/columns.h"
#include "plumbline/error.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class RowCounter {
 public:
  // The stream must outlive the counter.
  RowCounter(Stream& stream, ReadOptions options) : stream_(stream), options_(std::move(options)) {}

  // Reads rows up to the next good one: `use` is called for each and throws a data error for a bad one. False at the
  // end. Throws the error of a bad row, unless those are skipped.
  template <class Use>
  bool next(const Use& use) {
    while (!at_limit()) {
      ++position_;
      try {
        if (!stream_.next()) {
          --position_;
          return false;
        }
        if (position_ <= options_.skip) continue;
        use();
        ++good_rows_;
        return true;
      } catch (const Error& error) {
        if (!is_of_a_row(error)) throw;  // there is no next row
        if (position_ > options_.skip) count_bad(error);
      }
    }
    return false;
  }

  const ReadOptions& options() const { return options_; }
  bool at_limit() const { return good_rows_ >= options_.limit; }
  // Rows read so far, including bad ones and those passed over.
  std::uint64_t position() const { return position_; }
  std::uint64_t bad_rows() const { return bad_rows_; }

 private:
  // To be called while the error is handled.
  void count_bad(const Error& error);

  Stream& stream_;
  ReadOptions options_;
  std::uint64_t position_ = 0, good_rows_ = 0, bad_rows_ = 0;
};

}  // namespace plumbline::inline v0
