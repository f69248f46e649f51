// A model of several classes, composed of binary models. Each is a BinaryModel with its own ensemble, calibrator
// and policy; their calibrated probabilities are coupled (model/coupling.h). With three or more classes the
// result is scaled by a learned temperature (model/temperature.h).
//
//   MulticlassModel model(preset("auto").model, /*features=*/40, /*classes=*/3);
//   model.predict(batch);                    // rows times classes, row after row
//   model.learn(examples);                   // a label is the index of a class
//
// `ModelConfig::multiclass` determines the binary models:
//   ovr  one-vs-rest: K models; model k learns from every row whether it is of class k
//   ovo  one-vs-one: K(K-1)/2 models; model (i, j) learns from the rows of its two classes
// A binary model starts in the minibatch with the first row of its class, or of the later one of its two
// classes. Before that a class has the probability 1/(n + u), for n examples so far and u unseen
// classes; the other classes share the rest. A class that is listed from the start is therefore
// equivalent to one that is added by `grow` when it first occurs.
//
// Model 0 uses the configured seed; model m > 0 uses Rng(seed, kMulticlassStream, m).bits(). With `ovo`
// and two classes the only model equals a BinaryModel bit for bit.
//
// The guarantees are those of a BinaryModel. Cost: that of the binary models, which run on several threads
// (threads/parallel_for.h) if there is enough work, and of the coupling.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/data/pending_rows.h"
#include "plumbline/data/queue.h"
#include "plumbline/data/row_selection.h"
#include "plumbline/model/binary_model.h"
#include "plumbline/model/coupling.h"
#include "plumbline/model/temperature.h"

namespace plumbline::inline v0 {

// Several binary models instead of one wider one: a problem of two classes keeps its speed and its file, and
// every component serves both.
class MulticlassModel {
 public:
  // One of the binary models. With one-vs-rest, `against` is empty.
  struct Part {
    std::size_t of;
    std::optional<std::size_t> against;
    const BinaryModel* model;  // its positive class is `of`
  };

  // Throws the configuration errors of BinaryModel, and one if there are no classes.
  MulticlassModel(const ModelConfig& config, FeatureSpace features, std::size_t classes,
                  const Components& components = Components::builtin());
  MulticlassModel(const ModelConfig& config, const Schema& schema,
                  const Components& components = Components::builtin())
      : MulticlassModel(config, schema, schema.classes.size(), components) {}

  std::size_t classes() const { return counts_.size(); }

  // One probability for each row and class, row after row; those of a row sum to 1. The scores are those of the
  // ensembles before calibration, coupled in the same way.
  void predict(const Batch& batch, std::span<double> scores, std::span<double> probabilities,
               std::size_t ahead = 0) const;
  std::vector<double> predict(const Batch& batch) const;

  // Returns a record for each binary model that learned; valid until the next call.
  std::span<const RoundRecord> learn(const Examples& examples);
  // Writes the scores and probabilities of the examples, then learns from them.
  std::span<const RoundRecord> step(const Examples& examples, std::span<double> scores,
                                    std::span<double> probabilities);

  // The halves of a step, for labels that come later; see ClassModel. A binary model that starts while rows are pending
  // scores those that it will learn at once.
  void predict_pending(const Examples& examples, std::size_t ahead, std::span<double> scores,
                       std::span<double> probabilities);
  std::span<const RoundRecord> learn_pending(PendingRows& rows, std::size_t count);
  void archive_pending(Archive& archive, const PendingRows& rows);

  // Increases the numbers of features and classes.
  void grow(std::size_t features, std::size_t classes);

  const ModelConfig& config() const { return config_; }
  const FeatureSpace& features() const { return features_; }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t examples() const;
  // The number of examples of each class so far.
  std::span<const std::uint64_t> counts() const { return counts_; }
  // The exponent of the coupled probabilities (1/temperature).
  double sharpness() const { return temperature_.value(); }
  // The binary models that have started.
  std::vector<Part> parts() const;
  void archive(Archive& archive);

 private:
  // Model m and its classes.
  struct Binary {
    std::size_t m, of;
    std::optional<std::size_t> against;

    // True if it learns rows with this label.
    bool learns(Label label) const { return !against || label == of || label == *against; }
  };
  // The rows from which a binary model learns.
  struct Selection {
    RowSelection rows;
    std::vector<std::size_t> indices;  // of the selected rows; empty if all rows are
    std::vector<Label> labels;
    std::vector<double> given;
  };
  // Reused between minibatches, so that a steady stream allocates nothing.
  struct Scratch {
    // The predictions of the binary models for a minibatch; those of model m start at m times the rows.
    std::vector<double> scores, probabilities;
    std::vector<double> coupled, sharpened;  // of the seen classes, row-major
    std::vector<std::size_t> seen_classes;
    std::vector<Binary> begun;  // the binary models of those classes
    std::vector<double> shares, second;
    std::vector<double> margins;  // of the companions: column after column, class after class
    PairCoupling couple_pairs;
  };

  bool pairs() const { return config_.multiclass == Multiclass::ovo; }
  bool seen(std::size_t k) const { return counts_[k] > 0; }
  // Calls `body(m, of, against)` for each binary model whose classes have been seen.
  template <class Body>
  void for_each_model(const Body& body) const;
  // Lists those in `started_`.
  void begin_models();
  // Begins the classes that these labels are the first of; true if there is one.
  bool begin_classes(std::span<const Label> labels);
  void begin_class(std::size_t k);
  // Those that count several classes natively, without any class.
  void make_companions();
  std::unique_ptr<BinaryModel> new_model(std::size_t m) const;
  // Calls `body(i, worker)` for each of `count` binary models, on several threads if that pays.
  template <class Body>
  void on_threads(std::size_t count, std::size_t rows, const Body& body) const;
  // Calls `learn(binary, its examples, their inputs)` for each of these and stores the results. The inputs are empty
  // unless they are needed.
  template <class Learn>
  void teach(std::span<const Binary> models, const Examples& examples, bool needs_inputs,
             const Learn& learn);
  // A view of the selected examples, or of all of them.
  static Examples examples_for(const Binary& binary, const Examples& examples,
                               Selection& selection);

  void make_room(std::size_t rows, Scratch& scratch) const;
  void ask_companions(const Batch& batch, std::size_t ahead, std::vector<double>& margins) const;
  // The same for rows that were predicted at these ages.
  void ask_companions(const Batch& batch, std::span<const std::uint64_t> ages,
                      std::vector<double>& margins) const;
  // The columns that the companions give to a binary model, for the selected rows or for all of them.
  ScoreInputs inputs_for(const Binary& binary, std::size_t rows,
                         std::span<const std::size_t> selected, const Scratch& scratch,
                         std::vector<double>& given) const;
  // They train only with a binary model, and keep to the learn budget themselves.
  void teach_companions(const Examples& examples);
  std::size_t given_columns() const;
  void archive_companions(Archive& archive);
  void ask(const Batch& batch, std::size_t ahead, Scratch& scratch) const;
  void ask_and_teach(const Examples& examples);
  // Computes scores and probabilities from the predictions of the binary models.
  void conclude(std::size_t rows, std::span<double> scores, std::span<double> probabilities,
                Scratch& scratch) const;
  // Couples predictions into probabilities of the seen classes, in `scratch.coupled`.
  void couple(std::span<const double> answers, std::size_t rows, Scratch& scratch) const;
  void sharpen(Scratch& scratch) const;
  void learn_sharpness(const Scratch& scratch, std::span<const Label> labels);
  void keep_coupled(std::size_t rows);
  void learn_kept_sharpness(std::span<const Label> labels);
  // Scores all pending rows with the binary models that have just started.
  void score_pending(const Pending& pending);
  // Each model keeps the scores of the rows that it will learn.
  void score_and_keep(std::span<const Binary> models, const Examples& examples);
  // Extends them to probabilities of all classes.
  void add_unseen(std::span<const double> coupled, std::span<const std::size_t> seen_classes,
                  std::span<double> probabilities) const;

  std::shared_ptr<const Components> components_;  // for the models that start later
  ModelConfig config_;
  ModelConfig config_of_parts_;  // without the companions of all classes
  FeatureSpace features_;
  Budget budget_;  // of the companions of all classes
  std::uint64_t rounds_ = 0;
  std::vector<std::uint64_t> counts_;
  Temperature temperature_;
  // Companions that count several classes natively; those classes are numbered in the order of their first rows.
  std::vector<std::unique_ptr<Companion>> companions_;
  std::vector<std::size_t> widths_;   // the columns of each
  std::vector<bool> follows_labels_;  // the trait of each
  std::vector<std::uint64_t> order_;  // the seen classes in that order
  // The model of class k is at k, that of the pair i < j at pair_index(i, j); null before it starts.
  std::vector<std::unique_ptr<BinaryModel>> models_;
  // The coupled probabilities of pending rows, a number for each class: -1 if it had not been seen.
  Queue<double> kept_coupled_;

  std::vector<RoundRecord> records_;  // of the last round
  // Scratch for learning.
  Scratch scratch_;
  std::vector<Selection> selections_;  // per thread
  std::vector<RoundRecord> taught_;    // per binary model that learns
  std::vector<Binary> untaught_, started_;
  std::vector<Label> ordered_;  // labels as numbers of the companions
  std::vector<std::uint64_t> counts_before_;
  std::vector<double> scores_, probabilities_;
};

}  // namespace plumbline::inline v0
