// What may stand for the value of an option, so that the shell can offer it.
//
// The choices of CLI::IsMember are offered by themselves. Names that an option takes but CLI11 does
// not check (a learner, with or without its options) are given with `offer_values`; they stay with
// the option, and change neither its help nor what it accepts. An option whose type_name says FILE,
// PATH, MODEL or DIR, or says nothing (TEXT), is offered files; one with another type_name nothing.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace plumbline::cli {

// Returns the option, to go on with.
CLI::Option* offer_values(CLI::Option* option, const std::vector<std::string>& values);
// Those that were given, or else the choices of CLI::IsMember; none if nothing is known.
std::vector<std::string> values_of(CLI::Option& option);

// The names of a family's members, e.g. of learners().
template <class Registry>
std::vector<std::string> names_of(const Registry& registry) {
  std::vector<std::string> names;
  for (const auto& row : registry.rows()) names.push_back(row.name);
  return names;
}

}  // namespace plumbline::cli
