"""Figures with matplotlib, an optional dependency: those of the command line's reports, point by point.

`y` are labels of 0 and 1, or of False and True; `probabilities` and `scores` are those of the positive class, the
second column of the results of `Model.step(X, y, scores=True)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .metrics import Metric

__all__ = ["calibrator", "histogram", "learning_curve", "reliability"]

_COLOURS = ["#0072b2", "#d55e00", "#009e73"]  # those of the reports
_RULE = {"color": "#444", "linewidth": 1.25, "linestyle": (0, (5, 4)), "zorder": 1}


def learning_curve(y: Any, probabilities: Any, *, batch: int = 1, ax: Any = None) -> Any:
    """The log-loss along a stream: in each of at most 100 stretches, and its running mean.

    `batch` is the number of rows per minibatch; stretches consist of whole minibatches, and labels become known at
    their ends. Two baselines without features are shown: the share of positives, and always the last label.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import plumbline
    >>> X, y = plumbline.generate("sea", 5000)
    >>> ax = learning_curve(y, plumbline.Model().step(X, y)[:, 1])
    >>> [line.get_label() for line in ax.lines]
    ['in each stretch', 'running mean', 'always saying the share of positives', 'always the last label']
    >>> round(float(ax.lines[1].get_ydata()[-1]), 3)
    0.333
    """
    if batch < 1:
        raise ValueError(f"batch is {batch}; give the rows of a minibatch")
    y, p = _predictions(y, probabilities)
    p = np.clip(p, 1e-15, 1 - 1e-15)
    sums = np.concatenate([[0.0], np.cumsum(-np.where(y == 1, np.log(p), np.log1p(-p)))])
    points = _ends(len(y), batch)
    stretches = _ends(len(y), batch, most=100)
    starts = np.concatenate([[0], stretches[:-1]])
    share = y.mean()
    ax = _axes(ax, (9.5, 4))
    ax.plot(stretches, (sums[stretches] - sums[starts]) / (stretches - starts), color=_COLOURS[0],
            label="in each stretch")
    ax.plot(points, sums[points] / points, color=_COLOURS[1], label="running mean")
    if 0 < share < 1:
        ax.axhline(-share * np.log(share) - (1 - share) * np.log1p(-share), **_RULE,
                   label="always saying the share of positives")
    last_label = Metric(f"last_label_log_loss:batch={min(batch, len(y))}")
    last_label.update(p, y)
    ax.axhline(last_label.value, **{**_RULE, "linestyle": ":"}, label="always the last label")
    ax.set(xlabel="examples", ylabel="log-loss", title="Learning curve")
    ax.set_ylim(bottom=0)
    return _finished(ax)


def reliability(y: Any, probabilities: Any, *, scores: Any = None, bins: int = 15, ax: Any = None) -> Any:
    """The share of positives against the predicted probability.

    In 95 of 100 cases all points of a calibrated model are inside the band.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import plumbline
    >>> X, y = plumbline.generate("sea", 5000)
    >>> p, s = plumbline.Model().step(X, y, scores=True)
    >>> ax = reliability(y, p[:, 1], scores=s[:, 1])
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('predicted probability', 'share of positives')
    >>> x, share = ax.lines[1].get_data()      # calibrated
    >>> float(x[0].round(3)), float(share[0].round(3))
    (0.057, 0.133)
    """
    y, p = _predictions(y, probabilities)
    metric = Metric(f"calibration_error:bins={bins}")
    metric.update(p, y)
    ax = _axes(ax, (5, 4))
    mean, low, high = np.array(metric.bands()).T
    ax.fill_between(mean, low, high, color=_COLOURS[0], alpha=0.2, linewidth=0,
                    label="band of a calibrated model")
    ax.plot([0, 1], [0, 1], **_RULE, label="perfect calibration")
    _points(ax, metric, "s", _COLOURS[1], "calibrated")
    if scores is not None:
        before = Metric(f"calibration_error:bins={bins}")
        before.update(scores, y)
        _points(ax, before, "^", _COLOURS[2], "scores before calibration")
    ax.set(xlabel="predicted probability", ylabel="share of positives", xlim=(0, 1), ylim=(0, 1),
           title="Reliability")
    return _finished(ax)


def histogram(scores: Any, *, bins: int = 40, ax: Any = None) -> Any:
    """The histogram of the scores.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> ax = histogram([0.1, 0.12, 0.9])
    >>> [int(bar.get_height()) for bar in ax.patches if bar.get_height() > 0]
    [2, 1]
    """
    values = np.atleast_1d(np.asarray(scores, dtype=np.float64))
    metric = Metric(f"score_histogram:bins={bins}")
    metric.update(values, np.zeros(len(values), dtype=np.uint8))
    found = metric.bins()
    ax = _axes(ax, (5, 4))
    ax.bar([bin["low"] for bin in found], [bin["count"] for bin in found], align="edge",
           width=[bin["high"] - bin["low"] for bin in found], color=_COLOURS[0], alpha=0.5,
           edgecolor=_COLOURS[0])
    ax.set(xlabel="score before calibration", ylabel="examples", xlim=(0, 1),
           title="Histogram of the scores")
    return ax


def calibrator(model: Any, *, ax: Any = None) -> Any:
    """The calibrator's map from scores to probabilities.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import plumbline
    >>> ax = calibrator(plumbline.Model("paper").learn(*plumbline.generate("sea", 1000)))
    >>> [line.get_label() for line in ax.lines]
    ['calibrator', 'uncalibrated scores']
    """
    view = getattr(model, "model_", model).view()  # accepts a classifier too
    if "curve" not in view:
        raise ValueError("the model has several calibrators, one for each binary model: see Model.view")
    ax = _axes(ax, (5, 4))
    ax.plot(*zip(*view["curve"]), color=_COLOURS[0], label="calibrator")
    ax.plot([0, 1], [0, 1], **_RULE, label="uncalibrated scores")
    ax.set(xlabel="score", ylabel="probability", xlim=(0, 1), ylim=(0, 1), title="The calibrator")
    return _finished(ax)


# ---- Inside


def _predictions(y: Any, probabilities: Any) -> tuple[np.ndarray, np.ndarray]:
    labels, p = np.atleast_1d(np.asarray(y)), np.atleast_1d(np.asarray(probabilities, dtype=np.float64))
    if len(p) == 0:
        raise ValueError("there is no prediction to draw")
    Metric("log_loss").update(p, labels)  # raises if they are invalid
    return labels.astype(np.int64), p


def _ends(examples: int, batch: int, most: int | None = None) -> np.ndarray:
    """The ends of the points of the reports' curves, or of at most `most` stretches of several points.

    A point has 1, 2, 4, … minibatches: the smallest number for which there are fewer than 800 points.
    """
    batches = -(-examples // batch)
    step = 1
    while batches >= 800 * step:
        step *= 2
    if most is not None:
        step *= -(-(-(-batches // step)) // most)
    ends = np.arange(step * batch, examples, step * batch)
    return np.append(ends, examples)


def _points(ax: Any, metric: Metric, marker: str, colour: str, label: str) -> None:
    found = [bin for bin in metric.bins() if bin["count"] > 0]
    ax.plot([bin["mean_probability"] for bin in found], [bin["positive_rate"] for bin in found],
            linestyle="none", marker=marker, markersize=5, color=colour, markeredgecolor="white",
            label=label)


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plumbline.plot draws with matplotlib: pip install matplotlib") from None
    return plt.subplots(figsize=size)[1]


def _finished(ax: Any) -> Any:
    ax.grid(color="#e8e8e8")
    ax.set_axisbelow(True)
    ax.legend(frameon=False, fontsize="small")
    return ax
