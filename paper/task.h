// A data set as the paper's experiments see it: rows of two classes in memory, and the order in
// which a run presents them.
//
// What the paper does not say is an option, for the fidelity study (paper/study.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "paper/data_sets.h"
#include "plumbline/batch.h"
#include "plumbline/io/source.h"

namespace plumbline::paper {

// Which rows of the larger class a balanced task keeps.
enum class Balance { first, random };

struct TaskOptions {
  Balance balance = Balance::first;
  bool standardise = false;  // every feature to mean 0 and deviation 1 over all rows of the file
};

class Task {
 public:
  // Throws a data error for a file that is not the data set: another number of columns, texts among
  // the numbers, a class without rows. Reading ends with `Interrupted` (io/source.h) once the
  // flag is set.
  Task(const DataSet& set, const std::string& path, const TaskOptions& options,
       const std::atomic<bool>* interrupted = nullptr);

  const DataSet& set() const { return set_; }
  std::size_t features() const { return set_.features; }
  // Of one run.
  std::size_t rows() const { return rows_of_run_; }

  // The rows of a run in the order in which they come. Runs with the same seed see the same order.
  std::vector<std::size_t> order(std::uint64_t seed) const;
  // All rows, which `order` counts.
  Examples examples() const {
    return {{.values = values_, .rows = labels_.size(), .columns = set_.features}, labels_};
  }

 private:
  void load(const std::string& path, const std::atomic<bool>* interrupted);
  // Drops the rows whose label is not wanted; asks in the order of the rows.
  template <class Wanted>
  void keep(const Wanted& wanted);
  void standardise();

  DataSet set_;
  TaskOptions options_;
  std::vector<double> values_;  // row by row
  std::vector<Label> labels_;
  std::size_t rows_of_run_ = 0;
};

}  // namespace plumbline::paper
