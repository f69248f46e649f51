// The runs that are done, one line of JSON each, so that an interrupted reproduction can go on.
//
// A line is written at once when its run is finished; a last line that was cut off by a crash is
// dropped on opening. The first line says what all runs have in common.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "paper/experiment.h"

namespace plumbline::paper {

class Journal {
 public:
  // Opens the journal and reads what is there. Throws a configuration error if it was begun with
  // other common settings than `settings` (JSON), and a data error for a file that is no journal.
  Journal(std::string path, const std::string& settings);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The result of the run with this key, if it is done.
  const RunResult* find(const std::string& key) const;
  void add(const std::string& key, const RunResult& result);

 private:
  // Returns how many bytes of the file are whole lines.
  std::size_t read(const std::string& text, const std::string& settings);
  void write_line(const std::string& line);

  std::string path_;
  std::map<std::string, RunResult> done_;
  std::FILE* file_ = nullptr;
};

}  // namespace plumbline::paper
