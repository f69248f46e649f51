// The functions by which each file adds its bindings to the module.
#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "plumbline/error.h"

namespace plumbline::python {

// A sentence and the settings that would change it, as arguments: "…; try missing=['oops']".
std::string in_python(const std::string& sentence, const Remedies& remedies);

void add_calibrator(nanobind::module_& module);
void add_keyed(nanobind::module_& module);
void add_locks(nanobind::module_& module);
void add_model(nanobind::module_& module);
void add_row_calibrator(nanobind::module_& module);
void add_streams(nanobind::module_& module);
void add_metrics(nanobind::module_& module);
void add_registries(nanobind::module_& module);

}  // namespace plumbline::python
