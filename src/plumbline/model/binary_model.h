// The model for two classes and rows of numbers: an ensemble, a calibrator, and a policy that decides for every
// minibatch which of the two learns from it (the paper's Algorithm 2).
//
//   BinaryModel model(preset("paper").model, /*features=*/40);
//   model.predict(batch);                    // changes nothing
//   model.learn(examples);                   // the policy decides what that means
//
// `step` is predict and learn in one, for test-then-learn runs, and computes the scores once. If labels come later,
// `score` and `keep` are its first half, and `learn_kept` is the second.
// Minibatches may have any number of rows, another one each time. Rows must have passed the checks of a Model
// (width, finite values, labels 0 and 1); they are only asserted here. Predicting, saving and viewing may overlap on
// several threads; learning must not overlap with anything. State does not grow with the stream.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/calibrator.h"
#include "plumbline/config.h"
#include "plumbline/ensemble/score_sources.h"
#include "plumbline/model.h"
#include "plumbline/model/budget.h"
#include "plumbline/model/kept_scores.h"
#include "plumbline/policies/reward.h"
#include "plumbline/policy.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class ContextTracker;

class BinaryModel {
 public:
  // Throws a configuration error for invalid names, options or actions.
  // `given` is the number of score columns that the caller adds to each minibatch.
  BinaryModel(const ModelConfig& config, FeatureSpace features,
              const Components& components = Components::builtin(), std::size_t given = 0);
  BinaryModel(BinaryModel&&) noexcept;
  BinaryModel& operator=(BinaryModel&&) noexcept;
  ~BinaryModel();

  // The ensemble's scores before calibration, unless `scores` is empty, and the probabilities.
  void predict(const Batch& batch, std::span<double> scores, std::span<double> probabilities,
               const ScoreInputs& inputs = {}) const;
  std::vector<double> predict(const Batch& batch) const;

  RoundRecord learn(const Examples& examples, const ScoreInputs& inputs = {});
  // Writes the scores, unless `scores` is empty, and probabilities of the examples, then learns from them.
  RoundRecord step(const Examples& examples, std::span<double> scores,
                   std::span<double> probabilities, const ScoreInputs& inputs = {});

  // ---- Labels that come later

  // Predicts rows, of which `keep` may then store some.
  void score(const Batch& batch, std::span<double> scores, std::span<double> probabilities,
             const ScoreInputs& inputs);
  // Keeps the scores and the trace of a row of the last call of `score`, and its probability, until it is learned.
  void keep(std::size_t row, double probability);
  // Learns the rows kept first; their calibration and loss are those of their scores and probabilities as kept.
  // `inputs` are used only if `scores_again()`. Columns of the caller that are not among them are taken as kept.
  RoundRecord learn_kept(const Examples& examples, const ScoreInputs& inputs);
  // True if the next round scores its examples again: to measure the effect of an action, or for the first fit.
  bool scores_again() const;
  std::size_t kept() const { return kept_.rows(); }
  // The caller knows the number of rows.
  void archive_kept(Archive& archive, std::size_t rows) { kept_.archive(archive, rows); }

  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  void grow(std::size_t features);

  const ModelConfig& config() const { return config_; }
  // The score columns, with those of the caller, and how many of them the calibrator uses.
  std::size_t columns() const { return sources_.columns(); }
  std::size_t columns_used() const { return calibrator_->columns_used(); }
  const FeatureSpace& features() const { return features_; }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t examples() const { return examples_; }
  BinaryView view(std::size_t curve_points = 101) const;
  // The policy's estimates, as in the view.
  PerAction<ArmEstimate> arms() const;
  void archive(Archive& archive);

 private:
  void share_logits(ScoreTable& table) const;
  struct History;

  // Learns examples, given their scores and margins in the scratch. `before` is the loss from which rewards on the same
  // examples count, if it is not that of the probabilities.
  RoundRecord learn_scored(const Examples& examples, std::span<const double> probabilities,
                           const ScoreInputs& inputs, std::optional<double> before = {});
  // The log-odds of the caller's columns of the rows in the scratch.
  std::span<const double> kept_margins();
  bool fits_first_round() const;
  // Writes the scores of the examples as they are now to `scores_after_`.
  void score_again(const Examples& examples, const ScoreInputs& inputs);
  // The loss of the examples if they were predicted now.
  double loss_now(const Examples& examples, const ScoreInputs& inputs);
  void act(Action action, const Examples& examples);
  // The reward of the action just taken on these examples: the relative decrease of the loss from
  // `before` to the current loss, less costs.
  double reward_on(Action action, const Examples& examples, const ScoreInputs& inputs,
                   double before);
  // Saves the state, then tries and undoes each action. This needs no `clone` of any component.
  std::vector<double> try_actions(const Examples& examples, const ScoreInputs& inputs, double loss);
  std::size_t choose(const Examples& examples, std::span<const double> probabilities,
                     const ScoreInputs& inputs, double loss);
  // Rewards the action of the last round, given the loss of this round.
  void settle(double loss, std::size_t examples);
  void pay(std::size_t arm, double earned);
  Context context() const;

  ModelConfig config_;
  FeatureSpace features_;
  std::size_t given_;
  ScoreSources sources_;
  std::unique_ptr<Calibrator> calibrator_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<Reward> reward_;
  Budget budget_;
  std::unique_ptr<ContextTracker> context_;  // null unless the policy needs it

  std::uint64_t rounds_ = 0;
  std::uint64_t examples_ = 0;
  double last_loss_ = 0;  // of the last round
  double loss_sum_ = 0;   // over all examples
  bool pending_ = false;  // true if the last round's action has not been rewarded yet
  std::uint64_t pending_arm_ = 0;
  std::unique_ptr<History> history_;
  KeptScores kept_;

  // Scratch for learning, reused so that a steady stream allocates nothing.
  ScoreTable scores_, scores_after_;
  Margins margins_, margins_after_;
  std::vector<double> trace_;  // of the calibrator for `scores_`; empty if it has none
  std::vector<double> given_margins_;
  std::vector<double> probabilities_, probabilities_after_;
};

}  // namespace plumbline::inline v0
