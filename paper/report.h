// The reproduction as a page for readers who do not know the paper.
#pragma once

#include <optional>
#include <string>

#include "paper/results.h"
#include "paper/study.h"

namespace plumbline::paper {

struct RunMetadata {
  std::string command;  // the command that made it
  std::string commit;   // the commit of the program
  double seconds;
  bool resumed;  // if true, the seconds are those of the last part only
  std::size_t threads;
  std::string preset;
};

std::string report_html(const Results& results, const RunMetadata& facts, bool with_figures);
std::string study_html(const Study& study, const RunMetadata& facts);

}  // namespace plumbline::paper
