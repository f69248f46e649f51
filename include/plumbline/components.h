// All components that a configuration can name: a table for each family. To use one of your own, copy the
// library's tables and add a row:
//
//   Components components = Components::builtin();
//   components.learners.add(learner_row<Stump>("stump", "a threshold on one feature"));
//   Model model(config, schema, components);
//   Model::load("model.safetensors", components);   // files name it; without it, loading says so
#pragma once

#include <memory>

#include "plumbline/api.h"
#include "plumbline/calibrator.h"
#include "plumbline/learner.h"
#include "plumbline/policy.h"

PLUMBLINE_BEGIN_NAMESPACE

struct Components {
  LearnerRegistry learners;
  CalibratorRegistry calibrators;
  PolicyRegistry policies;
  RewardRegistry rewards;

  // Those of the library.
  static const Components& builtin();
};

// For a model to keep: those of the library are not copied.
std::shared_ptr<const Components> share(const Components& components);

PLUMBLINE_END_NAMESPACE
