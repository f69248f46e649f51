"""The learn budget."""

import numpy as np
import pytest

from plumbline import Model, OnlineBoostClassifier, generate


def test_a_model_keeps_to_it_and_goes_on_exactly():
    X, y = generate("sea", 400)
    whole = Model(learn_budget=0.2, policy="selective")
    expected = whole.step(X, y)
    part = Model(learn_budget=0.2, policy="selective").learn(X[:170], y[:170])
    part = Model.from_bytes(part.to_bytes())
    np.testing.assert_array_equal(part.step(X[170:], y[170:]), expected[170:])
    assert part.to_bytes() == whole.to_bytes()
    assert part.config["learn_budget"] == 0.2


def test_the_estimators_have_it(tmp_path):
    X, y = generate("sea", 200)
    model = OnlineBoostClassifier(learn_budget=0.3).fit(X, y)
    model.save(tmp_path / "m")
    assert OnlineBoostClassifier.load(tmp_path / "m").learn_budget == 0.3
    river = pytest.importorskip("plumbline.river")
    assert '"learn_budget":0.3' in river.OnlineBoost(learn_budget=0.3)._config


def test_what_is_not_a_share_is_refused():
    for bad in (0, 1.5, -1.0):
        with pytest.raises(ValueError, match="learn_budget"):
            Model(learn_budget=bad)
