// Comma-separated values as people write them, row by row in constant memory.
//
// Takes commas, semicolons, tabs or bars (the one that splits the first row into most fields), or else blanks, of
// which any number separate two fields and none count at the ends of a row; with or without a header, quoted fields with doubled quotes and line breaks inside, CRLF, a byte order
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

#include "plumbline/io/line_buffer.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

class CsvReader : public Stream {
 public:
  // Reads the first rows; throws a data error if there are none. `name` stands in messages.
  CsvReader(std::unique_ptr<Source> source, std::string name, const CsvOptions& options = {});

  char delimiter() const { return delimiter_; }

  bool next() override;
  std::optional<double> share_read() const override { return buffer_.share_read(); }

 private:
  // Reads the next row that is not blank into fields_, whatever its width.
  bool read_row();
  // Reads a plain row, as most are: of the right width, without quotes, not blank, and all of it in
  // the buffer. If the next row is another one, it changes nothing but fields_.
  bool read_plain_row();
  // The length of the next row: up to the line break that ends it, or to the end of the data.
  std::size_t find_row_end();
  // Reads a row that is in the buffer already. The scan is resumed when more data has come.
  struct RowScan {
    std::size_t length = 0;
    bool quoted = false;
    bool at_start = true;  // of a field
  };
  std::optional<std::size_t> row_end_in_buffer(RowScan& scan) const;
  // Gets more data behind what is unread; false at the end of the source. Throws for a row that is
  // too long.
  bool refill();
  void split(char* begin, char* end);
  // Reads a row whose fields are separated by blanks.
  void split_at_blanks(char* begin, char* end);
  bool ends_field(char c) const;
  char* unquote(char* from, char* end);
  void find_dialect(const CsvOptions& options);

  LineBuffer buffer_;
  char delimiter_ = ',';
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

}  // namespace plumbline::inline v0
