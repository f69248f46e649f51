// The formats of files that streams are read from: a table with one row for each reader.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/io/source.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

struct Format {
  std::string name;
  std::string summary;
  std::vector<std::string> extensions;  // ".csv"; of the file's name without .gz or .zst
  // True if the beginning of a file can only be of this format.
  std::function<bool(std::string_view)> recognises;
  std::function<std::unique_ptr<Stream>(std::unique_ptr<Source>, const std::string&,
                                        const CsvOptions&)>
      open;
};

const std::vector<Format>& formats();

}  // namespace plumbline::inline v0
