// The faulty seven-segment display of Breiman et al. (CART, 1984, pages 43-49).
//
// A digit 0, …, 9, each equally likely, lights its segments; each of the seven is then inverted
// with probability `noise`, independently (10 % in the book, which makes the Bayes error for ten
// classes 26 %). Irrelevant columns follow, which are 1 with probability 1/2: usually 17, as in the UCI
// file. Features are 0 or 1, named after their position in the display.
//
// The book has ten classes, here there are two: the positive digits are the odd ones (balanced), or
// the one that `digit` names (1 in 10). The schema is the same for both tasks, so that drift.h can
// change from one to the other. Example i is a pure function of the seed and i, and its features do not
// depend on the task; the stream has no end. Cost: one draw per column.
#pragma once

#include <cstdint>

#include "plumbline/generators/generator.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {

class Led : public Generator {
 public:
  enum class Task { odd, digit };

  struct Params {
    Task task = Task::odd;
    std::int64_t digit = 0;
    double noise = 0.1;
    std::int64_t irrelevant = 17;
    void visit(OptionVisitor& visitor);
  };

  Led(const Params& params, std::uint64_t seed);

 private:
  Label draw(Rng& rng, std::uint64_t i, std::span<double> x) override;
  bool is_positive(std::uint64_t digit) const;

  Params params_;
};

}  // namespace plumbline::inline v0
