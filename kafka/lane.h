// One partition at work: its messages, its model, its outputs, on a thread of its own.
//
// Exactly once: the predictions of some messages, and the offset behind them, are committed in one transaction, together
// with a note: which saved model this is relative to, and, with a second topic of labels, in which order rows and labels
// were taken since. A lane that begins (after a crash, a rebalance, trouble with a broker) first fences its predecessor,
// then loads the model of the note, takes the messages since then again, in the order of the note and without output,
// and goes on. A model is saved after the commit of its messages, so that it never runs ahead of the outputs.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "kafka/job.h"
#include "kafka/order.h"
#include "kafka/partition_model.h"

namespace plumbline::kafka {

class Lane {
 public:
  Lane(Job& job, int partition);
  ~Lane() { stop(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  int partition() const { return partition_; }
  // Asks it to end; `stop` waits until it has saved what was learned.
  void ask_to_stop() { stopping_ = true; }
  void stop() noexcept;
  // True if nothing is left to do: the end or the limit is reached, or the run has failed.
  bool finished() const { return finished_; }
  std::int64_t lag() const { return lag_; }
  std::int64_t offset() const { return offset_; }

 private:
  class Work;
  void run() noexcept;

  Job& job_;
  int partition_;
  std::atomic<bool> stopping_{false}, finished_{false};
  std::atomic<std::int64_t> lag_{0}, offset_{0};
  std::thread thread_;
};

}  // namespace plumbline::kafka
