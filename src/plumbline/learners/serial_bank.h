// A bank of learners of any kind. A minibatch passes one learner after the other, which gives exactly
// the results of passing one example after the other through all learners.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "plumbline/learners/bank.h"

namespace plumbline::inline v0 {

class SerialBank : public Bank {
 public:
  using MakeLearner = std::function<std::unique_ptr<Learner>()>;
  SerialBank(std::size_t size, const MakeLearner& make_learner);

  std::size_t size() const override { return learners_.size(); }
  bool lossless() const override { return learners_.front()->lossless(); }
  void train(const Examples& examples, const BoostPass& training) override;
  void margins(const Batch& batch, std::span<double> margins) const override;
  void grow(std::size_t features) override;
  void archive(Archive& archive) override;

 private:
  void draw_counts(std::size_t t, const BoostPass& training);
  void take_votes(std::span<const double> margins);
  void learn_batch(Learner& learner, const Examples& examples, std::span<const double> weights,
                   const LearnMode& mode);
  void reweight(std::size_t t, const Examples& examples, const BoostPass& training);

  std::vector<std::unique_ptr<Learner>> learners_;

  // Scratch for train().
  std::vector<double> lambda_, counts_, margins_;
  std::vector<Label> votes_;
};

}  // namespace plumbline::inline v0
