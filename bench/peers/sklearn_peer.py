"""OnlineBoost as the paper's authors would write it: sklearn_peer.py LEARNER FORM TASK.csv [LIMIT]

Algorithm 1 over ten scikit-learn objects, LEARNER gaussian_nb (resampling: Poisson counts as weights) or
logistic (SGDClassifier; reweighting). FORM says how they are called:

  example    predict, partial_fit and predict with one row at a time, for each learner;
  minibatch  the same with 100 rows at a time, the paper's minibatch for these streams, and the weights as
             arrays.

In both forms the first 100 rows are one minibatch: a Gaussian of one row has the variance 0. (So the
form `example` looks a little faster than it is: by a tenth over 1000 rows.) The score is the share of the
votes, not calibrated. Rows are standardised for the linear learner before the clock runs.
"""

import sys
import warnings

import numpy
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

import stream

SIZE = 10
BATCH = 100
CLASSES = numpy.array([0, 1])
FLOOR = 1e-10  # of the errors


class OnlineBoost:
    def __init__(self, learner):
        self.resample = learner == "gaussian_nb"
        make = GaussianNB if self.resample else lambda: SGDClassifier(loss="log_loss", random_state=1)
        self.learners = [make() for _ in range(SIZE)]
        self.right = numpy.zeros(SIZE)  # lambda_sc
        self.wrong = numpy.zeros(SIZE)  # lambda_sw
        self.random = numpy.random.default_rng(1)

    def errors(self, t):
        total = self.right[t] + self.wrong[t]
        return min(max(self.wrong[t] / total, FLOOR), 1 - FLOOR) if total > 0 else 0.5

    def predict(self, x):
        """The weighted share of the votes for the positive class; 0.5 before any learning."""
        votes = numpy.zeros(len(x))
        weights = 0.0
        for t, learner in enumerate(self.learners):
            if not hasattr(learner, "classes_"):
                continue
            error = self.errors(t)
            weight = numpy.log((1 - error) / error)
            votes += weight * learner.predict(x)
            weights += weight
        return numpy.clip(votes / weights, 0, 1) if weights else numpy.full(len(x), 0.5)

    def learn(self, x, y):
        weights = numpy.ones(len(x))
        for t, learner in enumerate(self.learners):
            if self.resample:
                # k updates with an example equal one with the weight k.
                counts = self.random.poisson(weights)
                drawn = counts > 0
                if drawn.any():
                    learner.partial_fit(x[drawn], y[drawn], CLASSES, counts[drawn])
            else:
                learner.partial_fit(x, y, CLASSES, weights)
            if not hasattr(learner, "classes_"):
                continue
            right = learner.predict(x) == y
            self.right[t] += weights[right].sum()
            self.wrong[t] += weights[~right].sum()
            error = self.errors(t)
            weights = weights * numpy.where(right, 0.5 / (1 - error), 0.5 / error)


def pieces(rows, form):
    """The bounds of the minibatches."""
    size = BATCH if form == "minibatch" else 1
    starts = [0, *range(BATCH, rows, size)]
    return list(zip(starts, [*starts[1:], rows]))


def main():
    learner, form, path, *limit = sys.argv[1:]
    x, y = stream.load(path, int(*limit or [0]), standardise=learner == "logistic")
    model = OnlineBoost(learner)
    loaded = stream.memory("VmRSS")
    parts = pieces(len(y), form)
    before = numpy.empty(len(y))
    warnings.simplefilter("ignore")  # of variances that are 0

    with stream.Clock() as learn:
        for first, last in parts:
            before[first:last] = model.predict(x[first:last])
            model.learn(x[first:last], y[first:last])
    with stream.Clock() as predict:
        for first, last in parts:
            model.predict(x[first:last])
    stream.report(len(y), learn, predict, loaded, **stream.quality(before, y))


if __name__ == "__main__":
    main()
