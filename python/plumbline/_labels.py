"""Labels of any kind, and the places of their classes in the core."""

from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np

from ._input import KINDS


def text_of(label: Any) -> str:
    """As the core compares labels: numbers by their shortest text, truth as true and false."""
    if isinstance(label, (bool, np.bool_)):
        return "true" if label else "false"
    if isinstance(label, (float, np.floating)) and float(label).is_integer():
        return str(int(label))
    return str(label)


def label_of(text: str) -> Any:
    """What a label of a file is in Python."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def given(y: Any) -> np.ndarray | list[Any]:
    """One label for each row: an array if they are numbers, else a list."""
    if isinstance(y, (list, tuple, range)):
        return list(y)
    labels = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)  # pandas, polars, pyarrow
    if labels.ndim != 1:
        raise ValueError(f"y has to be one label for each row, but it has {labels.ndim} dimensions")
    if labels.dtype.kind not in "biuf":
        return labels.tolist()
    return labels if labels.dtype in KINDS else labels.astype(np.float64)


class Classes:
    """The classes of a model, in the order of their places."""

    def __init__(self, labels: Iterable[Any]):
        self.labels = list(labels)
        self._places = {label: place for place, label in enumerate(self.labels)}
        texts = [text_of(label) for label in self.labels]
        if len(set(texts)) < len(texts):
            raise ValueError(f"two classes read the same as text: {self.labels}")
        # Then the core finds the places of an array of numbers itself. It has doubles.
        self.are_numbers = all(
            isinstance(label, (bool, int, float, np.bool_, np.number)) and abs(float(label)) <= 2**53
            for label in self.labels)

    @classmethod
    def among(cls, y: Sequence[Any] | np.ndarray) -> "Classes":
        """Those that occur: numbers by value, before texts in the order of their letters."""
        found = set(y.tolist() if isinstance(y, np.ndarray) else y)
        return cls(sorted(found, key=_order))

    @property
    def texts(self) -> list[str]:
        return [text_of(label) for label in self.labels]

    def place(self, label: Any) -> int | None:
        return self._places.get(label)

    def places(self, y: Sequence[Any] | np.ndarray, several: bool) -> tuple[np.ndarray, list[Any]]:
        """Of each label, and those that are new; of several classes there may be such."""
        new: dict[Any, int] = {}
        places = []
        for row, label in enumerate(y.tolist() if isinstance(y, np.ndarray) else y):
            place = self._places.get(label)
            if place is None:
                if not several:
                    raise ValueError(f"the label {label!r} of row {row + 1} is none of the classes "
                                     f"{self.labels}")
                place = new.setdefault(label, len(self.labels) + len(new))
            places.append(place)
        if len(self.labels) + len(new) > 256:
            raise ValueError(f"there would be {len(self.labels) + len(new)} classes, but 256 are the most")
        return np.array(places, dtype=np.uint8), list(new)

    def with_new(self, labels: Iterable[Any]) -> "Classes":
        return Classes([*self.labels, *labels])

    def __len__(self) -> int:
        return len(self.labels)


def _order(label: Any) -> tuple[bool, Any]:
    number = isinstance(label, (int, float, np.number))
    return (not number, label if number else str(label))
