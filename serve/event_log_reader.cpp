#include <string>

#include "plumbline/sqlite/database.h"
#include "serve/event_log.h"

namespace plumbline::serve {

struct EventLog::Reader::Impl {
  explicit Impl(const std::string& path)
      : database(path),
        labels(database,
               "SELECT l.number, l.id, coalesce(l.row, p.row), l.label, l.time, p.time, "
               "p.probabilities FROM label l LEFT JOIN prediction p ON p.number = l.prediction "
               "WHERE l.number > ? ORDER BY l.number LIMIT ?"),
        prediction(database, "SELECT time, row, probabilities FROM prediction WHERE id = ?"),
        label(database, "SELECT number, time, label, row FROM label WHERE id = ?"),
        snapshots(database,
                  "SELECT number, file, metrics, time, bytes FROM snapshot ORDER BY number DESC"),
        trimmed(database, "SELECT trimmed FROM cleaned") {}

  Database database;
  Statement labels, prediction, label, snapshots, trimmed;
};

EventLog::Reader::Reader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
EventLog::Reader::~Reader() = default;

std::vector<LabelRecord> EventLog::Reader::labels(std::uint64_t after, std::size_t most) {
  std::vector<LabelRecord> records;
  Statement& row = impl_->labels;
  for (row.with(integer(after), integer(most)); row.step();) {
    LabelRecord& record = records.emplace_back();
    record.number = whole(row.integer(0));
    record.id = row.text(1);
    record.row = row.text(2);
    record.label = row.text(3);
    record.time = row.integer(4);
    if (row.is_null(5)) continue;
    record.predicted = row.integer(5);
    record.probabilities.assign(row.numbers(6).begin(), row.numbers(6).end());
  }
  return records;
}

std::optional<KnownId> EventLog::Reader::find(const std::string& id) {
  KnownId known;
  Statement& prediction = impl_->prediction;
  if (prediction.with(std::string_view(id)).step()) {
    known.predicted = prediction.integer(0);
    known.row = prediction.text(1);
    known.probabilities.assign(prediction.numbers(2).begin(), prediction.numbers(2).end());
    prediction.reset();
  }
  Statement& label = impl_->label;
  if (label.with(std::string_view(id)).step()) {
    known.number = whole(label.integer(0));
    known.labelled = label.integer(1);
    known.label = label.text(2);
    if (!label.is_null(3)) known.row = label.text(3);
    label.reset();
  }
  if (!known.predicted && !known.labelled) return std::nullopt;
  return known;
}

std::vector<Snapshot> EventLog::Reader::snapshots() {
  std::vector<Snapshot> all;
  Statement& row = impl_->snapshots;
  for (row.with(); row.step();) {
    all.push_back({whole(row.integer(0)), std::string(row.text(1)), std::string(row.text(2)),
                   row.integer(3), whole(row.integer(4))});
  }
  return all;
}

std::uint64_t EventLog::Reader::trimmed() {
  impl_->trimmed.with().step();
  const std::uint64_t number = whole(impl_->trimmed.integer(0));
  impl_->trimmed.reset();
  return number;
}

void EventLog::Reader::hold() {
  impl_->database.run("BEGIN");
  trimmed();  // the first thing read decides what is seen
}

}  // namespace plumbline::serve
