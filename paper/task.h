// A data set in the form of the paper's experiments: rows of two classes in memory, and their order in
// each run.
//
// Choices that the paper leaves open are options, for the fidelity study (paper/study.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "paper/data_sets.h"
#include "plumbline/batch.h"
#include "plumbline/io/source.h"

namespace plumbline::paper {

// The rows of the larger class that a balanced task keeps.
enum class Balance { first, random };

struct TaskOptions {
  Balance balance = Balance::first;
  bool standardise = false;  // every feature to mean 0 and deviation 1 over all rows of the file
};

class Task {
 public:
  // Throws a data error for a file that is not the data set: wrong number of columns, texts among the
  // numbers, a class without rows. Throws `Interrupted` (io/source.h) once the flag is set.
  Task(const DataSet& set, const std::string& path, const TaskOptions& options,
       const std::atomic<bool>* interrupted = nullptr);

  const DataSet& set() const { return set_; }
  std::size_t features() const { return set_.features; }
  // The number of rows of one run.
  std::size_t rows() const { return rows_of_run_; }

  // The indices of the rows of a run, in their order, which depends only on the seed.
  std::vector<std::size_t> order(std::uint64_t seed) const;
  // All rows, which `order` indexes.
  Examples examples() const {
    return {{.values = values_, .rows = labels_.size(), .columns = set_.features}, labels_};
  }

 private:
  void load(const std::string& path, const std::atomic<bool>* interrupted);
  // Drops the rows whose label is not wanted; calls `wanted` in the order of the rows.
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
