// The library's only exception type: a message, its location, and settings that would fix the problem.
//
// It is thrown when an operation fails because of something outside the library: a configuration, a
// row of data, a model file, the file system. Programming errors are assertions. Expected outcomes,
// such as the end of a stream, are return values. An Error leaves the object that threw it unchanged,
// so the caller can correct the input and continue.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

enum class ErrorKind { config, data, model_file, io };

// A location in the user's input. Line and column count from 1; 0 means unknown.
struct Where {
  std::string source{};
  std::size_t line = 0;
  std::size_t column = 0;
};

// Settings that a message can advise changing: members of ColumnChoices, OpenOptions and Config.
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

// Advice to change a setting.
struct Remedy {
  Setting setting;
  std::string value{};  // the advised value; empty if the user has to choose it
  std::string
      when{};  // the condition for the advice ("if they are classes"); empty if there is none
};
using Remedies = std::vector<Remedy>;

class Error : public std::runtime_error {
 public:
  // Control characters in the message are escaped as \xNN, so that it stays one line.
  Error(ErrorKind kind, const std::string& message, Where where = {}, Remedies remedies = {});

  // `what()` is the location, the message, and the remedies in terms of the C++ interface.
  ErrorKind kind() const { return kind_; }
  const Where& where() const { return where_; }
  // The location and the message without the remedies, for callers that word remedies themselves.
  const std::string& sentence() const { return sentence_; }
  const Remedies& remedies() const { return remedies_; }

 private:
  Error(ErrorKind kind, std::string sentence, Where&& where, Remedies&& remedies, int);

  ErrorKind kind_;
  Where where_;
  std::string sentence_;
  Remedies remedies_;
};

std::string_view name_of(ErrorKind kind);
// The name of the member in C++, which is also that of the argument in Python.
std::string_view name_of(Setting setting);
// The command line's exit code.
int exit_code(ErrorKind kind);

// "; try A, B or C", with each remedy worded by `in_words`; empty if there are no remedies.
std::string advice(const Remedies& remedies,
                   const std::function<std::string(const Remedy&)>& in_words);

PLUMBLINE_END_NAMESPACE
