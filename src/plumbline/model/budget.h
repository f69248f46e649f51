// A limit of a share: after n rounds, at most burst + share (n - 1) of them have been spent on, at any n. What is not
// spent is saved for later. It limits the minibatches that train (ModelConfig::learn_budget, learn_burst), and the rows
// whose labels are asked for (Config::label_budget; model/label_budget.h).
#pragma once

#include <cstdint>

#include "plumbline/archive.h"

namespace plumbline::inline v0 {

class Budget {
 public:
  // The share is in (0, 1]; 1 is no limit. The burst is at least 1, so that the first round can be spent on.
  explicit Budget(double share, std::int64_t burst = 1)
      : share_(share), burst_(static_cast<double>(burst)) {}

  bool limited() const { return share_ < 1; }
  double share() const { return share_; }
  // The number of rounds that may be spent on in this round, had it so many; 1 without a limit.
  double saved(std::uint64_t round) const {
    if (!limited()) return 1;
    return burst_ + share_ * static_cast<double>(round - 1) - static_cast<double>(spent_);
  }
  bool allows(std::uint64_t round) const { return saved(round) >= 1 - kRounding; }
  void spend() { ++spent_; }

  // `rounds` is the number of rounds so far; `name` is that of the number of those that were spent on.
  void archive(Archive& archive, std::uint64_t rounds, const char* name) {
    if (!limited()) return;
    archive.value(name, spent_);
    if (archive.loading() && spent_ > rounds) archive.refuse(name, "is more than the rounds");
  }

 private:
  // 0.29 times 100 rounds is a little less than 29.
  static constexpr double kRounding = 1e-9;

  double share_, burst_;
  std::uint64_t spent_ = 0;
};

}  // namespace plumbline::inline v0
