#include "plumbline/stream.h"

#include "plumbline/error.h"

namespace plumbline::inline v0 {

std::vector<std::string> Stream::column_names() const {
  std::vector<std::string> names;
  names.reserve(columns_.size());
  for (const Column& column : columns_) names.push_back(column.name);
  return names;
}

void Stream::describe_as(const Stream& other) {
  columns_ = other.columns_;
  classes_ = other.classes_;
  has_names_ = other.has_names_;
  decimal_comma_ = other.decimal_comma_;
  line_ = other.line_;
}

void Stream::refuse(const std::string& reason, std::size_t column) const {
  throw Error(ErrorKind::data, reason, {.source = name_, .line = line_, .column = column});
}

bool is_of_a_row(const Error& error) {
  return error.kind() == ErrorKind::data && error.where().line != 0;
}

}  // namespace plumbline::inline v0
