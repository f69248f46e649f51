#include "cli/output/reliability_chart.h"

#include <algorithm>
#include <cmath>

#include "plumbline/metrics/consistency.h"

namespace plumbline::cli {

using report::Series;

namespace {

Series consistency_band(const std::vector<Bin>& bins) {
  Series band{.name = "band of a calibrated model"};
  for (const ConsistencyBin& one : consistency(bins).bins) {
    band.x.push_back(one.bin.mean_probability);
    band.y.push_back(one.bin.mean_probability);
    band.low.push_back(one.simultaneous.low);
    band.high.push_back(one.simultaneous.high);
  }
  return band;
}

}  // namespace

Series reliability_series(const std::string& name, const std::vector<Bin>& bins) {
  Series series{.name = name, .kind = Series::Kind::points};
  for (const Bin& bin : bins) {
    if (bin.count == 0) continue;
    constexpr double z = 1.96;
    const auto n = static_cast<double>(bin.count);
    const double p = bin.positive_rate;
    const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    series.x.push_back(bin.mean_probability);
    series.y.push_back(p);
    series.low.push_back(std::min(p, centre - half));
    series.high.push_back(std::max(p, centre + half));
  }
  return series;
}

report::Chart two_class_reliability(const std::vector<Bin>& calibrated,
                                    const std::vector<NamedBins>& scores) {
  const auto shares = [](const std::string& name, const std::vector<Bin>& bins) {
    Series series = reliability_series(name, bins);
    series.low.clear();  // the band shows the variation by chance
    series.high.clear();
    return series;
  };
  report::Chart chart{.title = "Reliability",
                      .x = {.title = "predicted probability", .low = 0.0, .high = 1.0},
                      .y = {.title = "share of positives", .low = 0.0, .high = 1.0},
                      .series = {consistency_band(calibrated), shares("calibrated", calibrated)},
                      .diagonal = true};
  for (const auto& [name, bins] : scores) chart.series.push_back(shares(name, bins));
  return chart;
}

}  // namespace plumbline::cli
