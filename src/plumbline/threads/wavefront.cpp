#include "plumbline/threads/wavefront.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "plumbline/threads/thread_pool.h"

namespace plumbline::inline v0 {
namespace {

// More stages than this are taken together.
constexpr std::size_t kMostStages = 64;

struct alignas(64) Stage {
  std::atomic<std::size_t> done{0};  // items
  std::atomic<bool> taken{false};    // by a thread
};

class Wavefront {
 public:
  using Job = std::function<void(std::size_t, std::size_t)>;

  Wavefront(std::size_t stages, std::size_t items, const Job& job)
      : all_(stages), used_(std::min(stages, kMostStages)), items_(items), job_(job) {}

  // The work of each thread. It stays with a stage as long as it can, for the sake of the caches.
  void work() {
    std::size_t at = 0, looked = 0;
    for (SpinWait patience; stages_[used_ - 1].done.load(std::memory_order_acquire) < items_;) {
      if (advance(at)) {
        looked = 0;
        patience = {};
      } else {
        at = (at + 1) % used_;
        if (++looked % used_ == 0) patience.wait();
      }
    }
  }

 private:
  bool ready(std::size_t s) const {
    const std::size_t done = stages_[s].done.load(std::memory_order_acquire);
    return done < items_ && (s == 0 || stages_[s - 1].done.load(std::memory_order_acquire) > done);
  }

  // One item of a stage, if that is possible now.
  bool advance(std::size_t s) {
    Stage& stage = stages_[s];
    if (!ready(s) || stage.taken.exchange(true, std::memory_order_acquire)) return false;
    const bool still = ready(s);
    if (still) {
      const std::size_t item = stage.done.load(std::memory_order_relaxed);
      for (std::size_t i = all_ * s / used_; i < all_ * (s + 1) / used_; ++i) job_(i, item);
      stage.done.store(item + 1, std::memory_order_release);
    }
    stage.taken.store(false, std::memory_order_release);
    return still;
  }

  std::size_t all_, used_, items_;
  const Job& job_;
  std::array<Stage, kMostStages> stages_;
};

}  // namespace

void run_wavefront(std::size_t threads, std::size_t stages, std::size_t items,
                   const std::function<void(std::size_t, std::size_t)>& job) {
  if (stages == 0 || items == 0) return;
  if (std::min({threads, stages, items}) == 1) {
    for (std::size_t item = 0; item < items; ++item) {
      for (std::size_t stage = 0; stage < stages; ++stage) job(stage, item);
    }
    return;
  }
  Wavefront run(stages, items, job);
  run_on_workers(std::min({threads, stages, items}), [&] { run.work(); });
}

}  // namespace plumbline::inline v0
