"""The choice of an action for each minibatch of a model that is not plumbline's."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from .calibrator import spec_text

# The policy of the preset auto: calibrate with the predictions, then train.
POLICY = "always:action=both"
ACTIONS = ("train", "calibrate", "both")
TRAINS = frozenset({"train", "both"})
CALIBRATES = frozenset({"calibrate", "both"})


class Chooser:
    """A policy; the first round trains. It pickles."""

    def __init__(self, policy: Any, actions: Sequence[str], seed: int, learn_budget: float = 1):
        self._made_of = spec_text(policy), list(actions), seed, float(learn_budget)
        self._core = _core.Chooser.make(*self._made_of)
        self.needs_loss: bool = self._core.needs_loss
        self.needs_uncertainty: bool = self._core.needs_uncertainty

    def choose(self, loss: float, uncertainty: float = 0.0) -> str:
        return self._core.choose(loss, uncertainty)

    def __getstate__(self) -> dict[str, Any]:
        return {"made_of": self._made_of, "state": self._core.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state["made_of"])  # type: ignore[misc]
        self._core.set_state(state["state"])


def mean_loss(probabilities: np.ndarray, indices: np.ndarray) -> float:
    """The mean log-loss of rows, given the index of each one's class."""
    chosen = probabilities[np.arange(len(indices)), indices]
    return float(-np.log(np.maximum(chosen, 1e-15)).mean())


def mean_entropy(probabilities: np.ndarray) -> float:
    """The mean entropy of the predictions for rows, in nats."""
    return float(-(probabilities * np.log(np.maximum(probabilities, 1e-300))).sum(axis=1).mean())
