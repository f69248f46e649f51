// Everything that makes a model, except the schema: what it is built of, and the seed. A `Config`
// also says how rows become numbers, and how many of them make a minibatch.
//
// Written as JSON it holds every option of every component, and reads back to the same model.
// Reading also takes less: components may be text (`"policy": "fixed:every=4"`), and what is not
// given has its default.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/columns.h"
#include "plumbline/components.h"
#include "plumbline/ensemble.h"
#include "plumbline/options.h"
#include "plumbline/policy.h"

PLUMBLINE_BEGIN_NAMESPACE

// How binary models make one of several classes: one against rest, or one against one
// (model/multiclass_model.h).
enum class Multiclass { ovr, ovo };

std::string_view name(Multiclass scheme);
// Throws a configuration error for a name that is none.
Multiclass multiclass_named(std::string_view name);

struct ModelConfig {
  Spec learner = "gaussian_nb";
  std::vector<Spec> companions{};  // single learners beside the ensemble (ensemble/score_sources.h)
  EnsembleOptions ensemble;
  Spec calibrator = "platt";
  Spec policy = "ucb1";
  Spec reward = "log_loss";
  Actions actions = {Action::train, Action::calibrate};
  std::uint64_t seed = 1;
  // Of several classes only. In JSON it may be left out, and is unless it is `ovo`.
  Multiclass multiclass = Multiclass::ovr;
};

// As JSON it is a model's configuration with the keys `batch` and `encoder` besides.
struct Config {
  ModelConfig model;
  std::int64_t batch = 50;  // rows of a minibatch
  EncoderOptions encoder{};
};

// Checks names and options and fills in every default. Throws a configuration error.
ModelConfig complete(const ModelConfig& config,
                     const Components& components = Components::builtin());
Config complete(const Config& config, const Components& components = Components::builtin());

std::string to_json(const ModelConfig& config,
                    const Components& components = Components::builtin());
ModelConfig config_from_json(std::string_view text,
                             const Components& components = Components::builtin());

std::string to_json(const Config& config, const Components& components = Components::builtin());
// Changes what the JSON says and nothing else. A component with a name begins with its defaults;
// without one, the options given change those of the component that is there. A learner with a name
// is alone: the companions go, unless the JSON names some.
Config overlay(const Config& base, std::string_view json,
               const Components& components = Components::builtin());

// Throws a configuration error for JSON that names a component which is missing from these.
void require_components(std::string_view json, const Components& components);

// Configurations by name. `auto` is what the command line begins with; `literal` is the most literal reading
// of the paper, and `paper` one that comes nearer to its published numbers.
struct Preset {
  std::string name;
  std::string summary;
  ModelConfig config;
  std::int64_t batch;  // rows of a minibatch
};
const std::vector<Preset>& presets();
Config preset(std::string_view name);

PLUMBLINE_END_NAMESPACE
