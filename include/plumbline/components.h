// The components that a configuration can name: one registry per family. To add a component of your own, copy the
// built-in registries and add a row:
//
//   Components components = Components::builtin();
//   components.learners.add(learner_row<Stump>("stump", "a threshold on one feature"));
//   Model model(config, schema, components);
//   Model::load("model.safetensors", components);   // loading names a component that is missing
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

  // The library's own components.
  static const Components& builtin();
};

// A pointer for a model to keep. The built-in components are shared, others are copied.
std::shared_ptr<const Components> share(const Components& components);

PLUMBLINE_END_NAMESPACE
