// Calibrates the scores of any model online: it turns one or more scores per row into probabilities, and learns from
// the labels when they come.
//
//   OnlineCalibrator calibrator({.scores = 2});               // two scores per row, two classes
//   calibrator.predict(scores);                               // changes nothing
//   calibrator.learn(scores, labels);                         // scores predicted before the labels were known
//   calibrator.hold(id, row, probabilities);                  // labels that come later, in any order:
//   calibrator.learn(id, label);
//   calibrator.save("calibrator.safetensors");                // OnlineCalibrator::load resumes exactly here
//
// Two classes: a row has one number per score, higher for the positive class; the calibrator is one of the registry
// (plumbline/calibrator.h). Several classes: a row has K numbers per score, one for each class, score after score, and
// they are calibrated jointly (calibrators/softmax_stack.h).
//
// The result is an average of the calibrated probabilities and of each uncalibrated score. Bayes' rule learns the
// weights from their log-losses. If every row is learned before the next one is predicted, the total log-loss after n
// rows is at most ln 2 + n/100,000 above that of the calibrator, and at most ln(2 M) + n/100,000 above that of each of
// the M scores alone, with their probabilities clamped to [1e-6, 1 - 1e-6]. Before any learning a single
// score passes through, clamped, and several are averaged.
//
// After an Error the calibrator is unchanged. Calls of const functions may overlap on several threads; others must not
// overlap with any call. State does not grow with the stream, except by rows that wait for their labels, up to a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/calibrator.h"
#include "plumbline/components.h"
#include "plumbline/options.h"
#include "plumbline/score_input.h"

PLUMBLINE_BEGIN_NAMESPACE

struct OnlineCalibratorOptions {
  std::size_t scores = 1;  // M, at most 15
  // One for all scores, or one for each.
  std::vector<ScoreInput> inputs{ScoreInput::probability};
  std::size_t classes = 2;
  Spec calibrator = "cascade";  // used for two classes only
  // The largest number of rows that wait for their labels under an id. A further one replaces the oldest.
  std::size_t max_pending = 100000;
  // Labels that `learn` and `step` are given with their rows count as known this many rows later, at most 1,000,000: a
  // row is learned, as it was predicted, when the row so many rows later has been predicted. For tests on recorded rows.
  std::size_t label_delay = 0;
  // Names for messages and files: of the columns (M, or M times K), of the label, and of the classes. Defaults are
  // filled in if empty.
  std::vector<std::string> columns{};
  std::string label = "label";
  std::vector<std::string> class_names{};
};

class OnlineCalibrator {
 public:
  static constexpr std::size_t kMaxScores = 15;

  // Throws a configuration error for invalid options.
  explicit OnlineCalibrator(const OnlineCalibratorOptions& options,
                            const Components& components = Components::builtin());
  OnlineCalibrator(OnlineCalibrator&&) noexcept;
  OnlineCalibrator& operator=(OnlineCalibrator&&) noexcept;
  ~OnlineCalibrator();

  // With every default filled in.
  const OnlineCalibratorOptions& options() const;
  // Numbers of scores per row: M, or M times K.
  std::size_t width() const;
  // Numbers predicted per row: the probability of the positive class, or of each class.
  std::size_t outputs() const;

  // Adds a class, the last one. What was learned is kept: the weights of the average, and a calibrator of several
  // classes. That of two classes becomes one of three, with the same slopes and intercept around even odds. The scales of
  // scores of any unit start anew at the third class. Columns get their default names. Throws a data error if rows wait
  // for their labels or the name is taken, and a configuration error if there are too many classes.
  void add_class(const std::string& name);

  // ---- Rows, one after the other. A NaN, or a number that its input does not allow, is a data error.

  std::vector<double> predict(std::span<const double> scores) const;
  void predict(std::span<const double> scores, std::span<double> probabilities) const;
  // Learns the rows one by one, in order.
  void learn(std::span<const double> scores, std::span<const Label> labels);
  // Predicts all rows, then learns them: a minibatch whose labels become known together. The weights of averages are
  // learned from these predictions. If there are many rows, take some hundred at a time.
  void step(std::span<const double> scores, std::span<const Label> labels,
            std::span<double> probabilities);
  // Predicts a row whose label comes next: `learn_last` learns it without predicting it again. It returns false, and
  // learns nothing, if there is no such row, or if anything was learned or held since.
  void predict_next(std::span<const double> row, std::span<double> probabilities);
  bool learn_last(Label label);
  // Throw the errors that `learn` and `hold` would throw for these rows, and change nothing.
  void check(std::span<const double> scores) const;
  void check(std::span<const double> scores, std::span<const Label> labels) const;
  void check_to_hold(std::span<const std::uint64_t> ids, std::span<const double> scores) const;
  // The uncalibrated probabilities of each score: M times `outputs()` numbers per row.
  std::vector<double> uncalibrated(std::span<const double> scores) const;

  // ---- Labels that come later

  // Predicts a row and keeps it until its label comes. Throws a data error if a row with this id waits already.
  void hold(std::uint64_t id, std::span<const double> row, std::span<double> probabilities);
  // Learns the row as it was predicted. Returns false if no row with this id waits: it was learned, dropped, or never
  // held.
  bool learn(std::uint64_t id, Label label);
  // Rows that wait, under an id or because of `label_delay`.
  std::size_t pending() const;

  // ---- Files

  void save(const std::string& path) const;
  static OnlineCalibrator load(const std::string& path,
                               const Components& components = Components::builtin());
  // `save` and `load` in memory; `source` names the bytes in error messages.
  std::vector<std::byte> to_bytes() const;
  static OnlineCalibrator from_bytes(std::span<const std::byte> bytes, const std::string& source,
                                     const Components& components = Components::builtin());

  // ---- Inspection

  std::uint64_t examples() const;  // learned so far
  // Rows that were dropped because too many waited.
  std::uint64_t dropped() const;
  // The weights of the average: of each uncalibrated score, named by its column, and of the calibrator, named
  // "calibrator".
  std::vector<Calibrator::Part> weights() const;
  // The parts of the calibrator, if it is composite.
  std::vector<Calibrator::Part> parts() const;
  void archive(Archive& archive);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

PLUMBLINE_END_NAMESPACE
