// The one exception of the library: what went wrong, where, and what to do about it.
//
// Thrown when an operation cannot go on because of something outside the library: a configuration,
// a row of data, a model file, the file system. Mistakes of our own are assertions. An expected
// outcome (the end of a stream) is a return value. After an Error the object it came from is as it
// was before the call, so the caller may mend the input and go on.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace plumbline {

enum class ErrorKind { config, data, model_file, io };

// The place in the user's input; line and column count from 1, and 0 means "not known".
struct Where {
  std::string source;
  std::size_t line = 0;
  std::size_t column = 0;
};

class Error : public std::runtime_error {
 public:
  // Control characters in the message are written as \xNN: it stays one line.
  Error(ErrorKind kind, const std::string& message, Where where = {});

  ErrorKind kind() const { return kind_; }
  const Where& where() const { return where_; }

 private:
  ErrorKind kind_;
  Where where_;
};

// The table that every front end shares: the kind's name and the command line's exit code.
std::string_view name(ErrorKind kind);
int exit_code(ErrorKind kind);

}  // namespace plumbline
