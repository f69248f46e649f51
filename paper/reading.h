// One reading of the paper: every point that its text leaves open, settled.
//
// Points that are options of a component are settled in `model`, which is a preset; those about the
// data are settled here. The reading that fits the published numbers best is the preset `paper` with
// the defaults below (`plumbline paper --study` finds it).
#pragma once

#include <map>
#include <string>

#include "paper/tables.h"
#include "paper/task.h"
#include "plumbline/config.h"

namespace plumbline::paper {

// Which learners get features of mean 0 and deviation 1.
enum class Standardise { none, linear, all };

struct Reading {
  ModelConfig model;  // its policy, and the size of its ensemble, are the row's
  Balance balance = Balance::first;
  Standardise standardise = Standardise::linear;
  bool companions = false;  // whether the model keeps its companions: a row has one kind of learner
  std::size_t batch = 0;    // rows of a minibatch; 0 takes those of the data set
  bool l1_memory = false;   // of learners with an l1 penalty
  // Options that all discounted policies get.
  std::map<std::string, OptionValue> discount{};
  std::string estimate = "sum";  // of discounted upper confidence bounds
  // Data sets whose negative class is another one than in paper/data_sets.h; empty for the rest.
  std::map<std::string, std::string> negative{};
};

// The data set as this reading has it.
DataSet data_set_of(const Reading& reading, const std::string& name);
TaskOptions task_options_of(const Reading& reading, const Table& table);
// The model of one row and policy. The learner has the reading's options if it is of its kind.
ModelConfig config_of(const Reading& reading, const Table& table, const PolicyRow& policy);

// All of it as JSON; equal readings give equal texts.
std::string reading_json(const Reading& reading);

}  // namespace plumbline::paper
