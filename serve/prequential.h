// Prequential metrics of a served model: each label is compared with the probability that was given when it was not
// known, which is the remembered prediction, or else the model's own just before it learned the label.
//
// Kept for ever: sums, reliability bins, a histogram, label delays, a learning curve whose stretches are merged in pairs
// when there are too many. Kept for a while: the last 1000 labels. Memory is constant, cost per label O(1).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plumbline/json/json.h"
#include "plumbline/policy.h"

namespace plumbline::serve {

class Prequential {
 public:
  static constexpr std::size_t kRecent = 1000;
  static constexpr std::size_t kBins = 15, kHistogramBins = 20, kCurve = 256, kLast = 20;
  static constexpr std::array<double, 10> kDelayBounds{0.01, 0.1,  1,     10,    60,
                                                       600,  3600, 21600, 86400, 604800};

  struct Observation {
    std::uint64_t number;
    std::string id;
    std::string label;                      // its name
    std::size_t index;                      // of its class
    std::span<const double> probabilities;  // of the positive class, or of each class
    std::optional<double> delay;            // since the prediction, in seconds
    double time;                            // seconds since 1970
  };

  void observe(const Observation& observation);
  void count(Action action) { ++actions_[static_cast<std::size_t>(action)]; }
  void refuse() { ++refused_; }

  std::uint64_t labels() const { return all_.labels; }
  std::uint64_t predicted() const { return delays_.count; }
  std::uint64_t refused() const { return refused_; }

  struct Summary {
    std::uint64_t labels = 0;
    double log_loss = 0, brier = 0, accuracy = 0, calibration_error = 0;
    std::optional<double> positive_share{};
  };
  Summary all() const;
  Summary recent() const;
  static Json to_json(const Summary& summary);

  struct Delays {
    std::array<std::uint64_t, kDelayBounds.size() + 1> counts{};
    double sum = 0;
    std::uint64_t count = 0;
  };
  const Delays& delays() const { return delays_; }

  // The curves and lists of the API's document.
  void describe(Json& json) const;
  // The whole state; `restore` takes what `state` gave.
  Json state() const;
  void restore(const Json& state);

 private:
  // A label reduced to what the metrics need. For several classes the probability is that of the most likely class,
  // and the outcome whether it was right.
  struct Point {
    double probability = 0;
    bool outcome = false;
    double log_loss = 0, brier = 0;
    bool right = false;
  };
  struct Bins {
    std::array<std::uint64_t, kBins> count{}, positives{};
    std::array<double, kBins> sum{};
  };
  struct Sums {
    std::uint64_t labels = 0, positives = 0, right = 0;
    double log_loss = 0, brier = 0;
    Bins bins{};
    void add(const Point& point);
  };
  struct Stretch {
    std::uint64_t end = 0, labels = 0, right = 0;
    double log_loss = 0, brier = 0;
    std::array<std::uint64_t, kActionCount> actions{};
  };
  struct Last {
    std::uint64_t number;
    std::string id, label;
    double probability;
    std::optional<double> delay;
    double time;
  };

  static Point point_of(const Observation& observation);
  Summary summary(const Sums& sums) const;
  static Json reliability(const Bins& bins);
  Sums recent_sums() const;
  void add_to_curve(const Point& point);

  bool several_ = false;
  Sums all_;
  std::deque<Point> recent_;
  std::array<std::uint64_t, kHistogramBins> histogram_{}, histogram_positives_{};
  Delays delays_;
  std::vector<Stretch> curve_;
  std::uint64_t per_stretch_ = 10;
  std::array<std::uint64_t, kActionCount> actions_{};
  // Up to the last label, and up to the first one of the last stretch.
  std::array<std::uint64_t, kActionCount> actions_before_{}, actions_before_stretch_{};
  std::uint64_t refused_ = 0;
  std::deque<Last> last_;  // the newest first
};

}  // namespace plumbline::serve
