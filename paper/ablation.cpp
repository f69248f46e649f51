#include "paper/ablation.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "plumbline/json/json.h"

namespace plumbline::paper {
namespace {

using Boost = EnsembleOptions;

constexpr const char* kPolicy = "auto";

// The preset's own learners on all data sets.
const Table& own_table() {
  static const Table table = [] {
    const ModelConfig& automatic = preset(kPolicy).model;
    Table result{"own",
                 "The preset's own learners",
                 automatic.learner.name,
                 automatic.learner.name.c_str(),
                 automatic.ensemble.size,
                 {},
                 {}};
    for (const DataSet& set : data_sets()) result.data_sets.push_back(set.name);
    return result;
  }();
  return table;
}

Variant without(std::string name, std::string text, std::function<void(ModelConfig&)> change,
                bool in_rows = true) {
  return {std::move(name), std::move(text),
          [change = std::move(change)](Reading& reading) { change(reading.model); }, in_rows};
}

Variant calibrated_by(const std::string& spec, std::string text) {
  return without("calibrator " + spec, std::move(text),
                 [spec](ModelConfig& c) { c.calibrator = Spec(std::string_view(spec)); });
}

// Without the companions of this name.
Variant without_companion(const std::string& name, std::string text) {
  return without(
      "without " + name, std::move(text),
      [name](ModelConfig& c) {
        std::erase_if(c.companions, [&](const Spec& spec) { return spec.name == name; });
      },
      false);
}

// The mean log-loss of each row.
using Losses = std::map<std::pair<std::string, std::string>, double>;

struct Measured {
  Losses losses;
  double seconds = 0;
  double log_to_paper = 0;
  std::size_t at_most_paper = 0;
};

Measured measure(const AblationOptions& options, const Variant& variant, bool own) {
  Plan plan;
  plan.reading.model = preset(kPolicy).model;
  plan.reading.companions = own;
  if (own) plan.reading.batch = static_cast<std::size_t>(preset(kPolicy).batch);
  variant.change(plan.reading);
  plan.policies = {{kPolicy, kPolicy, plan.reading.model.policy}};
  if (own) {
    plan.tables = {&own_table()};
  } else {
    for (const Table& table : tables()) plan.tables.push_back(&table);
  }
  plan.data_sets = options.data_sets;
  plan.runs = options.runs;
  plan.data = options.data;
  plan.threads = options.threads;

  Measured measured;
  for (const ResultRow& row : execute(plan, nullptr, {}, options.interrupted)) {
    const double loss = row.cells.front().log_loss().mean;
    measured.losses[{row.table->name, row.data_set}] = loss;
    for (const RunResult& run : row.cells.front().runs) measured.seconds += run.seconds;
    if (const auto best = published_beside(row, kPolicy)) {
      measured.log_to_paper += std::log(loss / best->log_loss);
      if (loss <= best->log_loss) ++measured.at_most_paper;
    }
  }
  return measured;
}

AblationRow::Setting compare(const Measured& measured, const Measured& full) {
  std::map<std::string, std::vector<double>> by_set;
  for (const auto& [row, loss] : measured.losses) {
    by_set[row.second].push_back(std::log(loss / full.losses.at(row)));
  }
  std::vector<double> of_sets;
  for (const auto& [set, ratios] : by_set) of_sets.push_back(mean_interval(ratios).mean);
  const std::size_t rows = measured.losses.size();
  return {.ran = true,
          .to_auto = mean_interval(of_sets),
          .to_paper = measured.log_to_paper / static_cast<double>(rows),
          .at_most_paper = measured.at_most_paper,
          .rows = rows,
          .seconds = measured.seconds};
}

double percent(double log_ratio) { return 100 * (std::exp(log_ratio) - 1); }

// "+3.1 ± 0.8": percent above the preset.
std::string change_text(const AblationRow::Setting& setting, bool is_auto) {
  if (!setting.ran || is_auto) return "";
  return fmt::format("{:+.1f} ± {:.1f}", percent(setting.to_auto.mean),
                     100 * std::exp(setting.to_auto.mean) * setting.to_auto.half_width);
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> list{
      {"auto", "the preset", [](Reading&) {}},
      without_companion("logistic_adaptive", "no linear models beside the ensemble"),
      without(
          "link=logistic", "linear models without learned links",
          [](ModelConfig& c) {
            for (Spec& spec : c.companions) {
              if (spec.name == "logistic_adaptive") spec.set("link", "logistic");
            }
          },
          false),
      without_companion("logistic_bins", "no step functions of single features"),
      without_companion("forest", "no trees"),
      without_companion("neighbors", "no nearest neighbors"),
      without_companion("label_history", "no scores from the last labels"),
      without(
          "companions=", "the ensemble alone", [](ModelConfig& c) { c.companions.clear(); }, false),
      {"batch=10", "minibatches of 10", [](Reading& r) { r.batch = 10; }, false},
      {"batch=50", "minibatches of 50", [](Reading& r) { r.batch = 50; }, false},
      calibrated_by("cascade:residual=false", "no residual correction"),
      calibrated_by("mixture:members=stack", "nor shape correction"),
      calibrated_by("stack", "one forgetting rate, no average"),
      calibrated_by("mixture:members=platt", "one score, three forgetting rates"),
      calibrated_by("platt_newton", "one score, one sigmoid with memory"),
      calibrated_by("platt", "one sigmoid, refitted on each minibatch"),
      calibrated_by("none", "the raw score"),
      without("policy=ucb1", "one use per minibatch, chosen by UCB1",
              [](ModelConfig& c) {
                c.policy = "ucb1";
                c.actions = {Action::train, Action::calibrate};
              }),
      without("weight_cap=1e6", "no limit on weights",
              [](ModelConfig& c) { c.ensemble.weight_cap = 1e6; }),
      without("prior_weight=0", "learners start without errors",
              [](ModelConfig& c) { c.ensemble.prior_weight = 0; }),
      without("resample=auto", "linear learners take weights, not repetitions",
              [](ModelConfig& c) { c.ensemble.resample = Boost::Resample::automatic; }),
      without("correctness=before_update", "each learner tested before each example",
              [](ModelConfig& c) { c.ensemble.correctness = Correctness::before_update; }),
      without("correctness=after_update", "errors counted after learning, as in the paper",
              [](ModelConfig& c) { c.ensemble.correctness = Correctness::after_update; }),
      without("score=vote_fraction", "the paper's score first",
              [](ModelConfig& c) { c.ensemble.score = ScoreKind::vote_fraction; }),
      without("relative_floor=0", "Naive Bayes without its relative variance floor",
              [](ModelConfig& c) { c.learner.set("relative_floor", 0.0); }),
      {"preset paper, ucb1", "the paper's system", [](Reading& r) {
         r.model = preset("paper").model;
         r.batch = 0;
       }}};
  return list;
}

std::vector<AblationRow> run_ablation(const AblationOptions& options) {
  std::vector<AblationRow> rows;
  Measured full_rows, full_own;
  for (const Variant& variant : variants()) {
    if (options.on_progress) options.on_progress(rows.size(), variants().size());
    AblationRow row{&variant, {}, {}};
    const Measured own = measure(options, variant, true);
    if (rows.empty()) full_own = own;
    row.own = compare(own, full_own);
    if (variant.in_rows) {
      const Measured in_rows = measure(options, variant, false);
      if (rows.empty()) full_rows = in_rows;
      row.in_rows = compare(in_rows, full_rows);
    }
    rows.push_back(row);
  }
  return rows;
}

std::string ablation_json(const std::vector<AblationRow>& rows) {
  const auto setting = [](const AblationRow::Setting& one, bool with_paper) {
    if (!one.ran) return Json();
    Json json{{"rows", one.rows},
              {"log_ratio_to_auto", one.to_auto.mean},
              {"half_width", one.to_auto.half_width},
              {"cpu_seconds", one.seconds}};
    if (with_paper) {
      json["log_ratio_to_paper_best"] = one.to_paper;
      json["at_most_paper_best"] = one.at_most_paper;
    }
    return json;
  };
  Json json = Json::array();
  for (const AblationRow& row : rows) {
    json.push_back({{"variant", row.variant->name},
                    {"text", row.variant->text},
                    {"rows", setting(row.in_rows, true)},
                    {"own", setting(row.own, false)}});
  }
  return print_json(json, 1) + "\n";
}

std::string ablation_text(const std::vector<AblationRow>& rows) {
  std::string text =
      fmt::format("{:<34}{:<52}{:>10} {:>9} {:>15} {:>6} {:>15} {:>6}\n", "variant", "", "to paper",
                  "at most", "log-loss, %", "time", "own: log-loss", "time");
  const double unit_rows = rows.back().in_rows.seconds, unit_own = rows.back().own.seconds;
  for (const AblationRow& row : rows) {
    const bool first = &row == &rows.front();
    text += fmt::format("{:<34}{:<52}", row.variant->name, row.variant->text);
    if (row.in_rows.ran) {
      text += fmt::format("{:>8.1f} % {:>9} {:>15} {:>6.2f}", percent(row.in_rows.to_paper),
                          fmt::format("{} of {}", row.in_rows.at_most_paper, row.in_rows.rows),
                          change_text(row.in_rows, first), row.in_rows.seconds / unit_rows);
    } else {
      text += fmt::format("{:43}", "");
    }
    text +=
        fmt::format(" {:>15} {:>6.2f}\n", change_text(row.own, first), row.own.seconds / unit_own);
  }
  return text;
}

}  // namespace plumbline::paper
