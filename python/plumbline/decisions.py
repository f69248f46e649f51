"""Decisions of lowest expected cost, and probabilities for a shifted share of positives."""

from __future__ import annotations

from typing import Any

import numpy as np


def decide(probabilities: Any, cost_fp: Any = 1.0, cost_fn: Any = 1.0) -> np.ndarray:
    """The decisions of lowest expected cost, as of `plumbline predict --cost-fp … --cost-fn …`.

    A false positive (a false alarm) costs `cost_fp` and a false negative (a miss) `cost_fn`: a number, or one for each
    row. A decision is positive if p cost_fn > (1 - p) cost_fp.

    >>> decide([0.1, 0.1, 0.9], cost_fp=5, cost_fn=[10, 100, 10])
    array([False,  True,  True])
    """
    p, fp, fn = (np.asarray(one, dtype=np.float64) for one in (probabilities, cost_fp, cost_fn))
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("probabilities have to be from 0 to 1")
    for name, cost in (("cost_fp", fp), ("cost_fn", fn)):
        if not ((cost >= 0) & (cost <= 1e12)).all():
            raise ValueError(f"{name} has to be from 0 to 1e12")
    return p * fn > (1 - p) * fp


def shift_prior(probabilities: Any, learned: float, actual: float) -> np.ndarray:
    """Probabilities for a population whose share of positives differs from that of the training data.

    Correct if only the share of positives has changed, and not the distribution of the features within each class. If
    only a share k of the negatives was kept for learning, the odds in the whole population are k times as high.

    >>> shift_prior([0.5, 0.9], learned=0.5, actual=0.1).round(3)
    array([0.1, 0.5])
    """
    for name, share in (("learned", learned), ("actual", actual)):
        if not 0 < share < 1:
            raise ValueError(f"{name} is {share}; a share has to be above 0 and below 1")
    p = np.asarray(probabilities, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("probabilities have to be from 0 to 1")
    up, down = p * (actual / learned), (1 - p) * ((1 - actual) / (1 - learned))
    return up / (up + down)
