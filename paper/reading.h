// A reading of the paper: a choice for every point that its text leaves open.
//
// Choices that are options of a component are in `model`, which is a preset; those about the data are
// here. The reading that fits the published numbers best is the preset `paper` with the defaults below
// (`plumbline paper --study` finds it).
#pragma once

#include <map>
#include <string>

#include "paper/tables.h"
#include "paper/task.h"
#include "plumbline/config.h"

namespace plumbline::paper {

// The learners whose features are standardised to mean 0 and deviation 1.
enum class Standardise { none, linear, all };

struct Reading {
  ModelConfig model;  // its policy, and the size of its ensemble, are the row's
  Balance balance = Balance::first;
  Standardise standardise = Standardise::linear;
  bool companions = false;      // keeps the model's companions; a row has one kind of learner
  std::size_t batch = 0;        // rows per minibatch; 0 uses that of the data set
  std::int64_t fixed_from = 1;  // the number of the first round, for fixed policies
  bool l1_memory = false;       // of learners with an l1 penalty
  // Options of all discounted policies.
  std::map<std::string, OptionValue> discount{};
  std::string estimate = "sum";  // of discounted upper confidence bounds
  // Negative classes that differ from those in paper/data_sets.h, by data set.
  std::map<std::string, std::string> negative{};
};

// The data set in this reading.
DataSet data_set_of(const Reading& reading, const std::string& name);
TaskOptions task_options_of(const Reading& reading, const Table& table);
// The model of one row and policy. If its learner is of the reading's kind, it has the reading's options.
ModelConfig config_of(const Reading& reading, const Table& table, const PolicyRow& policy);

// The reading as JSON; equal readings give equal texts.
std::string reading_json(const Reading& reading);

}  // namespace plumbline::paper
