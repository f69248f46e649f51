// The configuration of a model: its components, their options and the seed; everything except the
// schema. A `Config` adds the encoding of rows and the size of minibatches.
//
// The JSON form that is written holds every option of every component, and reads back to the same
// model. The JSON that is read may be shorter: a component may be a text
// (`"policy": "fixed:every=4"`), and options that are not set have their defaults.
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

// The reduction of several classes to binary models: one-vs-rest or one-vs-one
// (model/multiclass_model.h).
enum class Multiclass { ovr, ovo };

std::string_view name_of(Multiclass scheme);
// Throws a configuration error for an unknown name.
Multiclass multiclass_named(std::string_view name);

// The first round trains, because there are no scores to calibrate yet. `train_then_calibrate` then scores the same
// minibatch again and fits the calibrator to these scores, so that the second minibatch has calibrated probabilities.
// These scores are not out of sample.
enum class FirstRound { train, train_then_calibrate };

std::string_view name_of(FirstRound first);
// Throws a configuration error for an unknown name.
FirstRound first_round_named(std::string_view name);

// Which rows get a label if not all may (Config::label_budget): mostly those whose predictions are least certain, or
// random ones.
enum class LabelChoice { selective, random };

std::string_view name_of(LabelChoice choice);
// Throws a configuration error for an unknown name.
LabelChoice label_choice_named(std::string_view name);

struct ModelConfig {
  Spec learner = "gaussian_nb";
  std::vector<Spec> companions{};  // models beside the ensemble (ensemble/score_sources.h)
  EnsembleOptions ensemble;
  Spec calibrator = "platt";
  Spec policy = "ucb1";
  Spec reward = "log_loss";
  Actions actions = {Action::train, Action::calibrate};
  FirstRound first_round = FirstRound::train;  // JSON omits `train`
  std::uint64_t seed = 1;
  // The share of minibatches that may be trained, in (0, 1]; 1 is no limit (model/budget.h). JSON omits 1.
  double learn_budget = 1;
  // The number of minibatches that may be trained at first, beyond the budget; at least 1. JSON omits 1.
  std::int64_t learn_burst = 1;
  // The number of rounds whose records are kept for inspection, at least 1. JSON omits 256.
  std::int64_t history = 256;
  // Used for more than two classes only. JSON omits it unless it is `ovo`.
  Multiclass multiclass = Multiclass::ovr;
};

// Its JSON is that of the model's configuration, with the additional keys `batch`, `label_delay`,
// `label_budget`, `label_choice` and `encoder`.
struct Config {
  ModelConfig model;
  std::int64_t batch = 50;  // rows of a minibatch
  // Delay of labels in rows: a row is learned after so many rows that follow it have been predicted. JSON omits 0.
  std::int64_t label_delay = 0;
  // The share of rows whose labels may be asked for, in (0, 1]; 1 is no limit (model/label_budget.h). Model::step then
  // learns only the rows that it chooses, and Model::ask chooses rows without labels. JSON omits 1.
  double label_budget = 1;
  LabelChoice label_choice = LabelChoice::selective;  // JSON omits `selective`
  EncoderOptions encoder{};
};

// Checks names and options and fills in every default. Throws a configuration error if one is invalid.
ModelConfig complete(const ModelConfig& config,
                     const Components& components = Components::builtin());
Config complete(const Config& config, const Components& components = Components::builtin());

std::string to_json(const ModelConfig& config,
                    const Components& components = Components::builtin());
ModelConfig config_from_json(std::string_view text,
                             const Components& components = Components::builtin());

std::string to_json(const Config& config, const Components& components = Components::builtin());
// Applies the settings of the JSON to `base`. If a component is named, its other options have their
// defaults; if only options are given, they change the present component. Naming a learner removes the
// companions, unless the JSON names some.
Config overlay(const Config& base, std::string_view json,
               const Components& components = Components::builtin());

// Throws a configuration error if the JSON names a component that `components` lacks.
void require_components(std::string_view json, const Components& components);

// Named configurations. `auto` is the command line's default, and `fast` a faster form of it with fewer models.
// `literal` is the most literal interpretation of the paper, and `paper` one that comes closer to its published
// numbers.
struct Preset {
  std::string name;
  std::string summary;
  ModelConfig config;
  std::int64_t batch;  // rows of a minibatch
};
const std::vector<Preset>& presets();
Config preset(std::string_view name);

PLUMBLINE_END_NAMESPACE
