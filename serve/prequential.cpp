#include "serve/prequential.h"

#include <algorithm>
#include <cmath>

#include "plumbline/metrics/consistency.h"

namespace plumbline::serve {
namespace {

constexpr double kSmallest = 1e-15;  // keeps the loss of an impossible event finite

double loss(double probability) { return -std::log(std::max(probability, kSmallest)); }

std::size_t bin_of(double probability, std::size_t bins) {
  const auto bin = static_cast<std::size_t>(probability * static_cast<double>(bins));
  return std::min(bin, bins - 1);
}

double ratio(double sum, std::uint64_t count) { return sum / static_cast<double>(count); }

template <class Array>
void restore_list(const Json& json, Array& to) {
  for (std::size_t i = 0; i < to.size(); ++i) json.at(i).get_to(to[i]);
}

template <class Counts>
Json actions_json(const Counts& counts) {
  Json json = Json::object();
  for (std::size_t a = 0; a < kActionCount; ++a) {
    json[std::string(name_of(static_cast<Action>(a)))] = counts[a];
  }
  return json;
}

}  // namespace

Prequential::Point Prequential::point_of(const Observation& observation) {
  const std::span<const double> p = observation.probabilities;
  Point point;
  if (p.size() == 1) {
    const double positive = p[0];
    point.probability = positive;
    point.outcome = observation.index == 1;
    point.log_loss = loss(point.outcome ? positive : 1 - positive);
    const double error = positive - (point.outcome ? 1 : 0);
    point.brier = error * error;
    point.right = (positive > 0.5) == point.outcome;
    return point;
  }
  const auto best = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
  point.probability = p.empty() ? 0 : p[best];
  point.outcome = point.right = best == observation.index;
  // A class that did not exist when the row was predicted had the probability 0.
  const double of_label = observation.index < p.size() ? p[observation.index] : 0;
  point.log_loss = loss(of_label);
  point.brier = (1 - of_label) * (1 - of_label);
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (k != observation.index) point.brier += p[k] * p[k];
  }
  return point;
}

void Prequential::Sums::add(const Point& point) {
  ++labels;
  positives += point.outcome ? 1 : 0;
  right += point.right ? 1 : 0;
  log_loss += point.log_loss;
  brier += point.brier;
  const std::size_t bin = bin_of(point.probability, kBins);
  ++bins.count[bin];
  bins.positives[bin] += point.outcome ? 1 : 0;
  bins.sum[bin] += point.probability;
}

void Prequential::observe(const Observation& observation) {
  several_ = observation.probabilities.size() > 1;
  const Point point = point_of(observation);
  all_.add(point);
  recent_.push_back(point);
  if (recent_.size() > kRecent) recent_.pop_front();
  const std::size_t bin = bin_of(point.probability, kHistogramBins);
  ++histogram_[bin];
  histogram_positives_[bin] += point.outcome ? 1 : 0;
  if (observation.delay) {
    const auto bound = std::ranges::lower_bound(kDelayBounds, *observation.delay);
    ++delays_.counts[static_cast<std::size_t>(bound - kDelayBounds.begin())];
    delays_.sum += *observation.delay;
    ++delays_.count;
  }
  add_to_curve(point);
  double shown = point.probability;
  if (several_) {
    shown = observation.index < observation.probabilities.size()
                ? observation.probabilities[observation.index]
                : 0;
  }
  last_.push_front({observation.number, observation.id, observation.label, shown, observation.delay,
                    observation.time});
  if (last_.size() > kLast) last_.pop_back();
}

void Prequential::add_to_curve(const Point& point) {
  if (curve_.empty() || curve_.back().labels >= per_stretch_) {
    if (curve_.size() == kCurve) {
      for (std::size_t i = 0; i < kCurve / 2; ++i) {
        const Stretch &a = curve_[2 * i], &b = curve_[2 * i + 1];
        Stretch both{b.end,
                     a.labels + b.labels,
                     a.right + b.right,
                     a.log_loss + b.log_loss,
                     a.brier + b.brier,
                     a.actions};
        for (std::size_t k = 0; k < kActionCount; ++k) both.actions[k] += b.actions[k];
        curve_[i] = both;
      }
      curve_.resize(kCurve / 2);
      per_stretch_ *= 2;
    }
    curve_.emplace_back();
    actions_before_stretch_ = actions_before_;
  }
  Stretch& stretch = curve_.back();
  stretch.end = all_.labels;
  ++stretch.labels;
  stretch.right += point.right ? 1 : 0;
  stretch.log_loss += point.log_loss;
  stretch.brier += point.brier;
  for (std::size_t k = 0; k < kActionCount; ++k) {
    stretch.actions[k] = actions_[k] - actions_before_stretch_[k];
  }
  actions_before_ = actions_;
}

// ---- Summaries

Prequential::Summary Prequential::summary(const Sums& sums) const {
  Summary result{.labels = sums.labels};
  if (sums.labels == 0) return result;
  result.log_loss = ratio(sums.log_loss, sums.labels);
  result.brier = ratio(sums.brier, sums.labels);
  result.accuracy = ratio(static_cast<double>(sums.right), sums.labels);
  for (std::size_t b = 0; b < kBins; ++b) {
    result.calibration_error += ratio(
        std::abs(sums.bins.sum[b] - static_cast<double>(sums.bins.positives[b])), sums.labels);
  }
  if (!several_) result.positive_share = ratio(static_cast<double>(sums.positives), sums.labels);
  return result;
}

Prequential::Sums Prequential::recent_sums() const {
  Sums sums;
  for (const Point& point : recent_) sums.add(point);
  return sums;
}

Prequential::Summary Prequential::all() const { return summary(all_); }
Prequential::Summary Prequential::recent() const { return summary(recent_sums()); }

Json Prequential::to_json(const Summary& summary) {
  Json json{{"labels", summary.labels}};
  const auto add = [&](const char* name, double value) {
    json[name] = summary.labels > 0 ? Json(value) : Json();
  };
  add("log_loss", summary.log_loss);
  add("brier", summary.brier);
  add("accuracy", summary.accuracy);
  add("calibration_error", summary.calibration_error);
  json["positive_share"] = summary.positive_share ? Json(*summary.positive_share) : Json();
  return json;
}

Json Prequential::reliability(const Bins& bins) {
  std::vector<Bin> filled;
  for (std::size_t b = 0; b < kBins; ++b) {
    if (bins.count[b] == 0) continue;
    const auto width = 1.0 / static_cast<double>(kBins);
    filled.push_back(
        {.low = width * static_cast<double>(b),
         .high = width * static_cast<double>(b + 1),
         .count = bins.count[b],
         .mean_probability = std::min(ratio(bins.sum[b], bins.count[b]), 1.0),
         .positive_rate = ratio(static_cast<double>(bins.positives[b]), bins.count[b])});
  }
  Json json = Json::array();
  for (const ConsistencyBin& one : consistency(filled).bins) {
    json.push_back({{"low", one.bin.low},
                    {"high", one.bin.high},
                    {"count", one.bin.count},
                    {"mean_probability", one.bin.mean_probability},
                    {"positive_rate", one.bin.positive_rate},
                    {"band_low", one.simultaneous.low},
                    {"band_high", one.simultaneous.high}});
  }
  return json;
}

void Prequential::describe(Json& json) const {
  json["curve"] = Json::array();
  for (const Stretch& stretch : curve_) {
    json["curve"].push_back(
        {{"end", stretch.end},
         {"labels", stretch.labels},
         {"log_loss", ratio(stretch.log_loss, stretch.labels)},
         {"brier", ratio(stretch.brier, stretch.labels)},
         {"accuracy", ratio(static_cast<double>(stretch.right), stretch.labels)},
         {"actions", actions_json(stretch.actions)}});
  }
  json["reliability"] = reliability(all_.bins);
  json["recent_reliability"] = reliability(recent_sums().bins);
  json["histogram"] = Json::array();
  for (std::size_t b = 0; b < kHistogramBins; ++b) {
    const auto width = 1.0 / static_cast<double>(kHistogramBins);
    json["histogram"].push_back({{"low", width * static_cast<double>(b)},
                                 {"high", width * static_cast<double>(b + 1)},
                                 {"count", histogram_[b]},
                                 {"positives", histogram_positives_[b]}});
  }
  json["delay"] = {{"bounds", kDelayBounds},
                   {"counts", delays_.counts},
                   {"mean", delays_.count > 0 ? Json(ratio(delays_.sum, delays_.count)) : Json()}};
  json["actions"] = actions_json(actions_);
  json["last"] = Json::array();
  for (const Last& one : last_) {
    Json label{{"number", one.number}};
    if (!one.id.empty()) label["id"] = one.id;
    label["label"] = one.label;
    label["probability"] = one.probability;
    if (one.delay) label["delay"] = *one.delay;
    label["time"] = one.time;
    json["last"].push_back(std::move(label));
  }
}

// ---- State

Json Prequential::state() const {
  Json json{{"several", several_},
            {"refused", refused_},
            {"actions", actions_},
            {"actions_before_stretch", actions_before_stretch_},
            {"actions_before", actions_before_},
            {"per_stretch", per_stretch_}};
  json["sums"] = {all_.labels, all_.positives, all_.right, all_.log_loss, all_.brier};
  json["bins"] = {all_.bins.count, all_.bins.positives, all_.bins.sum};
  json["histogram"] = {histogram_, histogram_positives_};
  json["delays"] = {delays_.counts, delays_.sum, delays_.count};
  json["recent"] = Json::array();
  for (const Point& p : recent_) {
    json["recent"].push_back({p.probability, p.outcome, p.log_loss, p.brier, p.right});
  }
  json["curve"] = Json::array();
  for (const Stretch& s : curve_) {
    json["curve"].push_back({s.end, s.labels, s.right, s.log_loss, s.brier, s.actions});
  }
  json["last"] = Json::array();
  for (const Last& l : last_) {
    json["last"].push_back(
        {l.number, l.id, l.label, l.probability, l.delay ? Json(*l.delay) : Json(), l.time});
  }
  return json;
}

void Prequential::restore(const Json& state) {
  Prequential read;
  state.at("several").get_to(read.several_);
  state.at("refused").get_to(read.refused_);
  state.at("per_stretch").get_to(read.per_stretch_);
  restore_list(state.at("actions"), read.actions_);
  restore_list(state.at("actions_before_stretch"), read.actions_before_stretch_);
  restore_list(state.at("actions_before"), read.actions_before_);
  const Json& sums = state.at("sums");
  sums.at(0).get_to(read.all_.labels);
  sums.at(1).get_to(read.all_.positives);
  sums.at(2).get_to(read.all_.right);
  sums.at(3).get_to(read.all_.log_loss);
  sums.at(4).get_to(read.all_.brier);
  restore_list(state.at("bins").at(0), read.all_.bins.count);
  restore_list(state.at("bins").at(1), read.all_.bins.positives);
  restore_list(state.at("bins").at(2), read.all_.bins.sum);
  restore_list(state.at("histogram").at(0), read.histogram_);
  restore_list(state.at("histogram").at(1), read.histogram_positives_);
  restore_list(state.at("delays").at(0), read.delays_.counts);
  state.at("delays").at(1).get_to(read.delays_.sum);
  state.at("delays").at(2).get_to(read.delays_.count);
  for (const Json& p : state.at("recent")) {
    read.recent_.push_back({p.at(0), p.at(1), p.at(2), p.at(3), p.at(4)});
  }
  for (const Json& s : state.at("curve")) {
    Stretch stretch{s.at(0), s.at(1), s.at(2), s.at(3), s.at(4), {}};
    restore_list(s.at(5), stretch.actions);
    read.curve_.push_back(stretch);
  }
  for (const Json& l : state.at("last")) {
    const Json& delay = l.at(4);
    read.last_.push_back({l.at(0), l.at(1), l.at(2), l.at(3),
                          delay.is_null() ? std::nullopt : std::optional<double>(delay), l.at(5)});
  }
  *this = std::move(read);
}

}  // namespace plumbline::serve
