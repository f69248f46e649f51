"""Metrics of a stream of predictions, computed in one pass and constant memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


class Metric:
    """A running metric of the probabilities of the positive class, named as on the command line.

    `plumbline.components()["metric"]` lists the metrics and their options.

    >>> metric = Metric("log_loss")
    >>> metric.update([0.9, 0.2], [1, 0])
    >>> round(metric.value, 4)
    0.1643
    >>> metric
    Metric('log_loss', value=0.164252...)

    Three metrics compare with "always the last label", a baseline without features that is hard to beat if labels
    come in runs: "last_label_log_loss", "last_label_accuracy" and "kappa_temporal", the share of its wrong
    predictions that the model avoids. With "kappa_temporal:batch=10", labels become known after each ten examples.

    >>> kappa = Metric("kappa_temporal")
    >>> kappa.update([0.9, 0.8, 0.3, 0.4, 0.6], [1, 1, 0, 0, 1])  # the last label is right twice
    >>> kappa.value
    1.0
    """

    def __init__(self, name: str = "log_loss"):
        self.name = name
        self._metric = _core.Metric(name)

    def update(self, probabilities: Any, labels: Any) -> None:
        """Counts predictions; a label is 1 for the positive class, 0 for the negative one.

        >>> metric = Metric("accuracy")
        >>> metric.update([0.9, 0.2, 0.6], [True, False, False])
        >>> round(metric.value, 3)
        0.667
        """
        y, p = np.atleast_1d(np.asarray(labels)), np.atleast_1d(probabilities)
        if p.ndim != 1 or y.ndim != 1:
            raise ValueError(f"probabilities of shape {p.shape} and labels of shape {y.shape}: give one of each for "
                             "each example, such as predict_proba(X)[:, 1]")
        if not np.isin(y, (0, 1)).all():
            raise ValueError("labels have to be 0 or 1")
        self._metric.observe(
            np.ascontiguousarray(p, dtype=np.float64),
            np.ascontiguousarray(y, dtype=np.uint8))

    @property
    def value(self) -> float | None:
        """The current value; None before the first example, and for a rate without a divisor.

        >>> Metric("auc").value is None
        True
        """
        return self._metric.value

    def bins(self) -> list[dict[str, Any]]:
        """The curve behind the value, for "calibration_error" and "score_histogram".

        >>> metric = Metric("calibration_error:bins=2")
        >>> metric.update([0.75, 0.25, 1.0], [1, 0, 0])
        >>> metric.bins()[1]
        {'low': 0.5, 'high': 1.0, 'count': 2, 'mean_probability': 0.875, 'positive_rate': 0.5}
        """
        return self._metric.bins()

    def bands(self) -> list[tuple[float, float, float]]:
        """Consistency bands: for each bin with predictions, their mean and the range of its share of positives.

        The whole curve of a calibrated model is inside the bands in 95 of 100 cases.

        >>> metric = Metric("calibration_error:bins=2")
        >>> metric.update([0.75, 0.75, 0.75, 0.75], [1, 0, 0, 0])
        >>> metric.bands()
        [(0.75, 0.25, 1.0)]
        """
        return self._metric.bands()

    def __repr__(self) -> str:
        return f"Metric({self.name!r}, value={self.value})"
