// The control experiment as text, as a page and as a chart.
#pragma once

#include <string>

#include "paper/control.h"
#include "paper/report.h"
#include "report/chart.h"

namespace plumbline::paper {

std::string control_text(const Control& control);
std::string control_html(const Control& control, const RunMetadata& facts);
// Log-loss/best fixed of the bandits that win in the paper, of the coin, and of `always both`: published, and in each
// condition. Points are geometric means over all rows; bars reach from the lowest to the highest table.
report::Chart control_chart(const Control& control);

}  // namespace plumbline::paper
