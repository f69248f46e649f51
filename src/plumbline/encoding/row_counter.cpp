#include "plumbline/encoding/row_counter.h"

namespace plumbline::inline v0 {

void RowCounter::count_bad(const Error& error) {
  if (!options_.skip_bad_rows) throw;
  ++bad_rows_;
  if (options_.on_bad_row) options_.on_bad_row(error);
}

}  // namespace plumbline::inline v0
