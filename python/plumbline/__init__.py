"""Streaming probabilities that mean what they say: online boosting with online calibration.

>>> import plumbline
>>> X, y = plumbline.generate("waveform", 2000)
>>> model = plumbline.OnlineBoostClassifier().fit(X[:1000], y[:1000])
>>> round(model.score(X[1000:], y[1000:]), 3)
0.928
"""

import importlib
from typing import TYPE_CHECKING, Any

from ._config import components, config, presets
from ._core import version as __version__
from .calibrator import OnlineCalibrator
from .decisions import decide, shift_prior
from .keyed import KeyedModel
from .metrics import Metric
from .model import Model
from .streams import Stream, generate, read

if TYPE_CHECKING:
    from ._http import ServerError
    from .async_client import AsyncClient
    from .calibrated import OnlineCalibrated, OnlineStack
    from .classifier import OnlineBoostClassifier
    from .client import Client

__all__ = [
    "AsyncClient",
    "Client",
    "KeyedModel",
    "Metric",
    "Model",
    "OnlineBoostClassifier",
    "OnlineCalibrated",
    "OnlineCalibrator",
    "OnlineStack",
    "ServerError",
    "Stream",
    "__version__",
    "components",
    "config",
    "decide",
    "generate",
    "presets",
    "read",
    "shift_prior",
]


_CLIENTS = {"AsyncClient": "async_client", "Client": "client", "ServerError": "_http"}


def __getattr__(name: str) -> Any:
    # Importing scikit-learn takes a second, and Model does not need it.
    if name == "OnlineBoostClassifier":
        from .classifier import OnlineBoostClassifier

        return OnlineBoostClassifier
    if name in ("OnlineCalibrated", "OnlineStack"):
        return getattr(importlib.import_module("plumbline.calibrated"), name)
    if name in _CLIENTS:
        return getattr(importlib.import_module(f"plumbline.{_CLIENTS[name]}"), name)
    if name in ("river", "plot", "spark"):
        return importlib.import_module(f"plumbline.{name}")
    raise AttributeError(f"module 'plumbline' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "plot", "river", "spark"])
