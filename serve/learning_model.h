// A model that predicts and learns at the same time, with its metrics: a function of its definition and of the labels
// that it has been given, in the order of their numbers.
//
// Any thread may predict; one thread learns. Learning excludes predicting for one minibatch of a few rows. Larger ones
// are learned by a copy of the model, which takes its place then, and the other one learns them after it. A minibatch
// consists of the labels k·b + 1 to (k + 1)·b, so that it does not depend on when they came.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/model.h"
#include "serve/definition.h"
#include "serve/event_log.h"
#include "serve/fair_lock.h"
#include "serve/json_row.h"
#include "serve/prequential.h"

namespace plumbline::serve {

// The probability of the positive class, or of each class; or why there is none.
struct Forecast {
  std::vector<double> probabilities{};
  std::string mistake{};
};

class LearningModel {
 public:
  // Throws if the file of the definition, in `folder`, is not the model that it was. With another configuration, it
  // begins anew with the columns of the file.
  LearningModel(Definition definition, const std::string& folder,
                const std::optional<Config>& other = std::nullopt);
  ~LearningModel();

  const Definition& definition() const { return definition_; }
  std::size_t batch() const { return batch_; }
  // The number of the last label that has been learned.
  std::uint64_t learned() const { return learned_; }

  // ---- Any thread

  // Predicts each row as if it followed the last learned one after `ahead` others, so that its probability does not
  // depend on the other rows. Returns the labels learned by then.
  std::uint64_t predict(std::span<const JsonRow* const> rows, std::size_t ahead,
                        std::vector<Forecast>& forecasts) const;
  // The label as the log has it. Throws a data error if the model cannot learn it. `truth`: it was true or false.
  std::string checked_label(const std::string& text, bool truth) const;
  // Throws a data error if the model cannot learn the row.
  void check_row(const JsonRow& row) const;

  struct View {
    std::vector<std::string> classes{};
    std::size_t features = 0;
    struct Column {
      std::string name;
      std::string kind;
    };
    std::vector<Column> columns{};  // empty if rows name their features
  };
  View view() const;
  std::vector<std::string> classes() const;
  bool several_classes() const { return several_classes_; }
  // Calls `use` with the metrics, which do not change meanwhile.
  template <class Use>
  auto with_metrics(Use&& use) const {
    const std::lock_guard lock(metrics_mutex_);
    return use(metrics_);
  }

  // ---- The learning thread

  // From now on, others predict.
  void begin_to_serve() { serves_ = true; }
  // Begins after this label, without those before it.
  void start_after(std::uint64_t number) { learned_ = number; }
  // Learns the next `batch()` labels.
  void learn(std::span<const LabelRecord> minibatch);
  // Nothing before the first label.
  std::optional<std::vector<std::byte>> to_bytes() const;
  std::string metrics_state() const;
  // Continues with a snapshot.
  void restore(const std::vector<std::byte>& bytes, const std::string& source,
               const std::string& metrics, std::uint64_t learned);

 private:
  struct Workspace;
  // Lends a workspace to the thread.
  class Borrowed;

  void predict_together(std::span<const JsonRow* const> rows, std::size_t ahead, Workspace& work,
                        std::span<Forecast> forecasts) const;
  void start(const JsonRow& row, const std::string& label);
  static std::size_t read(const Model& model, std::span<const LabelRecord> minibatch,
                          Workspace& work, std::vector<const LabelRecord*>& used);
  void observe(const std::vector<const LabelRecord*>& used, std::size_t refused,
               const std::vector<RoundRecord>& rounds, const Workspace& work);
  Schema label_schema() const;

  Definition definition_;
  std::size_t batch_;
  bool several_classes_;
  bool follows_order_;  // the model predicts a row by its place after the last label
  mutable FairLock lock_;
  std::optional<Model> model_;  // empty before the first label, if rows name their features
  bool serves_ = false;
  std::optional<Model>
      copy_;  // of the learning thread, for large minibatches; between them, equal to the model
  std::atomic<std::uint64_t> learned_ = 0;

  mutable std::mutex metrics_mutex_;
  Prequential metrics_;

  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace plumbline::serve
