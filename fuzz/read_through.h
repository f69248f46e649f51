// What the fuzz targets of the line-based formats share: any bytes, plain or packed, as a file of
// the format. A row is given whole or refused, line numbers never go back, and reading ends.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "plumbline/error.h"
#include "plumbline/io/source.h"
#include "plumbline/stream.h"

// A field for each column, or else for each of the row's names, which are not empty and differ.
inline void check_row(const plumbline::Stream& reader) {
  const plumbline::Row& row = reader.row();
  const std::size_t columns = reader.columns().size();
  if (row.fields.size() != (columns > 0 ? columns : row.names.size())) std::abort();
  const std::set<std::string_view> names(row.names.begin(), row.names.end());
  if (names.size() != row.names.size() || names.contains("")) std::abort();
}

template <class R>
void read_through(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  R::recognises(bytes);
  try {
    R reader(plumbline::source_from(bytes, "fuzz"), "fuzz");
    std::size_t line = reader.line();
    for (bool more = true; more;) {
      try {
        more = reader.next();
        if (more) check_row(reader);
      } catch (const plumbline::Error& error) {
        if (error.where().line == 0) return;  // of the packing, not of a row: the end
      }
      if (reader.line() < line) std::abort();
      line = reader.line();
    }
  } catch (const plumbline::Error&) {
  }
}
