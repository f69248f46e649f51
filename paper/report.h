// The reproduction as a page for readers who do not know the paper.
#pragma once

#include <optional>
#include <string>

#include "paper/results.h"
#include "paper/study.h"
#include "report/page.h"

namespace plumbline::paper {

struct RunMetadata {
  std::string command;  // the command that made it
  std::string commit;   // the commit of the program
  double seconds;
  bool resumed;  // if true, the seconds are those of the last part only
  std::size_t threads;
  std::string preset;
};

// The last section of a page: the command that made it, the commit and the time.
void add_origin(report::Page& page, const RunMetadata& facts);

std::string report_html(const Results& results, const RunMetadata& facts, bool with_figures);
std::string study_html(const Study& study, const RunMetadata& facts);

}  // namespace plumbline::paper
