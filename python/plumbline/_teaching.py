"""Learning calls, and the state of a model after a signal handler has interrupted one."""

from __future__ import annotations

from typing import Any, Callable, Protocol, Sequence

from ._core import Model as Core
from ._labels import Classes


class Taught(Protocol):
    """A model: its core, and the labels of the core's classes."""

    _core: Core | None
    _classes: Classes


def teach(model: Taught, core: Core, classes: Classes, new: Sequence[Any], call: Callable[[], Any]) -> Any:
    """Runs the call, which teaches the core rows of its classes and of new ones, and stores both in the model.

    The exception of a signal handler occurs between minibatches: those before it have been learned, and the first
    one has added the new classes. Any other exception occurs before anything is learned.
    """
    wider = classes.with_new(new) if new else classes
    before = core.rows_learned
    try:
        result = call()
    except BaseException:
        if core.rows_learned > before:
            model._core, model._classes = core, wider
        raise
    model._core, model._classes = core, wider
    return result
