"""Labels of any kind, and the indices of their classes in the core."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np

from . import _core
from ._input import readable


def text_of(label: Any) -> str:
    """The text by which the core compares labels: numbers in their shortest form, truth values as true and false."""
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def label_of(text: str) -> Any:
    """The Python value of a label's text: a number or a truth value if `text_of` it gives this text, else the text."""
    if text in ("true", "false"):
        return text == "true"
    kinds: tuple[type, ...] = (int, float)
    for kind in kinds:
        try:
            label = kind(text)
        except ValueError:
            continue
        if label == label and text_of(label) == text:
            return label
    return text


def is_missing(value: Any) -> bool:
    """True for None, NaN and pandas' NA."""
    return value is None or type(value).__name__ == "NAType" or isinstance(value, float) and value != value


def checked_labels(y: Any) -> np.ndarray | list[Any]:
    """One label per row, as an array of numbers or a list. Raises ValueError if one is missing."""
    if isinstance(y, (list, tuple, range)):
        labels: Any = list(y)
    else:
        labels = np.asarray(y)
        if labels.ndim != 1:
            raise ValueError(f"y has to be one label for each row, but it has {labels.ndim} dimensions")
        if labels.dtype.kind not in "biuf":
            labels = labels.tolist()
    if isinstance(labels, list):
        missing = [row for row, label in enumerate(labels) if is_missing(label)]
    else:
        missing = np.flatnonzero(np.isnan(labels)).tolist() if labels.dtype.kind == "f" else []
    if missing:
        raise ValueError(f"y has no label in row {missing[0] + 1}: leave such rows out")
    if isinstance(labels, list) or readable(labels):
        return labels
    return labels.astype(labels.dtype.newbyteorder("=") if labels.dtype.itemsize <= 8 and
                         labels.dtype != np.float16 else np.float64)


def labels_of(y: Any) -> list[Any]:
    """One label per row, as a list of Python objects."""
    labels = checked_labels(y)
    return labels.tolist() if isinstance(labels, np.ndarray) else labels


class Classes:
    """The classes of a model, in the order of their indices."""

    def __init__(self, labels: Iterable[Any]):
        self.labels = list(labels)
        self._indices = {label: index for index, label in enumerate(self.labels)}
        if len(self.labels) > 256:
            raise ValueError(f"there are {len(self.labels)} classes, but 256 are the most")
        self._by_text = {_core.canonical_label(text): index for index, text in enumerate(self.texts)}
        if len(self._by_text) < len(self.labels):
            raise ValueError(f"two classes read the same as text: {self.labels}")
        # If true, the core itself finds the classes of an array of numbers. It uses doubles.
        self.are_numbers = all(
            isinstance(label, (bool, int, float, np.bool_, np.number)) and abs(float(label)) <= 2**53
            for label in self.labels)

    @classmethod
    def among(cls, y: Sequence[Any] | np.ndarray) -> "Classes":
        """The classes that occur in y: numbers by value, then texts in alphabetical order."""
        found = set(labels_of(y))
        return cls(sorted(found, key=_order))

    @property
    def texts(self) -> list[str]:
        return [text_of(label) for label in self.labels]

    def index_of(self, label: Any) -> int | None:
        """The index of a label, or of one with the same text, as "1" and 1; None if it is new."""
        index = self._indices.get(label)
        return self._by_text.get(_core.canonical_label(text_of(label))) if index is None else index

    def indices(self, y: Sequence[Any] | np.ndarray, several: bool) -> tuple[np.ndarray, list[Any]]:
        """The index of each label, and the new labels, which are allowed for several classes only."""
        new: dict[Any, int] = {}
        indices = []
        for row, label in enumerate(labels_of(y)):
            index = self.index_of(label)
            if index is None:
                if not several:
                    raise ValueError(f"the label {label!r} of row {row + 1} is not one of the classes "
                                     f"{self.labels}")
                index = new.setdefault(label, len(self.labels) + len(new))
            indices.append(index)
        if len(self.labels) + len(new) > 256:
            raise ValueError(f"there are {len(self.labels) + len(new)} classes, but 256 are the most")
        return np.array(indices, dtype=np.uint8), list(new)

    def with_new(self, labels: Iterable[Any]) -> "Classes":
        return Classes([*self.labels, *labels])

    def __len__(self) -> int:
        return len(self.labels)


def _order(label: Any) -> tuple[bool, Any]:
    number = isinstance(label, (int, float, np.number))
    return (not number, label if number else str(label))
