// An encoder and a model: from rows of a file to probabilities. This is what the command line runs,
// saves and loads.
//
//   SampledReader reader(open_reader("stream.csv"));
//   Pipeline pipeline(config, Encoder::fit(…, reader.sample(), …));
//   Rows rows(reader, pipeline.encoder(), {});
//   while (rows.read(batch, pipeline.batch_size())) pipeline.step(batch, scores, probabilities);
//
// The same promises as those of a Model: exact resume, predict changes nothing. When new categories
// or names make the encoder grow, the model grows with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/model/model.h"
#include "plumbline/streams/encoder.h"

namespace plumbline {

class Pipeline {
 public:
  // The encoder's parameters are those that it was made with.
  Pipeline(const PipelineConfig& config, Encoder encoder);

  // Predicts a raw minibatch, then learns from it. The minibatch is transformed on the way.
  RoundRecord step(Minibatch& batch, std::span<double> scores, std::span<double> probabilities);
  void predict(Minibatch& batch, std::span<double> scores, std::span<double> probabilities) const;

  // Not const: the model grows first if the encoder has.
  void save(const std::string& path);
  // Takes the file of a Model too: its features are numbers, and are not transformed.
  static Pipeline load(const std::string& path);
  std::vector<std::byte> to_bytes();
  static Pipeline from_bytes(std::span<const std::byte> bytes, const std::string& source);

  // The share of positives among the rows that it has learned from; nothing if there are none of one
  // class, or if only the model inside has counted them.
  std::optional<double> positive_share() const;

  const PipelineConfig& config() const { return config_; }
  std::size_t batch_size() const { return static_cast<std::size_t>(config_.batch); }
  bool standardises() const { return standardise_; }
  Encoder& encoder() { return encoder_; }
  const Encoder& encoder() const { return encoder_; }
  const Model& model() const { return model_; }
  void archive(Archive& archive);

 private:
  void catch_up();

  PipelineConfig config_;
  Encoder encoder_;
  bool standardise_;
  Model model_;
  std::array<std::uint64_t, 2> label_counts_{};  // negatives and positives learned from
};

}  // namespace plumbline
