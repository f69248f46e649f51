"""Streaming probabilities that mean what they say: online boosting, calibrated on the way.

>>> import plumbline
>>> X, y = plumbline.generate("waveform", 2000)
>>> model = plumbline.OnlineBoostClassifier().fit(X[:1000], y[:1000])
>>> round(model.score(X[1000:], y[1000:]), 2) > 0.85
True
"""

from ._config import config
from ._core import __version__, components, presets
from .model import Model
from .streams import Stream, generate, read
from .metrics import Metric

__all__ = [
    "Metric",
    "Model",
    "OnlineBoostClassifier",
    "Stream",
    "__version__",
    "components",
    "config",
    "generate",
    "presets",
    "read",
]


def __getattr__(name: str):
    # scikit-learn takes a second to import, and is not needed for Model.
    if name == "OnlineBoostClassifier":
        from .classifier import OnlineBoostClassifier

        return OnlineBoostClassifier
    if name in ("river", "plot"):
        import importlib

        return importlib.import_module(f"plumbline.{name}")
    raise AttributeError(f"module 'plumbline' has no attribute '{name}'")


def __dir__():
    return sorted([*__all__, "plot", "river"])
