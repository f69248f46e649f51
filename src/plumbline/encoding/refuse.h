// Errors about the row that a stream has read last.
#pragma once

#include <string>
#include <utility>

#include "plumbline/error.h"
#include "plumbline/stream.h"

namespace plumbline::inline v0 {

// Columns count from 1; 0 is the whole row.
[[noreturn]] inline void refuse(const Stream& stream, std::size_t column, const std::string& reason,
                                Remedies remedies = {}) {
  throw Error(ErrorKind::data, reason,
              {.source = stream.name(), .line = stream.line(), .column = column},
              std::move(remedies));
}

}  // namespace plumbline::inline v0
