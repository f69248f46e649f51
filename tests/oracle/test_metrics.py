"""Metrics against scikit-learn's, on probabilities of a rare class with ties, and the last label against river's."""

import numpy as np
import pytest
from river import dummy
from sklearn import metrics

# Sums over 5000 examples in another order.
ROUNDING = 1e-11
FALSE_NEGATIVE = 12.0
THRESHOLD = 1 / (1 + FALSE_NEGATIVE)


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(7)
    probabilities = np.round(rng.beta(0.5, 6, 5000), 4)
    return probabilities, (rng.random(5000) < probabilities).astype(int)


@pytest.mark.parametrize(
    "name, theirs",
    [
        ("recall", metrics.recall_score),
        ("precision", metrics.precision_score),
        ("f1", metrics.f1_score),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
        ("accuracy", metrics.accuracy_score),
    ],
)
def test_rates_of_decisions(driver, predictions, name, theirs):
    probabilities, labels = predictions
    ask = lambda spec: driver("metric", spec=spec, probabilities=probabilities, labels=labels)["value"]
    assert ask(name) == pytest.approx(theirs(labels, probabilities > 0.5), abs=ROUNDING)
    if name != "accuracy":
        decided = theirs(labels, probabilities > THRESHOLD)
        assert ask(f"{name}:false_negative={FALSE_NEGATIVE}") == pytest.approx(decided, abs=ROUNDING)


def test_cost(driver, predictions):
    probabilities, labels = predictions
    spec = f"cost:false_negative={FALSE_NEGATIVE}"
    ours = driver("metric", spec=spec, probabilities=probabilities, labels=labels)["value"]
    (_, fp), (fn, _) = metrics.confusion_matrix(labels, probabilities > THRESHOLD)
    assert ours == pytest.approx((fp + FALSE_NEGATIVE * fn) / len(labels), abs=ROUNDING)


def test_auc(driver, predictions):
    probabilities, labels = predictions
    ours = driver("metric", spec="auc", probabilities=probabilities, labels=labels)["value"]
    # The bound that metrics/auc.h states, from the same bins.
    with np.errstate(divide="ignore"):
        logits = np.clip(np.log(probabilities / (1 - probabilities)), -36, 36)
    bins = np.minimum(((logits + 36) / (72 / 4096)).astype(int), 4095)
    positives = np.bincount(bins[labels == 1], minlength=4096) / labels.sum()
    negatives = np.bincount(bins[labels == 0], minlength=4096) / (1 - labels).sum()
    bound = positives @ negatives / 2
    assert bound < 0.01
    assert ours == pytest.approx(metrics.roc_auc_score(labels, probabilities), abs=bound)


@pytest.mark.parametrize("name, theirs", [("log_loss", metrics.log_loss),
                                          ("brier", metrics.brier_score_loss)])
def test_losses(driver, predictions, name, theirs):
    probabilities, labels = predictions
    inside = np.clip(probabilities, 1e-6, 1)  # scikit-learn has changed where it clips
    ours = driver("metric", spec=name, probabilities=inside, labels=labels)["value"]
    assert ours == pytest.approx(theirs(labels, inside), abs=ROUNDING)


def test_always_the_last_label(driver):
    rng = np.random.default_rng(8)
    labels = np.logical_xor.accumulate(rng.random(3000) < 0.2).astype(int)  # in runs
    labels[0] = 1  # river predicts nothing here, and we the class 0
    probabilities = np.where(rng.random(3000) < 0.9, labels, 1 - labels) * 0.8 + 0.1
    baseline, right = dummy.NoChangeClassifier(), 0
    for label in labels.tolist():
        right += baseline.predict_one({}) == label
        baseline.learn_one({}, label)
    ask = lambda spec: driver("metric", spec=spec, probabilities=probabilities, labels=labels)["value"]
    expected = right / len(labels)
    assert ask("last_label_accuracy") == pytest.approx(expected, abs=ROUNDING)
    accuracy = metrics.accuracy_score(labels, probabilities > 0.5)
    assert ask("kappa_temporal") == pytest.approx((accuracy - expected) / (1 - expected), abs=ROUNDING)
