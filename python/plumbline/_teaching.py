"""What a call teaches a model, and what of it stays when a signal handler interrupts the call."""

from __future__ import annotations

from typing import Any, Callable, Protocol, Sequence

from ._core import Model as Core
from ._labels import Classes


class Taught(Protocol):
    """A model: its core, and the labels of the core's classes."""

    _core: Core | None
    _classes: Classes


def teach(model: Taught, core: Core, classes: Classes, new: Sequence[Any], call: Callable[[], Any]) -> Any:
    """The result of the call, which teaches the core rows of its classes and of new ones; the model keeps both.

    The exception of a signal handler comes between minibatches: those before it have been learned, and the first
    one has brought the new classes. Any other exception comes before anything is learned.
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
