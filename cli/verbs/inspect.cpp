// `plumbline inspect`: the configuration and the state of a saved model.

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/model_options.h"
#include "cli/options/value.h"
#include "cli/output/calibrator_view.h"
#include "cli/output/class_results.h"
#include "cli/output/json.h"
#include "cli/output/key_summary.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "cli/verbs/verbs.h"
#include "plumbline/base/file.h"
#include "plumbline/encoding/encoder.h"
#include "plumbline/keyed_model.h"
#include "plumbline/model.h"
#include "plumbline/model/model_file.h"
#include "plumbline/online_calibrator.h"
#include "report/terminal.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

struct InspectOptions {
  std::string model;
  std::string key;
  bool json = false;
};

// The state of a binary model.
void add_model(Json& json, const BinaryView& view) {
  for (const auto& learner : view.learners) {
    json["learners"].push_back({{"error", learner.error},
                                {"vote", learner.vote},
                                {"correct_weight", learner.correct_weight},
                                {"wrong_weight", learner.wrong_weight}});
  }
  json["calibrator_curve"] = Json::array();
  for (const auto& point : view.curve) {
    json["calibrator_curve"].push_back({point.score, point.probability});
  }
  json["calibrator_parts"] = Json::object();
  for (const auto& part : view.parts) json["calibrator_parts"][part.name] = part.weight;
  json["arms"] = Json::array();
  for (const auto& arm : view.arms) {
    json["arms"].push_back({{"action", name_of(arm.action)},
                            {"pulls", arm.estimate.pulls},
                            {"mean", arm.estimate.mean}});
  }
  json["context"] = Json();
  for (std::size_t i = 0; view.context && i < kContextSize; ++i) {
    json["context"][std::string(kContextNames[i])] = (*view.context)[i];
  }
  json["history"] = Json::array();
  for (const RoundRecord& round : view.history) {
    json["history"].push_back({{"round", round.round},
                               {"action", name_of(round.action)},
                               {"loss", round.loss},
                               {"reward", round.rewarded ? Json(round.reward) : Json()}});
  }
}

void add_models(Json& json, const ModelView& view, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    json["classes"].push_back({{"name", names[k]}, {"examples", view.class_counts[k]}});
  }
  json["sharpness"] = view.sharpness;
  json["models"] = Json::array();
  for (const ModelView::Part& part : view.parts) {
    Json entry{{"of", names[part.of]},
               {"against", part.against ? Json(names[*part.against]) : Json()},
               {"rounds", part.view.rounds},
               {"examples", part.view.examples}};
    add_model(entry, part.view);
    json["models"].push_back(std::move(entry));
  }
}

// The columns that are more, or less, than a feature.
void add_columns(Json& json, const ColumnPlan& plan) {
  json["times"] = Json::object();
  json["ignored"] = Json::array();
  for (const PlannedColumn& column : plan.columns) {
    if (column.role == ColumnRole::time) json["times"][column.name] = description(column.time);
    if (column.role == ColumnRole::ignored) json["ignored"].push_back(column.name);
  }
}

std::string as_json(const Model& model) {
  const Schema& schema = model.schema();
  const ModelView view = model.view();
  Json json;
  json["config"] = parse_json(to_json(model.config()));
  json["rounds"] = view.rounds;
  json["examples"] = view.examples;
  json["features"] = schema.features;
  add_columns(json, model.encoder().plan());
  for (const Schema::Score& score : schema.scores) {
    json["scores"].push_back({{"column", score.name}, {"input", name_of(score.input)}});
  }
  json["standardized"] = model.standardizes();
  json["label"] = label_json(schema);
  if (view.several()) {
    add_models(json, view, schema.classes);
  } else {
    add_model(json, view.parts.front().view);
  }
  return to_text(json);
}

std::string columns_text(const ColumnPlan& plan) {
  std::string text;
  std::vector<std::string> ignored;
  for (const PlannedColumn& column : plan.columns) {
    if (column.role == ColumnRole::time) {
      text += fmt::format("time         '{}': {}\n", column.name, description(column.time));
    }
    if (column.role == ColumnRole::ignored) ignored.push_back("'" + column.name + "'");
  }
  if (ignored.empty()) return text;
  return text + fmt::format("left out     {}\n", fmt::join(ignored, ", "));
}

std::string scores_text(const Schema& schema) {
  std::vector<std::string> scores;
  for (const auto& [name, input] : schema.scores) {
    scores.push_back(fmt::format("'{}' ({})", name, name_of(input)));
  }
  return scores.empty() ? "" : fmt::format("scores       {}\n", fmt::join(scores, ", "));
}

std::string companions_text(const ModelConfig& config) {
  std::string text;
  for (const Spec& spec : config.companions) text += fmt::format("companion    {}\n", spec.text());
  return text;
}

std::string label_text(const Model& model) {
  const Schema& schema = model.schema();
  if (!model.several_classes()) {
    return fmt::format("'{}': '{}' is positive, '{}' negative", schema.label, schema.positive,
                       schema.negative);
  }
  return fmt::format("'{}': {} class{}, {}", schema.label, schema.classes.size(),
                     schema.classes.size() == 1 ? "" : "es",
                     long_name(model.config().model.multiclass));
}

std::string seen(const Model& model, const ModelView& view) {
  const Config& config = model.config();
  return fmt::format(
      "seen         {} examples in {} minibatches{}\n"
      "input        {}{}\n"
      "{}"
      "label        {}\n"
      "ensemble     {} x {}, score {}\n"
      "{}"
      "calibrator   {}\n"
      "policy       {}\n"
      "reward       {}\n"
      "minibatch    {} rows{}, seed {}\n",
      count_text(view.examples), count_text(view.rounds),
      model.pending() == 0
          ? ""
          : fmt::format(", and {} more without a known label", count_text(model.pending())),
      model.encoder().summary(), model.standardizes() ? ", standardized" : "",
      columns_text(model.encoder().plan()) + scores_text(model.schema()), label_text(model),
      config.model.ensemble.size, config.model.learner.text(),
      config.model.ensemble.score == ScoreKind::logistic ? "logistic" : "vote_fraction",
      companions_text(config.model), config.model.calibrator.text(), config.model.policy.text(),
      config.model.reward.text(), config.batch, delay_text(config) + budget_text(config),
      config.model.seed);
}

std::string learners_text(const BinaryView& view) {
  std::string text = "\nlearner    error     vote\n";
  constexpr std::size_t kShown = 30;
  for (std::size_t t = 0; t < view.learners.size() && t < kShown; ++t) {
    const auto& learner = view.learners[t];
    text += fmt::format("{:>7} {:>8.4f} {:>8.3f}  {}\n", t + 1, learner.error, learner.vote,
                        report::bar(learner.error, 20, !terminal_shows_unicode()));
  }
  if (view.learners.size() > kShown) {
    text +=
        fmt::format("        … and {} more (--json lists all)\n", view.learners.size() - kShown);
  }
  return text;
}

std::string curve(const BinaryView& view) {
  std::vector<double> x, y;
  for (const auto& point : view.curve) {
    x.push_back(point.score);
    y.push_back(point.probability);
  }
  report::TerminalPlot options;
  options.height = 12;
  options.x_low = options.y_low = 0;
  options.x_high = options.y_high = 1;
  options.title = "calibrator";
  options.x_title = "score";
  options.y_title = "probability";
  options.ascii = !terminal_shows_unicode();
  return "\n" + report::plot(x, y, options);
}

std::string parts_table(const BinaryView& view) {
  if (view.parts.empty()) return "";
  std::string text = "\npart of the calibrator    weight\n";
  for (const auto& part : view.parts) {
    text += fmt::format("{:<22} {:>9.4f}  {}\n", part.name, part.weight,
                        report::bar(part.weight, 20, !terminal_shows_unicode()));
  }
  return text;
}

std::string arms_table(const BinaryView& view) {
  if (view.arms.empty()) return "";
  std::string text = "\naction         pulls  mean reward\n";
  for (const auto& arm : view.arms) {
    text += fmt::format("{:<10} {:>9.1f} {:>12.4f}\n", name_of(arm.action), arm.estimate.pulls,
                        arm.estimate.mean);
  }
  return text;
}

// The context of the last round, if the policy uses it.
std::string context(const BinaryView& view) {
  if (!view.context) return "";
  constexpr std::array<const char*, kContextSize> kMeanings{
      "rounds since the last calibration: 0 for none, towards 1 for many",
      "calibration error of recent predictions", "above 0 if the loss has been rising",
      "1 after an upward drift of the loss, -1 after a downward one; decays"};
  std::string text = "\ncontext of the last round\n";
  for (std::size_t i = 0; i < kContextSize; ++i) {
    text +=
        fmt::format("{:<18} {:>8.4f}  {}\n", kContextNames[i], (*view.context)[i], kMeanings[i]);
  }
  return text;
}

// The last actions, one letter each, and their mean loss.
std::string history(const BinaryView& view) {
  if (view.history.empty()) return "";
  constexpr std::size_t kShown = 64;
  const std::size_t from = view.history.size() > kShown ? view.history.size() - kShown : 0;
  std::string actions;
  double loss = 0;
  for (std::size_t i = from; i < view.history.size(); ++i) {
    actions += name_of(view.history[i].action)[0];
    loss += view.history[i].loss;
  }
  const std::size_t count = view.history.size() - from;
  return fmt::format(
      "\nlast {} minibatches (t train, c calibrate, b both, s skip), mean loss {:.4f}\n  {}\n",
      count, loss / static_cast<double>(count), actions);
}

std::string classes_table(const ModelView& view, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 30;
  const auto examples = static_cast<double>(view.examples);
  std::string text = "\nclass                        examples    share\n";
  for (std::size_t k = 0; k < names.size() && k < kShown; ++k) {
    const auto count = view.class_counts[k];
    const std::string name = fitted(names[k], 24);
    text +=
        fmt::format("{}{} {:>12} {:>8.4f}\n", name, std::string(24 - report::length(name), ' '),
                    count_text(count), examples > 0 ? static_cast<double>(count) / examples : 0);
  }
  if (names.size() > kShown) {
    text += fmt::format("… and {} more (--json lists all)\n", names.size() - kShown);
  }
  return text;
}

std::string models_table(const ModelView& model, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 30;
  const auto& parts = model.parts;
  std::string text =
      fmt::format("\nsharpness of the coupled probabilities: {:.4f}\n", model.sharpness);
  text += "\nmean error  loss of last   rounds  binary model\n";
  for (std::size_t m = 0; m < parts.size() && m < kShown; ++m) {
    const BinaryView& view = parts[m].view;
    double error = 0, loss = 0;
    for (const auto& learner : view.learners) error += learner.error;
    for (const RoundRecord& round : view.history) loss += round.loss;
    text += fmt::format("{:>10.4f} {:>13.4f} {:>8}  {} against {}\n",
                        error / static_cast<double>(std::max<std::size_t>(view.learners.size(), 1)),
                        loss / static_cast<double>(std::max<std::size_t>(view.history.size(), 1)),
                        count_text(view.rounds), names[parts[m].of],
                        parts[m].against ? names[*parts[m].against] : "rest");
  }
  if (parts.size() > kShown) {
    text += fmt::format("… and {} more (--json lists all)\n", parts.size() - kShown);
  }
  return text;
}

std::string as_text(const Model& model) {
  const ModelView view = model.view();
  const std::vector<std::string>& names = model.schema().classes;
  if (view.several()) {
    return seen(model, view) + classes_table(view, names) + models_table(view, names);
  }
  const BinaryView& binary = view.parts.front().view;
  return seen(model, view) + learners_text(binary) + curve(binary) + parts_table(binary) +
         arms_table(binary) + context(binary) + history(binary);
}

std::string of_store(const InspectOptions& options) {
  KeyedModel store = KeyedModel::open(options.model, KeyedModel::Use::predict);
  if (options.key.empty()) {
    return options.json ? store_json(store) : options.model + "\n" + store_text(store);
  }
  const auto statistics = store.statistics(options.key);
  if (!statistics) {
    throw Error(
        ErrorKind::config,
        fmt::format("it has no model of '{}'{}", options.key,
                    store.parent() != nullptr ? "; a row of it gets the parent's probability" : ""),
        {.source = options.model});
  }
  const bool parent = store.parent() != nullptr;
  const std::size_t bytes = *store.state_bytes(options.key);
  const Model model = *store.model_of(options.key);
  if (options.json) {
    Json json = parse_json(as_json(model));
    json["key"] = parse_json(key_json(*statistics, parent, bytes));
    return to_text(json);
  }
  return options.model + "\n" + key_text(*statistics, parent, bytes) + as_text(model);
}

}  // namespace

Verb inspect_verb() {
  const auto options = std::make_shared<InspectOptions>();
  return {
      .name = "inspect",
      .summary = "Show a saved model's learners, calibrator and policy, or a calibrator of scores",
      .positionals = {{.names = {"model"},
                       .help = "Model written by 'plumbline run --save', or calibrator by "
                               "'plumbline calibrate --save'",
                       .completion = Completion::files,
                       .required = true,
                       .value = text(options->model)}},
      .options = {{.names = {"--key"},
                   .metavar = "KEY",
                   .help =
                       "Show the model of this key, in a store written by 'plumbline run --key'",
                   .value = text(options->key)},
                  {.names = {"--json"},
                   .help = "Print everything as one JSON object",
                   .value = flag(options->json)}},
      .run = [options](const CommandLine&) {
        if (KeyedModel::is_store(options->model)) return print(of_store(*options));
        if (!options->key.empty()) {
          throw Error(ErrorKind::config,
                      "it is a single model, not a store of models by key; leave out --key",
                      {.source = options->model});
        }
        const std::vector<std::byte> bytes = read_file(options->model);
        if (is_calibrator(decode(bytes, options->model))) {
          const auto calibrator = OnlineCalibrator::from_bytes(bytes, options->model);
          return print(options->json ? calibrator_json(calibrator)
                                     : options->model + "\n" + calibrator_text(calibrator));
        }
        const Model model = Model::from_bytes(bytes, options->model);
        print(options->json ? as_json(model) : options->model + "\n" + as_text(model));
      }};
}

}  // namespace plumbline::cli
