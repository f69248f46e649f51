// An encoder and a model: from rows of a file to probabilities. This is what the command line runs,
// saves and loads. The model is a BinaryModel if the label is one of two values, and a MulticlassModel if
// the encoder has found classes.
//
//   SampledStream reader(open_stream("stream.csv"));
//   Model pipeline(config, Encoder::fit(…, reader.sample(), …));
//   Rows rows(reader, pipeline.encoder(), {});
//   while (rows.read(batch, pipeline.batch_size())) {
//     scores.resize(batch.rows() * pipeline.outputs());
//     probabilities.resize(scores.size());
//     pipeline.step(batch, scores, probabilities);
//   }
//
// The same promises as those of a BinaryModel: exact resume, predict changes nothing. When new categories,
// names or classes make the encoder grow, the model grows with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "plumbline/encoding/encoder.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/multiclass_model.h"

namespace plumbline {

class Model {
 public:
  // The encoder's parameters are those that it was made with.
  Model(const Config& config, Encoder encoder);

  // The numbers for each row: one, for the positive class, or one for each class. Reading rows may
  // bring new classes.
  std::size_t outputs() const { return multiclass() ? encoder_.schema().classes.size() : 1; }
  // Predicts a raw minibatch, then learns from it. The minibatch is transformed on the way. Returns
  // what each binary model did, the one or the several; valid until the next call. After an Error nothing
  // has changed.
  std::span<const RoundRecord> step(Minibatch& batch, std::span<double> scores,
                                    std::span<double> probabilities);
  // Features and classes that the encoder has met, but the model has not learned from, do not count: the
  // former are ignored, the latter have a probability of 0.
  void predict(Minibatch& batch, std::span<double> scores, std::span<double> probabilities) const;

  // Not const: the model grows first if the encoder has.
  void save(const std::string& path);
  // Takes the file of a model alone too: its features are numbers, and are not transformed.
  static Model load(const std::string& path);
  std::vector<std::byte> to_bytes();
  static Model from_bytes(std::span<const std::byte> bytes, const std::string& source);

  // The share of positives among the rows that it has learned from; nothing if there are none of one
  // class, or if only the model inside has counted them.
  std::optional<double> positive_share() const;

  const Config& config() const { return config_; }
  std::size_t batch_size() const { return static_cast<std::size_t>(config_.batch); }
  bool standardises() const { return standardise_; }
  Encoder& encoder() { return encoder_; }
  const Encoder& encoder() const { return encoder_; }
  bool multiclass() const { return std::holds_alternative<MulticlassModel>(model_); }
  // The one of the two that there is.
  const BinaryModel& model() const { return std::get<BinaryModel>(model_); }
  const MulticlassModel& multiclass_model() const { return std::get<MulticlassModel>(model_); }
  const Schema& schema() const { return encoder_.schema(); }
  void archive(Archive& archive);

 private:
  void check_raw(const Minibatch& batch) const;
  void check_room(std::size_t room, std::size_t rows) const;
  void ask(const Batch& batch, std::span<double> scores, std::span<double> probabilities) const;
  void catch_up();

  Config config_;
  Encoder encoder_;
  bool standardise_;
  std::variant<BinaryModel, MulticlassModel> model_;
  RoundRecord record_;                           // of the last round of a BinaryModel
  std::array<std::uint64_t, 2> label_counts_{};  // negatives and positives that it learned from
};

}  // namespace plumbline
