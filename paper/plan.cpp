#include "paper/plan.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plumbline/error.h"
#include "plumbline/io/source.h"
#include "plumbline/json/json.h"
#include "plumbline/threads/parallel_for.h"
#include "plumbline/version.h"

namespace plumbline::paper {
namespace {

struct Job {
  std::size_t row, policy, run;
  double cost;
};

std::string key(const ResultRow& row, const std::string& policy, std::size_t run) {
  return fmt::format("{}/{}/{}/{}", row.table->name, row.data_set, policy, run + 1);
}

bool wanted(const Plan& plan, const std::string& set) {
  return plan.data_sets.empty() || std::ranges::find(plan.data_sets, set) != plan.data_sets.end();
}

// The relative cost of one run.
double cost_of(const ResultRow& row, const DataSet& set) {
  const double per_feature = row.table->spec.name == "gaussian_nb" ? 3 : 1;
  return static_cast<double>(set.rows) * static_cast<double>(row.table->size) *
         (20 + per_feature * static_cast<double>(set.features));
}

// A data set that is in memory as long as runs need it.
class SharedTask {
 public:
  void expect() { ++runs_left_; }

  template <class Load>
  std::shared_ptr<const Task> get(const Load& load) {
    const std::lock_guard lock(mutex_);
    if (!task_) task_ = load();
    std::shared_ptr<const Task> task = task_;
    if (--runs_left_ == 0) task_.reset();
    return task;
  }

 private:
  std::mutex mutex_;
  std::size_t runs_left_ = 0;
  std::shared_ptr<const Task> task_;
};

class Execution {
 public:
  Execution(const Plan& plan, Journal* journal, const OnProgress& on_progress,
            const std::atomic<bool>* interrupted, RunCache* cache)
      : plan_(plan),
        journal_(journal),
        on_progress_(on_progress),
        interrupted_(interrupted),
        cache_(cache) {}

  Results run() {
    require_data(plan_);
    make_rows();
    make_jobs();
    report();
    parallel_for(jobs_.size(), plan_.threads, [&](std::size_t i) { run_job(jobs_[i]); });
    return std::move(results_);
  }

 private:
  void make_rows() {
    for (const Table* table : plan_.tables) {
      for (const std::string& name : table->data_sets) {
        if (!wanted(plan_, name)) continue;
        ResultRow row{table, name, {}};
        for (const PolicyRow& policy : plan_.policies) {
          row.cells.push_back({policy.name, std::vector<RunResult>(plan_.runs)});
        }
        results_.push_back(std::move(row));
      }
    }
    tasks_ = std::vector<SharedTask>(results_.size());
  }

  void make_jobs() {
    for (std::size_t r = 0; r < results_.size(); ++r) {
      const double cost = cost_of(results_[r], data_set(results_[r].data_set));
      for (std::size_t p = 0; p < plan_.policies.size(); ++p) {
        for (std::size_t run = 0; run < plan_.runs; ++run) {
          ++runs_in_all_;
          cost_in_all_ += cost;
          const RunResult* const finished = find_finished(results_[r], plan_.policies[p], run);
          if (finished != nullptr) {
            results_[r].cells[p].runs[run] = *finished;
            ++runs_done_;
            cost_done_ += cost;
          } else {
            jobs_.push_back({r, p, run, cost});
            task_of(r).expect();
          }
        }
      }
    }
    // Long runs first, so that no long run is left at the end.
    std::ranges::stable_sort(jobs_, std::greater{}, &Job::cost);
  }

  const RunResult* find_finished(const ResultRow& row, const PolicyRow& policy,
                                 std::size_t run) const {
    const RunResult* found = nullptr;
    if (journal_ != nullptr) found = journal_->find(key(row, policy.name, run));
    if (found == nullptr && cache_ != nullptr) found = cache_->find(cache_key(row, policy, run));
    return found;
  }

  std::string cache_key(const ResultRow& row, const PolicyRow& policy, std::size_t run) const {
    return run_key(data_set_of(plan_.reading, row.data_set),
                   task_options_of(plan_.reading, *row.table),
                   config_of(plan_.reading, *row.table, policy), run);
  }

  // Rows with the same data set and the same preparation share a task.
  SharedTask& task_of(std::size_t row) {
    for (std::size_t r = 0; r < row; ++r) {
      const bool same = task_options_of(plan_.reading, *results_[r].table).standardise ==
                        task_options_of(plan_.reading, *results_[row].table).standardise;
      if (results_[r].data_set == results_[row].data_set && same) return tasks_[r];
    }
    return tasks_[row];
  }

  void run_job(const Job& job) {
    if (interrupted_ != nullptr && *interrupted_) throw Interrupted{};
    ResultRow& row = results_[job.row];
    const PolicyRow& policy = plan_.policies[job.policy];
    const auto task = task_of(job.row).get([&] {
      return std::make_shared<const Task>(data_set_of(plan_.reading, row.data_set),
                                          *find_data_set(data_set(row.data_set), plan_.data),
                                          task_options_of(plan_.reading, *row.table), interrupted_);
    });
    RunResult result = run_experiment(*task, config_of(plan_.reading, *row.table, policy), job.run,
                                      {has_figures(*row.table), plan_.last_half}, interrupted_);
    const std::lock_guard lock(mutex_);
    if (journal_ != nullptr) journal_->add(key(row, policy.name, job.run), result);
    if (cache_ != nullptr) cache_->add(cache_key(row, policy, job.run), result);
    row.cells[job.policy].runs[job.run] = std::move(result);
    ++runs_done_;
    cost_done_ += job.cost;
    report();
  }

  void report() const {
    if (on_progress_) on_progress_(cost_done_ / cost_in_all_, runs_done_, runs_in_all_);
  }

  const Plan& plan_;
  Journal* journal_;
  const OnProgress& on_progress_;
  const std::atomic<bool>* interrupted_;
  RunCache* cache_;

  Results results_;
  std::vector<SharedTask> tasks_;  // for each row
  std::vector<Job> jobs_;
  std::mutex mutex_;
  double cost_done_ = 0, cost_in_all_ = 0;
  std::size_t runs_done_ = 0, runs_in_all_ = 0;
};

}  // namespace

void require_data(const Plan& plan) {
  std::set<std::string> missing;
  for (const Table* table : plan.tables) {
    for (const std::string& name : table->data_sets) {
      if (wanted(plan, name) && !find_data_set(data_set(name), plan.data)) missing.insert(name);
    }
  }
  if (missing.empty()) return;
  throw Error(ErrorKind::io,
              fmt::format("data sets are missing in '{}': {}. `plumbline datasets list` shows "
                          "where to get them; --data DIR or PLUMBLINE_DATA=DIR sets the folder; "
                          "--tables or --datasets selects rows",
                          plan.data, fmt::join(missing, ", ")));
}

Results execute(const Plan& plan, Journal* journal, const OnProgress& on_progress,
                const std::atomic<bool>* interrupted, RunCache* cache) {
  return Execution(plan, journal, on_progress, interrupted, cache).run();
}

std::string settings_json(const Plan& plan) {
  Json json;
  json["plumbline"] = kVersion;
  json["reading"] = parse_json(reading_json(plan.reading));
  return print_json(json);
}

bool has_figures(const Table& table) {
  constexpr std::array<std::string_view, 3> kNames{"NB10_stationary", "LR10_stationary",
                                                   "NB10_nonstationary"};
  return std::ranges::find(kNames, table.name) != kNames.end();
}

}  // namespace plumbline::paper
