"""Classifiers for river: calibrated online boosting, and calibration around river's own."""

from __future__ import annotations

import sys
import typing

import numpy as np

try:
    import pandas as pd
    from river import base
except ImportError as error:
    raise ImportError(f"plumbline.river needs river: pip install river ({error})") from None

from . import _core
from ._config import MODEL_OPTIONS, config as make_config
from ._labels import Classes, is_missing, labels_of, text_of
from ._river_calibrated import OnlineCalibrated, OnlineStack
from ._teaching import teach


__all__ = ["OnlineBoost", "OnlineCalibrated", "OnlineStack"]


class OnlineBoost(base.MiniBatchClassifier):
    """Calibrated online boosting with the interface of river.

    Features are dicts with varying keys; texts are categories. `learn_one` learns a minibatch of one
    row. `learn_many` learns minibatches of `batch` rows; with 1, the default, it equals `learn_one` of
    each row, to the bit. Labels of True and False make a binary model; others are classes, and new ones
    may occur at any time.

    Parameters
    ----------
    preset
        Base configuration: "auto", "paper", … (`plumbline.presets()`).
    learner
        Weak learner, named as on the command line: "logistic:alpha=0.001". Here and below, None keeps the
        setting of the preset.
    companions
        Models beside the ensemble: "forest", "neighbors", "label_history" or any learner.
    calibrator
        Calibrator.
    policy
        Policy that chooses the action for each minibatch.
    reward
        Reward of the policy.
    actions
        Actions that the policy chooses from.
    learners
        Number of weak learners.
    score
        Score of the ensemble's votes: "vote_fraction" or "logistic".
    ensemble
        Further options of the ensemble, {"resample": "false"}.
    batch
        Rows per minibatch in `learn_many`. Larger minibatches are faster.
    label_delay
        Delay of labels in rows: a row is learned after so many rows that follow it have been predicted. Set it only
        if you call `learn_one` right after `predict_proba_one`, with a label that would come later in practice. It is
        not needed with the `delay` of river's evaluations, which call `learn_one` later.
    learn_budget
        Share of minibatches that may be trained, above 0 and at most 1; calibrating is not limited.
    learn_burst
        Minibatches that may be trained at first, beyond the learn budget.
    first_round
        What the first minibatch is used for: "train", or "train_then_calibrate", which also fits the calibrator to its
        scores after training.
    multiclass
        Reduction of several classes to binary models: "ovo" (one-vs-one) or "ovr" (one-vs-rest).
    encoder
        Encoding of rows, {"max_features": 10000}.
    seed
        Seed of the random numbers.

    Examples
    --------
    >>> from river import evaluate, metrics
    >>> import plumbline
    >>> from plumbline.river import OnlineBoost
    >>> stream = plumbline.Stream("sea", seed=7)
    >>> rows = [row for row, _ in zip(stream, range(3000))]
    >>> evaluate.progressive_val_score(rows, OnlineBoost(), metrics.LogLoss())  # doctest: +ELLIPSIS
    LogLoss: 0.339360...
    """

    def __init__(
        self,
        preset: str = "auto",
        learner: str | None = None,
        companions: list[str] | None = None,
        calibrator: str | None = None,
        policy: str | None = None,
        reward: str | None = None,
        actions: list[str] | None = None,
        learners: int | None = None,
        score: str | None = None,
        ensemble: dict[str, typing.Any] | None = None,
        batch: int = 1,
        label_delay: int = 0,
        learn_budget: float = 1.0,
        learn_burst: int = 1,
        first_round: str | None = None,
        multiclass: str = "ovo",
        encoder: dict[str, typing.Any] | None = None,
        seed: int | None = None,
    ):
        self.preset = preset
        self.learner = learner
        self.companions = companions
        self.calibrator = calibrator
        self.policy = policy
        self.reward = reward
        self.actions = actions
        self.learners = learners
        self.score = score
        self.ensemble = ensemble
        self.batch = batch
        self.label_delay = label_delay
        self.learn_budget = learn_budget
        self.learn_burst = learn_burst
        self.first_round = first_round
        self.multiclass = multiclass
        self.encoder = encoder
        self.seed = seed
        self._lock = _core.Lock()  # held to make the core, or to teach it new classes
        self._core: _core.Model | None = None
        self._classes = Classes([])
        options = {name: getattr(self, name) for name in MODEL_OPTIONS}
        self._config = make_config(preset, score=score, seed=seed, **options)

    @property
    def _multiclass(self) -> bool:
        return True

    # ---- One row

    def learn_one(self, x: dict[base.typing.FeatureName, typing.Any],
                  y: base.typing.ClfTarget) -> None:
        """Learns from one row.

        >>> model = OnlineBoost()
        >>> for _ in range(20):
        ...     model.learn_one({"colour": "red"}, "stop")
        ...     model.learn_one({"colour": "green"}, "go")
        >>> model.predict_one({"colour": "red"})
        'stop'
        """
        if is_missing(y):
            raise ValueError("y has no label: leave such rows out")
        core = self._core
        index = None if core is None else self._classes.index_of(y)
        if core is None or index is None:
            self._lock.change(lambda: self._learn_rows([x], [y]))
        else:
            core.learn_one(x, index)

    def predict_proba_one(self, x: dict[base.typing.FeatureName, typing.Any],
                          **kwargs: typing.Any) -> dict[base.typing.ClfTarget, float]:
        """The probability of each class; empty before the first row.

        >>> model = OnlineBoost()
        >>> for i in range(300):
        ...     model.learn_one({"x": i % 3}, i % 10 < 3)
        >>> {label: round(p, 2) for label, p in model.predict_proba_one({"x": 0}).items()}
        {False: 0.13, True: 0.87}
        """
        if self._core is None:
            return {}
        p = self._core.predict_one(x)
        return dict(zip(self._names(len(p)), p))

    # ---- Many rows

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learns from rows, in minibatches of `batch`.

        >>> import pandas as pd
        >>> model = OnlineBoost(batch=50)
        >>> x = pd.Series(range(200)) % 7
        >>> model.learn_many(x.to_frame("x"), x >= 4)
        >>> model.predict_proba_many(pd.DataFrame({"x": [1, 6]}, index=["low", "high"])).round(2)
              False  True
        low     1.0   0.0
        high    0.0   1.0
        """
        rows, labels = _dicts(X), labels_of(y)
        if len(rows) != len(labels):
            raise ValueError(f"X has {len(rows)} rows, but y has {len(labels)}")
        self._lock.change(lambda: self._learn_rows(rows, labels))

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """The probability of each class for each row: see `learn_many`."""
        if self._core is None:
            return pd.DataFrame(index=X.index)
        p = self._core.predict(_dicts(X), places=_core.Places.next)  # as predict_proba_one
        return pd.DataFrame(p, index=X.index, columns=self._names(p.shape[1]))

    # ---- Inside

    def _learn_rows(self, rows: list[dict[base.typing.FeatureName, typing.Any]],
                    labels: list[base.typing.ClfTarget]) -> None:
        core, classes = None, self._classes
        while rows:
            # The model is made for the first row only, so that the number of rows in the call makes no difference.
            core, classes = self._for(rows[0], labels[0])
            if core is not None:
                break
            del rows[0], labels[0]
        if core is None:
            return
        made = core
        indices, new = classes.indices(labels, core.multiclass)
        texts = [text_of(label) for label in new]
        teach(self, core, classes, new, lambda: made.step(rows, indices, True, texts))

    def _names(self, columns: int) -> list[base.typing.ClfTarget]:
        """The classes of the columns of a prediction."""
        labels = self._classes.labels
        if len(labels) < columns:  # another thread has just taught a class, and will add its name before it finishes
            now: typing.Any = self._lock.look(lambda: self._classes.labels)
            labels = now
        return labels[:columns]

    def _for(self, x: dict[base.typing.FeatureName, typing.Any],
             y: base.typing.ClfTarget) -> tuple[_core.Model | None, Classes]:
        """The model; a new one for the first row, or None for a first row without features."""
        if self._core is not None:
            return self._core, self._classes
        if all(is_missing(value) for value in x.values()):
            return None, self._classes
        binary = isinstance(y, (bool, np.bool_))
        classes = Classes([False, True] if binary else [y])
        return _core.Model.from_named(self._config, [x], classes.texts, not binary), classes

    def __getstate__(self) -> dict[str, typing.Any]:
        learned: typing.Any = self._lock.look(lambda: (
            self._classes, None if self._core is None else self._core.to_bytes()))
        state = self.__dict__.copy()
        state["_classes"], state["_core"] = learned
        del state["_lock"]
        return state

    def __setstate__(self, state: dict[str, typing.Any]) -> None:
        # The keys are interned, as Python's own are, because that changes the bytes of the next pickle.
        self.__dict__.update({sys.intern(key): value for key, value in state.items()})
        self._lock = _core.Lock()
        if state["_core"] is not None:
            self._core = _core.Model.from_bytes(state["_core"])

    def _unit_test_skips(self) -> set[str]:
        return {"check_shuffle_features_no_impact"}  # the forest draws features by their order

    @classmethod
    def _unit_test_params(cls) -> typing.Iterator[dict[str, typing.Any]]:
        yield {}
        yield {"learner": "logistic", "calibrator": "platt_newton"}


def _dicts(X: pd.DataFrame) -> list[dict[base.typing.FeatureName, typing.Any]]:
    return X.to_dict(orient="records")
