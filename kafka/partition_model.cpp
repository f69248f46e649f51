#include "kafka/partition_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/utf8.h"
#include "plumbline/decisions.h"
#include "plumbline/error.h"
#include "plumbline/io/text.h"
#include "plumbline/metrics/multiclass.h"

namespace plumbline::kafka {

PartitionModel::PartitionModel(Model model, Options options)
    : options_(std::move(options)),
      model_(std::move(model)),
      rows_(model_.encoder()),
      binding_(model_.encoder().bind(rows_, /*needs_label=*/false)) {
  if (model_.encoder().plan().named) {
    throw Error(
        ErrorKind::config,
        "the rows of the model name their features (LibSVM, Vowpal Wabbit); a topic needs a "
        "model with columns");
  }
  if (options_.costs && model_.several_classes()) {
    throw Error(ErrorKind::config, "--cost-fp and --cost-fn need a label with two classes");
  }
  if (!offsets_of(model_)) return;
  const Json json = parse_json(model_.position());
  if (json.contains("waiting")) restore(json);
}

// ---- Labels in the rows

void PartitionModel::take_row(Message&& message, Outcome& outcome, bool throws) {
  try {
    if (options_.separate_labels) {
      predict(message, outcome);
      return;
    }
    add_to_batch(message);
  } catch (const Error& error) {
    if (throws) throw;
    Outcome::BadMessage bad{false, std::move(message), error.sentence()};
    // In order: a bad row is reported with the minibatch before or around it.
    (batch_offsets_.empty() ? outcome.bad : bad_).push_back(std::move(bad));
    return;
  }
  if (batch_.rows() == model_.batch_size()) learn_batch(outcome);
}

void PartitionModel::add_to_batch(Message& message) {
  if (batch_offsets_.empty()) {
    batch_.forget_times();
    batch_.clear(model_.schema());
  }
  Fields fields = fields_of(message, options_.rows);
  const std::optional<std::string> label = take_field(fields, model_.schema().label);
  if (!label) {
    throw Error(ErrorKind::data,
                fmt::format("the row has no label {}", in_quotes(model_.schema().label)));
  }
  rows_.show(fields, *label);
  model_.encoder().read(rows_, binding_, Encoder::LabelUse::learn,
                        static_cast<std::uint64_t>(message.offset) + 1, batch_);
  batch_offsets_.push_back(message.offset);
  batch_keys_.push_back(message.key);
}

void PartitionModel::learn_batch(Outcome& outcome) {
  model_.step(batch_, predictions_);
  const Schema& schema = model_.schema();
  const bool several = model_.several_classes();
  for (std::size_t i = 0; i < batch_.rows(); ++i) {
    const Label y = batch_.examples().y[i];
    const std::string& label =
        several ? schema.classes[y] : (y == 1 ? schema.positive : schema.negative);
    const auto probabilities = predictions_.row(i);
    const std::optional<double> score =
        several ? std::nullopt : std::optional(predictions_.scores[i]);
    outcome.predictions.push_back({batch_offsets_[i], std::move(batch_keys_[i]),
                                   text_of(batch_offsets_[i], "", probabilities, score, label)});
    outcome.measured.push_back({{probabilities.begin(), probabilities.end()}, y});
  }
  outcome.learned += batch_.rows();
  std::ranges::move(bad_, std::back_inserter(outcome.bad));
  bad_.clear();
  batch_offsets_.clear();
  batch_keys_.clear();
}

std::string PartitionModel::text_of(std::int64_t offset, const std::string& id,
                                    std::span<const double> probabilities,
                                    std::optional<double> score,
                                    std::optional<std::string_view> label) const {
  Json json;
  if (!id.empty()) json["id"] = id;
  json["partition"] = options_.partition;
  json["offset"] = offset;
  if (label) json["label"] = *label;
  if (model_.several_classes()) {
    const std::vector<std::string>& classes = model_.schema().classes;
    json["class"] = classes[likeliest(probabilities)];
    for (std::size_t k = 0; k < probabilities.size(); ++k) {
      json["probabilities"][classes[k]] = probabilities[k];
    }
  } else {
    json["probability"] = probabilities.front();
    if (score) json["score"] = *score;
    if (options_.costs) json["decision"] = decide(probabilities.front(), *options_.costs);
  }
  return print_json(json, -1, Json::error_handler_t::replace);
}

// ---- Labels that come later

std::string PartitionModel::id_of(const Message& message, Fields& fields) const {
  if (options_.id.empty()) {
    if (!message.key) {
      throw Error(ErrorKind::data,
                  "the message has no key, which is the id; --id names a field with the id");
    }
    if (!is_utf8(*message.key)) throw Error(ErrorKind::data, "the key is not UTF-8");
    return *message.key;
  }
  std::optional<std::string> id = take_field(fields, options_.id);
  if (!id) {
    throw Error(ErrorKind::data, fmt::format("the message has no id {}", in_quotes(options_.id)));
  }
  return *std::move(id);
}

void PartitionModel::read_alone(const Fields& fields, std::optional<std::string_view> label) {
  batch_.forget_times();
  batch_.clear(model_.schema());
  rows_.show(fields, label);
  model_.encoder().read(rows_, binding_,
                        label ? Encoder::LabelUse::learn : Encoder::LabelUse::keep_text, 1, batch_);
}

void PartitionModel::predict(Message& message, Outcome& outcome) {
  Fields fields = fields_of(message, options_.rows);
  std::string id = id_of(message, fields);
  take_field(fields, model_.schema().label);  // of a topic that has both, it is not known yet
  read_alone(fields, std::nullopt);
  model_.predict(batch_, predictions_, rows_taken_ - last_learned_);
  ++rows_taken_;
  const auto probabilities = predictions_.row(0);
  const std::optional<double> score =
      model_.several_classes() ? std::nullopt : std::optional(predictions_.scores[0]);
  outcome.predictions.push_back(
      {message.offset, message.key, text_of(message.offset, id, probabilities, score, {})});
  add_waiting({.offset = message.offset,
               .time = message.time,
               .number = rows_taken_,
               .id = std::move(id),
               .fields = std::move(fields),
               .probabilities = {probabilities.begin(), probabilities.end()}},
              outcome);
}

void PartitionModel::add_waiting(Waiting row, Outcome& outcome) {
  const auto drop = [&](std::list<Waiting>::iterator dropped) {
    by_id_.erase(dropped->id);
    waiting_.erase(dropped);
    ++outcome.expired_rows;
  };
  clock_ = std::max(clock_, row.time);
  const auto same = by_id_.find(row.id);  // the later row takes its place
  if (same != by_id_.end()) drop(same->second);
  while (!waiting_.empty() && (waiting_.front().time + options_.window < clock_ ||
                               waiting_.size() >= options_.max_waiting)) {
    drop(waiting_.begin());
  }
  waiting_.push_back(std::move(row));
  by_id_.emplace(waiting_.back().id, std::prev(waiting_.end()));
}

void PartitionModel::take_label(Message&& message, Outcome& outcome, bool throws) {
  std::optional<std::list<Waiting>::iterator> row;
  std::string label;
  try {
    if (!message.value) throw Error(ErrorKind::data, "the label has no value (it is a tombstone)");
    Fields fields;
    if (message.value->starts_with('{')) {
      RowOptions options = options_.rows;
      options.format = "json";
      options.key_column.clear();
      options.headers.clear();
      fields = fields_of(message, options);
      std::optional<std::string> found = take_field(fields, model_.schema().label);
      if (!found) {
        throw Error(ErrorKind::data,
                    fmt::format("the message has no label {}", in_quotes(model_.schema().label)));
      }
      label = *std::move(found);
    } else {
      label = *message.value;
      if (!is_utf8(label)) throw Error(ErrorKind::data, "the label is not UTF-8");
    }
    const auto found = by_id_.find(id_of(message, fields));
    if (found == by_id_.end()) {
      ++outcome.unmatched_labels;
      return;
    }
    row = found->second;
    read_alone((*row)->fields, label);
  } catch (const Error& error) {
    if (throws) throw;
    outcome.bad.push_back({true, std::move(message), error.sentence()});
    return;
  }
  outcome.measured.push_back({std::move((*row)->probabilities), batch_.examples().y[0]});
  labelled_.push_back({(*row)->number, std::move((*row)->fields), std::move(label)});
  by_id_.erase((*row)->id);
  waiting_.erase(*row);
  ++outcome.learned;
  if (labelled_.size() == model_.batch_size()) learn_labelled();
}

void PartitionModel::learn_labelled() {
  batch_.forget_times();
  batch_.clear(model_.schema());
  for (const Labelled& row : labelled_) {
    rows_.show(row.fields, row.label);
    model_.encoder().read(rows_, binding_, Encoder::LabelUse::learn, row.number, batch_);
    last_learned_ = std::max(last_learned_, row.number);
  }
  model_.step(batch_, predictions_);
  labelled_.clear();
}

// ---- The state

namespace {

Json fields_json(const Fields& fields) {
  Json json = Json::array();
  for (const auto& [name, text] : fields) {
    json.push_back(name);
    json.push_back(text);
  }
  return json;
}

Fields fields_from(const Json& json) {
  Fields fields;
  for (std::size_t i = 0; i + 1 < json.size(); i += 2) {
    fields.emplace_back(json[i].get<std::string>(), json[i + 1].get<std::string>());
  }
  return fields;
}

}  // namespace

const Model& PartitionModel::model_at(std::int64_t row_offset, std::int64_t label_offset) {
  Json json;
  json["partition"] = options_.partition;
  json["offset"] = row_offset;
  if (options_.separate_labels) {
    json["label_offset"] = label_offset;
    json["clock"] = clock_;
    json["rows_taken"] = rows_taken_;
    json["last_learned"] = last_learned_;
    json["waiting"] = Json::array();
    for (const Waiting& row : waiting_) {
      json["waiting"].push_back(
          {row.offset, row.time, row.number, row.id, fields_json(row.fields), row.probabilities});
    }
    json["labelled"] = Json::array();
    for (const Labelled& row : labelled_) {
      json["labelled"].push_back({row.number, fields_json(row.fields), row.label});
    }
  }
  model_.set_position(print_json(json));
  return model_;
}

std::optional<PartitionModel::Offsets> PartitionModel::offsets_of(const Model& model) {
  const Json json = parse_json(model.position());
  if (!json.is_object() || !json.contains("offset")) return std::nullopt;
  return Offsets{json["offset"].get<std::int64_t>(), json.value("label_offset", std::int64_t{0})};
}

void PartitionModel::restore(const Json& json) {
  clock_ = json["clock"];
  rows_taken_ = json["rows_taken"];
  last_learned_ = json["last_learned"];
  for (const Json& row : json["waiting"]) {
    waiting_.push_back({row[0].get<std::int64_t>(), row[1].get<std::int64_t>(),
                        row[2].get<std::uint64_t>(), row[3].get<std::string>(), fields_from(row[4]),
                        row[5].get<std::vector<double>>()});
    by_id_.emplace(waiting_.back().id, std::prev(waiting_.end()));
  }
  for (const Json& row : json["labelled"]) {
    labelled_.push_back(
        {row[0].get<std::uint64_t>(), fields_from(row[1]), row[2].get<std::string>()});
  }
}

}  // namespace plumbline::kafka
