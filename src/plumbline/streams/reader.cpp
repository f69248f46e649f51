#include "plumbline/streams/reader.h"

#include "plumbline/core/error.h"

namespace plumbline {

void Reader::refuse(const std::string& reason, std::size_t column) const {
  throw Error(ErrorKind::data, reason, {.source = name_, .line = line_, .column = column});
}

bool is_of_a_row(const Error& error) {
  return error.kind() == ErrorKind::data && error.where().line != 0;
}

}  // namespace plumbline
