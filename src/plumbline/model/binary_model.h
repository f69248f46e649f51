// The model for two classes and rows of numbers: an ensemble, a calibrator, and a policy that decides for every
// minibatch which of the two learns from it (the paper's Algorithm 2).
//
//   BinaryModel model(preset("paper").model, /*features=*/40);
//   model.predict(batch);                    // changes nothing
//   model.learn(examples);                   // the policy decides what that means
//
// `step` is predict and learn in one, for test-then-learn runs, and computes the scores once.
// Minibatches may have any number of rows, another one each time. Rows must have passed the checks of a Model
// (width, finite values, labels 0 and 1); they are only asserted here. Predicting, saving and viewing may overlap on
// several threads; learning must not overlap with anything. State does not grow with the stream.
#pragma once

#include <array>
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
#include "plumbline/policies/reward.h"
#include "plumbline/policy.h"
#include "plumbline/schema.h"

namespace plumbline::inline v0 {

class ContextTracker;

class BinaryModel {
 public:
  static constexpr std::size_t kHistory = 256;

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

  // Increases the number of features. The result is as if the new ones had been 0 in every example so far.
  void grow(std::size_t features);

  const ModelConfig& config() const { return config_; }
  const FeatureSpace& features() const { return features_; }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t examples() const { return examples_; }
  BinaryView view(std::size_t curve_points = 101) const;
  // The policy's estimates, as in the view.
  PerAction<ArmEstimate> arms() const;
  void archive(Archive& archive);

 private:
  struct History;

  void act(Action action, const Examples& examples);
  // The reward of the action just taken on these examples: the relative decrease of the loss from
  // `before` to the current loss, less costs.
  double reward_on(Action action, const Examples& examples, const ScoreInputs& inputs,
                   double before);
  // Saves the state, then tries and undoes each action. This needs no `clone` of any component.
  std::vector<double> try_actions(const Examples& examples, const ScoreInputs& inputs, double loss);
  std::size_t choose(const Examples& examples, const ScoreInputs& inputs, double loss);
  // Rewards the action of the last round, given the loss of this round.
  void settle(double loss, std::size_t examples);
  void pay(std::size_t arm, double earned);
  Context context() const;

  ModelConfig config_;
  FeatureSpace features_;
  ScoreSources sources_;
  std::unique_ptr<Calibrator> calibrator_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<Reward> reward_;
  std::unique_ptr<ContextTracker> context_;  // null unless the policy needs it

  std::uint64_t rounds_ = 0;
  std::uint64_t examples_ = 0;
  double last_loss_ = 0;  // of the last round
  double loss_sum_ = 0;   // over all examples
  bool pending_ = false;  // true if the last round's action has not been rewarded yet
  std::uint64_t pending_arm_ = 0;
  std::unique_ptr<History> history_;

  // Scratch for learning, reused so that a steady stream allocates nothing.
  ScoreTable scores_, scores_after_;
  Margins margins_, margins_after_;
  std::vector<double> probabilities_, probabilities_after_;
};

}  // namespace plumbline::inline v0
