#include "plumbline/calibrator.h"

#include "plumbline/calibrators/anchored.h"
#include "plumbline/calibrators/beta.h"
#include "plumbline/calibrators/cascade.h"
#include "plumbline/calibrators/histogram.h"
#include "plumbline/calibrators/isotonic.h"
#include "plumbline/calibrators/mixture.h"
#include "plumbline/calibrators/none.h"
#include "plumbline/calibrators/platt.h"
#include "plumbline/calibrators/platt_newton.h"
#include "plumbline/calibrators/residual.h"
#include "plumbline/calibrators/spline.h"
#include "plumbline/calibrators/stack.h"

namespace plumbline::inline v0 {
namespace {

// A calibrator of the first score, for any number of columns.
template <class Member>
struct OfFirst : Member {
  OfFirst(const typename Member::Params& params, std::size_t) : Member(params) {}
};

}  // namespace

const CalibratorRegistry& calibrators() {
  using R = CalibratorRegistry;
  static const R registry(
      "calibrator",
      {R::row<OfFirst<NoCalibrator>>("none", "the raw score"),
       R::row<OfFirst<Platt>>("platt", "a sigmoid, refitted on each calibration minibatch by BFGS"),
       R::row<OfFirst<PlattNewton>>(
           "platt_newton",
           "a sigmoid of the score's logit by online Newton steps, with forgetting"),
       R::row<OfFirst<Beta>>("beta", "beta calibration by online Newton steps, with forgetting"),
       R::row<OfFirst<Histogram>>(
           "histogram",
           "bins of a base map's output, each replaced by its share of positives (calibeating)"),
       R::row<OfFirst<Isotonic>>("isotonic",
                                 "isotonic regression on a summary of the past, with forgetting"),
       R::row<OfFirst<Spline>>("spline",
                               "a smooth nondecreasing map of the score's logit, with forgetting"),
       R::row<OfFirst<Residual>>("residual",
                                 "corrects the mean error of similar scores, with a long memory"),
       R::row<Stack>("stack",
                     "logistic regression on the logits of all scores by online Newton steps, with "
                     "forgetting"),
       R::row<Anchored>("anchored",
                        "the last score, such as another model's, until others predict better"),
       R::row<Mixture>("mixture", "a Bayesian average of other calibrators, with fixed share"),
       R::row<Cascade>("cascade",
                       "three stages: mixture:members=stack, mixture:members=shape, residual")},
      // It discounted the past when drift was detected, which helped on some abrupt drifts and did harm on
      // electricity and forest. `mixture` follows drift by members that forget at different rates.
      {{.name = "on_drift", .without_effect = 1}});
  return registry;
}

}  // namespace plumbline::inline v0
