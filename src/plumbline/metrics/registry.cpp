#include "plumbline/metrics.h"

#include "plumbline/metrics/auc.h"
#include "plumbline/metrics/decision_rate.h"
#include "plumbline/metrics/last_label_metric.h"
#include "plumbline/metrics/mean_loss.h"
#include "plumbline/metrics/reliability.h"
#include "plumbline/metrics/score_histogram.h"

namespace plumbline::inline v0 {

const MetricRegistry& metrics() {
  using R = MetricRegistry;
  using Of = MeanLoss::Of;
  static const R registry(
      "metric",
      {R::row<MeanLoss>("log_loss", "mean log-loss", {.of = Of::log_loss}),
       R::row<MeanLoss>("brier", "mean squared error of the probabilities", {.of = Of::brier}),
       R::row<MeanLoss>("accuracy", "share of right decisions at 1/2", {.of = Of::accuracy}),
       R::row<MeanLoss>("cost", "mean cost of the decisions of lowest expected cost",
                        {.of = Of::cost}),
       R::row<DecisionRate>("recall", "share of the positives that the decisions found",
                            {.rate = &Confusion::recall}),
       R::row<DecisionRate>("precision", "share of the positive decisions that were right",
                            {.rate = &Confusion::precision}),
       R::row<DecisionRate>("f1", "harmonic mean of recall and precision",
                            {.rate = &Confusion::f1}),
       R::row<DecisionRate>("balanced_accuracy",
                            "mean of the shares of right decisions in the two classes",
                            {.rate = &Confusion::balanced_accuracy}),
       R::row<Auc>("auc", "area under the ROC curve, from fine bins"),
       R::row<Reliability>("calibration_error",
                           "expected calibration error, with the reliability curve"),
       R::row<LastLabelMetric>("last_label_log_loss",
                               "log-loss of a baseline: probabilities from the last label alone",
                               {.of = LastLabelMetric::Of::log_loss}),
       R::row<LastLabelMetric>("last_label_accuracy",
                               "accuracy of a baseline: always the last label",
                               {.of = LastLabelMetric::Of::accuracy}),
       R::row<LastLabelMetric>(
           "kappa_temporal", "share of the last label's wrong predictions that the decisions avoid",
           {.of = LastLabelMetric::Of::kappa_temporal}),
       R::row<ScoreHistogram>("score_histogram", "histogram of the scores")});
  return registry;
}

}  // namespace plumbline::inline v0
