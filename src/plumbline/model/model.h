// Rows in, probabilities out: the columns of a stream (encoding/encoder.h) and the model that learns from them
// (model/class_model.h), saved and loaded together.
//
//   Model model(preset("auto"), Schema::numeric(40));     // rows of numbers
//   model.predict(batch);                                 // changes nothing
//   model.learn(examples);                                // the policy decides what that means
//   model.save("model.safetensors");                      // Model::load goes on exactly where it stopped
//
// `step` is predict and learn in one, for test-then-learn runs. Rows of a stream come as a RowBatch, which a Session
// (model/session.h) reads; what they bring that is new (categories, names, classes) is a proposal there, which
// `predict` leaves out and `step` takes over. A step checks everything, predicts, takes the proposal over, and learns:
// after an Error nothing has changed, to the byte. Predicting, saving and viewing may overlap on several
// threads; learning must not overlap with anything. Many rows to predict and several classes use threads of
// their own, as many as there are cores unless a ThreadLimit (threads/thread_pool.h) says less; the bits are the same. State does not grow with the stream, but for new features and
// classes up to their limits.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/data/batch.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/io/sample.h"
#include "plumbline/model/class_model.h"
#include "plumbline/model/config.h"
#include "plumbline/model/model_view.h"

namespace plumbline {

// Of the rows of a minibatch, `outputs` numbers each: the probability of the positive class, or of each class.
struct Predictions {
  std::size_t outputs = 1;
  std::vector<double> probabilities{};
  std::vector<double> scores{};  // before calibration

  std::span<const double> row(std::size_t i) const {
    return std::span(probabilities).subspan(i * outputs, outputs);
  }
};

class Model {
 public:
  // For rows of numbers with these features and this label. Throws a configuration error for names and options
  // that do not fit.
  Model(const Config& config, const Schema& schema);
  // For rows like those of the stream, whose columns are found out from its first rows.
  Model(const Config& config, const SampledStream& stream, const ColumnChoices& choices,
        std::vector<Note>& notes);
  Model(const Config& config, Encoder encoder);
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  // Numbers that are predicted for a row: one, or one for each class.
  std::size_t outputs() const { return learner_->outputs(); }
  bool several_classes() const { return !schema().classes.empty(); }
  const Config& config() const { return config_; }
  const Schema& schema() const { return encoder_.schema(); }
  std::size_t batch_size() const { return static_cast<std::size_t>(config_.batch); }

  // ---- Rows of numbers: NaN is a missing value

  std::vector<double> predict(const Batch& rows) const;
  void predict(const Batch& rows, Predictions& predictions) const;
  // A record for each binary model that learned; valid until the next call.
  std::span<const RoundRecord> learn(const Examples& examples);
  std::span<const RoundRecord> step(const Examples& examples, Predictions& predictions);

  // ---- Rows of a stream

  void predict(const RowBatch& rows, Predictions& predictions) const;
  // The rows are standardized on the way, if the model does so.
  std::span<const RoundRecord> step(RowBatch& rows, Predictions& predictions);
  // Throws a data error if these cannot be new classes.
  void check_new_classes(std::span<const std::string> names) const {
    encoder_.check_new_classes(names);
  }
  void add_classes(std::span<const std::string> names);

  // ---- Files

  void save(const std::string& path) const;
  // Takes files without columns too, whose features are numbers and are not transformed.
  static Model load(const std::string& path);
  // The same, as the bytes of the file; `source` names them in messages.
  std::vector<std::byte> to_bytes() const;
  static Model from_bytes(std::span<const std::byte> bytes, const std::string& source);

  // ---- Looking inside

  const Encoder& encoder() const { return encoder_; }
  bool standardizes() const { return standardize_; }
  // The share of positives among the rows that were learned; nothing if there are none of one class, or in a
  // file without columns.
  std::optional<double> positive_share() const;
  ModelView view(std::size_t curve_points = 101) const { return learner_->view(curve_points); }
  // The policy's estimates; empty for several classes.
  PerAction<ArmEstimate> arms() const { return learner_->arms(); }
  void archive(Archive& archive);

 private:
  void check(const RowBatch& rows) const;
  // Of the features below `end`; the others are left out.
  void predict_known(const Batch& rows, std::size_t end, Predictions& predictions) const;
  void grow();

  Config config_;
  Encoder encoder_;
  bool standardize_;
  std::unique_ptr<ClassModel> learner_;
  std::array<std::uint64_t, 2> label_counts_{};  // negatives and positives that were learned

  RowBatch rows_;            // scratch of learning from numbers
  Predictions predictions_;  // scratch of learn()
};

}  // namespace plumbline
