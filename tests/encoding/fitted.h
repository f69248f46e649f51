// A stream and the encoder that was fitted to its first rows.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/encoding/row_reader.h"
#include "plumbline/io/csv.h"
#include "plumbline/io/source.h"
#include "plumbline/stream.h"

namespace plumbline::test {

struct Fitted {
  std::unique_ptr<SampledStream> stream;
  Encoder encoder;
  std::vector<Note> notes;
};

inline Fitted fit_stream(std::unique_ptr<Stream> inner, const ColumnChoices& choices = {},
                         const Encoder::Params& params = {}) {
  auto stream = std::make_unique<SampledStream>(std::move(inner));
  std::vector<Note> notes;
  Encoder encoder = Encoder::fit(params, *stream, stream->sample(), choices, notes);
  return {std::move(stream), std::move(encoder), std::move(notes)};
}

inline std::unique_ptr<Stream> csv(const std::string& text) {
  return std::make_unique<CsvReader>(source_from(text, "a.csv"), "a.csv");
}

inline Fitted fit(const std::string& text, const ColumnChoices& choices = {},
                  const Encoder::Params& params = {}) {
  return fit_stream(csv(text), choices, params);
}

// Rows that are to be learned, with what they bring taken over.
inline RowBatch read(Stream& stream, Encoder& encoder, ReadOptions options = {},
                     std::size_t rows = 1000000) {
  RowBatch batch;
  RowReader(stream, encoder, Encoder::LabelUse::learn, std::move(options)).read(batch, rows);
  encoder.adopt(batch);
  return batch;
}

// All rows as raw numbers.
inline RowBatch read_all(Fitted& fitted, ReadOptions options = {}) {
  return read(*fitted.stream, fitted.encoder, std::move(options));
}

// Rows that are to be predicted.
inline RowBatch read_unlabeled(Stream& stream, const Encoder& encoder) {
  RowBatch batch;
  RowReader(stream, encoder, Encoder::LabelUse::keep_text, {}).read(batch, 1000000);
  return batch;
}

inline std::vector<double> row(const RowBatch& batch, std::size_t i) {
  const auto values = batch.features().row(i);
  return {values.begin(), values.end()};
}

// True if a note advises to change the setting.
inline bool any_advice(const Fitted& fitted, Setting setting) {
  for (const Note& note : fitted.notes) {
    for (const Remedy& remedy : note.remedies) {
      if (remedy.setting == setting) return true;
    }
  }
  return false;
}

inline bool any_note(const Fitted& fitted, const std::string& part) {
  for (const Note& note : fitted.notes) {
    if (note.text.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace plumbline::test
