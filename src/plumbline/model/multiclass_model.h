// A model of several classes, made of binary ones: each a BinaryModel with ensemble, calibrator and policy
// of its own, whose calibrated probabilities are coupled (model/coupling.h). From three classes on one
// learned number makes the result more or less sure (model/temperature.h).
//
//   MulticlassModel model(preset("auto").model, /*features=*/40, /*classes=*/3);
//   model.predict(batch);                    // rows times classes, row after row
//   model.learn(examples);                   // a label is the index of a class
//
// `ModelConfig::multiclass` decides which binary models there are:
//   ovr  one against rest: K models, and model k learns from every row whether it is of class k
//   ovo  one against one: K(K-1)/2 models, and model (i, j) learns from the rows of its two classes
// A binary model begins in the minibatch that brings the first row of its class, or of the later one
// of its two classes. Before that a class has the probability 1/(n + u), with n examples so far
// and u such classes; the others share the rest. So it makes no difference whether a class was in the
// list from the start or was added when it came, which `grow` does.
//
// Each binary model has a seed of its own: the first the configuration's, model m, from 0, the first
// number of Rng(seed, kMulticlassStream, m). With `ovo` and two classes the one model is, bit for bit,
// the binary BinaryModel.
//
// The same promises as those of a BinaryModel. Cost: that of the binary models, which work side by side on
// several threads (threads/parallel_for.h) if there is enough to do, and the coupling.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/data/row_selection.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/coupling.h"
#include "plumbline/model/temperature.h"

namespace plumbline::inline v0 {

// Several binary models instead of one wider one: a problem of two classes keeps its speed and its file, and
// every component serves both.
class MulticlassModel {
 public:
  // One of the binary models. One against rest has no `against`.
  struct Part {
    std::size_t of;
    std::optional<std::size_t> against;
    const BinaryModel* model;  // its positive class is `of`
  };

  // Throws a configuration error as BinaryModel does, and if there are no classes.
  MulticlassModel(const ModelConfig& config, FeatureSpace features, std::size_t classes,
                  const Components& components = Components::builtin());
  MulticlassModel(const ModelConfig& config, const Schema& schema,
                  const Components& components = Components::builtin())
      : MulticlassModel(config, schema, schema.classes.size(), components) {}

  std::size_t classes() const { return counts_.size(); }

  // One probability for each row and class, row after row; those of a row sum to 1. The scores are those of the
  // ensembles before calibration, coupled in the same way.
  void predict(const Batch& batch, std::span<double> scores, std::span<double> probabilities) const;
  std::vector<double> predict(const Batch& batch) const;

  // What happened in each binary model that learned; valid until the next call.
  std::span<const RoundRecord> learn(const Examples& examples);
  // Writes the scores and probabilities of the examples, then learns from them.
  std::span<const RoundRecord> step(const Examples& examples, std::span<double> scores,
                                    std::span<double> probabilities);

  // Adds features and classes up to these numbers.
  void grow(std::size_t features, std::size_t classes);

  const ModelConfig& config() const { return config_; }
  const FeatureSpace& features() const { return features_; }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t examples() const;
  // Examples of each class so far.
  std::span<const std::uint64_t> counts() const { return counts_; }
  // How much surer the coupled probabilities are made.
  double sharpness() const { return temperature_.value(); }
  // Those that have begun.
  std::vector<Part> parts() const;
  void archive(Archive& archive);

 private:
  // Model m and its classes.
  struct Binary {
    std::size_t m, of;
    std::optional<std::size_t> against;
  };
  // What a binary model learns from.
  struct Selection {
    RowSelection rows;
    std::vector<Label> labels;
  };
  // Kept from one minibatch to the next, so that a steady stream allocates nothing.
  struct Scratch {
    // What the binary models say of a minibatch: model m at m times the rows.
    std::vector<double> scores, probabilities;
    std::vector<double> coupled, sharpened;  // of the classes that were seen, row after row
    std::vector<std::size_t> known;          // those classes
    std::vector<Binary> begun;               // the binary models of those classes
    std::vector<double> shares, second;
    PairCoupling couple_pairs;
  };

  bool pairs() const { return config_.multiclass == Multiclass::ovo; }
  bool seen(std::size_t k) const { return counts_[k] > 0; }
  // Calls `body(m, of, against)` for each binary model whose classes were seen.
  template <class Body>
  void for_each_model(const Body& body) const;
  void begin_models();
  std::unique_ptr<BinaryModel> new_model(std::size_t m) const;
  // Calls `body(i, worker)` for each of `count` binary models, on several threads if that pays.
  template <class Body>
  void on_threads(std::size_t count, std::size_t rows, const Body& body) const;
  // Calls `learn(binary, its examples)` for each of these and notes what it returns.
  template <class Learn>
  void teach(std::span<const Binary> models, const Examples& examples, const Learn& learn);
  // A view of the selection, or of the examples.
  static Examples examples_for(const Binary& binary, const Examples& examples,
                               Selection& selection);

  void make_room(std::size_t rows, Scratch& scratch) const;
  void ask(const Batch& batch, Scratch& scratch) const;
  void ask_and_teach(const Examples& examples, Scratch& scratch);
  // From the answers of the binary models to scores and probabilities.
  void conclude(std::size_t rows, std::span<double> scores, std::span<double> probabilities,
                Scratch& scratch) const;
  // From answers to probabilities of the classes that were seen, in `scratch.coupled`.
  void couple(std::span<const double> answers, std::size_t rows, Scratch& scratch) const;
  void sharpen(Scratch& scratch) const;
  void learn_sharpness(const Scratch& scratch, std::span<const Label> labels);
  // From those to probabilities of all classes.
  void add_unseen(std::span<const double> coupled, std::span<const std::size_t> known,
                  std::span<double> probabilities) const;

  std::shared_ptr<const Components> components_;  // for the models that begin later
  ModelConfig config_;
  FeatureSpace features_;
  std::uint64_t rounds_ = 0;
  std::vector<std::uint64_t> counts_;
  Temperature temperature_;
  // Of class k at k, or of the pair i < j at pair_index(i, j); null before it begins.
  std::vector<std::unique_ptr<BinaryModel>> models_;

  std::vector<RoundRecord> records_;  // of the last round
  // Scratch of learning.
  Scratch scratch_;
  std::vector<Selection> selections_;  // of each thread
  std::vector<RoundRecord> taught_;    // of each binary model that learns
  std::vector<Binary> untaught_;
  std::vector<std::uint64_t> counts_before_;
  std::vector<double> scores_, probabilities_;
};

}  // namespace plumbline::inline v0
