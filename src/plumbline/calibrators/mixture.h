// A Bayesian average of calibrators that learns whom to trust: p = sum_k v_k p_k, v_k >= 0, sum 1.
//
// For each example, with label y and the p_k that the members gave before this calibration:
//   v_k <- v_k p_k(y)^rate / sum_j v_j p_j(y)^rate     (begins as 1/K)
//   v_k <- (1 - share) v_k + share/K                   (fixed share: Herbster & Warmuth, 1998)
// This is Hedge on the log-loss, which is exp-concave for rates up to 1 (Vovk, 1998): without share
// and for minibatches of one, the total log-loss is at most ln(K)/rate above the best member's.
// A larger minibatch is predicted with the v of its beginning, and its examples resemble each
// other: a rate of 1 then trusts whoever the last minibatch happened to suit, hence the default.
// The members share the logits of the scores, so that each is computed once.
// It remembers K numbers and the members'. Cost: the members', and K logarithms per example.
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
    // Those that say how the weights move.
    void visit_weights(OptionVisitor& visitor);
  };

  // A member by the name under which its state is saved.
  struct Member {
    std::string name;
    std::unique_ptr<Calibrator> calibrator;
  };
  // Those that the option stands for.
  static std::vector<Member> make(Members members, std::size_t columns);
  static constexpr std::size_t kMostMembers = 9;

  Mixture(const Params& params, std::size_t columns);

  void observe(std::span<const Label> labels) override;
  void calibrate(const Scores& scores, std::span<const Label> labels) override;
  // The same, and writes what `apply` would have said before.
  void calibrate(const Scores& scores, std::span<const Label> labels, std::span<double> said);
  void apply(const Scores& scores, std::span<double> probabilities) const override;
  std::vector<Part> parts() const override;
  void archive(Archive& archive) override;

  // v, in the order of the members.
  std::vector<double> weights() const;

 private:
  // Room for a number for each member, as far as it is used.
  using PerMember = std::array<double, kMostMembers>;

  PerMember member_weights() const;
  // What the members say, member after member; and the average of that.
  void ask(const Scores& scores, std::span<double> given) const;
  void average(std::span<const double> given, const PerMember& weights,
               std::span<double> probabilities) const;
  // With the losses of the members, member after member.
  void learn_sharing(std::span<const double> losses, std::size_t examples);
  void learn_alone(std::span<const double> losses, std::size_t examples);

  Params params_;
  std::vector<Member> members_;
  std::size_t columns_;  // of scores that the members look at
  // ln v_k up to a constant, the largest of them 0: weights that the best member leaves far behind
  // can still come back.
  std::vector<double> log_weights_;
  bool fitted_ = false;

  std::vector<double> logits_, given_, said_;  // scratch of calibrate()
};

}  // namespace plumbline::inline v0
