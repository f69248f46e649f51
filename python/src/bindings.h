// The functions by which each file adds its bindings to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace plumbline::python {

void add_locks(nanobind::module_& module);
void add_model(nanobind::module_& module);
void add_streams(nanobind::module_& module);
void add_metrics(nanobind::module_& module);
void add_registries(nanobind::module_& module);

}  // namespace plumbline::python
