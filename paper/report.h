// The reproduction as a page for a reader who does not know the paper.
#pragma once

#include <optional>
#include <string>

#include "paper/results.h"
#include "paper/study.h"

namespace plumbline::paper {

struct ReportFacts {
  std::string command;  // that made it
  std::string commit;   // and version
  double seconds;
  bool resumed;  // then the seconds are those of the last part alone
  std::size_t threads;
  std::string preset;
};

std::string report_html(const Results& results, const ReportFacts& facts, bool with_figures);
std::string study_html(const Study& study, const ReportFacts& facts);

}  // namespace plumbline::paper
