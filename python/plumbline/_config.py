"""From keyword arguments to the JSON that the core takes; every name is the command line's."""

from __future__ import annotations

import json
from typing import Any, Mapping

import numpy as np

from . import _core


def components() -> dict[str, dict[str, dict[str, Any]]]:
    """Everything that can be chosen: kinds, their members, and of each a summary and its options.

    >>> sorted(components())
    ['calibrator', 'generator', 'learner', 'metric', 'policy', 'reward']
    >>> components()["policy"]["fixed"]
    {'summary': 'calibrate on every N-th round', 'options': {'every': {'default': 2, ...
    """
    return _core.components()


def presets() -> dict[str, str]:
    """The configurations that have a name, and what they are.

    >>> presets()["auto"]
    'good probabilities without tuning'
    """
    return _core.presets()


def _number(value: Any) -> Any:
    """Of NumPy, as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} is a {type(value).__name__}")


def _component(value: Any) -> Any:
    """A component as the core takes it: "fixed:every=4", or {"name": "fixed", "every": 4}."""
    return dict(value) if isinstance(value, Mapping) else value


def config(
    preset: str = "auto",
    *,
    learner: Any = None,
    companions: Any = None,
    calibrator: Any = None,
    policy: Any = None,
    reward: Any = None,
    actions: Any = None,
    learners: int | None = None,
    score: str | None = None,
    ensemble: Mapping[str, Any] | None = None,
    batch: int | None = None,
    multiclass: str | None = None,
    encoder: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> str:
    """The whole configuration, every option of every component filled in, as JSON.

    The names are those of the command line, and so are the values: a component is "fixed:every=4" or
    {"name": "fixed", "every": 4}. What is not given is the preset's.

    Parameters
    ----------
    preset
        `plumbline.presets()` tells which there are.
    learner, calibrator, policy, reward
        Components: `plumbline.components()` tells which there are, with their options. A learner is without the
        preset's companions, unless `companions` names some.
    companions
        Single learners beside the ensemble, for calibrators that read several scores (stack, cascade).
    actions
        What the policy chooses from: "train", "calibrate", "both", "skip".
    learners
        Number of weak learners.
    score
        How votes become a score: "vote_fraction" or "logistic".
    ensemble
        Further options of the ensemble, e.g. {"resample": "false"}.
    batch
        Rows of a minibatch.
    multiclass
        How binary models make several classes: "ovr" or "ovo".
    encoder
        How rows become numbers, e.g. {"standardize": "true", "max_categories": 100}.
    seed
        Of the random numbers.

    Examples
    --------
    >>> import json
    >>> made = json.loads(config("paper", policy="thompson", learners=25))
    >>> made["policy"]["name"], made["ensemble"]["size"], made["batch"]
    ('thompson', 25, 50)
    """
    changes: dict[str, Any] = {}
    for key, value in [("learner", learner), ("calibrator", calibrator), ("policy", policy),
                       ("reward", reward)]:
        if value is not None:
            changes[key] = _component(value)
    for name, many in [("companions", companions), ("actions", actions)]:
        if isinstance(many, str):
            raise TypeError(f"{name} has to be a list; write {name}=[{many!r}]")
        if many is not None:
            changes[name] = [_component(one) for one in many]
    parts = dict(ensemble or {})
    for key, value in [("size", learners), ("score", score)]:
        if value is not None:
            parts[key] = value
    for key, value in [("ensemble", parts or None), ("batch", batch), ("multiclass", multiclass),
                       ("encoder", encoder), ("seed", seed)]:
        if value is not None:
            changes[key] = dict(value) if isinstance(value, Mapping) else value
    try:
        text = json.dumps(changes, default=_number)
    except TypeError as error:
        raise TypeError(f"the configuration has a value that is no number, text or list: {error}") from None
    return _core.complete(preset, text)
