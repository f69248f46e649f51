// A model turns rows into probabilities. It holds the encoding of the columns and the classifier, which are saved and
// loaded together.
//
//   Model model(preset("auto"), Schema::numeric(40));     // for rows of 40 numbers
//   model.predict(batch);                                 // changes nothing
//   model.learn(examples);                                // trains, calibrates or both: the policy decides
//   model.save("model.safetensors");                      // Model::load resumes exactly here
//
// `step` is predict and learn in one call, for test-then-learn runs. A Session (session.h) reads the rows of a stream.
// New categories, feature names and classes in them are proposals: `predict` ignores them, `step` commits them.
// A step validates everything, commits the proposals, predicts, and learns; after an Error the model is unchanged, to
// the byte. Calls that predict, save or inspect may overlap on several threads; a call that learns must not overlap
// with any other. Predicting many rows, and learning several classes, use several threads (threads.h) with the same
// results to the bit. State does not grow with the stream, except by new features and classes up to their limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/batch.h"
#include "plumbline/calibrator.h"
#include "plumbline/columns.h"
#include "plumbline/components.h"
#include "plumbline/config.h"
#include "plumbline/ensemble.h"
#include "plumbline/policy.h"
#include "plumbline/schema.h"
#include "plumbline/stream.h"

PLUMBLINE_BEGIN_NAMESPACE

// Internal (src/).
class Encoder;
class RowBatch;
class LabelBudget;

// Predictions for the rows of a minibatch, `outputs` numbers per row: the probability of the positive class, or of
// each class.
struct Predictions {
  std::size_t outputs = 1;
  std::vector<double> probabilities{};
  std::vector<double> scores{};  // before calibration
  // With a label budget, of the rows of `step` and `ask`: 1 for those whose labels are asked for. Otherwise empty.
  std::vector<std::uint8_t> asked{};

  std::span<const double> row(std::size_t i) const {
    return std::span(probabilities).subspan(i * outputs, outputs);
  }
};

// The record of one round.
struct RoundRecord {
  std::uint64_t round = 0;  // counts from 1; 0 for an empty minibatch, which is not a round
  Action action = Action::train;
  double loss = 0;  // of the predictions made before the action, by the reward's loss function
  bool rewarded = false;
  double reward = 0;  // valid if rewarded; `next_batch` and `running` rewards come a round later
};

// A policy's estimate of an action.
struct ArmEstimate {
  Action action;
  ArmView estimate;
};

struct BinaryView {
  struct CurvePoint {
    double score;
    double probability;
  };

  std::uint64_t rounds = 0;
  std::uint64_t examples = 0;
  std::vector<BoostedLearner> learners{};
  // The calibrator's map at equally spaced scores, with the same score in every column.
  std::vector<CurvePoint> curve{};
  std::vector<Calibrator::Part> parts{};  // members of a composite calibrator
  PerAction<ArmEstimate> arms{};          // empty for a policy without estimates
  std::optional<Context> context{};       // of the last round, if the policy uses it
  std::vector<RoundRecord> history{};     // the last rounds, oldest first
};

struct ModelView {
  // A binary model of class `of` against class `against`, or against all others.
  struct Part {
    std::size_t of;
    std::optional<std::size_t> against;
    BinaryView view;
  };

  std::uint64_t rounds = 0;
  std::uint64_t examples = 0;
  std::vector<Part> parts{};  // a single one for two classes
  // Several classes only: the examples of each class, and the factor of coupled log-odds (1/temperature).
  std::vector<std::uint64_t> class_counts{};
  double sharpness = 1;

  bool several() const { return !class_counts.empty(); }
};

class Model {
 public:
  // For `predict`: the rows are so far from the last learned row that its label says nothing about theirs.
  static constexpr std::size_t kFarAhead = std::size_t{1} << 62;

  // A model for rows of numbers with the schema's features and label. Throws a configuration error for invalid names
  // and options.
  Model(const Config& config, const Schema& schema,
        const Components& components = Components::builtin());
  // A model for the rows of a stream, whose column types are inferred from its first rows.
  Model(const Config& config, const SampledStream& stream, const ColumnChoices& choices,
        std::vector<Note>& notes, const Components& components = Components::builtin());
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // The numbers predicted per row: one, or one for each class.
  std::size_t outputs() const;
  bool several_classes() const;
  const Config& config() const;
  const Schema& schema() const;
  std::size_t batch_size() const;  // rows of a minibatch

  // ---- Rows of numbers; NaN is a missing value

  // Predicts the rows as if they followed the last row given to `learn` or `step`, in order and `ahead` rows later.
  // This matters to the companion `label_history`, which trusts the last labels less with every row. With `kFarAhead`
  // the order of the rows does not matter.
  std::vector<double> predict(const Batch& rows, std::size_t ahead = 0) const;
  void predict(const Batch& rows, Predictions& predictions, std::size_t ahead = 0) const;
  // Both return a record for each binary model that learned; valid until the next call. If labels come later
  // (Config::label_delay), these rows are predicted and kept, and earlier rows whose labels are known now are learned.
  // With a label budget (Config::label_budget), `step` learns only the rows that it asks for (Predictions::asked), as if
  // the others had no label, and `learn` learns all its rows.
  std::span<const RoundRecord> learn(const Examples& examples);
  std::span<const RoundRecord> step(const Examples& examples, Predictions& predictions);
  // Predicts the rows and decides which of them are worth a label (Predictions::asked), as `step` does, for rows whose
  // labels have yet to be obtained; `learn` then learns those. Changes nothing but what is spent of the label budget,
  // which must be below 1.
  void ask(const Batch& rows, Predictions& predictions);

  // ---- Classes

  // Throws a data error if a name cannot be added as a class.
  void check_new_classes(std::span<const std::string> names) const;
  void add_classes(std::span<const std::string> names);

  // ---- Files

  void save(const std::string& path) const;
  // Accepts files without columns too; their features are numbers and are not transformed.
  static Model load(const std::string& path, const Components& components = Components::builtin());
  // `save` and `load` in memory; `source` names the bytes in error messages.
  std::vector<std::byte> to_bytes() const;
  static Model from_bytes(std::span<const std::byte> bytes, const std::string& source,
                          const Components& components = Components::builtin());

  // ---- Position in a stream

  // A text of the caller that is saved with the model in the same atomic write, such as the offset of the next message
  // of a topic. Learning does not change it; empty if none was set.
  const std::string& position() const;
  void set_position(std::string position);

  // ---- Inspection

  // The number of rows whose labels are not known yet (Config::label_delay).
  std::size_t pending() const;
  bool standardizes() const;
  // The share of positives among the rows learned so far; empty if one class has none, or for a file without columns.
  std::optional<double> positive_share() const;
  ModelView view(std::size_t curve_points = 101) const;
  // The policy's estimates; empty for several classes.
  PerAction<ArmEstimate> arms() const;
  void archive(Archive& archive);

  // ---- Internal: rows of a stream (encoding/row_batch.h)

  Model(const Config& config, Encoder encoder,
        const Components& components = Components::builtin());
  const Encoder& encoder() const;
  void predict(const RowBatch& rows, Predictions& predictions, std::size_t ahead = 0) const;
  // The state without what `fresh`, a new model of the same configuration and columns, has as well: a compact form for
  // models in great number (keyed_model.h).
  void pack(const Model& fresh, std::vector<std::byte>& state) const;
  // Takes over a packed state. Without new features, or with as many as in the state, the model may be any of the same
  // configuration and columns; otherwise it must be new.
  void unpack(const Model& fresh, std::span<const std::byte> state);
  // The number of features of a packed state.
  static std::size_t packed_features(std::span<const std::byte> state);
  // Standardizes the rows in place, if the model standardizes.
  std::span<const RoundRecord> step(RowBatch& rows, Predictions& predictions);
  // Learns all rows, also with a label budget.
  std::span<const RoundRecord> learn(RowBatch& rows, Predictions& predictions);
  // The second half of `ask`: decides about rows that have just been predicted.
  void ask_for(Predictions& predictions);
  const LabelBudget& label_budget() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

PLUMBLINE_END_NAMESPACE
