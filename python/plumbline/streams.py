"""Synthetic streams, and the rows of files in the formats of the command line."""

from __future__ import annotations

import collections
import sys
from typing import Any, Iterator

import numpy as np

from . import _core
from ._input import Path, existing


class Stream:
    """A synthetic stream without end, determined by its seed.

    Iterating gives single examples in river's form; `take` gives arrays.

    >>> stream = Stream("sea", seed=3)
    >>> X, y = stream.take(100)
    >>> X.shape, int(y.sum())
    ((100, 3), 39)
    >>> x, label = next(iter(stream))
    >>> {name: round(value, 2) for name, value in x.items()}, label
    ({'x1': 6.17, 'x2': 0.71, 'x3': 1.03}, True)
    """

    def __init__(self, spec: str = "waveform", seed: int = 1):
        if not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
            raise ValueError(f"the seed is {seed!r}; give a whole number from 0 on")
        self.spec = spec
        self._generator = _core.Generator(spec, seed)
        self._names = self._generator.features
        self._ahead: collections.deque[tuple[list[float], int]] = collections.deque()

    @property
    def features(self) -> list[str]:
        """The features' names.

        >>> Stream("sea").features
        ['x1', 'x2', 'x3']
        """
        return list(self._names)

    def take(self, rows: int) -> tuple[np.ndarray, np.ndarray]:
        """The next rows, and their labels: 1 for the positive class, 0 for the negative one.

        >>> X, y = Stream("led").take(1000)
        >>> X.shape, int(y.sum())
        ((1000, 24), 486)
        """
        if not isinstance(rows, (int, np.integer)) or rows < 0:
            raise ValueError(f"rows are {rows!r}; give how many, from 0 on")
        if rows > sys.maxsize:
            raise MemoryError(f"there is no memory for {rows} rows")
        if not self._ahead:
            return self._generator.take(rows)
        # Rows that were generated for iterating come first.
        count = min(rows, len(self._ahead))
        X, y = self._generator.take(rows - count)
        ahead = [self._ahead.popleft() for _ in range(count)]
        first = np.array([row for row, _ in ahead], dtype=np.float64).reshape(-1, X.shape[1])
        return np.vstack([first, X]), np.concatenate([np.array([label for _, label in ahead], dtype=np.int64), y])

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> tuple[dict[str, float], bool]:
        if not self._ahead:
            X, y = self._generator.take(256)
            self._ahead.extend(zip(X.tolist(), y.tolist()))
        row, label = self._ahead.popleft()
        return dict(zip(self._names, row)), bool(label)


def generate(spec: str = "waveform", rows: int = 1000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The first rows of a generator, with their labels.

    >>> X, y = generate("hyperplane:features=5", 10)
    >>> X.shape, y.tolist()
    ((10, 5), [0, 0, 1, 0, 1, 0, 1, 0, 0, 1])
    """
    return Stream(spec, seed).take(rows)


def read(path: Path, format: str = "") -> Iterator[dict[str, str]]:
    """The rows of a CSV, ARFF, LibSVM or Vowpal Wabbit file, plain or compressed, as dicts of texts.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "a.csv"
    >>> _ = file.write_text("height,label\\n1.5,yes\\n")
    >>> list(read(file))
    [{'height': '1.5', 'label': 'yes'}]
    """
    rows: Any = _core.FileRows(existing(path), format)
    return iter(rows)
