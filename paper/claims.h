// The paper's claims about its tables, counted in the published rows and in ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paper/results.h"

namespace plumbline::paper {

struct Tally {
  std::size_t rows = 0;  // where both numbers are known
  std::size_t holds = 0;
  std::size_t significant = 0;  // holds, and the 95 % intervals do not overlap
};

struct Claim {
  std::string text;
  std::optional<Tally> theirs;  // empty if the paper gives no numbers to count
  Tally ours;
};

std::vector<Claim> claims(const Results& results);

}  // namespace plumbline::paper
