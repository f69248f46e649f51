"""The river classifier."""

from __future__ import annotations

import typing

import pandas as pd
from river import base

from . import _core
from ._config import config as make_config
from .model import _as_text


class OnlineBoost(base.MiniBatchClassifier):
    """Calibrated online boosting with the interface of river.

    Features come as dicts and may come and go; a text is a category. `learn_one` is a minibatch of one
    row. `learn_many` learns minibatches of `batch_size` rows; with 1, the default, it is `learn_one` of
    each row, to the last bit. Labels of True and False make one model; others are classes, which may
    come at any time.

    Parameters
    ----------
    preset
        Where the other options begin: "auto", "paper", … (`plumbline.presets()`).
    learner
        The weak learner by the command line's name, "logistic:alpha=0.001". None leaves the preset's, as
        with all that follow.
    calibrator
        The calibrator by its name.
    policy
        The policy by its name.
    n_learners
        Weak learners of the ensemble.
    batch_size
        Rows of a minibatch in `learn_many`. More are faster.
    multiclass
        How binary models make several classes: "ovo" or "ovr".
    seed
        Of the draws.

    Examples
    --------
    >>> from river import evaluate, metrics
    >>> import plumbline
    >>> from plumbline.river import OnlineBoost
    >>> stream = plumbline.Stream("sea", seed=7)
    >>> rows = [row for row, _ in zip(stream, range(3000))]
    >>> evaluate.progressive_val_score(rows, OnlineBoost(), metrics.LogLoss())  # doctest: +ELLIPSIS
    LogLoss: 0.352997...
    """

    def __init__(
        self,
        preset: str = "auto",
        learner: str | None = None,
        calibrator: str | None = None,
        policy: str | None = None,
        n_learners: int | None = None,
        batch_size: int = 1,
        multiclass: str = "ovo",
        seed: int | None = None,
    ):
        self.preset = preset
        self.learner = learner
        self.calibrator = calibrator
        self.policy = policy
        self.n_learners = n_learners
        self.batch_size = batch_size
        self.multiclass = multiclass
        self.seed = seed
        self._core: _core.Model | None = None
        self._labels: dict[str, typing.Any] = {}
        self._classes: list[typing.Any] = []
        self._config = make_config(
            preset, learner=learner, calibrator=calibrator, policy=policy, n_learners=n_learners,
            batch_size=batch_size, multiclass=multiclass, seed=seed)

    @property
    def _multiclass(self) -> bool:
        return True

    # ---- One row

    def learn_one(self, x: dict[base.typing.FeatureName, typing.Any],
                  y: base.typing.ClfTarget) -> None:
        self._learn([x], [y])

    def predict_proba_one(self, x: dict[base.typing.FeatureName, typing.Any],
                          **kwargs: typing.Any) -> dict[base.typing.ClfTarget, float]:
        if self._core is None:
            return {}
        return dict(zip(self._classes, self._core.predict_named_one(x)))

    # ---- Many rows

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        if len(X) > 0:
            self._learn(_dicts(X), y.tolist())

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        if self._core is None:
            return pd.DataFrame(index=X.index)
        said = self._core.predict_named(_dicts(X))
        if not self._core.multiclass:
            said = [[1 - p, p] for [p] in said]
        return pd.DataFrame(said, index=X.index, columns=self._classes)

    # ---- Inside

    def _learn(self, rows: list[dict], labels: list[typing.Any]) -> None:
        texts = []
        for label in labels:
            text = _as_text(label)
            if text not in self._labels:
                self._labels[text] = label
            texts.append(text)
        if self._core is None:
            # Of the first row alone, so that it makes no difference how many come with it.
            binary = texts[0] in ("true", "false")
            self._core = _core.Model.from_named(self._config, rows[:1], texts[:1], not binary)
        self._core.step_named(rows, texts)
        if len(self._classes) != len(self._labels) or not self._classes:
            self._learn_classes()

    def _learn_classes(self) -> None:
        other = {"true": True, "false": False}
        self._classes = [self._labels.get(text, other.get(text, text)) for text in self._core.classes]

    def __getstate__(self) -> dict[str, typing.Any]:
        state = self.__dict__.copy()
        state["_core"] = None if self._core is None else self._core.to_bytes()
        return state

    def __setstate__(self, state: dict[str, typing.Any]) -> None:
        self.__dict__.update(state)
        if state["_core"] is not None:
            self._core = _core.Model.from_bytes(state["_core"])

    @classmethod
    def _unit_test_params(cls):
        yield {}
        yield {"learner": "logistic", "calibrator": "platt_newton"}


def _dicts(X: pd.DataFrame) -> list[dict]:
    return X.to_dict(orient="records")
