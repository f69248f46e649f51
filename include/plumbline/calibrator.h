// A calibrator maps scores to a probability, and learns that map online.
//
// On every round the model tells it the labels (`observe`); on the rounds that the policy spends on
// it, it also learns from the scores of the minibatch (`calibrate`). Before the first calibration
// it passes the first score through. It is made for a number of columns of scores;
// many look at the first alone, and those that do not need its logit derive from ScoreCalibrator.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plumbline/api.h"
#include "plumbline/archive.h"
#include "plumbline/batch.h"
#include "plumbline/registry.h"

PLUMBLINE_BEGIN_NAMESPACE

class Calibrator {
 public:
  // A part of a calibrator that is made of others, and how much it counts.
  struct Part {
    std::string name;
    double weight;
  };

  virtual ~Calibrator() = default;

  // Called once for each minibatch, whatever it is used for.
  virtual void observe(std::span<const Label> labels) = 0;
  // Learns from scores and their labels; never called with an empty minibatch.
  virtual void calibrate(const Scores& scores, std::span<const Label> labels) = 0;
  // Probabilities in [0, 1]; changes nothing. They may be written over the first scores.
  virtual void apply(const Scores& scores, std::span<double> probabilities) const = 0;

  // For inspection; empty for a calibrator without parts.
  virtual std::vector<Part> parts() const { return {}; }

  virtual void archive(Archive& archive) = 0;
};

// One that looks at the first score alone, and not at its logit.
class ScoreCalibrator : public Calibrator {
 public:
  void calibrate(const Scores& scores, std::span<const Label> labels) final {
    calibrate(scores.column(0), labels);
  }
  void apply(const Scores& scores, std::span<double> probabilities) const final {
    apply(scores.column(0), probabilities);
  }

  virtual void calibrate(std::span<const double> scores, std::span<const Label> labels) = 0;
  virtual void apply(std::span<const double> scores, std::span<double> probabilities) const = 0;
};

// Made for a number of columns of scores.
using CalibratorRegistry = Registry<Calibrator, NoTraits, std::size_t>;
// Those of the library.
const CalibratorRegistry& calibrators();

PLUMBLINE_END_NAMESPACE
