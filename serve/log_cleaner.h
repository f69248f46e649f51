// Removes from a log what is no longer needed, in small steps, so that nobody waits for it.
//
//   rows of labels    that both snapshots have, beyond the number or the age to keep. A label with an id stays, without
//                     its row, so that the id is not learned again
//   ids               of such labels, after an age
//   predictions       without a label, after an age
//
// The pages that become free are given back to the file system, but for an eighth.
#pragma once

#include <cstdint>

#include "plumbline/sqlite/database.h"
#include "serve/event_log.h"

namespace plumbline::serve {

class LogCleaner {
 public:
  LogCleaner(Database& database, const Retention& retention);

  // Within a transaction. False if nothing is left to do. `labels`: in the log.
  bool step(std::uint64_t labels, Time now);
  // Outside of one: gives some free pages back. False if there are few.
  bool shrink();
  // After a transaction that failed.
  void reload();
  // Sets the members that say what was removed.
  void count(LogCounts& counts) const;

 private:
  bool trim(std::uint64_t labels, Time now);
  bool forget(Time now);
  bool expire(Time now);
  std::uint64_t read(const char* pragma);

  Database& database_;
  const Retention retention_;
  bool can_shrink_;  // a log of an older version cannot
  // Each is the last event that was looked at.
  struct State {
    std::uint64_t trimmed = 0, forgotten = 0, expired_to = 0;
    std::uint64_t expired = 0;  // their number
  } state_;
  Statement read_state_, write_state_, covered_, labels_, add_label_, drop_label_, drop_prediction_,
      predictions_, has_label_, times_;
};

}  // namespace plumbline::serve
