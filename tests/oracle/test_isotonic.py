"""The isotonic calibrator against scikit-learn's IsotonicRegression.

Without forgetting and with no more distinct scores than cells, its summary is the data itself, and the
map must be the same: at the scores, and linear in their logit in between. The imagined positive below
every score and the negative above are two more examples for scikit-learn.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression

# Sums of a few hundred weights in another order, and logits by another formula.
ROUNDING = 1e-11


def scikit_learn(scores, labels, prior):
    x = logit(np.clip(scores, 1e-6, 1 - 1e-6))
    low, high = x.min() - 1, x.max() + 1
    model = IsotonicRegression(y_min=0, y_max=1)
    model.fit(np.concatenate([[low], x, [high]]), np.concatenate([[1], labels, [0]]),
              sample_weight=np.concatenate([[prior], np.ones(len(x)), [prior]]))
    # Beyond the outermost scores ours stays level, where scikit-learn goes on to the imagined two.
    return lambda probe: model.predict(np.clip(logit(np.clip(probe, 1e-6, 1 - 1e-6)), x.min(), x.max()))


def ours(driver, batches, probe, spec):
    rounds = [{"scores": scores, "labels": labels, "calibrate": True} for scores, labels in batches]
    return driver("platt", spec=spec, rounds=rounds, probe=probe)["rounds"][-1]["probabilities"]


def draw(rng, size, distinct):
    """Scores of few values, and labels of any map, rising or not."""
    values = np.sort(rng.beta(0.7, 0.7, distinct))
    chances = expit(logit(values) + 2 * rng.normal(size=distinct))
    which = rng.integers(0, distinct, size)
    return values[which], (rng.random(size) < chances[which]).astype(int)


@pytest.mark.parametrize("prior", [0.001, 1, 20])
@pytest.mark.parametrize("seed", range(10))
def test_is_scikit_learns_for_few_distinct_scores(driver, seed, prior):
    rng = np.random.default_rng(seed)
    scores, labels = draw(rng, size=300, distinct=30)
    batches = [(scores[i:i + 50], labels[i:i + 50]) for i in range(0, 300, 50)]
    probe = np.concatenate([np.unique(scores), rng.random(100), [0, 1e-7, 0.5, 1]])
    found = ours(driver, batches, probe, f"isotonic:cells=30,forgetting=1,prior={prior}")
    assert_allclose(found, scikit_learn(scores, labels, prior)(probe), rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("labels", [[0] * 40, [1] * 40, [0] * 20 + [1] * 20, [1] * 20 + [0] * 20])
def test_is_scikit_learns_for_one_class_and_for_separable_scores(driver, labels):
    scores = np.linspace(0, 1, 40)
    probe = np.linspace(0, 1, 101)
    found = ours(driver, [(scores, labels)], probe, "isotonic:cells=40,forgetting=1")
    assert_allclose(found, scikit_learn(scores, labels, prior=1)(probe), rtol=0, atol=ROUNDING)


def test_a_summary_of_more_scores_than_cells_stays_near_scikit_learns(driver):
    # 5000 distinct scores in 100 cells of about 50: a map that rises by 1 over the cells rises by some
    # 1/100 within one, and the share of positives in a pool of cells strays by a few more.
    rng = np.random.default_rng(40)
    scores = rng.random(5000)
    labels = (rng.random(5000) < scores ** 2).astype(int)
    probe = np.linspace(0.02, 0.98, 200)
    found = ours(driver, [(scores, labels)], probe, "isotonic:cells=100,forgetting=1")
    assert np.abs(found - scikit_learn(scores, labels, prior=1)(probe)).mean() < 0.02
