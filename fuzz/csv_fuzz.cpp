// Any bytes as a CSV file, plain or packed: every row is either given with the header's width or
// refused with an Error, line numbers never go back, and reading comes to an end.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "plumbline/error.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/number.h"
#include "plumbline/io/source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    plumbline::CsvReader reader(plumbline::source_from(bytes, "fuzz"), "fuzz");
    std::size_t line = 0;
    for (bool more = true; more;) {
      try {
        more = reader.next();
        if (more && reader.row().fields.size() != reader.columns().size()) std::abort();
        if (more) plumbline::parse_number(reader.row().fields[0]);
      } catch (const plumbline::Error& error) {
        if (error.where().line == 0) return 0;  // of the packing, not of a row: the end
      }
      if (more && reader.line() < line) std::abort();
      line = reader.line();
    }
  } catch (const plumbline::Error&) {
  }
  return 0;
}
