"""Configurations: keyword arguments, named as on the command line, as JSON for the core."""

from __future__ import annotations

import json
from typing import Any, Mapping

import numpy as np

from . import _core


# Arguments of `config` that the classes of this package have in common.
MODEL_OPTIONS = ("learner", "companions", "calibrator", "policy", "reward", "actions", "learners", "ensemble", "batch",
                 "label_delay", "learn_budget", "learn_burst", "first_round", "multiclass", "encoder")


def components() -> dict[str, dict[str, dict[str, Any]]]:
    """All components by family, each with a summary and its options.

    >>> sorted(components())
    ['calibrator', 'generator', 'learner', 'metric', 'policy', 'reward']
    >>> components()["policy"]["fixed"]
    {'summary': 'calibrate on every N-th round', 'options': {'every': {'default': 2, ...
    """
    return _core.components()


def presets() -> dict[str, str]:
    """The named configurations, with a summary of each.

    >>> presets()["auto"]
    'good probabilities without tuning'
    """
    return _core.presets()


def _number(value: Any) -> Any:
    """Converts NumPy's numbers to Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} is a {type(value).__name__}")


def _component(value: Any) -> Any:
    """A component for the core: "fixed:every=4", or {"name": "fixed", "every": 4}."""
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
    label_delay: int | None = None,
    learn_budget: float | None = None,
    learn_burst: int | None = None,
    label_budget: float | None = None,
    label_choice: str | None = None,
    first_round: str | None = None,
    multiclass: str | None = None,
    encoder: Mapping[str, Any] | None = None,
    seed: int | None = None,
) -> str:
    """The complete configuration, with every option of every component, as JSON.

    Names and values are those of the command line: a component is "fixed:every=4" or
    {"name": "fixed", "every": 4}. Arguments that are None keep the setting of the preset.

    Parameters
    ----------
    preset
        Base configuration; `plumbline.presets()` lists them.
    learner, calibrator, policy, reward
        Components; `plumbline.components()` lists them with their options. Setting the learner removes the preset's
        companions, unless `companions` is set too.
    companions
        Models beside the ensemble ("forest", "neighbors", "label_history" or any learner), for calibrators of several
        scores.
    actions
        Actions that the policy chooses from: "train", "calibrate", "both", "skip".
    learners
        Number of weak learners.
    score
        Score of the ensemble's votes: "vote_fraction" or "logistic".
    ensemble
        Further options of the ensemble, e.g. {"resample": "false"}.
    batch
        Rows per minibatch.
    label_delay
        Delay of labels in rows: a row is learned after so many rows that follow it have been predicted.
    learn_budget
        Share of minibatches that may be trained, above 0 and at most 1; calibrating is not limited.
    learn_burst
        Minibatches that may be trained at first, beyond the learn budget.
    label_budget
        Share of rows whose labels may be asked for, above 0 and at most 1: `Model.step` learns only the rows that it
        chooses, and `Model.ask` chooses rows without labels. `learn` learns all rows that it is given.
    label_choice
        Rows that the label budget is spent on: "selective", mostly those with the least certain predictions, or "random".
    first_round
        What the first minibatch is used for: "train", or "train_then_calibrate", which also fits the calibrator to its
        scores after training.
    multiclass
        Reduction of several classes to binary models: "ovr" (one-vs-rest) or "ovo" (one-vs-one).
    encoder
        Encoding of rows, e.g. {"standardize": "true", "max_categories": 100}.
    seed
        Seed of the random numbers.

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
    for key, value in [("ensemble", parts or None), ("batch", batch), ("label_delay", label_delay),
                       ("learn_budget", learn_budget), ("learn_burst", learn_burst),
                       ("label_budget", label_budget), ("label_choice", label_choice),
                       ("first_round", first_round), ("multiclass", multiclass), ("encoder", encoder),
                       ("seed", seed)]:
        if value is not None:
            changes[key] = dict(value) if isinstance(value, Mapping) else value
    try:
        text = json.dumps(changes, default=_number)
    except TypeError as error:
        raise TypeError(f"the configuration has a value that is not a number, text or list: {error}") from None
    return _core.complete(preset, text)
