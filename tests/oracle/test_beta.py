"""Online beta calibration against a batch fit: scikit-learn's LogisticRegression without penalty on the
inputs ln s and -ln(1 - s).

One pass of online Newton steps does not end exactly at the batch's optimum; it ends nearer to it than
the data can tell apart. The yardstick is the excess of the total log-loss on the same examples: that of
the truth itself over the optimum is half a chi-square of 3 degrees of freedom, 1.5 on average.
"""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

EXCESS_OF_THE_TRUTH = 1.5
# a, b, c: the identity; maps that bend at one end; a steep one, far from where it begins.
TRUTHS = [(1, 1, 0), (2, 0.5, 0.3), (0.4, 1.5, -1), (3, 3, 0)]


class Sample:
    def __init__(self, truth, size, seed):
        rng = np.random.default_rng(seed)
        self.scores = np.clip(rng.beta(0.8, 0.8, size), 1e-4, 1 - 1e-4)
        self.inputs = np.column_stack([np.log(self.scores), -np.log(1 - self.scores), np.ones(size)])
        self.labels = (rng.random(size) < expit(self.inputs @ truth)).astype(int)

    def loss(self, weights):
        z = self.inputs @ weights
        return np.sum(np.logaddexp(0, z) - self.labels * z)

    def batch_fit(self):
        model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)  # C = inf: no penalty
        model.fit(self.inputs[:, :2], self.labels)
        return np.append(model.coef_[0], model.intercept_)


def excess(driver, sample):
    """Of our total loss over that of the batch fit."""
    one = {"scores": sample.scores, "labels": sample.labels, "calibrate": True}
    answer = driver("platt", spec="beta:forgetting=1", rounds=[one], probe=[0.5])
    return sample.loss(answer["rounds"][0]["state"]["weights"]) - sample.loss(sample.batch_fit())


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("seed", range(3))
def test_ends_nearer_to_the_batch_fit_than_the_data_can_tell(driver, truth, seed):
    assert 0 <= excess(driver, Sample(truth, 8000, seed)) < EXCESS_OF_THE_TRUTH


@pytest.mark.parametrize("truth", TRUTHS)
def test_the_loss_of_an_example_converges_to_the_batch_fits(driver, truth):
    # If the total excess does not grow, that of an example falls as one over their number.
    few, many = (np.mean([excess(driver, Sample(truth, size, seed)) for seed in range(3)])
                 for size in (500, 8000))
    assert many < max(few, 0.1 * EXCESS_OF_THE_TRUTH)
