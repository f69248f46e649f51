// The one exception of the library: what went wrong, where, and which settings would mend it.
//
// Thrown when an operation cannot go on because of something outside the library: a configuration,
// a row of data, a model file, the file system. Mistakes of our own are assertions. An expected
// outcome (the end of a stream) is a return value. After an Error the object it came from is as it
// was before the call, so the caller may mend the input and go on.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

enum class ErrorKind { config, data, model_file, io };

// The place in the user's input; line and column count from 1, and 0 means "not known".
struct Where {
  std::string source{};
  std::size_t line = 0;
  std::size_t column = 0;
};

// Settings that a message may advise to change: members of ColumnChoices, OpenOptions and Config.
enum class Setting {
  label,
  positive,
  multiclass,
  categorical,
  numeric,
  time,
  missing,
  ignore,
  format,
  delimiter,
};

// A setting and the value that it should get, empty where that is for the user to choose; and the case that it is
// for ("if they are classes"), empty if that needs no words.
struct Remedy {
  Setting setting;
  std::string value{};
  std::string when{};
};
using Remedies = std::vector<Remedy>;

class Error : public std::runtime_error {
 public:
  // Control characters in the message are written as \xNN: it stays one line.
  Error(ErrorKind kind, const std::string& message, Where where = {}, Remedies remedies = {});

  // `what()` is the place, the message, and the remedies in C++'s words.
  ErrorKind kind() const { return kind_; }
  const Where& where() const { return where_; }
  // The place and the message alone, for callers with words of their own for the remedies.
  const std::string& sentence() const { return sentence_; }
  const Remedies& remedies() const { return remedies_; }

 private:
  Error(ErrorKind kind, std::string sentence, Where&& where, Remedies&& remedies, int);

  ErrorKind kind_;
  Where where_;
  std::string sentence_;
  Remedies remedies_;
};

// The name of a kind, and of a setting: that of the member in C++ and of the argument in Python.
std::string_view name(ErrorKind kind);
std::string_view name(Setting setting);
// The command line's exit code.
int exit_code(ErrorKind kind);

// "; try A, B or C", each remedy in the words of the caller; empty without remedies.
std::string advice(const Remedies& remedies,
                   const std::function<std::string(const Remedy&)>& in_words);

PLUMBLINE_END_NAMESPACE
