// What a policy may know of a round besides its number: how things have been going. Each number is
// from -1 to 1, and the model computes them only for a policy that asks (Policy::needs_context); how
// is said in policies/context_tracker.h.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace plumbline {

// The places of the numbers.
enum ContextPlace : std::size_t {
  kSinceCalibration,  // rounds since the calibrator learned: 0 for none, towards 1 for many
  kCalibrationError,  // of the last predictions: 0 to 1
  kLossTrend,         // above 0 if the loss has been rising lately
  kDrift,             // 1 when the loss has risen to a new level, -1 when it fell to one; fades
  kContextSize,
};

using Context = std::array<double, kContextSize>;

inline constexpr std::array<std::string_view, kContextSize> kContextNames{
    "since_calibration", "calibration_error", "loss_trend", "drift"};

}  // namespace plumbline
