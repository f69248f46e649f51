#include "serve/learning_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "plumbline/base/file.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/encoding/row_batch.h"
#include "plumbline/error.h"
#include "plumbline/json/json.h"
#include "plumbline/threads.h"
#include "serve/items.h"
#include "serve/row_stream.h"
#include "serve/sha256.h"

namespace plumbline::serve {
namespace {

// A larger minibatch is learned by a copy of the model, so that predictions do not wait for it.
constexpr std::size_t kRowsToWaitFor = 16;

const char* name_of(ColumnRole role) {
  switch (role) {
    case ColumnRole::numeric:
      return "numeric";
    case ColumnRole::categorical:
      return "categorical";
    case ColumnRole::time:
      return "time";
    case ColumnRole::score:
      return "score";
    case ColumnRole::ignored:
      return "ignored";
    case ColumnRole::label:
      break;
  }
  return "label";
}

}  // namespace

// What reading and predicting rows needs, reused from one call to the next.
struct LearningModel::Workspace {
  explicit Workspace(const Model& model)
      : stream(model.encoder()), binding(model.encoder().bind(stream, /*needs_label=*/false)) {}

  RowStream stream;
  Binding binding;
  RowBatch rows;
  Predictions predictions;
};

class LearningModel::Borrowed {
 public:
  explicit Borrowed(const LearningModel& model) : model_(model) {
    const std::lock_guard lock(model_.idle_mutex_);
    if (model_.idle_.empty()) return;
    workspace_ = std::move(model_.idle_.back());
    model_.idle_.pop_back();
  }
  ~Borrowed() {
    if (!workspace_) return;
    const std::lock_guard lock(model_.idle_mutex_);
    model_.idle_.push_back(std::move(workspace_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  // The model must exist and be locked.
  Workspace& get() {
    if (!workspace_) workspace_ = std::make_unique<Workspace>(*model_.model_);
    return *workspace_;
  }

 private:
  const LearningModel& model_;
  std::unique_ptr<Workspace> workspace_;
};

LearningModel::LearningModel(Definition definition, const std::string& folder,
                             const std::optional<Config>& other)
    : definition_(std::move(definition)), several_classes_(definition_.classes.size() > 2) {
  if (other) definition_.config = *other;
  const auto& companions = definition_.config.model.companions;
  follows_order_ = std::ranges::find(companions, "label_history", &Spec::name) != companions.end();
  batch_ = static_cast<std::size_t>(definition_.config.batch);
  if (definition_.file.empty()) return;
  const std::string path = folder + "/" + definition_.file;
  const std::vector<std::byte> bytes = read_file(path);
  if (sha256(bytes) != definition_.checksum) {
    throw Error(ErrorKind::model_file, "the file is not the one that the model was made from",
                {.source = path});
  }
  model_ = Model::from_bytes(bytes, path);
  if (other) model_ = Model(*other, model_->encoder());
  definition_.config = model_->config();
  batch_ = model_->batch_size();
  several_classes_ = model_->several_classes();
}

LearningModel::~LearningModel() = default;

// ---- Predicting

std::uint64_t LearningModel::predict(std::span<const JsonRow* const> rows, std::size_t ahead,
                                     std::vector<Forecast>& forecasts) const {
  forecasts.assign(rows.size(), {});
  const ThreadLimit one(1);
  Borrowed borrowed(*this);
  const std::shared_lock lock(lock_);
  if (!model_) {
    const std::size_t classes = definition_.classes.size();
    const std::vector<double> equal(classes == 2 ? 1 : classes, 1.0 / static_cast<double>(classes));
    for (Forecast& forecast : forecasts) forecast.probabilities = equal;
    return learned_;
  }
  Workspace& work = borrowed.get();
  const std::size_t together = follows_order_ ? 1 : rows.size();
  for (std::size_t first = 0; first < rows.size(); first += together) {
    predict_together(rows.subspan(first, together), ahead, work,
                     std::span(forecasts).subspan(first, together));
  }
  return learned_;
}

void LearningModel::predict_together(std::span<const JsonRow* const> rows, std::size_t ahead,
                                     Workspace& work, std::span<Forecast> forecasts) const {
  work.rows.clear(model_->schema());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    work.rows.forget_times();  // each row follows the last learned one
    try {
      work.stream.show(*rows[i], std::nullopt);
      model_->encoder().read(work.stream, work.binding, Encoder::LabelUse::keep_text, i, work.rows);
    } catch (const Error& error) {
      forecasts[i].mistake = error.sentence();
    }
  }
  if (work.rows.rows() == 0) return;
  model_->predict(work.rows, work.predictions, ahead);
  for (std::size_t k = 0; k < work.rows.rows(); ++k) {
    const auto p = work.predictions.row(k);
    forecasts[work.rows.numbers()[k]].probabilities.assign(p.begin(), p.end());
  }
}

// The classes before there is a model.
Schema LearningModel::label_schema() const {
  Schema schema;
  if (definition_.classes.size() == 2) {
    schema.negative = canonical_label(definition_.classes[0]);
    schema.positive = canonical_label(definition_.classes[1]);
  } else {
    for (const std::string& name : definition_.classes) {
      schema.classes.push_back(canonical_label(name));
    }
  }
  return schema;
}

std::string LearningModel::checked_label(const std::string& text, bool truth) const {
  const auto check = [&](const Schema& schema, const LabelSet& labels) {
    const auto has = [&](const char* name) {
      return schema.positive == name || schema.negative == name ||
             std::ranges::find(schema.classes, name) != schema.classes.end();
    };
    std::string label = canonical_label(text);
    if (truth && (has("true") || has("false"))) label = text == "1" ? "true" : "false";
    LabelSet::Proposal proposal;
    Complaint complaint;
    if (!labels.read(schema, label, proposal, complaint)) {
      throw Error(ErrorKind::data, complaint.reason);
    }
    return label;
  };
  const std::shared_lock lock(lock_);
  if (model_) return check(model_->schema(), model_->encoder().labels());
  const Schema schema = label_schema();
  return check(schema, LabelSet(schema));
}

void LearningModel::check_row(const JsonRow& row) const {
  Borrowed borrowed(*this);
  const std::shared_lock lock(lock_);
  if (!model_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row.field(i).kind != JsonRow::Kind::null) return;
    }
    throw Error(ErrorKind::data, "the row is empty; a model is made from the names of its fields");
  }
  Workspace& work = borrowed.get();
  work.rows.clear(model_->schema());
  work.rows.forget_times();
  work.stream.show(row, std::nullopt);
  model_->encoder().read(work.stream, work.binding, Encoder::LabelUse::keep_text, 0, work.rows);
}

std::vector<std::string> LearningModel::classes() const {
  const auto classes_of = [](const Schema& schema) {
    if (!schema.classes.empty()) return schema.classes;
    return std::vector<std::string>{schema.negative, schema.positive};
  };
  const std::shared_lock lock(lock_);
  return model_ ? classes_of(model_->schema()) : classes_of(label_schema());
}

LearningModel::View LearningModel::view() const {
  View view{.classes = classes()};
  const std::shared_lock lock(lock_);
  if (!model_) return view;
  view.features = model_->schema().size();
  const ColumnPlan& plan = model_->encoder().plan();
  if (plan.named) return view;
  for (const PlannedColumn& column : plan.columns) {
    if (column.role != ColumnRole::label)
      view.columns.push_back({column.name, name_of(column.role)});
  }
  return view;
}

// ---- Learning

// Makes the model from its first row, which names its features.
void LearningModel::start(const JsonRow& row, const std::string& label) {
  RowStream stream;
  stream.show(row, label);
  const Row& shown = stream.row();
  const std::vector<SampleRow> sample{{.fields = {shown.fields.begin(), shown.fields.end()},
                                       .names = {shown.names.begin(), shown.names.end()},
                                       .label = label,
                                       .numbers = {shown.numbers.begin(), shown.numbers.end()}}};
  const ColumnChoices choices{.multiclass = definition_.classes.size() > 2,
                              .classes = definition_.classes};
  std::vector<Note> notes;
  Model model(definition_.config,
              Encoder::fit(definition_.config.encoder, stream, sample, choices, notes));
  const std::lock_guard lock(lock_);
  model_ = std::move(model);
}

// Reads the labels that can be used. Returns the number of the others.
std::size_t LearningModel::read(const Model& model, std::span<const LabelRecord> minibatch,
                                Workspace& work, std::vector<const LabelRecord*>& used) {
  work.rows.clear(model.schema());
  work.rows.forget_times();
  std::size_t refused = 0;
  for (const LabelRecord& record : minibatch) {
    const std::optional<JsonRow> row = parse_row(record.row);
    try {
      if (!row) throw Error(ErrorKind::data, "the row is not JSON");
      work.stream.show(*row, record.label);
      model.encoder().read(work.stream, work.binding, Encoder::LabelUse::learn, record.number,
                           work.rows);
      used.push_back(&record);
    } catch (const Error&) {
      ++refused;
    }
  }
  return refused;
}

void LearningModel::learn(std::span<const LabelRecord> minibatch) {
  // Only this thread changes the model, so that it can read it without the lock.
  for (std::size_t i = 0; !model_ && i < minibatch.size(); ++i) {
    const std::optional<JsonRow> row = parse_row(minibatch[i].row);
    try {
      if (row) start(*row, minibatch[i].label);
    } catch (const Error&) {  // the next row may do
    }
  }
  if (!model_) {
    const std::lock_guard lock(metrics_mutex_);
    for (std::size_t i = 0; i < minibatch.size(); ++i) metrics_.refuse();
    learned_ = minibatch.back().number;
    return;
  }
  const ThreadLimit one(1);
  Borrowed borrowed(*this);
  Workspace& work = borrowed.get();
  std::vector<const LabelRecord*> used;
  if (serves_ && batch_ > kRowsToWaitFor && !copy_) {
    copy_ = Model::from_bytes(model_->to_bytes(), "");
  }
  Model& model = copy_ ? *copy_ : *model_;
  const std::size_t refused = read(model, minibatch, work, used);
  std::vector<RoundRecord> rounds;
  const auto step = [&] {
    const auto records = model.step(work.rows, work.predictions);
    rounds.assign(records.begin(), records.end());
  };
  if (copy_) step();  // while others predict
  {
    const std::lock_guard lock(lock_);
    if (copy_) {
      std::swap(model_, copy_);
    } else {
      step();
    }
    learned_ = minibatch.back().number;
  }
  observe(used, refused, rounds, work);
  if (!copy_) return;
  used.clear();
  read(*copy_, minibatch, work, used);
  copy_->step(work.rows, work.predictions);
}

void LearningModel::observe(const std::vector<const LabelRecord*>& used, std::size_t refused,
                            const std::vector<RoundRecord>& rounds, const Workspace& work) {
  const std::lock_guard lock(metrics_mutex_);
  for (std::size_t i = 0; i < refused; ++i) metrics_.refuse();
  for (const RoundRecord& round : rounds) {
    if (round.round > 0) metrics_.count(round.action);
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    const LabelRecord& record = *used[k];
    Prequential::Observation observation{.number = record.number,
                                         .id = record.id,
                                         .label = record.label,
                                         .index = work.rows.examples().y[k],
                                         .probabilities = work.predictions.row(k),
                                         .delay = {},
                                         .time = in_seconds(record.time)};
    if (record.predicted) {
      observation.probabilities = record.probabilities;
      // A clock that was set back makes no negative delay.
      observation.delay = in_seconds(std::max<Time>(record.time - *record.predicted, 0));
    }
    metrics_.observe(observation);
  }
}

std::optional<std::vector<std::byte>> LearningModel::to_bytes() const {
  if (!model_) return std::nullopt;
  return model_->to_bytes();
}

std::string LearningModel::metrics_state() const {
  const std::lock_guard lock(metrics_mutex_);
  return print_json(metrics_.state());
}

void LearningModel::restore(const std::vector<std::byte>& bytes, const std::string& source,
                            const std::string& metrics, std::uint64_t learned) {
  Model model = Model::from_bytes(bytes, source);
  Prequential restored;
  const Json state = parse_json(metrics);
  try {
    restored.restore(state);
  } catch (const Json::exception&) {
    throw Error(ErrorKind::model_file, "the metrics of the snapshot cannot be read",
                {.source = source});
  }
  {
    const std::lock_guard lock(lock_);
    model_ = std::move(model);
    copy_.reset();
    learned_ = learned;
  }
  {
    const std::lock_guard lock(idle_mutex_);
    idle_.clear();
  }
  const std::lock_guard lock(metrics_mutex_);
  metrics_ = std::move(restored);
}

}  // namespace plumbline::serve
