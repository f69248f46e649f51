#include "plumbline/model/binary_model.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "plumbline/calibrator.h"
#include "plumbline/error.h"
#include "plumbline/math/entropy.h"
#include "plumbline/policies/context_tracker.h"
#include "plumbline/policies/reward_registry.h"
#include "plumbline/policy.h"

namespace plumbline::inline v0 {

// The last rounds; of N that are kept, round n is at index (n - 1) mod N.
struct BinaryModel::History {
  explicit History(std::size_t kept) : action(kept), loss(kept), rewarded(kept), reward(kept) {}

  std::vector<std::uint64_t> action;
  std::vector<double> loss;
  std::vector<std::uint64_t> rewarded;
  std::vector<double> reward;

  std::size_t size() const { return action.size(); }
  std::size_t index(std::uint64_t round) const { return (round - 1) % size(); }

  void write(const RoundRecord& record) {
    const std::size_t at = index(record.round);
    action[at] = static_cast<std::uint64_t>(record.action);
    loss[at] = record.loss;
    rewarded[at] = record.rewarded ? 1 : 0;
    reward[at] = record.reward;
  }

  RoundRecord read(std::uint64_t round) const {
    const std::size_t at = index(round);
    return {round, static_cast<Action>(action[at]), loss[at], rewarded[at] == 1, reward[at]};
  }

  void archive(Archive& archive) {
    archive.values("action", action);
    archive.values("loss", loss);
    archive.values("rewarded", rewarded);
    archive.values("reward", reward);
    for (const std::uint64_t code : action) {
      if (code >= kActionCount) archive.refuse("action", "is unknown");
    }
  }
};

namespace {

// In nats.
double mean_entropy(std::span<const double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) sum -= x_log_x(p) + x_log_x(1 - p);
  return sum / static_cast<double>(probabilities.size());
}

}  // namespace

BinaryModel::BinaryModel(const ModelConfig& config, FeatureSpace features,
                         const Components& components, std::size_t given)
    : config_(complete(config, components)),
      features_(features),
      given_(given),
      sources_(components.learners, config_.ensemble, config_.learner, config_.companions, features,
               given, config_.seed),
      calibrator_(components.calibrators.make(config_.calibrator, sources_.columns())),
      policy_(components.policies.make(config_.policy, config_.actions, config_.seed)),
      reward_(components.rewards.make(config_.reward)),
      budget_(config_.learn_budget, config_.learn_burst),
      history_(std::make_unique<History>(static_cast<std::size_t>(config_.history))),
      kept_(sources_.columns(), calibrator_->trace_columns()) {
  if (budget_.limited() && policy_->needs_trials()) {
    throw Error(ErrorKind::config,
                fmt::format("the policy '{}' trains on every minibatch to try its actions, so it "
                            "cannot keep to 'learn_budget' {}",
                            config_.policy.name, config_.learn_budget));
  }
  if (policy_->needs_context()) context_ = std::make_unique<ContextTracker>();
}

BinaryModel::BinaryModel(BinaryModel&&) noexcept = default;
BinaryModel& BinaryModel::operator=(BinaryModel&&) noexcept = default;
BinaryModel::~BinaryModel() = default;

void BinaryModel::predict(const Batch& batch, std::span<double> scores,
                          std::span<double> probabilities, const ScoreInputs& inputs) const {
  assert(batch.columns == features_.count && probabilities.size() == batch.rows);
  assert(scores.empty() || scores.size() == batch.rows);
  // Several threads may predict at once, and the scratch of each is kept, so that a steady stream
  // allocates nothing. Rows are taken some at a time, so that it does not grow with the batch.
  constexpr std::size_t kTogether = 256;
  thread_local ScoreTable table;
  thread_local Margins margins;
  thread_local std::vector<double> given;
  for (std::size_t first = 0; first < batch.rows; first += kTogether) {
    const Batch part = batch.part(first, std::min(kTogether, batch.rows - first));
    sources_.scores(part, inputs.part(first, part.rows, batch.rows, given), table, margins);
    share_logits(table);
    calibrator_->apply(table.scores(), probabilities.subspan(first, part.rows));
    if (!scores.empty()) std::ranges::copy(table.column(0), scores.subspan(first).begin());
  }
}

std::vector<double> BinaryModel::predict(const Batch& batch) const {
  std::vector<double> probabilities(batch.rows);
  predict(batch, {}, probabilities);
  return probabilities;
}

RoundRecord BinaryModel::learn(const Examples& examples, const ScoreInputs& inputs) {
  probabilities_.resize(examples.size());
  return step(examples, {}, probabilities_, inputs);
}

RoundRecord BinaryModel::step(const Examples& examples, std::span<double> scores,
                              std::span<double> probabilities, const ScoreInputs& inputs) {
  if (examples.size() == 0) return {};
  assert(probabilities.size() == examples.size());
  assert(scores.empty() || scores.size() == examples.size());
  score(examples.x, scores, probabilities, inputs);
  return learn_scored(examples, probabilities, inputs);
}

void BinaryModel::score(const Batch& batch, std::span<double> scores,
                        std::span<double> probabilities, const ScoreInputs& inputs) {
  assert(batch.columns == features_.count && probabilities.size() == batch.rows);
  assert(scores.empty() || scores.size() == batch.rows);
  sources_.scores(batch, inputs, scores_, margins_);
  share_logits(scores_);
  trace_.resize(calibrator_->trace_columns() * batch.rows);
  calibrator_->apply_traced(scores_.scores(), probabilities, trace_);
  if (!scores.empty()) std::ranges::copy(scores_.column(0), scores.begin());
}

// Calibrators of several scores read each logit more than once.
void BinaryModel::share_logits(ScoreTable& table) const {
  const std::size_t columns = calibrator_->columns_used();
  if (columns > 1) table.compute_logits(columns);
}

void BinaryModel::keep(std::size_t row, double probability) {
  kept_.keep(scores_.scores(), trace_, row, probability);
}

bool BinaryModel::fits_first_round() const {
  return config_.first_round == FirstRound::train_then_calibrate;
}

bool BinaryModel::scores_again() const {
  return policy_->needs_trials() || (rounds_ == 0 && fits_first_round()) ||
         (policy_->needs_rewards() && reward_->on() == RewardOn::same_batch);
}

// The reward of an action must not include what was learned since the examples were predicted. And boosting looks for
// examples that its learners get wrong now.
RoundRecord BinaryModel::learn_kept(const Examples& examples, const ScoreInputs& inputs) {
  if (examples.size() == 0) return {};
  kept_.take(examples.size(), scores_, trace_, probabilities_);
  share_logits(scores_);
  ScoreInputs complete = inputs;
  std::optional<double> before;
  if (scores_again()) {
    if (inputs.margins.empty() && given_ > 0) complete.margins = kept_margins();
    before = loss_now(examples, complete);
  }
  sources_.ensemble().all_margins(examples.x, margins_);
  return learn_scored(examples, probabilities_, complete, before);
}

std::span<const double> BinaryModel::kept_margins() {
  const std::span<const double> columns = scores_.columns(sources_.columns() - given_, given_);
  given_margins_.resize(columns.size());
  std::ranges::transform(columns, given_margins_.begin(), score_logit);
  return given_margins_;
}

RoundRecord BinaryModel::learn_scored(const Examples& examples,
                                      std::span<const double> probabilities,
                                      const ScoreInputs& inputs, std::optional<double> before) {
  assert(examples.x.columns == features_.count && examples.y.size() == examples.size());
  const double loss = reward_->loss(probabilities, examples.y, examples.costs);
  settle(loss, examples.size());
  calibrator_->observe(examples.y);
  if (context_) context_->observe(probabilities, examples.y, loss);
  ++rounds_;

  RoundRecord record{.round = rounds_, .loss = loss};
  if (rounds_ == 1) {
    act(Action::train, examples);
    if (fits_first_round()) {
      score_again(examples, inputs);
      calibrator_->calibrate(scores_after_.scores(), examples.y);
      record.action = Action::both;
    }
  } else {
    const std::size_t arm = choose(examples, probabilities, inputs, before.value_or(loss));
    const Action chosen = config_.actions[arm];
    record.action = budget_.allows(rounds_) ? chosen : without_training(chosen);
    act(record.action, examples);
    // A policy is rewarded only for what it chose.
    const bool paid = policy_->needs_rewards() && record.action == chosen;
    if (paid && reward_->on() == RewardOn::same_batch) {
      record.reward = reward_on(record.action, examples, inputs, before.value_or(loss));
      record.rewarded = true;
      pay(arm, record.reward);
    } else if (paid) {
      pending_ = true;
      pending_arm_ = arm;
    }
  }
  if (context_) context_->acted(calibrates(record.action));
  history_->write(record);
  return record;
}

Context BinaryModel::context() const { return context_ ? context_->context() : Context{}; }

void BinaryModel::pay(std::size_t arm, double earned) {
  policy_->reward_in(context(), arm, earned);
}

void BinaryModel::settle(double loss, std::size_t examples) {
  const double running_before = examples_ == 0 ? 0 : loss_sum_ / static_cast<double>(examples_);
  examples_ += examples;
  loss_sum_ += loss * static_cast<double>(examples);
  if (pending_) {
    const double gained = reward_->on() == RewardOn::next_batch
                              ? reward_->relative_decrease(last_loss_, loss)
                              : reward_->relative_decrease(
                                    running_before, loss_sum_ / static_cast<double>(examples_));
    const Action action = config_.actions[pending_arm_];
    RoundRecord record = history_->read(rounds_);
    record.rewarded = true;
    record.reward = reward_->after_costs(gained, trains(action), calibrates(action));
    pay(pending_arm_, record.reward);
    history_->write(record);
    pending_ = false;
  }
  last_loss_ = loss;
}

std::size_t BinaryModel::choose(const Examples& examples, std::span<const double> probabilities,
                                const ScoreInputs& inputs, double loss) {
  std::vector<double> trials;
  if (policy_->needs_trials()) trials = try_actions(examples, inputs, loss);
  const Round round{.number = rounds_,
                    .trial_rewards = trials,
                    .context = context(),
                    .uncertainty = policy_->needs_uncertainty() ? mean_entropy(probabilities) : 0,
                    .learn_budget = budget_.share(),
                    .saved = budget_.saved(rounds_)};
  policy_->observe(round);
  return policy_->choose(round);
}

std::vector<double> BinaryModel::try_actions(const Examples& examples, const ScoreInputs& inputs,
                                             double loss) {
  const Tensors before = save_state(sources_);
  const Tensors calibrator = save_state(*calibrator_);
  std::vector<double> earned;
  for (const Action action : config_.actions) {
    act(action, examples);
    earned.push_back(reward_on(action, examples, inputs, loss));
    load_state(sources_, before);
    load_state(*calibrator_, calibrator);
  }
  return earned;
}

void BinaryModel::act(Action action, const Examples& examples) {
  if (calibrates(action)) {
    trace_.empty() ? calibrator_->calibrate(scores_.scores(), examples.y)
                   : calibrator_->calibrate_traced(scores_.scores(), examples.y, trace_);
  }
  if (trains(action)) {
    sources_.train(examples, margins_);
    budget_.spend();
  } else if (budget_.limited()) {
    sources_.follow_labels(examples);
  }
}

double BinaryModel::reward_on(Action action, const Examples& examples, const ScoreInputs& inputs,
                              double before) {
  const double gained = reward_->relative_decrease(before, loss_now(examples, inputs));
  return reward_->after_costs(gained, trains(action), calibrates(action));
}

void BinaryModel::score_again(const Examples& examples, const ScoreInputs& inputs) {
  sources_.scores(examples.x, inputs, scores_after_, margins_after_);
}

double BinaryModel::loss_now(const Examples& examples, const ScoreInputs& inputs) {
  score_again(examples, inputs);
  probabilities_after_.resize(examples.size());
  calibrator_->apply(scores_after_.scores(), probabilities_after_);
  return reward_->loss(probabilities_after_, examples.y, examples.costs);
}

void BinaryModel::grow(std::size_t features) {
  assert(features >= features_.count);
  if (features > features_.count) sources_.grow(features);
  features_.count = features;
}

BinaryView BinaryModel::view(std::size_t curve_points) const {
  BinaryView view{.rounds = rounds_,
                  .examples = examples_,
                  .learners = sources_.ensemble().view(),
                  .parts = calibrator_->parts(),
                  .arms = arms()};
  if (context_) view.context = context_->context();
  ScoreTable grid;
  grid.resize(sources_.columns(), curve_points);
  std::vector<double> mapped(curve_points);
  for (std::size_t i = 0; i < curve_points; ++i) {
    const double score =
        curve_points == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(curve_points - 1);
    for (std::size_t k = 0; k < sources_.columns(); ++k) grid.column(k)[i] = score;
  }
  calibrator_->apply(grid.scores(), mapped);
  for (std::size_t i = 0; i < curve_points; ++i)
    view.curve.push_back({grid.column(0)[i], mapped[i]});

  const std::uint64_t shown = std::min<std::uint64_t>(rounds_, history_->size());
  for (std::uint64_t i = shown; i > 0; --i) view.history.push_back(history_->read(rounds_ - i + 1));
  return view;
}

PerAction<ArmEstimate> BinaryModel::arms() const {
  const PerAction<ArmView> estimates = policy_->arms();
  PerAction<ArmEstimate> arms;
  for (std::size_t a = 0; a < estimates.size(); ++a) {
    arms.push_back({config_.actions[a], estimates[a]});
  }
  return arms;
}

void BinaryModel::archive(Archive& archive) {
  archive.value("rounds", rounds_);
  archive.value("examples", examples_);
  archive.value("last_loss", last_loss_);
  archive.value("loss_sum", loss_sum_);
  archive.value("pending", pending_);
  archive.value("pending_arm", pending_arm_);
  if (archive.loading()) {
    // More than any stream has, and far from overflow.
    constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 62;
    if (rounds_ > kMaxCount || examples_ > kMaxCount) archive.refuse("rounds", "is too large");
    if (pending_ && rounds_ < 2) archive.refuse("pending", "is set before the second round");
    if (pending_arm_ >= config_.actions.size()) archive.refuse("pending_arm", "is not an action");
    archive.require_within("last_loss", {&last_loss_, 1}, 0, kMaxState);
    archive.require_within("loss_sum", {&loss_sum_, 1}, 0, kMaxState);
  }
  budget_.archive(archive, rounds_, "trained");
  archive.scope("history", [&](Archive& inner) { history_->archive(inner); });
  archive.scope("calibrator", [&](Archive& inner) { calibrator_->archive(inner); });
  archive.scope("policy", [&](Archive& inner) { policy_->archive(inner); });
  if (context_) archive.scope("context", [&](Archive& inner) { context_->archive(inner); });
  archive.scope("ensemble", [&](Archive& inner) { sources_.archive(inner); });
}

}  // namespace plumbline::inline v0
