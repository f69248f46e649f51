// The paper's figures, drawn from our runs, and two more: the actions of each policy over time, and the
// calibration of the probabilities.
#pragma once

#include <string>
#include <vector>

#include "paper/results.h"
#include "report/chart.h"

namespace plumbline::paper {

struct PaperFigure {
  std::string file;  // without folder and ending
  int number;        // the paper's; 0 for additional ones
  report::Chart chart;
  std::string caption;
};

// The figures whose runs are in the results, in the paper's order.
std::vector<PaperFigure> figures(const Results& results);

// For each data set the reliability curve of the last half of a run, with the band of a calibrated
// forecaster: the first run of the first row that has recorded it.
std::vector<PaperFigure> consistency_figures(const Results& results);

}  // namespace plumbline::paper
