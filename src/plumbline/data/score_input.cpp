#include "plumbline/data/score_input.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "plumbline/batch.h"
#include "plumbline/options.h"

namespace plumbline::inline v0 {
namespace {

constexpr std::array<std::pair<ScoreInput, std::string_view>, 3> kScoreInputs{
    {{ScoreInput::probability, "probability"},
     {ScoreInput::logit, "logit"},
     {ScoreInput::score, "score"}}};
// Rounding of probabilities in single precision.
constexpr double kProbabilityRounding = 1e-6;

}  // namespace

std::string_view name_of(ScoreInput input) {
  return kScoreInputs[static_cast<std::size_t>(input)].second;
}

ScoreInput score_input_named(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [input, text] : kScoreInputs) {
    if (text == name) return input;
    names.emplace_back(text);
  }
  refuse_name("input", name, names);
}

const char* score_fault(double value, ScoreInput input) {
  if (std::isnan(value)) return "is not a number";
  if (input == ScoreInput::probability) {
    const bool fits = value >= -kProbabilityRounding && value <= 1 + kProbabilityRounding;
    return fits ? nullptr : "is not a probability from 0 to 1";
  }
  if (input == ScoreInput::logit) return nullptr;
  return std::abs(value) <= kMaxMagnitude ? nullptr : "is infinite or too large";
}

}  // namespace plumbline::inline v0
