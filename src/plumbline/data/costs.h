// What wrong decisions cost: a false alarm (false positive) and a miss (false negative).
#pragma once

namespace plumbline {

class OptionVisitor;

struct Costs {
  double false_positive = 1;
  double false_negative = 1;

  bool operator==(const Costs&) const = default;
  void visit(OptionVisitor& visitor);
};

// No cost that a user gives may be larger.
inline constexpr double kMaxCost = 1e12;

}  // namespace plumbline
