// OnlineBoost over learners of any kind, one after the other.
#pragma once

#include <memory>

#include "plumbline/ensemble/online_boost.h"
#include "plumbline/learners/serial_bank.h"

namespace plumbline::test {

inline OnlineBoost serial_boost(const OnlineBoost::Params& params,
                                const SerialBank::MakeLearner& make_learner, std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(params.size);
  return {params, std::make_unique<SerialBank>(size, make_learner), seed};
}

}  // namespace plumbline::test
