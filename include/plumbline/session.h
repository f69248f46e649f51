// A stream and a model: the one loop of test-then-learn, and of predicting.
//
//   Session session(open_stream("stream.csv"), preset("auto"));
//   while (session.step()) use(session.predictions(), session.labels());
//   session.model().save("model.safetensors");
//
// Each step reads a minibatch, predicts it, and learns from it. After an Error the model has learned from whole
// minibatches, all of those that `step` was true for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/batch.h"
#include "plumbline/columns.h"
#include "plumbline/components.h"
#include "plumbline/config.h"
#include "plumbline/model.h"
#include "plumbline/stream.h"

PLUMBLINE_BEGIN_NAMESPACE

class RowSource;  // of the library's own parts (src/)

class Session {
 public:
  // Makes a model for the stream, whose columns are found out from its first rows, and learns.
  Session(std::unique_ptr<Stream> stream, const Config& config, const ColumnChoices& choices = {},
          ReadOptions options = {}, const Components& components = Components::builtin());
  // Learns, or with a constant model predicts alone: rows need no label then. The stream and the model must outlive
  // the session.
  Session(Stream& stream, Model& model, ReadOptions options = {});
  Session(Stream& stream, const Model& model, ReadOptions options = {});
  // The same with rows of another source.
  Session(RowSource& source, Model& model);
  Session(RowSource& source, const Model& model);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Reads the next minibatch, of the model's size, predicts it and learns from it; false at the end.
  bool step();
  bool step(std::size_t max_rows);
  // Reads and predicts up to `max_rows` rows; false at the end.
  bool predict(std::size_t max_rows);
  // Predicts the good rows before a bad one that was thrown.
  void predict_rest();

  // ---- Of the last minibatch

  const Predictions& predictions() const;
  std::span<const Label> labels() const;         // of rows that were learned
  std::span<const RoundRecord> records() const;  // of each binary model that learned
  const RowBatch& rows() const;                  // for the library's own parts

  const Model& model() const;
  // How the columns were understood, of a session that made its model.
  const std::vector<Note>& notes() const;
  // Rows of the stream up to the last minibatch that was learned or predicted.
  std::uint64_t position() const;
  // Of a stream: rows that were skipped because they were bad.
  std::uint64_t bad_rows() const;
  // Of a stream: true if no further row is left, as far as that can be seen without waiting. No batch can be read
  // afterwards.
  bool at_end();
  // True if an exception of another kind than Error, as of memory, came in the middle of learning: the model may
  // have learned half of a minibatch.
  bool broken() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

PLUMBLINE_END_NAMESPACE
