"""The model itself, for those who write the loop."""

from __future__ import annotations

import json
import os
from typing import Any, Sequence

import numpy as np

from . import _core
from ._config import config as make_config
from ._input import existing, is_table, matrix


class Model:
    """An ensemble, a calibrator and a policy between them; rows become numbers on the way.

    Made for the first rows that it is given: arrays of numbers (NaN is missing), tables of pandas,
    polars or pyarrow with columns of numbers and texts, or lists of dicts whose keys come and go.
    Predicting from several threads at once is safe; learning waits until nobody predicts.

    >>> import plumbline
    >>> X, y = plumbline.generate("sea", 3000)
    >>> model = plumbline.Model(policy="ucb1", calibrator="platt", learner="gaussian_nb")
    >>> for i in range(0, 3000, 50):
    ...     p = model.step(X[i:i + 50], y[i:i + 50])     # predicts, then learns
    >>> p.shape, model.classes
    ((50, 2), [0, 1])
    >>> copy = plumbline.Model.from_bytes(model.to_bytes())
    >>> bool((copy.predict_proba(X) == model.predict_proba(X)).all())
    True
    """

    def __init__(self, preset: str = "auto", *, classes: Sequence[Any] | None = None,
                 categorical: Sequence[str] = (), **options: Any):
        self._config = make_config(preset, **options)
        self._wanted = None if classes is None else list(classes)
        self._categorical = [str(name) for name in categorical]
        self._core: _core.Model | None = None
        self._labels: list[Any] = []  # the user's, in the core's order

    # ---- What it is

    @property
    def config(self) -> dict[str, Any]:
        """Everything that it is made of, every option filled in."""
        return json.loads(self._core.config if self._core else self._config)

    @property
    def classes(self) -> list[Any]:
        """The labels, in the order of the columns of `predict_proba`."""
        return list(self._labels)

    @property
    def features(self) -> list[str]:
        """The features' names; those of categories are "colour=red"."""
        return self._made().features

    def view(self) -> dict[str, Any]:
        """The inside: rounds, examples, the learners' errors, the policy's estimates, the curve."""
        views = self._made().view()
        return views[0] if not self._core.multiclass else {"models": views}

    # ---- The loop

    def step(self, X: Any, y: Any) -> np.ndarray:
        """Predicts the rows, then learns from them, a minibatch at a time; the probabilities."""
        X, y = self._rows(X), self._given(y)
        if len(y) != self._count(X):
            raise ValueError(f"X has {self._count(X)} rows, but y has {len(y)}")
        if self._core is None:
            self._make(X, y)
        core = self._core
        if isinstance(X, np.ndarray):
            return self._both(core.step(X, self._codes(y)))
        texts = self._texts(y)
        said = core.step_named(X, texts) if isinstance(X, list) else core.step_table(X, texts)
        return self._both(said)

    def learn(self, X: Any, y: Any) -> "Model":
        """Learns from the rows."""
        self.step(X, y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class for each row; changes nothing."""
        core, X = self._made(), self._rows(X)
        if isinstance(X, np.ndarray):
            return self._both(core.predict(X))
        return self._both(core.predict_named(X) if isinstance(X, list) else core.predict_table(X))

    def scores(self, X: Any) -> np.ndarray:
        """What the ensemble says before it is calibrated, for arrays of numbers."""
        return self._both(self._made().scores(matrix(X)))

    # ---- Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that `plumbline run --load` and `Model.load` go on with."""
        self._made().save(os.fspath(path))

    def to_bytes(self) -> bytes:
        """The bytes of that file."""
        return self._made().to_bytes()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Model":
        """The model of a file, from Python or from the command line."""
        return cls._of(_core.Model.load(existing(path)))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Model":
        """The model of the bytes of a file."""
        return cls._of(_core.Model.from_bytes(data))

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_core"] = None if self._core is None else self._core.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["_core"] is not None:
            self._core = _core.Model.from_bytes(state["_core"])

    # ---- Inside

    @classmethod
    def _of(cls, core: _core.Model) -> "Model":
        model = cls.__new__(cls)
        model._config, model._core = core.config, core
        model._wanted, model._categorical = None, []
        model._labels = [_as_number(text) for text in core.classes]
        return model

    def _made(self) -> _core.Model:
        if self._core is None:
            raise ValueError("the model has not learned yet; call learn or step first")
        return self._core

    @staticmethod
    def _rows(X: Any) -> Any:
        if is_table(X):
            return X
        if isinstance(X, list) and X and isinstance(X[0], dict):
            return X
        return matrix(X)

    @staticmethod
    def _count(X: Any) -> int:
        return X.num_rows if hasattr(X, "num_rows") else len(X)

    @staticmethod
    def _given(y: Any) -> list[Any]:
        values = y.tolist() if hasattr(y, "tolist") else (
            y.to_list() if hasattr(y, "to_list") else list(y))
        return values if isinstance(values, list) else [values]

    def _make(self, X: Any, y: list[Any]) -> None:
        known = self._wanted if self._wanted is not None else sorted(set(y), key=_order)
        multiclass = len(known) != 2
        texts = [_as_text(label) for label in known]
        if len(set(texts)) < len(texts):
            raise ValueError(f"two classes read the same as text: {known}")
        if isinstance(X, np.ndarray):
            if len(known) < 2 and self._wanted is None:
                raise ValueError(f"y has 1 class, {known[0]!r}; give all of them as classes=[...]")
            names = [f"x{j + 1}" for j in range(X.shape[1])]
            self._core = _core.Model.numeric(self._config, names, texts, multiclass)
        elif isinstance(X, list):
            self._core = _core.Model.from_named(self._config, X, self._texts(y), multiclass)
        else:
            self._core, _ = _core.Model.from_table(
                self._config, X, self._texts(y), self._categorical, multiclass)
        self._labels = []
        self._learn_labels(known)

    def _learn_labels(self, labels: Sequence[Any]) -> None:
        known = {_as_text(label): label for label in [*self._labels, *labels]}
        self._labels = [known.get(text, _as_number(text)) for text in self._core.classes]

    def _codes(self, y: list[Any]) -> np.ndarray:
        place = {label: k for k, label in enumerate(self._labels)}
        try:
            return np.array([place[label] for label in y], dtype=np.uint8)
        except KeyError as error:
            raise ValueError(f"the label {error.args[0]!r} is none of the classes {self._labels}") from None

    @staticmethod
    def _texts(y: list[Any]) -> list[str]:
        return [_as_text(label) for label in y]

    def _both(self, said: np.ndarray) -> np.ndarray:
        if self._core.multiclass:
            if len(self._labels) != said.shape[1]:
                self._learn_labels(())
            return said
        return np.hstack([1 - said, said])


def _as_text(label: Any) -> str:
    """As the core compares labels: numbers by their shortest text, truth as true and false."""
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def _as_number(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _order(label: Any) -> tuple[bool, Any]:
    number = isinstance(label, (int, float, np.number))
    return (not number, label if number else str(label))
