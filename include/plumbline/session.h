// A session connects a stream and a model: the loop of test-then-learn runs, and of predicting.
//
//   Session session(open_stream("stream.csv"), preset("auto"));
//   while (session.step()) use(session.predictions(), session.labels());
//   session.model().save("model.safetensors");
//
// Each step reads a minibatch, predicts it, and learns from it. After an Error the model has learned exactly the
// minibatches for which `step` returned true.
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

class RowSource;  // internal (src/)

class Session {
 public:
  // Makes a model for the stream, whose column types are inferred from its first rows, and learns.
  Session(std::unique_ptr<Stream> stream, const Config& config, const ColumnChoices& choices = {},
          ReadOptions options = {}, const Components& components = Components::builtin());
  // Learns; with a const model it predicts only, and rows need no label. The stream and the model must outlive the
  // session.
  Session(Stream& stream, Model& model, ReadOptions options = {});
  Session(Stream& stream, const Model& model, ReadOptions options = {});
  // For rows from another source.
  Session(RowSource& source, Model& model);
  Session(RowSource& source, const Model& model);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Reads a minibatch of the model's size, predicts it and learns from it; false at the end.
  bool step();
  bool step(std::size_t max_rows);
  // The same, but learns every row, also with a label budget (Config::label_budget): the rows are those whose labels
  // were asked for.
  bool learn(std::size_t max_rows);
  // Reads and predicts up to `max_rows` rows; false at the end.
  bool predict(std::size_t max_rows);
  // The next rows to predict are `ahead` rows after the last learned one; Model::kFarAhead if that is unknown. By
  // default they follow it in order.
  void set_ahead(std::size_t ahead);
  // After an Error about a bad row: predicts the good rows read before it.
  void predict_rest();

  // ---- The last minibatch

  const Predictions& predictions() const;
  std::span<const Label> labels() const;         // if the minibatch was learned
  std::span<const RoundRecord> records() const;  // one for each binary model that learned
  const RowBatch& rows() const;                  // internal

  const Model& model() const;
  // Notes on how columns were interpreted, if the session made the model.
  const std::vector<Note>& notes() const;
  // The number of rows of the stream up to the end of the last minibatch.
  std::uint64_t position() const;
  // Streams only: the number of bad rows that were skipped.
  std::uint64_t bad_rows() const;
  // Streams only: true if no row is left, as far as that is known without waiting. No minibatch can be read after this
  // call.
  bool at_end();
  // True if learning was interrupted by an exception other than Error, e.g. std::bad_alloc: the model may have learned
  // part of a minibatch.
  bool broken() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

PLUMBLINE_END_NAMESPACE
