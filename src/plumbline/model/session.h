// A stream and a model: the one loop of test-then-learn, and of predicting.
//
//   auto stream = open_stream("stream.csv");
//   SampledStream sampled(std::move(stream));
//   std::vector<Note> notes;
//   Model model(preset("auto"), sampled, {}, notes);
//   Session session(sampled, model);
//   while (session.step()) use(session.predictions(), session.rows().examples().y);
//
// Each step reads a minibatch, predicts it, and learns from it. Whatever is thrown, the model has learned from
// whole minibatches, all of those that `step` was true for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "plumbline/encoding/row_reader.h"
#include "plumbline/model/model.h"

namespace plumbline {

class Session {
 public:
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Learns. The stream and the model must outlive the session.
  Session(Stream& stream, Model& model, ReadOptions options = {});
  // Predicts alone; rows need no label.
  Session(Stream& stream, const Model& model, ReadOptions options = {});
  // The same with rows of another source.
  Session(RowSource& source, Model& model);
  Session(RowSource& source, const Model& model);

  // Reads the next minibatch, of the model's size, predicts it and learns from it; false at the end.
  bool step() { return step(model_.batch_size()); }
  bool step(std::size_t max_rows);
  // Reads and predicts up to `max_rows` rows; false at the end.
  bool predict(std::size_t max_rows);
  // Predicts the good rows before a bad one that was thrown.
  void predict_rest();

  // Of the last minibatch.
  const RowBatch& rows() const { return rows_; }
  const Predictions& predictions() const { return predictions_; }
  std::span<const RoundRecord> records() const {
    return records_;
  }  // of each binary model that learned

  // True if an exception of another kind than Error, as of memory, came in the middle of learning: the model may
  // have learned half of a minibatch.
  bool broken() const { return broken_; }

  const Model& model() const { return model_; }
  // Rows of the stream up to the last minibatch that was learned or predicted.
  std::uint64_t position() const { return position_; }
  // Of a stream: see RowReader.
  std::uint64_t bad_rows() const { return reader_->bad_rows(); }
  bool at_end() { return reader_->at_end(); }

 private:
  const Model& model_;
  Model* learning_;                  // the same, or null
  std::optional<RowReader> reader_;  // of a stream
  RowSource& source_;
  RowBatch rows_;
  Predictions predictions_;
  std::span<const RoundRecord> records_;
  std::uint64_t position_ = 0;
  bool broken_ = false;
};

}  // namespace plumbline
