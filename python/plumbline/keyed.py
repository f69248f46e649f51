"""One small model for each value of a key."""

from __future__ import annotations

import math
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

import numpy as np

from . import _core
from ._config import config as complete_config
from ._input import Path, column_names, existing, is_table, path_bytes
from ._labels import Classes, checked_labels, is_missing, label_of, text_of
from .model import Model


class KeyStatistics(NamedTuple):
    """What is known of a key. The losses are means over its rows, each predicted before it was learned."""

    key: str
    rows: int
    positives: int
    log_loss: float
    parent_log_loss: float | None
    last_row: int


class KeyedTotals(NamedTuple):
    """Totals of all keys; the losses are means over the rows."""

    rows: int
    keys: int
    expired: int
    log_loss: float
    parent_log_loss: float | None


class KeyedModel:
    """A small model for each value of a key, such as a customer, in one file of states (docs/python.md).

    Each row is predicted and learned by itself, in the order of the call. A key's model has the bits of a `Model` that
    saw the rows of this key only; with a parent, one that has the parent's probabilities as a score besides. Two classes.

    Parameters
    ----------
    path : path or None
        The file of a new store; it must not exist. None makes a temporary one, which ends with the object.
    features : int or list of str
        The features of a row, which are numbers; NaN is a missing one.
    classes : sequence
        The two labels; the second one is positive.
    parent : str or None
        The preset of a model of all rows, from whose probability each key begins; None for no such model.
    ttl : int
        A key without a row among the last `ttl` rows of all keys is forgotten; 0 keeps all.
    cache_mib : int
        Memory for the states of the keys that came last. The results do not depend on it.
    preset, **settings
        As for `plumbline.config`; the preset "small" is made for this.

    Examples
    --------
    >>> import numpy as np
    >>> from plumbline import KeyedModel
    >>> rng = np.random.default_rng(1)
    >>> shops, X = rng.integers(3, size=3000), rng.normal(size=(3000, 2))
    >>> y = (X[:, 0] * (shops - 1) + rng.normal(size=3000) > 0).astype(int)
    >>> model = KeyedModel(features=2)
    >>> p = model.step(shops, X, y)[:, 1]                        # each row before it is learned
    >>> model.predict_proba([0, 2, "new"], [[2, 0]] * 3)[:, 1].round(0)[:2]
    array([0., 1.])
    >>> model.totals.keys, model.totals.log_loss < model.totals.parent_log_loss
    (3, True)
    >>> model.statistics(2).rows == int((shops == 2).sum()), len(model.worst), model.fresh_bytes < 4096
    (True, 3, True)
    """

    def __init__(self, path: Path | None = None, *, features: int | Sequence[str], classes: Sequence[Any] = (0, 1),
                 parent: str | None = "fast", ttl: int = 0, cache_mib: int = 256, preset: str = "small",
                 **settings: Any):
        if len(classes) != 2:
            raise ValueError(f"a KeyedModel has two classes, not {len(classes)}")
        names = [f"x{j + 1}" for j in range(features)] if isinstance(features, int) else [str(n) for n in features]
        settings.setdefault("batch", 1)
        self._set(_core.Keyed.make(b"" if path is None else path_bytes(path), complete_config(preset, **settings),
                                   names, [text_of(label) for label in classes], parent or "", ttl,
                                   cache_mib << 20), list(classes))

    def _set(self, core: Any, classes: list[Any]) -> None:
        self._core, self._classes = core, Classes(classes)

    @classmethod
    def open(cls, path: Path, *, learn: bool = True, cache_mib: int = 256) -> "KeyedModel":
        """Opens a store as it was last saved; with learn=False it may be read-only, or in use by another process: see `save`."""
        self = cls.__new__(cls)
        core = _core.Keyed.open(existing(path), learn, cache_mib << 20)
        self._set(core, [label_of(text) for text in core.labels])
        return self

    def __repr__(self) -> str:
        totals = self.totals
        return f"<plumbline.KeyedModel: {totals.keys} keys, {totals.rows} rows learned>"

    # ---- Rows

    def step(self, keys: Iterable[Any], X: Any, y: Any) -> np.ndarray:
        """Predicts each row, then learns it; returns the probabilities of the two classes as predicted.

        If a row is refused, none is learned: see `KeyedModel`.
        """
        texts, rows = _keys(keys), self._rows(X)
        labels, _ = self._classes.indices(checked_labels(y), several=False)
        if len(labels) != len(rows):
            raise ValueError(f"there are {len(rows)} rows, but {len(labels)} labels")
        return self._core.step(texts, rows, labels)

    def learn(self, keys: Iterable[Any], X: Any, y: Any) -> "KeyedModel":
        """Learns rows, without the result: see `step`."""
        self.step(keys, X, y)
        return self

    def predict_proba(self, keys: Iterable[Any], X: Any) -> np.ndarray:
        """Predicts each row as the next one of its key; an unknown key has the parent's: see `KeyedModel`."""
        return self._core.predict(_keys(keys), self._rows(X))

    # ---- Saving

    def save(self, positions: Mapping[str, int] | None = None) -> None:
        """Writes what has changed as one transaction, and with it how far each source has been learned.

        After a crash the store is that of the last save.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "shops.keyed")
        >>> KeyedModel(path, features=1).learn(["Delft"], [[0.5]], [1]).save({"monday.csv": 1})
        >>> model = KeyedModel.open(path)
        >>> model.positions, model.statistics("Delft").rows
        ({'monday.csv': 1}, 1)
        """
        self._core.save(list((positions or {}).items()))

    @property
    def positions(self) -> dict[str, int]:
        """The rows learned of each source, as saved: see `save`."""
        return dict(self._core.positions())

    # ---- Inspection

    @property
    def totals(self) -> KeyedTotals:
        """Totals of all keys: see `KeyedModel`."""
        rows, keys, expired, loss, parent = self._core.totals()
        return KeyedTotals(rows, keys, expired, _mean(loss, rows), _mean(parent, rows) if self._core.parent else None)

    @property
    def worst(self) -> list[KeyStatistics]:
        """The keys with the largest log-loss in total, largest first: see `KeyedModel`."""
        return [self._statistics(of) for of in self._core.worst()]

    def statistics(self, key: Any) -> KeyStatistics | None:
        """What is known of a key; None for an unknown one: see `KeyedModel`."""
        of = self._core.statistics(_keys([key])[0])
        return None if of is None else self._statistics(of)

    def model(self, key: Any) -> Model:
        """A copy of a key's model. With a parent, its rows need the parent's probability as a score, which only a
        KeyedModel gives: see `KeyedModel`. Raises KeyError for an unknown key."""
        data = self._core.model_bytes(_keys([key])[0])
        if data is None:
            raise KeyError(key)
        return Model.from_bytes(data)

    @property
    def fresh_bytes(self) -> int:
        """The bytes of a new key's state: see `KeyedModel`."""
        return self._core.fresh_bytes

    def _statistics(self, of: tuple[Any, ...]) -> KeyStatistics:
        key, rows, positives, loss, parent, last = of
        return KeyStatistics(key, rows, positives, _mean(loss, rows), _mean(parent, rows) if self._core.parent else None,
                             last)

    def _rows(self, X: Any) -> np.ndarray:
        if is_table(X):
            names = column_names(X)
            missing = [name for name in self._core.features if name not in names]
            if missing:
                raise ValueError(f"X has no column {missing[0]!r}")
            X = np.column_stack([np.asarray(X[name], dtype=np.float64) for name in self._core.features])
        rows = np.ascontiguousarray(X, dtype=np.float64)
        if rows.ndim != 2:
            raise ValueError(f"X has to be rows and columns, but it has {rows.ndim} dimensions")
        return rows


def _keys(keys: Iterable[Any]) -> list[str]:
    values = keys.tolist() if hasattr(keys, "tolist") else list(keys)
    for row, key in enumerate(values):
        if is_missing(key):
            raise ValueError(f"the key of row {row + 1} is missing")
    return [text_of(key) for key in values]


def _mean(total: float, rows: int) -> float:
    return total / rows if rows else math.nan
