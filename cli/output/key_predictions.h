// Predictions with their keys as CSV: row, key, label, probability, and the parent's probability if there is one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/output/output.h"
#include "plumbline/io/csv_writer.h"
#include "plumbline/keyed_model.h"

namespace plumbline::cli {

class KeyPredictions {
 public:
  KeyPredictions(const std::string& path, bool append, bool names, bool parent);

  void add(const KeyedSession& session, std::string_view label);
  // Passes the added rows to the file or its buffer, if there are many.
  void write();
  void flush();
  void close();

 private:
  Output output_;
  CsvWriter text_;
};

}  // namespace plumbline::cli
