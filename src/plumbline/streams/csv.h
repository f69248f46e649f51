// Comma-separated values as people write them, row by row in constant memory.
//
// Takes commas, semicolons, tabs or bars (the one that splits the first row into most fields), with
// or without a header, quoted fields with doubled quotes and line breaks inside, CRLF, a byte order
// mark, blank lines. Without a header the columns are named x1, x2, … A row of another width than
// the first is refused with its line; reading may go on after that. Cost: one pass over the bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/streams/reader.h"

namespace plumbline {

struct CsvOptions {
  std::optional<char> delimiter;  // else found out
  std::optional<bool> header;     // else found out: a first row unlike the second one
};

class CsvReader : public Reader {
 public:
  // Reads the first rows; throws a data error if there are none. `name` stands in messages.
  CsvReader(std::unique_ptr<Source> source, std::string name, const CsvOptions& options = {});

  char delimiter() const { return delimiter_; }
  bool has_header() const { return has_header_; }

  bool next() override;
  std::optional<double> share_read() const override { return source_->share_read(); }

 private:
  // Reads the next row that is not blank into fields_, whatever its width.
  bool read_row();
  // The place of the line break that ends the row at begin_, or of the end of the data.
  std::size_t find_row_end();
  // The same if it is in the buffer already.
  std::optional<std::size_t> row_end_in_buffer() const;
  // Gets more data behind what is unread; false at the end of the source.
  bool refill();
  void split(std::size_t begin, std::size_t end);
  char* unquote(char* from, char* end);
  void find_dialect(const CsvOptions& options);

  std::unique_ptr<Source> source_;
  char delimiter_ = ',';
  bool has_header_ = false;

  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part
  bool at_end_ = false;              // of the source
  std::size_t next_line_ = 1;
  std::vector<std::string_view> fields_;

  // Rows that were read to find out what the file is, and are still to be given.
  struct Held {
    std::vector<std::string> fields;
    std::size_t line = 0;
  };
  std::vector<Held> held_;
  Held current_;
};

// A number as people write it: spaces around it, a plus sign, 1e5, .5, 5.; nothing if it is none.
// "nan" and "inf" are no numbers here.
std::optional<double> parse_number(std::string_view text);

}  // namespace plumbline
