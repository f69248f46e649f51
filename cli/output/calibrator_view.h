// The state of a calibrator of scores, for `plumbline inspect`.
#pragma once

#include <string>

#include "plumbline/online_calibrator.h"

namespace plumbline::cli {

std::string calibrator_text(const OnlineCalibrator& calibrator);
std::string calibrator_json(const OnlineCalibrator& calibrator);

}  // namespace plumbline::cli
