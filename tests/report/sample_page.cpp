// Writes a page with every kind of chart to standard output, to be looked at and to be parsed by
// well_formed.py. The numbers are made up, the names contain what must be escaped.
//
//   build/dev/tests/report/report_sample_page > /tmp/sample.html
//   build/dev/tests/report/report_sample_page svg > /tmp/sample.svg      the first chart alone
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <string_view>

#include "report/page.h"
#include "report/terminal.h"

namespace plumbline::report {
namespace {

using Kind = Series::Kind;

// Noise enough to look like data; the same everywhere.
double wobble(double at) { return std::sin(at * 12.9898) * std::sin(at * 4.1414 + 1); }

Series learning_curve(const char* name, double floor, double slope) {
  Series series{name, Kind::line};
  for (double n = 100; n < 1.05e6; n *= std::pow(10, 0.25)) {
    const double loss = floor + slope * std::pow(n / 100, -0.45) + 0.004 * wobble(n);
    const double half = 0.5 / std::pow(n, 0.3);
    series.x.push_back(std::round(n));
    series.y.push_back(loss);
    series.low.push_back(loss - half * 0.6);
    series.high.push_back(loss + half * 0.6);
  }
  return series;
}

Chart learning_curves() {
  Chart chart;
  chart.title = "Log loss while learning";
  chart.x = {"examples seen", true};
  chart.y = {"log loss"};
  chart.series = {learning_curve("uncalibrated", 0.41, 0.3),
                  learning_curve("train & calibrate alternately", 0.295, 0.38),
                  learning_curve("Thompson sampling", 0.27, 0.33)};
  chart.rules = {{0.25, "best possible", false}};
  chart.width = kPageWidth;
  return chart;
}

Chart reliability() {
  Chart chart;
  chart.title = "Reliability";
  chart.x = {"predicted probability", false, 0, 1};
  chart.y = {"share of positives", false, 0, 1};
  chart.diagonal = true;
  chart.height = chart.width;
  Series before{"before", Kind::points}, after = before;
  after.name = "after calibration";
  for (double p = 0.05; p < 1; p += 0.1) {
    const double pushed = 1 / (1 + std::exp(-2.2 * std::log(p / (1 - p))));
    const double calibrated = std::clamp(p + 0.02 * wobble(p * 10), 0.0, 1.0);
    for (auto [series, y] : {std::pair{&before, pushed}, std::pair{&after, calibrated}}) {
      const double half = 0.02 + 0.25 * y * (1 - y);
      series->x.push_back(p);
      series->y.push_back(y);
      series->low.push_back(std::max(0.0, y - half));
      series->high.push_back(std::min(1.0, y + half));
    }
  }
  chart.series = {before, after};
  return chart;
}

Chart histogram() {
  Chart chart;
  chart.title = "Scores by class";
  chart.x = {"score", false, 0, 1};
  chart.y = {"examples"};
  Series negative{"class 0", Kind::bars, {0}}, positive = negative;
  positive.name = "class 1";
  for (int bin = 0; bin < 25; ++bin) {
    const double centre = (bin + 0.5) / 25;
    for (auto [series, mean] : {std::pair{&negative, 0.33}, std::pair{&positive, 0.66}}) {
      const double z = (centre - mean) / 0.14;
      series->x.push_back((bin + 1.0) / 25);
      series->y.push_back(std::round(42000 * std::exp(-z * z / 2) * (1 + 0.06 * wobble(bin))));
    }
  }
  chart.series = {negative, positive};
  return chart;
}

Chart actions() {
  Chart chart;
  chart.title = "Share of actions";
  chart.x = {"round"};
  chart.y = {"", false, 0, 1, true};
  chart.stacked = true;
  for (const char* name : {"train", "calibrate", "both", "skip"}) {
    chart.series.push_back({name, Kind::area});
  }
  for (int round = 0; round <= 500; ++round) {
    const double t = round / 500.0, train = 0.25 + 0.5 * std::exp(-5 * t) + 0.03 * wobble(t * 9);
    const double calibrate = 0.15 + 0.35 * t + 0.03 * wobble(t * 7);
    const double both = (1 - train - calibrate) * (0.5 + 0.3 * t);
    const double shares[] = {train, calibrate, both, 1 - train - calibrate - both};
    for (std::size_t i = 0; i < 4; ++i) {
      chart.series[i].x.push_back(round);
      chart.series[i].y.push_back(shares[i]);
    }
  }
  chart.rules = {{300, "drift"}};
  return chart;
}

Chart arms() {
  Chart chart;
  chart.title = "Estimated reward of each action";
  chart.x.names = {"train", "calibrate", "both", "skip"};
  chart.y = {"mean change of log loss"};
  chart.series = {{"first half",
                   Kind::points,
                   {0, 1, 2, 3},
                   {0.012, 0.004, 0.009, -0.0004},
                   {0.009, 0.001, 0.006, -0.002},
                   {0.015, 0.007, 0.012, 0.0012}},
                  {"second half",
                   Kind::points,
                   {0, 1, 2, 3},
                   {0.003, 0.006, 0.0065, -0.0006},
                   {0.002, 0.004, 0.005, -0.0016},
                   {0.004, 0.008, 0.008, 0.0004}}};
  return chart;
}

Chart stream() {
  Chart chart;
  chart.title = "Log loss of the latest 1,000 examples, with a gap where no labels came";
  chart.x = {"examples seen"};
  chart.y = {"log loss"};
  chart.series = {{"with drift detection", Kind::line}, {"without", Kind::line}};
  for (int i = 0; i < 20000; ++i) {
    const double t = i / 20000.0, since = t - 0.5;
    const double jump = since > 0 ? 0.3 : 0, noise = 0.012 * wobble(i * 0.37);
    const bool gap = t > 0.2 && t < 0.26;
    const double missing = std::numeric_limits<double>::quiet_NaN();
    const double detected = 0.3 + 0.4 * std::exp(-t * 40) + jump * std::exp(-since * 30) + noise;
    const double steady = 0.32 + 0.4 * std::exp(-t * 40) + jump * std::exp(-since * 5) + noise;
    chart.series[0].x.push_back(i * 10.0);
    chart.series[1].x.push_back(i * 10.0);
    chart.series[0].y.push_back(gap ? missing : detected);
    chart.series[1].y.push_back(gap ? missing : steady);
  }
  chart.rules = {{100000, "drift"}};
  chart.width = kPageWidth;
  chart.height = 340;
  return chart;
}

Chart data_sets() {
  Chart chart;
  chart.title = "Brier score by data set";
  chart.x.names = {"waveform", "SEA, abrupt drift", "hyperplane", "random RBF", "Agrawal", "LED"};
  chart.y = {"Brier score"};
  const char* names[] = {"none", "Platt", "isotonic"};
  for (int s = 0; s < 3; ++s) {
    Series series{names[s], Kind::bars};
    for (int d = 0; d < 6; ++d) {
      const double y = 0.11 + 0.02 * d - 0.018 * s + 0.02 * wobble(d + s);
      series.x.push_back(d);
      series.y.push_back(y);
      series.low.push_back(y - 0.008);
      series.high.push_back(y + 0.008);
    }
    chart.series.push_back(series);
  }
  return chart;
}

Chart convergence() {
  Chart chart;
  chart.title = "Error of the estimate";
  chart.x = {"examples", true};
  chart.y = {"absolute error", true};
  for (int s = 0; s < 9; ++s) {
    Series series{"seed " + std::to_string(s + 1), Kind::line};
    for (int i = 0; i <= 60; ++i) {
      const double n = std::pow(10, 1 + i / 12.0);
      series.x.push_back(n);
      series.y.push_back(std::exp(0.5 * wobble(i + 7 * s)) * (0.5 + 0.2 * s) / n);
    }
    chart.series.push_back(series);
  }
  return chart;
}

Table results() {
  Table table;
  table.columns = {{"method", Align::left},
                   {"log loss"},
                   {"Brier score"},
                   {"calibration error < 1 & \"all\""},
                   {"accuracy"},
                   {"examples/s"}};
  table.rows = {{{"uncalibrated"},
                 {"0.4127", false, -1.0},
                 {"0.1312", false, -0.8},
                 {"0.0941", false, -1.0},
                 {"0.846"},
                 {"1,210,000", true}},
                {{"alternating"},
                 {"0.2951", false, 0.35},
                 {"0.0948", false, 0.3},
                 {"0.0217", false, 0.5},
                 {"0.861"},
                 {"640,000"}},
                {{"UCB1"},
                 {"0.2803", false, 0.7},
                 {"0.0902", false, 0.6},
                 {"0.0171", false, 0.7},
                 {"0.868"},
                 {"702,000"}},
                {{"Thompson <script>alert('x')</script>"},
                 {"0.2716", true, 1.0},
                 {"0.0881", true, 0.9},
                 {"0.0122", true, 1.0},
                 {"0.872", true},
                 {"688,000"}}};
  return table;
}

Page sample() {
  Page page("Calibrated probabilities on the waveform stream",
            "1,000,000 examples, minibatches of 500, ten seeds; made-up numbers");
  page.tiles({{"log loss", "0.2716", "best of four policies"},
              {"calibration error", "1.2%", "15 equal bins"},
              {"accuracy", "87.2%", ""},
              {"throughput", "688k/s", "one thread"}});
  page.section("Learning");
  page.text(
      "The probabilities are those that the model gave before it saw the labels. The bands "
      "are 95 % confidence intervals over the ten seeds.");
  page.chart(learning_curves(), "Log loss by the number of examples seen. Lower is better.");
  page.chart(stream(), "A stream with abrupt drift. Every extreme of the 20,000 values is drawn.");
  page.section("Calibration");
  page.charts({{reliability(), "Observed share of positives by predicted probability."},
               {histogram(), "Histogram of the scores of 500,000 examples of each class."}});
  page.section("Policy");
  page.charts({{actions(), "What the policy decided, over the latest 50 rounds."},
               {arms(), "Estimates with 95 % intervals."}});
  page.section("Results");
  page.table(results(),
             "Means over ten seeds; bold is best, blue is better than the mean of the "
             "column, orange worse.");
  page.charts({{data_sets(), "Six data sets, three calibrators."},
               {convergence(), "Both axes logarithmic; nine series wrap the legend."}});
  page.section("How to repeat it");
  page.code(
      "plumbline run --stream waveform --examples 1000000 --report out.html\n"
      "# <b>not bold</b>");
  return page;
}

}  // namespace
}  // namespace plumbline::report

int main(int argc, char** argv) {
  using namespace plumbline::report;
  const bool svg = argc > 1 && std::string_view(argv[1]) == "svg";
  std::cout << (svg ? to_svg(learning_curves()) : sample().html());
}
