// Draws the results of run.py: budget_curves RESULTS.json FOLDER. Writes FOLDER/budget.html and an SVG file for each
// stream: the log-loss against the share of minibatches that are trained, or of labels, of each schedule and policy.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/chart.h"
#include "report/page.h"

namespace {

using namespace plumbline;
using Json = nlohmann::ordered_json;

double mean_loss(const Json& runs) {
  double sum = 0;
  for (const Json& run : runs) sum += run.at("log_loss").get<double>();
  return sum / static_cast<double>(runs.size());
}

double mean_share(const Json& runs) {
  double sum = 0;
  for (const Json& run : runs) sum += run.at("share").get<double>();
  return sum / static_cast<double>(runs.size());
}

report::Chart chart_of(const Json& stream, const std::string& axis) {
  report::Chart chart{.title = stream.at("name"),
                      .x = {.title = axis, .log = true, .percent = true},
                      .y = {.title = "log-loss"}};
  for (const auto& [kind, ignored] : stream.at("shares").at(0).at("results").items()) {
    report::Series series{.name = kind};
    for (const Json& entry : stream.at("shares")) {
      const Json& runs = entry.at("results").at(kind);
      series.x.push_back(mean_share(runs));
      series.y.push_back(mean_loss(runs));
    }
    chart.series.push_back(std::move(series));
  }
  chart.rules.push_back({.at = mean_loss(stream.at("all")), .text = "all", .vertical = false});
  return chart;
}

std::string file_of(std::string name) {
  std::erase(name, ',');
  std::ranges::replace(name, ' ', '_');
  return "budget_" + name + ".svg";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: budget_curves RESULTS.json FOLDER\n");
    return 2;
  }
  const Json results = Json::parse(std::ifstream(argv[1]));
  const std::filesystem::path folder = argv[2];
  report::Page page(
      "Budgets",
      fmt::format("preset {}, minibatches of {}, {} seeds", results.at("preset").get<std::string>(),
                  results.at("batch").get<int>(), results.at("seeds").get<int>()));
  for (const bool drifts : {true, false}) {
    page.section(drifts ? "Streams with drift" : "Streams without drift");
    std::vector<report::Figure> figures;
    for (const Json& stream : results.at("streams")) {
      if (stream.at("drifts").get<bool>() != drifts) continue;
      const report::Chart chart = chart_of(stream, results.at("axis"));
      std::ofstream(folder / file_of(stream.at("name"))) << report::to_svg(chart);
      figures.push_back({.chart = chart});
      if (figures.size() < 2) continue;
      page.charts(figures);
      figures.clear();
    }
    if (!figures.empty()) page.charts(figures);
  }
  std::ofstream(folder / "budget.html") << page.html();
}
