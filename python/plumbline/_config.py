"""From keyword arguments to the JSON that the core takes; every name is the command line's."""

from __future__ import annotations

import json
from typing import Any, Mapping

from . import _core


def component(value: Any) -> Any:
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
    n_learners: int | None = None,
    ensemble: Mapping[str, Any] | None = None,
    batch_size: int | None = None,
    multiclass: str | None = None,
    standardise: str | None = None,
    seed: int | None = None,
) -> str:
    """The whole configuration, every option of every component filled in, as JSON.

    >>> import json
    >>> json.loads(config("paper", policy="thompson", n_learners=25))["policy"]["name"]
    'thompson'
    """
    changes: dict[str, Any] = {}
    for key, value in [("learner", learner), ("calibrator", calibrator), ("policy", policy),
                       ("reward", reward)]:
        if value is not None:
            changes[key] = component(value)
    if companions is not None:
        changes["companions"] = [component(one) for one in companions]
    if actions is not None:
        changes["actions"] = list(actions)
    parts = dict(ensemble or {})
    if n_learners is not None:
        parts["size"] = n_learners
    if parts:
        changes["ensemble"] = parts
    if batch_size is not None:
        changes["batch"] = batch_size
    if multiclass is not None:
        changes["multiclass"] = multiclass
    if standardise is not None:
        changes["encoder"] = {"standardise": standardise}
    if seed is not None:
        changes["seed"] = seed
    try:
        text = json.dumps(changes)
    except TypeError as error:
        raise TypeError(f"the configuration has a value that is no number, text or list: {error}") from None
    return _core.complete(preset, text)
