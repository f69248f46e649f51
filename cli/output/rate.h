// A rate that may have no value, because its divisor is 0.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/output/json.h"

namespace plumbline::cli {

// "-" if there is none.
inline std::string rate_text(const std::optional<double>& rate) {
  return rate ? fmt::format("{:.4f}", *rate) : "-";
}

// null if there is none.
inline Json rate_json(const std::optional<double>& rate) {
  return rate ? Json(*rate) : Json(nullptr);
}

}  // namespace plumbline::cli
