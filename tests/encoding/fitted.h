// A reader and the encoder that was fitted to its first rows.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/rows.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/sample.h"
#include "plumbline/io/source.h"

namespace plumbline::test {

struct Fitted {
  std::unique_ptr<SampledStream> reader;
  Encoder encoder;
  std::vector<std::string> notes;
};

inline Fitted fit_reader(std::unique_ptr<Stream> inner, const ColumnChoices& choices = {},
                         const Encoder::Params& params = {}) {
  auto reader = std::make_unique<SampledStream>(std::move(inner));
  std::vector<std::string> notes;
  Encoder encoder = Encoder::fit(params, *reader, reader->sample(), choices, notes);
  return {std::move(reader), std::move(encoder), std::move(notes)};
}

inline std::unique_ptr<Stream> csv(const std::string& text) {
  return std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv");
}

inline Fitted fit(const std::string& text, const ColumnChoices& choices = {},
                  const Encoder::Params& params = {}) {
  return fit_reader(csv(text), choices, params);
}

// All rows as raw numbers.
inline Minibatch read_all(Fitted& fitted, Rows::Options options = {}) {
  Minibatch batch(fitted.encoder.schema().size());
  Rows rows(*fitted.reader, fitted.encoder, std::move(options));
  rows.read(batch, 1000000);
  if (batch.columns() < fitted.encoder.schema().size()) {
    batch.widen(fitted.encoder.schema().size());
  }
  return batch;
}

inline std::vector<double> row(Minibatch& batch, std::size_t i) {
  const auto values = batch.row(i);
  return {values.begin(), values.end()};
}

inline bool any_note(const Fitted& fitted, const std::string& part) {
  for (const std::string& note : fitted.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace plumbline::test
