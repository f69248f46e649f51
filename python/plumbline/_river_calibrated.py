"""Calibration around river's own classifiers."""

from __future__ import annotations

import math
import typing

from river import base, linear_model, naive_bayes, tree

from . import _core
from ._actions import ACTIONS, CALIBRATES, POLICY, TRAINS, Chooser
from ._labels import Classes, is_missing, text_of
from .calibrator import spec_text

Features = dict[base.typing.FeatureName, typing.Any]
Target = base.typing.ClfTarget
# What one model predicts, or each of several.
Found = typing.Union[dict[Target, float], list[dict[Target, float]]]


class _Calibrated(base.Classifier):
    """Models, a calibrator of their probabilities, and a policy."""

    calibrator: typing.Any
    policy: typing.Any
    actions: typing.Sequence[str]
    seed: int
    learn_budget: float

    def _start(self) -> None:
        self._classes = Classes([])
        self._core: _core.RowCalibrator | None = None
        always = self.policy == POLICY and self.learn_budget == 1
        self._chooser = None if always else Chooser(self.policy, self.actions, self.seed, self.learn_budget)

    def _members(self) -> typing.Sequence[base.Classifier]:
        raise NotImplementedError

    # ---- One row

    def learn_one(self, x: Features, y: Target, **kwargs: typing.Any) -> None:
        """Calibrates with the predictions of the models for this row, then trains the models with it.

        >>> from river import naive_bayes
        >>> model = OnlineCalibrated(naive_bayes.GaussianNB())
        >>> for i in range(200):
        ...     model.learn_one({"x": i % 7 + i % 3 / 10}, i % 7 > 3)
        >>> model.predict_one({"x": 6.0})
        True
        """
        index, core = self._classes.index_of(y), self._core
        if core is None or index is None:
            return self._learn_first(x, y, index, kwargs)
        action = "both" if self._chooser is None else self._chosen(core, x, y)
        if action not in CALIBRATES:
            core.forget()
        # As predicted, if this row was the last one; the models have learned nothing since.
        elif not core.learn_last(x, index):
            core.learn(self._found(x), index)
        if action in TRAINS:
            for model in self._members():
                model.learn_one(x, y, **kwargs)

    def predict_proba_one(self, x: Features, **kwargs: typing.Any) -> dict[Target, float]:
        """The calibrated probability of each class. Before there are two classes: the prediction of the first model.

        >>> from river import naive_bayes
        >>> OnlineCalibrated(naive_bayes.GaussianNB()).predict_proba_one({"x": 1.0})
        {}
        """
        core = self._core
        return _probabilities(self._members()[0], x) if core is None else core.predict(x, self._found(x))

    # ---- Inside

    def _found(self, x: Features) -> Found:
        return [_probabilities(model, x) for model in self._members()]

    def _chosen(self, core: _core.RowCalibrator, x: Features, y: Target) -> str:
        chooser = typing.cast(Chooser, self._chooser)
        if not chooser.needs_loss and not chooser.needs_uncertainty:
            return chooser.choose(1.0)
        found = core.predict(x, self._found(x))
        p = found[self._classes.labels[typing.cast(int, self._classes.index_of(y))]]
        entropy = -sum(q * math.log(max(q, 1e-300)) for q in found.values())
        return chooser.choose(-math.log(max(p, 1e-15)), entropy)

    def _learn_first(self, x: Features, y: Target, index: int | None, kwargs: dict[str, typing.Any]) -> None:
        """Learns a row that cannot calibrate, because there is only one class or this class is new."""
        if is_missing(y):
            raise ValueError("y has no label: leave such rows out")
        if self._chooser is None or self._chooser.choose(1.0) in TRAINS or index is None:
            for model in self._members():
                model.learn_one(x, y, **kwargs)
        if index is None:
            self._add_class(y)

    def _add_class(self, y: Target) -> None:
        """Adds a class. Two are needed to calibrate; what was learned is kept when a further one comes."""
        known = Classes([False, True]) if isinstance(y, bool) and len(self._classes) == 0 else self._classes.with_new([y])
        if self._core is not None:
            self._core.add_class(y, text_of(y))
        elif len(known) >= 2:
            self._core = _core.RowCalibrator.make(len(self._members()), known.labels, known.texts,
                                                  spec_text(self.calibrator))
        self._classes = known

    def __getstate__(self) -> dict[str, typing.Any]:
        return {**self.__dict__, "_core": None if self._core is None else self._core.to_bytes()}

    def __setstate__(self, state: dict[str, typing.Any]) -> None:
        self.__dict__.update(state)
        if state["_core"] is not None:
            self._core = _core.RowCalibrator.from_bytes(state["_core"], self._classes.labels)


class OnlineCalibrated(base.Wrapper, _Calibrated):
    """A river classifier whose probabilities are calibrated online, for two classes or several.

    The calibrator learns from the predictions that the model made before it learned the row.

    Parameters
    ----------
    model
        Any classifier.
    calibrator
        Calibrator of two classes (`plumbline.components()`).
    policy
        Chooses an action for each row: by default, always both.
    actions
        Actions that the policy chooses from: "train", "calibrate", "both" and "skip".
    seed
        Seed of the policy.
    learn_budget
        Share of rows that the models may learn; the calibrator learns beyond it.

    Examples
    --------
    >>> from river import evaluate, metrics, naive_bayes
    >>> import plumbline
    >>> from plumbline.river import OnlineCalibrated
    >>> rows = [row for row, _ in zip(plumbline.Stream("waveform", seed=7), range(3000))]
    >>> evaluate.progressive_val_score(rows, naive_bayes.GaussianNB(), metrics.LogLoss())  # doctest: +ELLIPSIS
    LogLoss: 0.5...
    >>> model = OnlineCalibrated(naive_bayes.GaussianNB())
    >>> evaluate.progressive_val_score(rows, model, metrics.LogLoss())  # doctest: +ELLIPSIS
    LogLoss: 0.2...
    """

    def __init__(self, model: base.Classifier, calibrator: str = "cascade", policy: str = POLICY,
                 actions: typing.Sequence[str] = ACTIONS, seed: int = 1, learn_budget: float = 1.0):
        self.model = model
        self.calibrator = calibrator
        self.policy = policy
        self.actions = actions
        self.seed = seed
        self.learn_budget = learn_budget
        self._models = (model,)
        self._start()

    @property
    def _wrapped_model(self) -> base.Classifier:
        return self.model

    def _members(self) -> typing.Sequence[base.Classifier]:
        return self._models

    def _found(self, x: Features) -> Found:
        return _probabilities(self.model, x)

    @classmethod
    def _unit_test_params(cls) -> typing.Iterator[dict[str, typing.Any]]:
        yield {"model": linear_model.LogisticRegression()}
        yield {"model": tree.HoeffdingTreeClassifier(), "policy": "thompson"}


class OnlineStack(_Calibrated):
    """Several river classifiers, weighed and calibrated together online.

    The total log-loss of n rows is at most ln(2 M) + n/100,000 above that of the best of M models (docs/calibrate.md).
    Parameters are those of `OnlineCalibrated`, except the first.

    Parameters
    ----------
    models
        Any classifiers.
    calibrator
        Calibrator of two classes.
    policy
        Chooses an action for each row.
    actions
        Actions that the policy chooses from.
    seed
        Seed of the policy.
    learn_budget
        Share of rows that the models may learn; the calibrator learns beyond it.

    Examples
    --------
    >>> from river import evaluate, metrics, naive_bayes, tree
    >>> import plumbline
    >>> from plumbline.river import OnlineStack
    >>> rows = [row for row, _ in zip(plumbline.Stream("sea", seed=7), range(2000))]
    >>> model = OnlineStack([naive_bayes.GaussianNB(), tree.HoeffdingTreeClassifier()])
    >>> evaluate.progressive_val_score(rows, model, metrics.LogLoss())  # doctest: +ELLIPSIS
    LogLoss: 0.3...
    """

    def __init__(self, models: typing.Sequence[base.Classifier], calibrator: str = "cascade", policy: str = POLICY,
                 actions: typing.Sequence[str] = ACTIONS, seed: int = 1, learn_budget: float = 1.0):
        if not models:
            raise ValueError("there are no models")
        self.models = models
        self.calibrator = calibrator
        self.policy = policy
        self.actions = actions
        self.seed = seed
        self.learn_budget = learn_budget
        self._start()

    @property
    def _multiclass(self) -> bool:
        return all(model._multiclass for model in self.models)

    def _members(self) -> typing.Sequence[base.Classifier]:
        return self.models

    @classmethod
    def _unit_test_params(cls) -> typing.Iterator[dict[str, typing.Any]]:
        yield {"models": [naive_bayes.GaussianNB(), tree.HoeffdingTreeClassifier()]}


def _probabilities(model: base.Classifier, x: Features) -> dict[Target, float]:
    """The probabilities that a model predicts; a label without probabilities counts as certain."""
    try:
        return model.predict_proba_one(x) or {}
    except NotImplementedError:
        label = model.predict_one(x)
        return {} if label is None else {label: 1.0}
