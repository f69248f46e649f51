#include "report/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "report/downsample.h"
#include "report/scale.h"

namespace plumbline::report {

namespace {

using Kind = Series::Kind;

// The share of the distance between two categories that their bars or points occupy.
constexpr double kBarsShare = 0.8;
constexpr double kPointsShare = 0.4;

// The smallest distance between neighbours, so that no two bars overlap.
double spacing(const std::vector<double>& x) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double distance = std::abs(x[i] - x[i - 1]);
    if (distance > 0) least = std::min(least, distance);
  }
  return std::isfinite(least) ? least : 1;
}

void set_edges(Curve& curve, const Series& series, std::size_t size) {
  const bool has_edges = series.x.size() == series.y.size() + 1;
  const double half = spacing(series.x) * kBarsShare / 2;
  for (std::size_t i = 0; i < size; ++i) {
    curve.left.push_back(has_edges ? series.x[i] : series.x[i] - half);
    curve.right.push_back(has_edges ? series.x[i + 1] : series.x[i] + half);
    curve.x[i] = (curve.left[i] + curve.right[i]) / 2;
  }
}

Curve curve_of(const Series& series, std::size_t index) {
  const std::size_t size = std::min(series.x.size(), series.y.size());
  const auto first = [size](const std::vector<double>& values) {
    return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
  };
  Curve curve{index, series.kind, first(series.x), first(series.y), {}, {}, {}, {}, {}};
  if (series.low.size() >= size && series.high.size() >= size && !series.low.empty()) {
    curve.low = first(series.low);
    curve.high = first(series.high);
  }
  if (curve.is_filled()) curve.base.assign(size, 0);
  if (curve.kind == Kind::bars) set_edges(curve, series, size);
  // With more bars than pixels, an area is drawn.
  if (curve.kind == Kind::bars && size > kMostPoints) curve.kind = Kind::area;
  return curve;
}

// Each series starts at the end of the one below it. A gap is also a gap in everything above it.
void stack(std::vector<Curve>& curves) {
  std::vector<double> height;
  for (Curve& curve : curves) {
    if (!curve.is_filled()) continue;
    height.resize(std::max(height.size(), curve.y.size()), 0);
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
      curve.base[i] = height[i];
      height[i] += curve.y[i];
      curve.y[i] = height[i];
    }
  }
}

void keep_only(const std::vector<std::size_t>& kept, std::vector<double>& values) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
  values.resize(kept.size());
}

void keep_only(const std::vector<std::size_t>& kept, Curve& curve) {
  for (auto* values :
       {&curve.x, &curve.y, &curve.low, &curve.high, &curve.base, &curve.left, &curve.right}) {
    keep_only(kept, *values);
  }
}

void downsample_alone(Curve& curve) {
  std::vector<std::span<const double>> columns{curve.y};
  if (curve.kind == Kind::points) columns.emplace_back(curve.x);
  if (curve.has_band()) {
    columns.emplace_back(curve.low);
    columns.emplace_back(curve.high);
  }
  keep_only(downsample(columns), curve);
}

// Stacked areas keep the same indices, so that their common borders match.
void downsample_together(std::vector<Curve>& curves) {
  std::vector<std::span<const double>> columns;
  std::size_t size = std::numeric_limits<std::size_t>::max();
  for (const Curve& curve : curves) {
    if (curve.kind == Kind::area) size = std::min(size, curve.y.size());
  }
  for (const Curve& curve : curves) {
    if (curve.kind == Kind::area) columns.push_back(std::span(curve.y).first(size));
  }
  const std::vector<std::size_t> kept = downsample(columns);
  for (Curve& curve : curves) {
    if (curve.kind == Kind::area) keep_only(kept, curve);
  }
}

void shift(std::vector<double>& values, double by) {
  for (double& value : values) value += by;
}

// Moves the curves of one kind side by side around their categories.
void stand_side_by_side(std::vector<Curve>& curves, Kind kind, double share) {
  const auto count = static_cast<double>(std::count_if(
      curves.begin(), curves.end(), [kind](const Curve& curve) { return curve.kind == kind; }));
  double slot = 0;
  for (Curve& curve : curves) {
    if (curve.kind != kind) continue;
    shift(curve.x, (slot - (count - 1) / 2) * share / count);
    for (std::size_t i = 0; i < curve.left.size(); ++i) {
      curve.left[i] = curve.x[i] - share / count / 2;
      curve.right[i] = curve.x[i] + share / count / 2;
    }
    ++slot;
  }
}

}  // namespace

std::vector<Curve> curves_of(const Chart& chart) {
  std::vector<Curve> curves;
  for (const Series& series : chart.series) curves.push_back(curve_of(series, curves.size()));
  if (chart.stacked) stack(curves);
  if (chart.stacked) downsample_together(curves);
  for (Curve& curve : curves) {
    const bool done = chart.stacked && curve.kind == Kind::area;
    if (curve.kind != Kind::bars && !done) downsample_alone(curve);
  }
  if (!chart.x.names.empty()) {
    if (!chart.stacked) stand_side_by_side(curves, Kind::bars, kBarsShare);
    stand_side_by_side(curves, Kind::points, kPointsShare);
  }
  return curves;
}

void Extent::add(double value, bool log) {
  if (!drawable(value) || (log && !(value > 0))) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Extent x_extent(const Chart& chart, const std::vector<Curve>& curves) {
  Extent extent;
  if (!chart.x.names.empty()) {
    return {-0.5, static_cast<double>(chart.x.names.size()) - 0.5};
  }
  for (const Curve& curve : curves) {
    for (const auto* values : {&curve.x, &curve.left, &curve.right}) {
      for (const double value : *values) extent.add(value, chart.x.log);
    }
  }
  return extent;
}

Extent y_extent(const Chart& chart, const std::vector<Curve>& curves) {
  Extent extent;
  for (const Curve& curve : curves) {
    for (const auto* values : {&curve.y, &curve.low, &curve.high, &curve.base}) {
      for (const double value : *values) extent.add(value, chart.y.log);
    }
  }
  for (const Rule& rule : chart.rules) {
    if (!rule.vertical) extent.add(rule.at, chart.y.log);
  }
  return extent;
}

}  // namespace plumbline::report
