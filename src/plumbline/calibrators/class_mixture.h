// The calibrator of several classes: an average of joint maps (softmax_stack.h) that forget at three rates, with
// learned weights (expert_weights.h). It learns from its members' predictions from before the label was known, the
// trace of a row.
// Memory and cost: those of its members.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "plumbline/archive.h"
#include "plumbline/calibrator.h"
#include "plumbline/calibrators/expert_weights.h"
#include "plumbline/calibrators/softmax_stack.h"

namespace plumbline::inline v0 {

class ClassMixture {
 public:
  ClassMixture(std::size_t sources, std::size_t classes);
  // Starts from these weights of the sources and biases of the classes, as if `examples` had been learned.
  ClassMixture(std::size_t sources, std::span<const double> weights, double examples);
  // The same map with one more class.
  ClassMixture with_class() const;

  // The numbers in the trace of a row.
  std::size_t trace_size() const { return members_.size() * classes_; }
  // `logs` are those of softmax_stack.h.
  void apply(std::span<const double> logs, std::span<double> probabilities,
             std::span<double> trace) const;
  void learn(std::span<const double> logs, std::size_t y, std::span<const double> trace);
  std::vector<Calibrator::Part> parts() const;
  void archive(Archive& archive);

 private:
  std::size_t classes_;
  std::vector<SoftmaxStack> members_;
  ExpertWeights weights_;

  std::vector<double> losses_;  // scratch for learn()
};

}  // namespace plumbline::inline v0
