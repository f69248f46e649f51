// Rows in, probabilities out: the columns of a stream and the model that learns from them, saved and loaded
// together.
//
//   Model model(preset("auto"), Schema::numeric(40));     // rows of numbers
//   model.predict(batch);                                 // changes nothing
//   model.learn(examples);                                // the policy decides what that means
//   model.save("model.safetensors");                      // Model::load goes on exactly where it stopped
//
// `step` is predict and learn in one, for test-then-learn runs. Rows of a stream are read by a Session
// (session.h); what they bring that is new (categories, names, classes) is a proposal, which `predict` leaves out
// and `step` takes over. A step checks everything, takes the proposal over, predicts, and learns:
// after an Error nothing has changed, to the byte. Predicting, saving and viewing may overlap on several
// threads; learning must not overlap with anything. Many rows to predict, and several classes, take
// threads (threads.h); the bits are the same. State does not grow with the stream, but for new features and
// classes up to their limits.
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

// Of the library's own parts (src/).
class Encoder;
class RowBatch;

// Of the rows of a minibatch, `outputs` numbers each: the probability of the positive class, or of each class.
struct Predictions {
  std::size_t outputs = 1;
  std::vector<double> probabilities{};
  std::vector<double> scores{};  // before calibration

  std::span<const double> row(std::size_t i) const {
    return std::span(probabilities).subspan(i * outputs, outputs);
  }
};

// What happened on one round.
struct RoundRecord {
  std::uint64_t round = 0;  // from 1 on; 0 for an empty minibatch, which is no round
  Action action = Action::train;
  double loss = 0;  // of the predictions before the action, in the reward's loss
  bool rewarded = false;
  double reward = 0;  // if rewarded; with `next_batch` and `running` it comes a round later
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
  // The calibrator's map, at equally spaced scores that are the same in each column of scores.
  std::vector<CurvePoint> curve{};
  std::vector<Calibrator::Part> parts{};  // of the calibrator, if it has any
  PerAction<ArmEstimate> arms{};          // empty for a policy without estimates
  std::optional<Context> context{};       // of the last round, if the policy asks for it
  std::vector<RoundRecord> history{};     // the last rounds, oldest first
};

struct ModelView {
  // A binary model: class `of` against the class `against`, or against all others.
  struct Part {
    std::size_t of;
    std::optional<std::size_t> against;
    BinaryView view;
  };

  std::uint64_t rounds = 0;
  std::uint64_t examples = 0;
  std::vector<Part> parts{};  // one for two classes
  // Of several classes: examples of each, and the factor that sharpens coupled log-odds (1/temperature).
  std::vector<std::uint64_t> class_counts{};
  double sharpness = 1;

  bool several() const { return !class_counts.empty(); }
};

class Model {
 public:
  // For rows of numbers with these features and this label. Throws a configuration error for names and options
  // that do not fit.
  Model(const Config& config, const Schema& schema,
        const Components& components = Components::builtin());
  // For rows like those of the stream, whose columns are found out from its first rows.
  Model(const Config& config, const SampledStream& stream, const ColumnChoices& choices,
        std::vector<Note>& notes, const Components& components = Components::builtin());
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // Numbers that are predicted for a row: one, or one for each class.
  std::size_t outputs() const;
  bool several_classes() const;
  const Config& config() const;
  const Schema& schema() const;
  std::size_t batch_size() const;  // rows of a minibatch

  // ---- Rows of numbers: NaN is a missing value

  std::vector<double> predict(const Batch& rows) const;
  void predict(const Batch& rows, Predictions& predictions) const;
  // A record for each binary model that learned; valid until the next call.
  std::span<const RoundRecord> learn(const Examples& examples);
  std::span<const RoundRecord> step(const Examples& examples, Predictions& predictions);

  // ---- Classes

  // Throws a data error if these cannot be new classes.
  void check_new_classes(std::span<const std::string> names) const;
  void add_classes(std::span<const std::string> names);

  // ---- Files

  void save(const std::string& path) const;
  // Takes files without columns too, whose features are numbers and are not transformed.
  static Model load(const std::string& path, const Components& components = Components::builtin());
  // The same, as the bytes of the file; `source` names them in messages.
  std::vector<std::byte> to_bytes() const;
  static Model from_bytes(std::span<const std::byte> bytes, const std::string& source,
                          const Components& components = Components::builtin());

  // ---- Looking inside

  bool standardizes() const;
  // The share of positives among the rows that were learned; nothing if there are none of one class, or in a
  // file without columns.
  std::optional<double> positive_share() const;
  ModelView view(std::size_t curve_points = 101) const;
  // The policy's estimates; empty for several classes.
  PerAction<ArmEstimate> arms() const;
  void archive(Archive& archive);

  // ---- For the library's own parts: rows of a stream (encoding/row_batch.h)

  Model(const Config& config, Encoder encoder,
        const Components& components = Components::builtin());
  const Encoder& encoder() const;
  void predict(const RowBatch& rows, Predictions& predictions) const;
  // The rows are standardized on the way, if the model does so.
  std::span<const RoundRecord> step(RowBatch& rows, Predictions& predictions);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

PLUMBLINE_END_NAMESPACE
