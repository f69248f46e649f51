#include "paper/claims.h"

#include <array>

namespace plumbline::paper {
namespace {

void count(Tally& tally, const Published& low, const Published& high, bool strict) {
  ++tally.rows;
  if (strict ? low.log_loss >= high.log_loss : low.log_loss > high.log_loss) return;
  ++tally.holds;
  if (low.log_loss + low.ci95 < high.log_loss - high.ci95) ++tally.significant;
}

std::optional<Published> ours_of(const ResultRow& row, const std::string& column) {
  const Cell* const cell = row.column(column);
  if (cell == nullptr) return std::nullopt;
  const MeanInterval loss = cell->log_loss();
  return Published{loss.mean, loss.half_width};
}

// The claim that one column is at most (or, if strict, below) another.
Claim compare(const Results& results, std::string text, const std::string& low,
              const std::string& high, bool strict) {
  Claim claim{std::move(text), Tally{}, {}};
  for (const ResultRow& row : results) {
    const auto their_low = published(row.table->name, row.data_set, low);
    const auto their_high = published(row.table->name, row.data_set, high);
    if (their_low && their_high) count(*claim.theirs, *their_low, *their_high, strict);
    const auto our_low = ours_of(row, low), our_high = ours_of(row, high);
    if (our_low && our_high) count(claim.ours, *our_low, *our_high, strict);
  }
  return claim;
}

// The claim that the best (or worst) fixed policy calibrates on every a-th or b-th round. It is
// significant if its interval overlaps with that of no other fixed policy.
Claim extreme(const Results& results, std::string text, bool best, std::array<int, 2> wanted) {
  Claim claim{std::move(text), std::nullopt, {}};
  for (const ResultRow& row : results) {
    const Cell* const found = best ? row.best_fixed() : row.worst_fixed();
    if (found == nullptr) continue;
    ++claim.ours.rows;
    const int every = *fixed_every(found->policy);
    if (every != wanted[0] && every != wanted[1]) continue;
    ++claim.ours.holds;
    const MeanInterval extreme = found->log_loss();
    bool clear = true;
    for (const Cell& cell : row.cells) {
      const auto other_every = fixed_every(cell.policy);
      if (!other_every || *other_every == wanted[0] || *other_every == wanted[1]) continue;
      const MeanInterval other = cell.log_loss();
      const MeanInterval& low = best ? extreme : other;
      const MeanInterval& high = best ? other : extreme;
      clear = clear && low.mean + low.half_width < high.mean - high.half_width;
    }
    if (clear) ++claim.ours.significant;
  }
  return claim;
}

}  // namespace

std::vector<Claim> claims(const Results& results) {
  const auto at_most_best = [&](const std::string& policy) {
    return compare(results, policy_title(policy) + " is at most the best fixed policy", policy,
                   "best_fixed", false);
  };
  return {
      compare(results, "Even the worst fixed policy beats no calibration", "worst_fixed",
              "uncalibrated", true),
      at_most_best("ucb1"),
      at_most_best("ucb1_improved"),
      at_most_best("gts"),
      at_most_best("discounted_gts"),
      at_most_best("discounted_ucb1"),
      at_most_best("discounted_ucb1_improved"),
      extreme(results, "Among fixed policies, every 2nd or 4th is the best", true, {2, 4}),
      extreme(results, "Among fixed policies, every 12th or 14th is the worst", false, {12, 14})};
}

}  // namespace plumbline::paper
