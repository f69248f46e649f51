"""What the first minibatch is used for: first_round."""

import numpy as np
import pytest

import plumbline
from plumbline import Model, OnlineBoostClassifier

FITTED = "train_then_calibrate"


def test_the_second_minibatch_is_calibrated_if_the_first_one_fits():
    X, y = plumbline.generate("waveform", 100)
    raw, fitted = (Model("paper", policy="always_train", first_round=first).learn(X[:50], y[:50])
                   for first in ("train", FITTED))
    assert "first_round" not in raw.config and fitted.config["first_round"] == FITTED
    scores = raw.predict_proba(X[50:])[:, 1]
    assert not np.array_equal(fitted.predict_proba(X[50:])[:, 1], scores)


def test_the_classifier_keeps_it(tmp_path):
    X, y = plumbline.generate("waveform", 100)
    OnlineBoostClassifier("paper", first_round=FITTED).fit(X, y).save(tmp_path / "m")
    assert OnlineBoostClassifier.load(tmp_path / "m").first_round == FITTED
    assert OnlineBoostClassifier().first_round is None


def test_river_has_it_too():
    pytest.importorskip("river")
    from plumbline.river import OnlineBoost

    assert OnlineBoost("paper", first_round=FITTED).first_round == FITTED
    with pytest.raises(ValueError, match="unknown first round"):
        OnlineBoost(first_round="fit")
