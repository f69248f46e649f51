// The record of finished runs, one line of JSON each, from which an interrupted reproduction resumes.
//
// A line is written as soon as its run is finished; a last line that was cut off by a crash is dropped
// on opening. The first line holds the settings that all runs share.
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
  // Opens the journal and reads its runs. Throws a configuration error if its settings differ from
  // `settings` (JSON), and a data error for a file that is not a journal.
  Journal(std::string path, const std::string& settings);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The result of the run with this key; null if it is not finished.
  const RunResult* find(const std::string& key) const;
  void add(const std::string& key, const RunResult& result);

 private:
  // Returns the number of bytes of the file that are complete lines.
  std::size_t read(const std::string& text, const std::string& settings);
  void write_line(const std::string& line);

  std::string path_;
  std::map<std::string, RunResult> done_;
  std::FILE* file_ = nullptr;
};

}  // namespace plumbline::paper
