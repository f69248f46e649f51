// The whole system: an ensemble, a calibrator, and a policy that decides on every minibatch which
// of the two learns from it (the paper's Algorithm 2).
//
//   BinaryModel model(preset("paper"), Schema::numeric(40));
//   model.predict(batch, probabilities);     // changes nothing
//   model.learn(examples);                   // the policy decides what that means
//   model.save("model.safetensors");         // BinaryModel::load goes on exactly where it stopped
//
// `step` is predict and learn in one, for test-then-learn runs, and computes the scores once.
// Minibatches may have any number of rows, another one each time. Bad input (wrong width, NaN,
// infinities, labels other than 0 and 1) throws before anything changes. Predicting, saving and
// viewing may overlap on several threads; learning must not overlap with anything. State does not
// grow with the stream.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/calibrators/calibrator.h"
#include "plumbline/data/batch.h"
#include "plumbline/data/schema.h"
#include "plumbline/ensemble/score_sources.h"
#include "plumbline/model/config.h"
#include "plumbline/policies/policy.h"
#include "plumbline/policies/reward.h"

namespace plumbline {

// What happened on one round.
struct RoundRecord {
  std::uint64_t round = 0;  // from 1 on; 0 for an empty minibatch, which is no round
  Action action = Action::train;
  double loss = 0;  // of the predictions before the action, in the reward's loss
  bool rewarded = false;
  double reward = 0;  // if rewarded; with `next_batch` and `running` it comes a round later
};

// The inside of a model, for inspection and plots.
struct ModelView {
  struct CurvePoint {
    double score;
    double probability;
  };
  struct Arm {
    Action action;
    ArmView estimate;
  };

  std::uint64_t rounds;
  std::uint64_t examples;
  std::vector<OnlineBoost::LearnerView> learners;
  // The calibrator's, at equally spaced scores, where all kinds of scores say the same.
  std::vector<CurvePoint> curve;
  std::vector<Calibrator::Part> parts;  // of the calibrator, if it has any
  PerAction<Arm> arms;                  // empty for a policy without estimates
  std::optional<Context> context{};     // of the last round, if the policy asks
  std::vector<RoundRecord> history;     // the last rounds, oldest first
};

class ContextTracker;

class BinaryModel {
 public:
  static constexpr std::size_t kHistory = 256;

  // Throws a configuration error for names, options or actions that do not fit.
  BinaryModel(const ModelConfig& config, Schema schema);
  BinaryModel(BinaryModel&&) noexcept;
  BinaryModel& operator=(BinaryModel&&) noexcept;
  ~BinaryModel();

  void predict(const Batch& batch, std::span<double> probabilities) const;
  std::vector<double> predict(const Batch& batch) const;
  // With the ensemble's scores before calibration.
  void predict(const Batch& batch, std::span<double> scores, std::span<double> probabilities) const;

  RoundRecord learn(const Examples& examples);
  // Writes the scores and probabilities of the examples, then learns from them.
  RoundRecord step(const Examples& examples, std::span<double> scores,
                   std::span<double> probabilities);

  // Takes a schema with more features behind those of the present one: the model goes on as if they
  // had been 0 in every example so far. Throws a configuration error for any other schema.
  void grow(Schema schema);

  void save(const std::string& path) const;
  static BinaryModel load(const std::string& path);
  // The same, as the bytes of the file; `source` names them in messages.
  std::vector<std::byte> to_bytes() const;
  static BinaryModel from_bytes(std::span<const std::byte> bytes, const std::string& source);

  const ModelConfig& config() const { return config_; }
  const Schema& schema() const { return schema_; }
  ModelView view(std::size_t curve_points = 101) const;
  // Those of the view.
  PerAction<ModelView::Arm> arms() const;
  void archive(Archive& archive);

 private:
  struct History;

  // After all checks; the scores may be left out.
  void checked_predict(const Batch& batch, std::span<double> scores,
                       std::span<double> probabilities) const;
  // With the scores of the examples in `scores_` already.
  RoundRecord checked_step(const Examples& examples, std::span<double> probabilities);
  void act(Action action, const Examples& examples);
  // What the action just taken earned on these examples: the relative decrease of the loss from
  // `before` to what it is now, less costs.
  double reward_on(Action action, const Examples& examples, double before);
  std::vector<double> try_actions(const Examples& examples, double loss);
  std::size_t choose(const Examples& examples, double loss);
  // Pays the action of the last round, now that this round's loss is known.
  void settle(double loss, std::size_t examples);
  void pay(std::size_t arm, double earned);
  Context context() const;

  ModelConfig config_;
  Schema schema_;
  ScoreSources sources_;
  std::unique_ptr<Calibrator> calibrator_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<Reward> reward_;
  std::unique_ptr<ContextTracker> context_;  // if the policy asks

  std::uint64_t rounds_ = 0;
  std::uint64_t examples_ = 0;
  double last_loss_ = 0;  // of the last round
  double loss_sum_ = 0;   // over all examples
  bool pending_ = false;  // whether the last round's action still waits for its reward
  std::uint64_t pending_arm_ = 0;
  std::unique_ptr<History> history_;

  // Scratch of learning, kept so that a steady stream allocates nothing.
  ScoreTable scores_, scores_after_;
  Margins margins_, margins_after_;
  std::vector<double> probabilities_, probabilities_after_;
};

}  // namespace plumbline
