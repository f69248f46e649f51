"""Measures of a stream of predictions, in one pass and constant memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


class Metric:
    """A running measure of probabilities of the positive class, by the command line's names.

    >>> metric = Metric("log_loss")
    >>> metric.update([0.9, 0.2], [1, 0])
    >>> round(metric.value, 4)
    0.1643
    >>> Metric("calibration_error:bins=5").bins()[0]["count"]
    0
    """

    def __init__(self, name: str = "log_loss"):
        self.name = name
        self._metric = _core.Metric(name)

    def update(self, probabilities: Any, labels: Any) -> None:
        """Counts predictions; a label is 1 for the positive class, 0 for the negative one."""
        given = np.atleast_1d(np.asarray(labels))
        if not np.isin(given, (0, 1)).all():
            raise ValueError("labels have to be 0 or 1")
        self._metric.observe(
            np.ascontiguousarray(np.atleast_1d(probabilities), dtype=np.float64),
            np.ascontiguousarray(given, dtype=np.uint8))

    @property
    def value(self) -> float | None:
        """What it has come to; None before the first example."""
        return self._metric.value

    def bins(self) -> list[dict[str, Any]]:
        """The curve behind the value, for `calibration_error` and `score_histogram`."""
        return self._metric.bins()

    def __repr__(self) -> str:
        return f"Metric({self.name!r}, value={self.value})"
