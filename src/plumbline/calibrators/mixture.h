// A Bayesian average of calibrators with learned weights: p = sum_k v_k p_k, v_k >= 0, sum 1.
//
// For each example, with label y and the outputs p_k of the members before this calibration:
//   v_k <- v_k p_k(y)^rate / sum_j v_j p_j(y)^rate     (initially 1/K)
//   v_k <- (1 - share) v_k + share/K                   (fixed share: Herbster & Warmuth, 1998)
// This is Hedge on the log-loss, which is exp-concave for rates up to 1 (Vovk, 1998): without share
// and for minibatches of one, the total log-loss is at most ln(K)/rate above the best member's.
// A larger minibatch is predicted with the v before it, and its examples resemble each other. A rate
// of 1 would then favor the members that happened to suit the last minibatch, hence the lower default.
// The members share the logits of the scores, so that each is computed once.
// Memory: K numbers, and those of the members. Cost: that of the members, and K logarithms per example.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "plumbline/calibrator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Mixture : public Calibrator {
 public:
  enum class Members { all, smooth, platt, stack, shape };

  struct Params {
    Members members = Members::all;
    double rate = 0.1;
    double share = 0.0001;
    void visit(OptionVisitor& visitor);
    // Visits only the options of the weights.
    void visit_weights(OptionVisitor& visitor);
  };

  // A member, with the name under which its state is saved.
  struct Member {
    std::string name;
    std::unique_ptr<Calibrator> calibrator;
  };
  // The members that the option stands for.
  static std::vector<Member> make(Members members, std::size_t columns);
  static constexpr std::size_t kMostMembers = 9;

  Mixture(const Params& params, std::size_t columns);

  void observe(std::span<const Label> labels) override;
  void calibrate(const Scores& scores, std::span<const Label> labels) override;
  // Also writes the output of `apply` before the calibration.
  void calibrate(const Scores& scores, std::span<const Label> labels, std::span<double> predicted);
  void apply(const Scores& scores, std::span<double> probabilities) const override;
  std::size_t columns_used() const override { return columns_; }
  // The trace has the outputs of the members.
  std::size_t trace_columns() const override { return members_.size(); }
  void apply_traced(const Scores& scores, std::span<double> probabilities,
                    std::span<double> trace) const override;
  void calibrate_traced(const Scores& scores, std::span<const Label> labels,
                        std::span<const double> trace) override;
  std::vector<Part> parts() const override;
  void archive(Archive& archive) override;

  // v, in the order of the members.
  std::vector<double> weights() const;

 private:
  // One number per member; the rest is unused.
  using PerMember = std::array<double, kMostMembers>;

  PerMember member_weights() const;
  // Writes the outputs of the members, member after member.
  void apply_members(const Scores& scores, std::span<double> outputs) const;
  void average(std::span<const double> outputs, const PerMember& weights,
               std::span<double> probabilities) const;
  // The logits of the scores that the members read; computed in `scratch` if they are not shared.
  std::span<const double> logits_of(const Scores& scores, std::vector<double>& scratch) const;
  // Learns, given the outputs of the members for these scores in `outputs_`.
  void learn(const Scores& scores, std::span<const Label> labels);
  // Update the weights by the losses of the members, member after member.
  void learn_sharing(std::span<const double> losses, std::size_t examples);
  void learn_alone(std::span<const double> losses, std::size_t examples);

  Params params_;
  std::vector<Member> members_;
  std::size_t columns_;  // number of score columns that the members read
  // ln v_k up to a constant, with maximum 0, so that tiny weights can recover.
  std::vector<double> log_weights_;
  bool fitted_ = false;

  std::vector<double> logits_, outputs_, predicted_;  // scratch for calibrate()
};

}  // namespace plumbline::inline v0
