// `plumbline inspect`: what a model is made of, what it has seen, and what it has come to.

#include <array>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/json.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "plumbline/model/pipeline.h"
#include "report/terminal.h"

namespace plumbline::cli {
namespace {

struct InspectOptions {
  std::string model;
  bool json = false;
};

std::string as_json(const Pipeline& pipeline) {
  const ModelView view = pipeline.model().view();
  const Schema& schema = pipeline.model().schema();
  Json json;
  json["config"] = Json::parse(to_json(pipeline.config()));
  json["rounds"] = view.rounds;
  json["examples"] = view.examples;
  json["features"] = schema.features;
  json["standardised"] = pipeline.standardises();
  json["label"] = {
      {"name", schema.label}, {"positive", schema.positive}, {"negative", schema.negative}};
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
    json["arms"].push_back(
        {{"action", name(arm.action)}, {"pulls", arm.estimate.pulls}, {"mean", arm.estimate.mean}});
  }
  json["context"] = Json();
  for (std::size_t i = 0; view.context && i < kContextSize; ++i) {
    json["context"][std::string(kContextNames[i])] = (*view.context)[i];
  }
  json["history"] = Json::array();
  for (const RoundRecord& round : view.history) {
    json["history"].push_back({{"round", round.round},
                               {"action", name(round.action)},
                               {"loss", round.loss},
                               {"reward", round.rewarded ? Json(round.reward) : Json()}});
  }
  return to_text(json);
}

std::string companions_text(const ModelConfig& config) {
  std::string text;
  for (const Spec& spec : config.companions) text += fmt::format("companion    {}\n", spec.text());
  return text;
}

std::string seen(const Pipeline& pipeline, const ModelView& view) {
  const PipelineConfig& config = pipeline.config();
  const Schema& schema = pipeline.model().schema();
  return fmt::format(
      "seen         {} examples in {} minibatches\n"
      "input        {}{}\n"
      "label        '{}': '{}' is positive, '{}' negative\n"
      "ensemble     {} x {}, score {}\n"
      "{}"
      "calibrator   {}\n"
      "policy       {}\n"
      "reward       {}\n"
      "minibatch    {} rows, seed {}\n",
      count_text(view.examples), count_text(view.rounds), pipeline.encoder().summary(),
      pipeline.standardises() ? ", standardised" : "", schema.label, schema.positive,
      schema.negative, config.model.ensemble.size, config.model.learner.text(),
      config.model.ensemble.score == ScoreKind::logistic ? "logistic" : "vote_fraction",
      companions_text(config.model), config.model.calibrator.text(), config.model.policy.text(),
      config.model.reward.text(), config.batch, config.model.seed);
}

std::string learners_table(const ModelView& view) {
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

std::string curve(const ModelView& view) {
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

std::string parts_table(const ModelView& view) {
  if (view.parts.empty()) return "";
  std::string text = "\npart of the calibrator    weight\n";
  for (const auto& part : view.parts) {
    text += fmt::format("{:<22} {:>9.4f}  {}\n", part.name, part.weight,
                        report::bar(part.weight, 20, !terminal_shows_unicode()));
  }
  return text;
}

std::string arms_table(const ModelView& view) {
  if (view.arms.empty()) return "";
  std::string text = "\naction         pulls  mean reward\n";
  for (const auto& arm : view.arms) {
    text += fmt::format("{:<10} {:>9.1f} {:>12.4f}\n", name(arm.action), arm.estimate.pulls,
                        arm.estimate.mean);
  }
  return text;
}

// How things were going on the last round, for a policy or a calibrator that asks.
std::string context(const ModelView& view) {
  if (!view.context) return "";
  constexpr std::array<const char*, kContextSize> kMeanings{
      "rounds since the calibrator learned: 0 none, towards 1 many",
      "calibration error of the last predictions", "above 0 if the loss has been rising lately",
      "1 when the loss has risen to a new level, -1 when it fell to one; fades"};
  std::string text = "\ncontext of the last round\n";
  for (std::size_t i = 0; i < kContextSize; ++i) {
    text +=
        fmt::format("{:<18} {:>8.4f}  {}\n", kContextNames[i], (*view.context)[i], kMeanings[i]);
  }
  return text;
}

// The last actions as one letter each, and the loss they met.
std::string history(const ModelView& view) {
  if (view.history.empty()) return "";
  constexpr std::size_t kShown = 64;
  const std::size_t from = view.history.size() > kShown ? view.history.size() - kShown : 0;
  std::string actions;
  double loss = 0;
  for (std::size_t i = from; i < view.history.size(); ++i) {
    actions += name(view.history[i].action)[0];
    loss += view.history[i].loss;
  }
  const std::size_t count = view.history.size() - from;
  return fmt::format(
      "\nlast {} minibatches (t train, c calibrate, b both, s skip), mean loss {:.4f}\n  {}\n",
      count, loss / static_cast<double>(count), actions);
}

}  // namespace

void add_inspect(CLI::App& program) {
  CLI::App* verb = program.add_subcommand("inspect", "Show what a saved model has come to");
  const auto options = std::make_shared<InspectOptions>();
  verb->add_option("model", options->model, "Model that 'plumbline run --save' wrote")
      ->required()
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "Print everything as one JSON object");
  verb->callback([options] {
    const Pipeline pipeline = Pipeline::load(options->model);
    if (options->json) return print(as_json(pipeline));
    const ModelView view = pipeline.model().view();
    print(fmt::format("{}\n{}{}{}{}{}{}{}", options->model, seen(pipeline, view),
                      learners_table(view), curve(view), parts_table(view), arms_table(view),
                      context(view), history(view)));
  });
}

}  // namespace plumbline::cli
