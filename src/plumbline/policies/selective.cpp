#include "plumbline/policies/selective.h"

namespace plumbline::inline v0 {
namespace {

// A rank among fewer values says little.
constexpr std::uint64_t kFewValues = 20;
constexpr double kMostEntropy = 0.7;  // ln 2 is 0.693

}  // namespace

void Selective::Params::visit(OptionVisitor& visitor) {
  visitor.integer("window", window, Range::closed(1, 100000),
                  "number of latest rounds that a minibatch is compared with");
}

Selective::Selective(const Params& params, std::span<const Action> actions, std::uint64_t)
    : arms_(actions, "policy 'selective'"), window_(static_cast<std::size_t>(params.window)) {}

void Selective::observe(const Round& round) {
  rank_ = window_.seen() < kFewValues ? 1 : window_.rank(round.uncertainty);
  window_.add(round.uncertainty);
}

std::size_t Selective::choose(const Round& round) const {
  if (round.saved < 1) return arms_.otherwise;
  const bool worth = rank_ >= 1 - round.learn_budget * round.saved;
  return worth || round.learn_budget >= 1 ? arms_.train : arms_.otherwise;
}

void Selective::archive(Archive& archive) { window_.archive(archive, kMostEntropy); }

}  // namespace plumbline::inline v0
