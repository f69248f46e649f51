// The model of one partition: a function of the model that it begins with and of the messages that it is given. Nothing
// else enters: no clock, no order of arrival. So the same messages in the same order give the same bits and the same
// outputs, and a state that was saved between two messages continues exactly there.
//
// Labels are in the rows, or come later as messages of their own. In the first case, minibatches consist of the good
// rows in order; a row is predicted, then learned, when its minibatch is full. In the second, a row is predicted when it
// comes, and waits; it is learned when the label with its id comes. A row whose label does not come within the window,
// by the times of the rows, is dropped.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kafka/client.h"
#include "kafka/rows.h"
#include "plumbline/batch.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/json/json.h"
#include "plumbline/model.h"

namespace plumbline::kafka {

// What came of one or more messages, in order.
struct Outcome {
  struct Prediction {
    std::int64_t offset;
    std::optional<std::string> key;
    std::string value;  // JSON
  };
  struct BadMessage {
    bool is_label;
    Message message;
    std::string reason;
  };
  // A probability that was given, and the label.
  struct Measured {
    std::vector<double> probabilities;
    Label label;
  };
  std::vector<Prediction> predictions{};
  std::vector<BadMessage> bad{};
  std::vector<Measured> measured{};
  std::uint64_t learned = 0, unmatched_labels = 0, expired_rows = 0;
};

class PartitionModel {
 public:
  struct Options {
    int partition = 0;
    RowOptions rows{};
    std::optional<Costs> costs{};
    bool separate_labels = false;
    std::string id{};         // the field with the id; the key of the message if empty
    std::int64_t window = 0;  // milliseconds
    std::uint64_t max_waiting = 0;
  };
  // Continues with a saved model, or begins with one without position.
  PartitionModel(Model model, Options options);

  // Append to the outcome. A bad message is a part of it, or its error is thrown.
  void take_row(Message&& message, Outcome& outcome, bool throws);
  void take_label(Message&& message, Outcome& outcome, bool throws);

  // The offset of the first row that is not learned, if it has been given rows up to `next`: rows of an incomplete
  // minibatch are given again after a restart.
  std::int64_t complete_up_to(std::int64_t next) const {
    return batch_offsets_.empty() ? next : batch_offsets_.front();
  }
  std::size_t waiting() const { return waiting_.size(); }
  // The model, with the position and what waits.
  const Model& model_at(std::int64_t row_offset, std::int64_t label_offset);
  // The offsets at which the model was saved.
  struct Offsets {
    std::int64_t rows, labels;
  };
  static std::optional<Offsets> offsets_of(const Model& model);

 private:
  struct Waiting {
    std::int64_t offset, time;
    std::uint64_t number;
    std::string id;
    Fields fields;
    std::vector<double> probabilities;
  };
  struct Labelled {
    std::uint64_t number;
    Fields fields;
    std::string label;
  };

  void add_to_batch(Message& message);
  void learn_batch(Outcome& outcome);
  void predict(Message& message, Outcome& outcome);
  void add_waiting(Waiting row, Outcome& outcome);
  void learn_labelled();
  // Reads a row into an empty batch.
  void read_alone(const Fields& fields, std::optional<std::string_view> label);
  std::string id_of(const Message& message, Fields& fields) const;
  std::string text_of(std::int64_t offset, const std::string& id, std::span<const double> of,
                      std::optional<double> score, std::optional<std::string_view> label) const;
  void restore(const Json& json);

  Options options_;
  Model model_;
  MessageRows rows_;
  Binding binding_;
  RowBatch batch_;
  Predictions predictions_;

  // The rows of the incomplete minibatch, and the bad rows among them.
  std::vector<std::int64_t> batch_offsets_;
  std::vector<std::optional<std::string>> batch_keys_;
  std::vector<Outcome::BadMessage> bad_;

  // Rows that wait for labels, oldest first, and labelled rows of the incomplete minibatch.
  std::list<Waiting> waiting_;
  std::unordered_map<std::string, std::list<Waiting>::iterator> by_id_;
  std::vector<Labelled> labelled_;
  std::int64_t clock_ = 0;          // the latest time of a row
  std::uint64_t rows_taken_ = 0;    // rows predicted
  std::uint64_t last_learned_ = 0;  // the number of the newest of them that was learned
};

}  // namespace plumbline::kafka
