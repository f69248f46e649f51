// A reader whose first rows can be looked at before they are read: what the columns are is found
// out from them. Memory: the first rows, until they have been read.
#pragma once

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/stream.h"

namespace plumbline {

// A row that owns its texts.
struct SampleRow {
  std::vector<std::string> fields{}, names{};
  std::optional<std::string> label{};
  std::vector<double> numbers{};
  std::optional<Label> target{};
};

class SampledStream : public Stream {
 public:
  static constexpr std::size_t kRows = 1000;

  // Reads up to `rows` rows, and up to 16 MiB of them. An interruption ends the sample, and is
  // thrown when its rows have been read.
  explicit SampledStream(std::unique_ptr<Stream> reader, std::size_t rows = kRows);

  // The good ones among the first rows; what is wrong with others is said when they are read.
  const std::vector<SampleRow>& sample() const { return sample_; }

  // Throws the error of the first row if there is no good one among the first rows.
  void need_a_row() const;

  bool holds_a_row() const override { return !held_.empty(); }
  bool next() override;
  std::optional<double> share_read() const override { return reader_->share_read(); }

 private:
  struct Held {
    std::size_t line;
    std::exception_ptr error;  // of a row that is none
    std::size_t index;         // of a good one in sample_
  };
  void show(const SampleRow& row);

  std::unique_ptr<Stream> reader_;
  std::vector<SampleRow> sample_;
  std::deque<Held> held_;
  std::vector<std::string_view> fields_, names_;
};

}  // namespace plumbline
