#include "serve/log_cleaner.h"

#include <algorithm>
#include <string>
#include <vector>

namespace plumbline::serve {
namespace {

constexpr std::int64_t kStep = 256;         // events in a step
constexpr std::uint64_t kPagesToKeep = 16;  // free ones of a small log
constexpr double kMicrosecondsInDay = 86400e6;

Time days_before(Time now, double days) {
  return now - static_cast<Time>(days * kMicrosecondsInDay);
}

}  // namespace

LogCleaner::LogCleaner(Database& database, const Retention& retention)
    : database_(database),
      retention_(retention),
      can_shrink_(read("PRAGMA auto_vacuum") == 2),
      read_state_(database, "SELECT trimmed, forgotten, expired_to, expired FROM cleaned"),
      write_state_(database,
                   "UPDATE cleaned SET trimmed = ?, forgotten = ?, expired_to = ?, expired = ?"),
      covered_(database, "SELECT min(number), count(*) FROM snapshot"),
      labels_(database,
              "SELECT number, time, prediction, id, label FROM label "
              "WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"),
      add_label_(database, "INSERT INTO label (number, time, id, label) VALUES (?, ?, ?, ?)"),
      drop_label_(database, "DELETE FROM label WHERE number = ?"),
      drop_prediction_(database, "DELETE FROM prediction WHERE number = ?"),
      predictions_(database,
                   "SELECT number, time, id FROM prediction WHERE number > ? ORDER BY number "
                   "LIMIT ?"),
      has_label_(database, "SELECT 1 FROM label WHERE id = ?"),
      times_(database,
             "SELECT number, time FROM label WHERE number > ? AND number <= ? ORDER BY number "
             "LIMIT ?") {
  reload();
}

std::uint64_t LogCleaner::read(const char* pragma) {
  Statement statement(database_, pragma);
  statement.step();
  return whole(statement.integer(0));
}

void LogCleaner::reload() {
  read_state_.with().step();
  state_ = {whole(read_state_.integer(0)), whole(read_state_.integer(1)),
            whole(read_state_.integer(2)), whole(read_state_.integer(3))};
  read_state_.reset();
}

void LogCleaner::count(LogCounts& counts) const {
  counts.trimmed = state_.trimmed;
  counts.expired = state_.expired;
}

bool LogCleaner::step(std::uint64_t labels, Time now) {
  const bool more = static_cast<int>(trim(labels, now)) + static_cast<int>(forget(now)) +
                        static_cast<int>(expire(now)) >
                    0;
  write_state_
      .with(integer(state_.trimmed), integer(state_.forgotten), integer(state_.expired_to),
            integer(state_.expired))
      .execute();
  return more;
}

// Each returns true if it has done a whole step, so that more may be left.

bool LogCleaner::trim(std::uint64_t labels, Time now) {
  if (retention_.labels == 0 && retention_.label_days == 0) return false;
  covered_.with().step();
  const bool two = covered_.integer(1) >= 2;  // one of them may prove damaged
  const std::uint64_t covered = two ? whole(covered_.integer(0)) : 0;
  covered_.reset();
  const bool by_count = retention_.labels > 0 && labels > retention_.labels;
  const std::uint64_t too_many = by_count ? labels - retention_.labels : 0;
  const Time oldest = days_before(now, retention_.label_days);
  struct Event {
    std::uint64_t number;
    Time time;
    std::optional<std::int64_t> prediction{};
    std::optional<std::string> id{};
    std::string label{};
  };
  std::vector<Event> events;
  for (labels_.with(integer(state_.trimmed), integer(covered), kStep); labels_.step();) {
    const std::uint64_t number = whole(labels_.integer(0));
    const bool old = retention_.label_days > 0 && labels_.integer(1) < oldest;
    if (number > too_many && !old) break;
    Event& event = events.emplace_back(Event{number, labels_.integer(1)});
    if (!labels_.is_null(2)) event.prediction = labels_.integer(2);
    if (!labels_.is_null(3)) event.id = labels_.text(3);
    event.label = labels_.text(4);
  }
  labels_.reset();
  for (const Event& event : events) {
    if (event.prediction) drop_prediction_.with(*event.prediction).execute();
    // Added anew rather than changed: a row that shrinks in its place would leave its page almost empty.
    drop_label_.with(integer(event.number)).execute();
    if (event.id) {
      const std::string_view id = *event.id, label = event.label;
      add_label_.with(integer(event.number), event.time, id, label).execute();
    }
    state_.trimmed = event.number;
  }
  return events.size() == kStep;
}

bool LogCleaner::forget(Time now) {
  if (retention_.id_days == 0) return false;
  const Time oldest = days_before(now, retention_.id_days);
  std::vector<std::uint64_t> numbers;
  for (times_.with(integer(state_.forgotten), integer(state_.trimmed), kStep); times_.step();) {
    if (times_.integer(1) >= oldest) break;
    numbers.push_back(whole(times_.integer(0)));
  }
  times_.reset();
  for (const std::uint64_t number : numbers) {
    drop_label_.with(integer(number)).execute();
    state_.forgotten = number;
  }
  return numbers.size() == kStep;
}

bool LogCleaner::expire(Time now) {
  if (retention_.pending_days == 0) return false;
  const Time oldest = days_before(now, retention_.pending_days);
  struct Event {
    std::uint64_t number;
    std::string id;
  };
  std::vector<Event> events;
  for (predictions_.with(integer(state_.expired_to), kStep); predictions_.step();) {
    if (predictions_.integer(1) >= oldest) break;
    events.push_back({whole(predictions_.integer(0)), std::string(predictions_.text(2))});
  }
  predictions_.reset();
  for (const auto& [number, id] : events) {
    const bool labelled = has_label_.with(std::string_view(id)).step();
    has_label_.reset();
    if (!labelled) {
      drop_prediction_.with(integer(number)).execute();
      ++state_.expired;
    }
    state_.expired_to = number;
  }
  return events.size() == kStep;
}

bool LogCleaner::shrink() {
  if (!can_shrink_) return false;
  const std::uint64_t few = read("PRAGMA page_count") / 8 + kPagesToKeep;
  if (read("PRAGMA freelist_count") <= few) return false;
  database_.run("PRAGMA incremental_vacuum(256)");
  return true;
}

}  // namespace plumbline::serve
