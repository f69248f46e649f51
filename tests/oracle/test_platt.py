"""Online Platt scaling against scipy.optimize and scikit-learn's own sigmoid calibration.

The optimum is judged by the objective and its gradient, not by the parameters: where the objective
is flat, equally good parameters lie far apart. The objective is the mean log-loss of the minibatch
with Platt's targets, which depend on the labels observed so far.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.calibration import _SigmoidCalibration

PROBE = np.linspace(0, 1, 11)


class Objective:
    """Of w = (slope, intercept): p = 1/(1 + e^(slope s + intercept))."""

    def __init__(self, observed, scores, labels):
        positives, negatives = np.sum(observed == 1), np.sum(observed == 0)
        # The share of the negative class in each row, since z stands for it: p falls with z.
        high, low = (positives + 1) / (positives + 2), 1 / (negatives + 2)
        self.target = 1 - np.where(labels == 1, high, low)
        self.start = np.array([0, np.log((negatives + 1) / (positives + 1))])
        self.design = np.column_stack([scores, np.ones(len(scores))])

    def value(self, w):
        z = self.design @ w
        return np.mean(np.logaddexp(0, z) - self.target * z)

    def gradient(self, w):
        return self.design.T @ (expit(self.design @ w) - self.target) / len(self.target)

    def hessian(self, w):
        p = expit(self.design @ w)
        return (self.design.T * (p * (1 - p))) @ self.design / len(p)

    def minimum(self):
        """By BFGS, polished by a trust-region Newton method.

        Both work on standardised scores, which leads them to the optimum however alike scores are.
        """
        scores = self.design[:, 0]
        scale = scores.std() or 1.0
        to_w = np.array([[1 / scale, 0], [-scores.mean() / scale, 1]])
        problem = {
            "fun": lambda v: self.value(to_w @ v),
            "jac": lambda v: to_w.T @ self.gradient(to_w @ v),
        }
        rough = minimize(**problem, x0=self.start, method="BFGS")
        fine = minimize(**problem, x0=rough.x, method="trust-exact", options={"gtol": 1e-12},
                        hess=lambda v: to_w.T @ self.hessian(to_w @ v) @ to_w)
        return min(rough.fun, fine.fun)


def make_round(scores, labels, calibrate=True):
    return {"scores": np.asarray(scores, float), "labels": np.asarray(labels),
            "calibrate": calibrate}


def noisy_round(rng, size, calibrate=True):
    """Labels that fit their scores, but with a bias and another slope in every round."""
    scores = rng.random(size)
    slope, bias = rng.normal(6, 3), rng.normal()
    labels = (rng.random(size) < expit(slope * (scores - 0.5) + bias)).astype(int)
    return make_round(scores, labels, calibrate)


def parameters(answer):
    return np.array([answer["state"]["slope"], answer["state"]["intercept"]])


def walk(driver, rounds, spec="platt"):
    """The driver's answer to each round, with the objective of that round."""
    answers = driver("platt", spec=spec, rounds=rounds, probe=PROBE)["rounds"]
    for i, (round_, answer) in enumerate(zip(rounds, answers)):
        observed = np.concatenate([r["labels"] for r in rounds[:i + 1]])
        yield round_, answer, Objective(observed, round_["scores"], round_["labels"])


def assert_optimal(answer, objective):
    w = parameters(answer)
    # 1e-7 is what scipy's BFGS reaches at its best; our own stops at 1e-9 or where rounding ends.
    assert np.linalg.norm(objective.gradient(w)) <= 1e-7
    # The rounding of a mean of losses of the order of 1.
    assert objective.value(w) <= objective.minimum() + 1e-12
    assert_allclose(answer["probabilities"], expit(-(w[0] * PROBE + w[1])), rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_every_warm_started_calibration_reaches_scipys_optimum(driver, seed):
    rng = np.random.default_rng(seed)
    rounds = [noisy_round(rng, size) for size in [50, 100, 20, 1000, 5]]
    for _, answer, objective in walk(driver, rounds):
        assert_optimal(answer, objective)


def test_targets_count_the_labels_of_every_round_whatever_it_was_used_for(driver):
    rng = np.random.default_rng(20)
    rounds = [noisy_round(rng, 50, calibrate=i % 3 == 2) for i in range(9)]
    rounds.insert(5, make_round(np.full(400, 0.5), np.zeros(400), calibrate=False))
    for round_, answer, objective in walk(driver, rounds):
        if round_["calibrate"]:
            assert_optimal(answer, objective)


def test_one_minibatch_is_calibrated_no_worse_than_by_scikit_learn(driver):
    round_ = noisy_round(np.random.default_rng(21), 200)
    [(_, answer, objective)] = walk(driver, [round_])
    theirs = _SigmoidCalibration().fit(round_["scores"], round_["labels"])
    w = np.array([theirs.a_, theirs.b_])
    assert objective.value(parameters(answer)) <= objective.value(w) + 1e-12
    # Its optimiser stops at a gradient of 1e-6, some way from the optimum.
    assert_allclose(answer["probabilities"], theirs.predict(PROBE), rtol=1e-4)


@pytest.mark.parametrize("label", [0, 1])
def test_minibatches_of_one_class_reach_scipys_optimum(driver, label):
    rng = np.random.default_rng(22)
    rounds = [noisy_round(rng, 50), make_round(rng.random(50), np.full(50, label)),
              make_round(rng.random(3), np.full(3, label)), noisy_round(rng, 50)]
    for first in [0, 1]:  # as a later calibration, and as the first one
        for _, answer, objective in walk(driver, rounds[first:]):
            assert_optimal(answer, objective)


@pytest.mark.parametrize("score", [0, 1e-9, 0.3, 1])
def test_equal_scores_reach_scipys_optimum(driver, score):
    rng = np.random.default_rng(23)
    rounds = [noisy_round(rng, 50), make_round(np.full(40, score), rng.integers(0, 2, 40)),
              noisy_round(rng, 50)]
    for first in [0, 1]:
        for _, answer, objective in walk(driver, rounds[first:]):
            assert_optimal(answer, objective)


@pytest.mark.parametrize("spread", [1e-4, 1e-3, 1e-2])
def test_scores_close_to_each_other_reach_scipys_optimum(driver, spread):
    rng = np.random.default_rng(24)
    scores = 0.5 + spread * rng.random(60)
    rounds = [make_round(scores, rng.integers(0, 2, 60)), noisy_round(rng, 50)]
    for _, answer, objective in walk(driver, rounds):
        assert_optimal(answer, objective)


@pytest.mark.parametrize("spread", [1e-15, 1e-12, 1e-9, 1e-6])
def test_scores_too_close_to_tell_apart_never_end_above_their_start(driver, spread):
    # An optimum would need a slope beyond 1/spread, and rounding hides the way there.
    rng = np.random.default_rng(31)
    scores = 0.5 + spread * rng.random(60)
    for labels in [rng.integers(0, 2, 60), (scores > np.median(scores)).astype(int)]:
        start = None
        for _, answer, objective in walk(driver, [make_round(scores, labels)] * 3):
            start = objective.start if start is None else start
            end = parameters(answer)
            assert objective.value(end) <= objective.value(start) + 1e-12
            start = end


@pytest.mark.parametrize("gap", [0.9, 0.1, 0.01])
def test_separable_and_nearly_separable_scores_reach_scipys_optimum(driver, gap):
    rng = np.random.default_rng(25)
    labels = rng.integers(0, 2, 100)
    scores = np.clip(0.5 + (labels - 0.5) * gap + 0.05 * gap * rng.normal(size=100), 0, 1)
    one_wrong = labels.copy()
    one_wrong[7] = 1 - one_wrong[7]
    # With many labels observed the targets are almost 0 and 1, and the slope grows.
    many = make_round(np.full(20000, 0.5), np.arange(20000) % 2, calibrate=False)
    rounds = [make_round(scores, labels), make_round(scores, one_wrong), many,
              make_round(scores, labels), make_round(scores, one_wrong)]
    for round_, answer, objective in walk(driver, rounds):
        if round_["calibrate"]:
            assert_optimal(answer, objective)


@pytest.mark.parametrize("score", [0, 0.2, 1])
@pytest.mark.parametrize("label", [0, 1])
def test_a_single_example_reaches_scipys_optimum(driver, score, label):
    rng = np.random.default_rng(26)
    single = make_round([score], [label])
    for rounds in [[single], [noisy_round(rng, 50), single, single]]:
        for _, answer, objective in walk(driver, rounds):
            assert_optimal(answer, objective)


def test_output_is_the_raw_score_before_the_first_calibration(driver):
    rng = np.random.default_rng(27)
    rounds = [noisy_round(rng, 50, calibrate=i == 3) for i in range(5)]
    for i, (_, answer, _) in enumerate(walk(driver, rounds)):
        if i < 3:
            assert_array_equal(answer["probabilities"], PROBE)
        else:
            assert np.abs(answer["probabilities"] - PROBE).max() > 0.01


def test_a_round_without_calibration_leaves_the_sigmoid_as_it_is(driver):
    rng = np.random.default_rng(28)
    rounds = [noisy_round(rng, 50, calibrate=i == 0) for i in range(3)]
    answers = [answer for _, answer, _ in walk(driver, rounds)]
    assert_array_equal(parameters(answers[2]), parameters(answers[0]))


def test_one_step_goes_downhill_along_the_gradient_from_where_the_last_round_ended(driver):
    rng = np.random.default_rng(29)
    rounds = [noisy_round(rng, 50) for _ in range(4)]
    start = None
    for _, answer, objective in walk(driver, rounds, spec="platt:bfgs_steps=1"):
        start = objective.start if start is None else start
        end = parameters(answer)
        step, gradient = end - start, objective.gradient(start)
        cosine = step @ -gradient / np.linalg.norm(step) / np.linalg.norm(gradient)
        assert cosine > 1 - 1e-12  # rounding: two rows of summands, in another order
        assert objective.value(end) < objective.value(start)
        assert np.linalg.norm(objective.gradient(end)) > 1e-3  # it has not converged
        start = end


def test_more_steps_come_closer_until_they_converge(driver):
    rng = np.random.default_rng(30)
    rounds = [noisy_round(rng, 100)]
    excess = []
    for steps in [1, 2, 4, 30]:
        [(_, answer, objective)] = walk(driver, rounds, spec=f"platt:bfgs_steps={steps}")
        excess.append(objective.value(parameters(answer)) - objective.minimum())
    assert excess == sorted(excess, reverse=True)
    assert excess[0] > 1e-6 and excess[-1] < 1e-12
