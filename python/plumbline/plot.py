"""Figures with matplotlib, if it is there: those of the command line's reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from .metrics import Metric


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plumbline.plot draws with matplotlib: pip install matplotlib") from None
    return plt.subplots(figsize=(5, 4))[1]


def reliability(y: Any, probabilities: Any, *, bins: int = 20, ax: Any = None, label: str | None = None):
    """How often the positive class came true, against how likely it was said to be.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = reliability([0, 1, 1, 0], [0.1, 0.8, 0.9, 0.3])
    >>> ax.get_xlabel()
    'predicted probability'
    """
    metric = Metric(f"calibration_error:bins={bins}")
    metric.update(probabilities, y)
    points = [bin for bin in metric.bins() if bin["count"] > 0]
    ax = _axes(ax)
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, linestyle="--", zorder=0)
    ax.plot([p["mean_probability"] for p in points], [p["positive_rate"] for p in points], marker="o",
            markersize=4, label=label or f"calibration error {metric.value:.3f}")
    ax.set(xlabel="predicted probability", ylabel="share of positives", xlim=(0, 1), ylim=(0, 1),
           title="Reliability")
    ax.legend(frameon=False)
    return ax


def learning_curve(y: Any, probabilities: Any, *, points: int = 100, ax: Any = None,
                   label: str | None = None):
    """The log-loss along the stream, in windows, and the running mean of it.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> learning_curve([0, 1, 1, 0], [0.1, 0.8, 0.9, 0.3]).get_ylabel()
    'log-loss'
    """
    y, p = np.asarray(y, dtype=float), np.clip(np.asarray(probabilities, dtype=float), 1e-15, 1 - 1e-15)
    losses = -(y * np.log(p) + (1 - y) * np.log1p(-p))
    if len(losses) == 0:
        raise ValueError("there is no prediction to draw")
    ends = np.unique(np.linspace(0, len(losses), min(points, len(losses)) + 1).astype(int)[1:])
    sums = np.concatenate([[0], np.cumsum(losses)])
    starts = np.concatenate([[0], ends[:-1]])
    ax = _axes(ax)
    [line] = ax.plot(ends, sums[ends] / ends, label=label or "so far")
    ax.plot(ends, (sums[ends] - sums[starts]) / (ends - starts), color=line.get_color(), alpha=0.35,
            linewidth=1, label="in windows" if label is None else None)
    ax.set(xlabel="examples", ylabel="log-loss", title="Learning curve")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax
