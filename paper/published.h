// The numbers that the paper published: its ten tables of log-losses, 66 rows of nine columns.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace plumbline::paper {

struct Published {
  double log_loss;
  double ci95;  // half the width of the 95 % interval
};

// The columns of the paper's tables. `gts` is Gaussian Thompson sampling.
inline constexpr std::array<std::string_view, 9> kColumns{
    "uncalibrated",  "best_fixed", "worst_fixed",     "ucb1",
    "ucb1_improved", "gts",        "discounted_ucb1", "discounted_ucb1_improved",
    "discounted_gts"};

// Empty if the paper has no such number.
std::optional<Published> published(std::string_view table, std::string_view data_set,
                                   std::string_view column);

}  // namespace plumbline::paper
