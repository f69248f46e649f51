// "Always the last label": a baseline without features, which predicts that the next label is the last one known (also
// called the no-change or persistence classifier). Labels of streams often come in runs, and then it is hard to beat.
// With y the label of an example, l the last label known when it is predicted, and K classes:
//   decision     l; the first class while no label is known
//   probability  P(y | l) = (n(l, y) + 1/2) / (n(l) + K/2), where n(l, y) counts the examples with a known label y that
//                were predicted when l was the last label known, and n(l) all that were; 1/K while no label is known
//   kappa-temporal = (p - p_last) / (1 - p_last), for a model with accuracy p and the baseline's accuracy p_last
// Kappa-temporal is 1 for perfect decisions, 0 if they are as good as the last label, and negative if they are worse
// (Žliobaitė, Bifet, Read, Pfahringer & Holmes, "Evaluation methods and decision theory for classification of streaming
// data with temporal dependence", 2015).
//
// The caller decides when labels become known: at once, at the end of a minibatch, or later.
// Cost: O(1) per example. Memory: O(K^2), and two numbers for each example whose label is not known yet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/batch.h"

namespace plumbline::inline v0 {

class LastLabel {
 public:
  explicit LastLabel(std::size_t classes = 2) { grow(classes); }

  // Adds classes at the end of the list.
  void grow(std::size_t classes);
  std::size_t classes() const { return counts_.size(); }

  // Predicts an example and compares with its label, which stays hidden from later predictions until it is revealed.
  void test(Label label);
  // Makes the labels of the `count` oldest examples with hidden labels known.
  void reveal(std::size_t count);
  // The number of examples with hidden labels.
  std::size_t hidden() const { return waiting_.size() - first_; }

  std::uint64_t examples() const { return examples_; }
  // Both are 0 before the first example.
  double accuracy() const { return mean(static_cast<double>(right_)); }
  double log_loss() const { return mean(log_loss_sum_); }

  // Saves and loads between components with the same number of classes.
  void archive(Archive& archive);

 private:
  // A tested example: the last label known at that time, and its own label.
  struct Waiting {
    std::optional<Label> last;
    Label label;
  };
  // The known labels of examples that were predicted after the same last label.
  struct Counts {
    std::vector<std::uint64_t> of_label;
    std::uint64_t all = 0;
  };

  double mean(double sum) const {
    return examples_ == 0 ? 0 : sum / static_cast<double>(examples_);
  }
  double probability(Label label) const;
  void archive_counts(Archive& archive);
  void archive_waiting(Archive& archive);

  std::optional<Label> last_;
  std::vector<Counts> counts_;  // by last label
  std::vector<Waiting> waiting_;
  std::size_t first_ = 0;  // the oldest example in `waiting_` with a hidden label
  std::uint64_t examples_ = 0, right_ = 0;
  double log_loss_sum_ = 0;
};

// Empty if the last label is always right: nothing can be better.
std::optional<double> kappa_temporal(double accuracy, double accuracy_of_last_label);

}  // namespace plumbline::inline v0
