// A calibrator maps the ensemble's score to a probability, and learns that map online.
//
// On every round the model tells it the labels (`observe`); on the rounds that the policy spends on
// it, it also learns from the scores of the minibatch (`calibrate`). Before the first calibration
// it passes the raw score through.
#pragma once

#include <span>

#include "plumbline/core/archive.h"
#include "plumbline/core/batch.h"

namespace plumbline {

class Calibrator {
 public:
  virtual ~Calibrator() = default;

  // Called once for each minibatch, whatever it is used for.
  virtual void observe(std::span<const Label> labels) = 0;
  // Learns from scores in [0, 1] and their labels; never called with an empty minibatch.
  virtual void calibrate(std::span<const double> scores, std::span<const Label> labels) = 0;
  // Probabilities in [0, 1]; changes nothing.
  virtual void apply(std::span<const double> scores, std::span<double> probabilities) const = 0;

  // What the past keeps of its weight when the model finds that the loss has risen to another level
  // (ADWIN, core/adwin.h): the model looks out for that if it is less than 1, and calls `fade`.
  virtual double kept_on_drift() const { return 1; }
  // The past keeps only this share of its weight, from 0 to 1; what it says of scores stays the same
  // where it can.
  virtual void fade(double) {}

  virtual void archive(Archive& archive) = 0;
};

}  // namespace plumbline
