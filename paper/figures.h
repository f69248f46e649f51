// The paper's figures, drawn from our runs, and two of our own: what each policy did over time, and
// whether the probabilities are calibrated.
#pragma once

#include <string>
#include <vector>

#include "paper/results.h"
#include "report/chart.h"

namespace plumbline::paper {

struct PaperFigure {
  std::string file;  // without folder and ending
  int number;        // the paper's; 0 for our own
  report::Chart chart;
  std::string caption;
};

// Those whose runs are in the results, in the paper's order.
std::vector<PaperFigure> figures(const Results& results);

// For each data set the reliability curve of the last half of a run, in the band of a calibrated
// forecaster: the first run in the first row that has kept it.
std::vector<PaperFigure> consistency_figures(const Results& results);

}  // namespace plumbline::paper
