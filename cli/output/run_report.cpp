#include "cli/output/run_report.h"

#include <filesystem>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "cli/options/model_options.h"
#include "cli/output/baselines.h"
#include "cli/output/class_results.h"
#include "cli/output/cost_report.h"
#include "cli/output/progress.h"
#include "cli/output/reliability_chart.h"
#include "plumbline/json/json.h"
#include "plumbline/version.h"
#include "report/page.h"
#include "report/text.h"

namespace plumbline::cli {
namespace {

using report::Chart;
using report::Page;
using report::Series;

// The curve in at most `most` pieces.
std::vector<std::span<const Recorder::Point>> stretches(const Recorder& recorder,
                                                        std::size_t most) {
  const std::span curve(recorder.curve());
  const std::size_t size = (curve.size() + most - 1) / most;
  std::vector<std::span<const Recorder::Point>> pieces;
  for (std::size_t i = 0; i < curve.size(); i += size) {
    pieces.push_back(curve.subspan(i, std::min(size, curve.size() - i)));
  }
  return pieces;
}

Chart learning_curve(const Recorder& recorder) {
  Chart chart{.title = "Learning curve",
              .x = {.title = "examples"},
              .y = {.title = "log-loss", .low = 0.0}};
  Series recent{.name = "in each stretch"}, running{.name = "running mean"};
  // Means of few examples would be noisy.
  for (const auto& stretch : stretches(recorder, 100)) {
    double sum = 0, examples = 0;
    for (const Recorder::Point& point : stretch) {
      sum += point.log_loss_sum;
      examples += point.examples;
    }
    recent.x.push_back(stretch.back().end);
    recent.y.push_back(sum / examples);
  }
  for (const Recorder::Point& point : recorder.curve()) {
    running.x.push_back(point.end);
    running.y.push_back(point.log_loss_so_far);
  }
  chart.series = {recent, running};
  chart.rules = {
      {.at = recorder.base_log_loss(), .text = base_rate_title(recorder), .vertical = false},
      {.at = recorder.last_label_log_loss(), .text = kLastLabel, .vertical = false}};
  return chart;
}

Chart histogram(const Recorder& recorder) {
  Series bars{.name = "scores", .kind = Series::Kind::bars};
  for (const Bin& bin : recorder.score_histogram()) {
    if (bars.x.empty()) bars.x.push_back(bin.low);
    bars.x.push_back(bin.high);
    bars.y.push_back(static_cast<double>(bin.count));
  }
  return {.title = "Histogram of the scores",
          .x = {.title = "score before calibration", .low = 0.0, .high = 1.0},
          .y = {.title = "examples", .low = 0.0},
          .series = {bars}};
}

Chart actions_over_time(const Recorder& recorder) {
  Chart chart{.title = "Actions",
              .x = {.title = "examples"},
              .y = {.title = "share of minibatches", .low = 0.0, .high = 1.0, .percent = true},
              .stacked = true};
  for (std::size_t a = 0; a < kActionCount; ++a) {
    const auto action = static_cast<Action>(a);
    if (recorder.actions(action) == 0) continue;
    Series area{.name = std::string(name_of(action)), .kind = Series::Kind::area};
    // A share needs several minibatches.
    for (const auto& stretch : stretches(recorder, 20)) {
      double taken = 0, rounds = 0;
      for (const Recorder::Point& point : stretch) {
        taken += point.actions[a];
        rounds += std::accumulate(point.actions.begin(), point.actions.end(), 0.0);
      }
      area.x.push_back(stretch.back().end);
      area.y.push_back(taken / rounds);
    }
    chart.series.push_back(area);
  }
  return chart;
}

Chart arms_over_time(const Recorder& recorder) {
  Chart chart{.title = "The policy's estimates",
              .x = {.title = "examples"},
              .y = {.title = "mean reward of the action"}};
  const auto& curve = recorder.curve();
  for (std::size_t a = 0; a < curve.front().arms.size(); ++a) {
    Series line{.name = std::string(name_of(curve.front().arms[a].action))};
    for (const Recorder::Point& point : curve) {
      if (a >= point.arms.size() || point.arms[a].estimate.pulls == 0) continue;
      line.x.push_back(point.end);
      line.y.push_back(point.arms[a].estimate.mean);
    }
    chart.series.push_back(line);
  }
  return chart;
}

Chart calibrator_curve(const BinaryView& view) {
  Series line{.name = "calibrator"};
  for (const BinaryView::CurvePoint& point : view.curve) {
    line.x.push_back(point.score);
    line.y.push_back(point.probability);
  }
  return {.title = "The calibrator at the end",
          .x = {.title = "score", .low = 0.0, .high = 1.0},
          .y = {.title = "probability", .low = 0.0, .high = 1.0},
          .series = {line},
          .diagonal = true,
          .diagonal_text = "uncalibrated scores"};
}

report::Table learners_table(const BinaryView& view) {
  report::Table table{.columns = {{"learner"}, {"weighted error"}, {"vote"}, {"weight seen"}}};
  for (std::size_t t = 0; t < view.learners.size(); ++t) {
    const auto& learner = view.learners[t];
    table.rows.push_back({{std::to_string(t + 1)},
                          {report::fixed_text(learner.error, 4)},
                          {report::fixed_text(learner.vote, 3)},
                          {report::number_text(learner.correct_weight + learner.wrong_weight)}});
  }
  return table;
}

void add_costs(Page& page, const CostRecorder& costs) {
  page.section("Cost of the decisions");
  const auto savings = costs.savings();
  page.table(
      cost_table(costs),
      savings ? fmt::format("The decisions save {:.1f} % of the cost of the cheaper of always no "
                            "and always yes.",
                            100 * *savings)
              : std::string("One of always no and always yes costs nothing."));
  page.table(decisions_table(costs), "Decisions and labels.");
}

void add_classes(Page& page, const Model& model, const Recorder& recorder) {
  const auto& names = model.schema().classes;
  page.charts(class_reliability(names, recorder.classes(),
                                {{"scores before calibration", &recorder.score_classes()}}));
  page.section("Which classes?");
  page.table(
      class_table(names, recorder.classes()),
      "Recall: the share of a class that was recognized. Precision: the share of predictions of "
      "the class that were right.");
  page.table(confusion_table(names, recorder.classes()),
             "How often each class (row) was predicted as each (column), by the largest "
             "probability.");
}

void add_two_classes(Page& page, const Recorder& recorder) {
  page.charts({{two_class_reliability(recorder.reliability(), {{"scores before calibration",
                                                                recorder.score_reliability()}}),
                kReliabilityCaption},
               {histogram(recorder), "The ensemble's scores before calibration."}});
}

void add_model(Page& page, const BinaryView& view) {
  page.section("The model at the end");
  page.charts({{calibrator_curve(view),
                "Scores and their calibrated probabilities; if rows have several scores, for equal "
                "ones."}});
  page.table(learners_table(view), "Learners in the order in which they see examples.");
}

}  // namespace

std::string run_report(const Model& model, const Recorder& recorder, const std::string& source,
                       double seconds) {
  const bool several = model.several_classes();
  const ModelConfig& config = model.config().model;
  Page page(std::filesystem::path(source).filename().string(),
            fmt::format("{}{}, calibrator {}, policy {}; minibatches of {}{}",
                        several ? long_name(config.multiclass) + "; " : "", learners_text(config),
                        config.calibrator.name, config.policy.name, model.config().batch,
                        delay_text(model.config()) + budget_text(model.config())));
  const auto number = [](double value) { return report::fixed_text(value, 4); };
  const auto percent = [](double value) { return report::fixed_text(100 * value, 1) + " %"; };
  std::vector<report::Tile> tiles{
      {"log-loss", number(recorder.log_loss()),
       fmt::format("scores alone {}", number(recorder.score_log_loss()))},
      {"Brier score", number(recorder.brier())},
      {"calibration error", number(recorder.ece()),
       fmt::format("scores alone {}", number(recorder.score_ece()))},
      {"accuracy", percent(recorder.accuracy()),
       fmt::format("the last label {}", percent(recorder.last_label_accuracy()))},
      {"examples", count_text(recorder.examples()),
       several ? fmt::format("{} classes", model.outputs())
               : fmt::format("{} positive", count_text(recorder.positives()))}};
  if (model.config().label_budget < 1) {
    tiles.push_back({"labels asked for", percent(recorder.asked_share()),
                     fmt::format("{}, budget {}", name_of(model.config().label_choice),
                                 percent(model.config().label_budget))});
  }
  page.tiles(tiles);
  page.text(
      fmt::format("Each minibatch was predicted first and learned from afterwards, so every figure "
                  "measures predictions for examples that the model had not seen. The run took "
                  "{:.2f} s.",
                  seconds));

  page.section("Quality of the probabilities");
  Chart curve = learning_curve(recorder);
  curve.width = report::kPageWidth;
  page.chart(curve, "Lower is better.");
  page.table(baselines_table(recorder), "The model beside two baselines.");
  page.text(baselines_text());
  if (several) {
    add_classes(page, model, recorder);
  } else {
    add_two_classes(page, recorder);
  }

  if (recorder.costs() != nullptr) add_costs(page, *recorder.costs());

  page.section("Choices of the policy");
  std::vector<report::Figure> figures{{actions_over_time(recorder),
                                       "Training improves the ensemble, calibrating its "
                                       "probabilities; both does both with the same minibatch."}};
  if (!recorder.curve().front().arms.empty()) {
    figures.push_back({arms_over_time(recorder),
                       "The reward is the relative decrease of the loss by an action."});
  }
  page.charts(figures);

  if (!several) add_model(page, model.view().parts.front().view);
  page.section("Configuration");
  page.code(print_json(parse_json(to_json(model.config())), 2));
  page.text(fmt::format("Made by plumbline {}.", kVersion));
  return page.html();
}

}  // namespace plumbline::cli
