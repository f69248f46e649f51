// The meaning of the numbers of a score that some model has predicted.
#pragma once

#include <string_view>

#include "plumbline/api.h"

PLUMBLINE_BEGIN_NAMESPACE

enum class ScoreInput {
  // In [0, 1]; 0 and 1 are clamped. Of several classes: each in [0, 1]; they are divided by their sum, and replaced by
  // equal probabilities if the sum is 0.
  probability,
  // Log-odds ln(p/(1 - p)), which may be infinite. Of several classes: logarithms of the probabilities, up to a
  // constant.
  logit,
  // Any finite number: a margin, a distance, a vote. Its location and scale are tracked over about the last 200 values
  // (calibrators/score_scale.h).
  score,
};

std::string_view name_of(ScoreInput input);
// Throws a configuration error that lists the inputs if the name is unknown.
ScoreInput score_input_named(std::string_view name);

PLUMBLINE_END_NAMESPACE
