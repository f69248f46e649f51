// The formats of files that streams are read from: a table with one row for each reader.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/csv.h"
#include "plumbline/io/stream.h"

namespace plumbline {

struct Format {
  std::string name;
  std::string summary;
  std::vector<std::string> extensions;  // ".csv"; of the file's name without .gz or .zst
  // Whether the beginning of a file can be of this format only.
  std::function<bool(std::string_view)> recognises;
  std::function<std::unique_ptr<Stream>(std::unique_ptr<Source>, const std::string&,
                                        const CsvOptions&)>
      open;
};

const std::vector<Format>& formats();

struct OpenOptions {
  std::string format{};  // a name of the table; else found out
  CsvOptions csv{};      // for CSV alone
  // When a signal interrupts a read while this is true, that is the end of the file.
  const std::atomic<bool>* interrupted = nullptr;
  // Whether a thread may read a file ahead (io/read_ahead.h); the rows are the same.
  bool read_ahead = false;
};

// Opens a file (`-` is standard input) of the format that is named, or else of the one that its
// content shows, or its extension names, or CSV.
std::unique_ptr<Stream> open_stream(const std::string& path, const OpenOptions& options = {});

}  // namespace plumbline
