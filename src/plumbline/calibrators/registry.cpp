#include "plumbline/calibrators/registry.h"

#include "plumbline/calibrators/beta.h"
#include "plumbline/calibrators/histogram.h"
#include "plumbline/calibrators/isotonic.h"
#include "plumbline/calibrators/mixture.h"
#include "plumbline/calibrators/none.h"
#include "plumbline/calibrators/platt.h"
#include "plumbline/calibrators/platt_newton.h"
#include "plumbline/calibrators/spline.h"

namespace plumbline {

const CalibratorRegistry& calibrators() {
  using R = CalibratorRegistry;
  static const R registry(
      "calibrator",
      {R::row<NoCalibrator>("none", "the raw score"),
       R::row<Platt>("platt", "a sigmoid, refitted on each calibration minibatch by BFGS"),
       R::row<PlattNewton>(
           "platt_newton",
           "a sigmoid of the score's logit by online Newton steps, with forgetting"),
       R::row<Beta>("beta", "beta calibration by online Newton steps, with forgetting"),
       R::row<Histogram>(
           "histogram",
           "bins of a base map's output, each corrected by what came of it (calibeating)"),
       R::row<Isotonic>("isotonic",
                        "the best nondecreasing map of a summary of the past, with forgetting"),
       R::row<Spline>("spline", "a smooth nondecreasing map of the score's logit, with forgetting"),
       R::row<Mixture>("mixture", "a Bayesian average of the others, with fixed share")});
  return registry;
}

}  // namespace plumbline
