"""Probabilities from the scores of any model."""

from __future__ import annotations

import hashlib
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from . import _core
from ._input import Path, existing, path_bytes
from ._labels import Classes, checked_labels, label_of


class OnlineCalibrator:
    """Calibrates scores online: it turns one or more scores per row into probabilities, and learns from labels.

    The scores of a row must be predictions from before its label was known. For two classes, scores have the shape
    (rows,), or (rows, M) for M scores per row, higher for the positive class. For K classes they have the shape
    (rows, K), or (rows, M, K), and are calibrated jointly. The total log-loss of n rows that are
    learned one by one is at most ln(2 M) + n/100,000 above that of each uncalibrated score (docs/calibrate.md).

    Parameters
    ----------
    input : str, or a list with one for each score
        "probability", "logit" (log-odds; of several classes: logarithms of the probabilities) or "score" (any number,
        whose location and scale are tracked).
    classes : sequence or None
        All labels, in the order of the columns of the probabilities; those of the first call by default. Of two
        classes, the second one is positive.
    calibrator : str or dict
        Calibrator of two classes, named as on the command line (`plumbline.components()`).
    max_pending : int
        Largest number of rows that wait for their labels (`hold`). A further one replaces the oldest.

    Examples
    --------
    >>> import numpy as np
    >>> from plumbline import OnlineCalibrator
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.random(5000)
    >>> y = rng.random(5000) < truth
    >>> sure = truth ** 3 / (truth ** 3 + (1 - truth) ** 3)      # too sure
    >>> calibrator = OnlineCalibrator().partial_fit(sure, y)
    >>> np.abs(calibrator.predict_proba(sure)[:, 1] - truth).mean() < 0.02 < np.abs(sure - truth).mean()
    np.True_
    """

    def __init__(self, *, input: str | Sequence[str] = "probability", classes: Sequence[Any] | None = None,
                 calibrator: Any = "cascade", max_pending: int = 100_000):
        self.input = input
        self.classes = None if classes is None else list(classes)
        self.calibrator = calibrator
        self.max_pending = max_pending
        self._core: _core.Calibrator | None = None
        self._classes = Classes(self.classes or [])

    def __repr__(self) -> str:
        made = "not made yet" if self._core is None else f"{self._core.scores} scores, {self._classes.labels}"
        return f"<plumbline.OnlineCalibrator: {self.input}; {made}>"

    # ---- Rows

    def partial_fit(self, scores: Any, y: Any, classes: Sequence[Any] | None = None) -> "OnlineCalibrator":
        """Learns rows, one by one. The first call needs all classes, unless y contains them.

        >>> calibrator = OnlineCalibrator(classes=["no", "yes"])
        >>> calibrator.partial_fit([0.9] * 300, ["yes", "no", "no"] * 100).predict_proba([0.9]).round(1)
        array([[0.7, 0.3]])
        """
        core, known, rows = self._for(scores, y, classes)
        labels, _ = known.indices(checked_labels(y), several=False)
        core.learn(rows, labels)
        self._core, self._classes = core, known
        return self

    def predict_proba(self, scores: Any) -> np.ndarray:
        """The probability of each class: see `partial_fit`."""
        core, _, rows = self._for(scores, None, None)
        return core.predict(rows)

    def _step(self, scores: np.ndarray, indices: np.ndarray) -> np.ndarray:
        """Predicts a minibatch, then learns it: labels that become known together, as indices of classes."""
        core = self._made()
        return core.step(self._rows(scores, core, len(self._classes)), indices.astype(np.uint8))

    # ---- Labels that come later

    def hold(self, ids: Iterable[int | str], scores: Any) -> np.ndarray:
        """Predicts rows and keeps them until their labels come; ids are whole numbers or texts.

        The first call of a calibrator needs the classes: `OnlineCalibrator(classes=[…])`.

        >>> calibrator = OnlineCalibrator(classes=[False, True])
        >>> calibrator.hold(["a17", "a18"], [0.3, 0.8]).round(2)
        array([[0.7, 0.3],
               [0.2, 0.8]])
        >>> calibrator.learn(["a18", "a99"], [True, False])      # nothing waits as a99
        1
        >>> calibrator.pending
        1
        """
        core, known, rows = self._for(scores, None, None)
        numbers = _numbers(ids)
        probabilities = core.hold(numbers, rows)
        self._core, self._classes = core, known
        return probabilities

    def learn(self, ids: Iterable[int | str], y: Any) -> int:
        """Learns rows as they were predicted: see `hold`. Returns how many; labels of rows that do not wait are ignored."""
        core, numbers = self._made(), _numbers(ids)
        labels, _ = self._classes.indices(checked_labels(y), several=False)
        if len(numbers) != len(labels):
            raise ValueError(f"there are {len(numbers)} ids, but {len(labels)} labels")
        return core.learn_held(numbers, labels)

    @property
    def pending(self) -> int:
        """The number of rows that wait for their labels: see `hold`."""
        return 0 if self._core is None else self._core.pending

    @property
    def examples(self) -> int:
        """The number of rows learned: see `save`."""
        return 0 if self._core is None else self._core.examples

    @property
    def weights(self) -> dict[str, float]:
        """The weights of the average: of each uncalibrated score, and of the calibrator.

        >>> OnlineCalibrator(classes=[0, 1]).partial_fit([0.2, 0.9], [0, 1]).weights.keys()
        dict_keys(['p1', 'calibrator'])
        """
        return dict(self._made().weights)

    # ---- Files

    def save(self, path: Path) -> None:
        """Writes a file with which `load`, or `plumbline calibrate`, continues exactly here.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "c.safetensors")
        >>> OnlineCalibrator().partial_fit([0.2, 0.9], [0, 1]).save(path)
        >>> OnlineCalibrator.load(path).examples
        2
        """
        self._made().save(path_bytes(path))

    @classmethod
    def load(cls, path: Path) -> "OnlineCalibrator":
        """The calibrator of a file: see `save`."""
        return cls._of(_core.Calibrator.load(path_bytes(existing(path))))

    @classmethod
    def _made_for(cls, inputs: list[str], classes: Sequence[Any], calibrator: Any) -> "OnlineCalibrator":
        """A calibrator that can predict at once, of one score for each input."""
        self = cls(input=inputs, classes=classes, calibrator=calibrator)
        self._core = _core.Calibrator.make(len(inputs), inputs, self._classes.texts, spec_text(calibrator),
                                           self.max_pending)
        return self

    @classmethod
    def _of(cls, core: _core.Calibrator) -> "OnlineCalibrator":
        labels = [label_of(text) for text in core.classes]
        self = cls(input=core.inputs, classes=labels, calibrator=core.calibrator, max_pending=core.max_pending)
        self._core = core
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_core": None if self._core is None else self._core.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["_core"] is not None:
            self._core = _core.Calibrator.from_bytes(state["_core"])

    # ---- Inside

    def _made(self) -> _core.Calibrator:
        if self._core is None:
            raise ValueError("the calibrator has learned nothing yet: call partial_fit first")
        return self._core

    def _for(self, scores: Any, y: Any, classes: Sequence[Any] | None) -> tuple[_core.Calibrator, Classes, np.ndarray]:
        """The core, a new one in the first call; its classes; and the scores as rows of numbers."""
        if self._core is not None:
            return self._core, self._classes, self._rows(scores, self._core, len(self._classes))
        known = Classes(classes) if classes is not None else self._classes
        if len(known) == 0 and y is not None:
            known = Classes.among(checked_labels(y))
        if len(known) < 2:
            raise ValueError(f"there are {len(known)} classes so far, {known.labels}: give all of them as classes=[…]")
        rows = self._rows(scores, None, len(known))
        inputs = [self.input] if isinstance(self.input, str) else list(self.input)
        each = 1 if len(known) == 2 else len(known)
        if each == 1 and inputs == ["probability"] and rows.shape[1] == 2 and len(rows) > 0 and \
                np.allclose(rows.sum(axis=1), 1):
            raise ValueError("the two columns sum to 1, so they are the probabilities of the two classes: give the "
                             "second one, scores[:, 1]")
        core = _core.Calibrator.make(rows.shape[1] // each, inputs, known.texts, spec_text(self.calibrator),
                                     self.max_pending)
        return core, known, rows

    @staticmethod
    def _rows(scores: Any, core: _core.Calibrator | None, classes: int) -> np.ndarray:
        """Rows of M numbers, or M times K."""
        rows = np.asarray(scores, dtype=np.float64)
        each = 1 if classes == 2 else classes
        shapes = "(rows,) or (rows, scores)" if each == 1 else f"(rows, {each}) or (rows, scores, {each})"
        fits = rows.ndim in (1, 2) if each == 1 else rows.ndim in (2, 3) and rows.shape[-1] == each
        if not fits:
            raise ValueError(f"the scores of {classes} classes have the shape {shapes}, not {rows.shape}")
        width = int(np.prod(rows.shape[1:]))
        if core is not None and width != core.scores * each:
            raise ValueError(f"the calibrator was made for {core.scores} scores per row, but there are {width // each}")
        return np.ascontiguousarray(rows.reshape(len(rows), width))


def spec_text(spec: Any) -> str:
    """A component as text: "histogram:bins=10" or {"name": "histogram", "bins": 10}."""
    if not isinstance(spec, Mapping):
        return str(spec)
    options = ",".join(f"{name}={value}" for name, value in spec.items() if name != "name")
    return f"{spec['name']}:{options}" if options else str(spec["name"])


def _numbers(ids: Iterable[int | str]) -> np.ndarray:
    """Ids as numbers of 64 bits; texts by a hash, of which two are equal once in 10^19 pairs."""
    numbers = []
    for one in [ids] if isinstance(ids, (str, bytes)) else ids:
        if isinstance(one, str):
            one = int.from_bytes(hashlib.blake2b(one.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        elif not isinstance(one, (int, np.integer)) or not 0 <= one < 2**64:
            raise ValueError(f"the id {one!r} is neither a whole number from 0 to 2^64 - 1 nor a text")
        numbers.append(int(one))
    return np.array(numbers, dtype=np.uint64)
