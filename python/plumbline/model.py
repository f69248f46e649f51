"""The model itself, for loops of your own."""

from __future__ import annotations

import json
from typing import Any, Sequence

import numpy as np

from . import _core
from ._config import config as make_config
from ._input import Path, alike, count, existing, has_few_values, path_bytes, readable, rows
from ._labels import Classes, checked_labels, label_of, text_of
from ._teaching import teach

# Arguments of `Model` about the columns of tables.
COLUMN_OPTIONS = ("categorical", "numeric", "time", "ignore", "missing", "scores", "score_input")


class Model:
    """An ensemble, a calibrator, and a policy that decides which of them learns; and the encoding of rows.

    Rows are arrays of numbers (NaN is missing), SciPy's sparse matrices, tables of pandas, polars or pyarrow
    with columns of numbers and texts, or lists of dicts with varying keys. Probabilities are returned as the
    same kind of table, otherwise as an array. Several threads may predict concurrently; learning waits for
    them. Ctrl-C ends a long call between minibatches; `rows_learned` is then the number of rows learned.

    Parameters
    ----------
    preset
        Base configuration: "auto", "paper", … (`plumbline.presets()`).
    classes
        All labels, in the order of the columns of the probabilities; by default those of the first call. Of two
        classes, the second one is the positive class. If there are more, further ones may occur later.
    categorical, numeric, time, ignore
        Columns of a table: numeric ones to treat as categories, columns to treat as numbers or as times whatever
        their first rows contain, and columns to leave out. The features of a time are its hour, its day of the week
        and the time since the previous row. By default, times are detected and columns that only identify rows
        are left out; `notes` says which.
    missing
        Texts that stand for a missing number, in addition to ?, NA, N/A, NaN, null and none.
    scores
        Columns of a table that are scores of another model, for two classes, higher for the positive one. They go to
        the calibrator, which weighs them with the ensemble's, and are no features (docs/calibrate.md).
    score_input
        Their meaning, once for all or for each: "probability" (by default), "logit" or "score".
    threads
        Number of threads; 0 uses all cores. The results do not depend on it.
    **options
        Components and options, named as on the command line: see `plumbline.config`.

    Examples
    --------
    >>> import plumbline
    >>> X, y = plumbline.generate("sea", 3000)
    >>> model = plumbline.Model(policy="ucb1", calibrator="platt", learner="gaussian_nb")
    >>> for i in range(0, 3000, 50):
    ...     p = model.step(X[i:i + 50], y[i:i + 50])     # predicts, then learns
    >>> p[:2].round(3)
    array([[0.992, 0.008],
           [0.995, 0.005]])
    >>> model.classes, model.features
    ([0, 1], ['x1', 'x2', 'x3'])
    """

    def __init__(self, preset: str = "auto", *, classes: Sequence[Any] | None = None,
                 categorical: Sequence[str] = (), numeric: Sequence[str] = (), time: Sequence[str] = (),
                 ignore: Sequence[str] = (), missing: Sequence[str] = (), scores: Sequence[str] = (),
                 score_input: Sequence[str] = (), threads: int = 0, **options: Any):
        if not isinstance(threads, (int, np.integer)) or not 0 <= threads <= 10_000:
            raise ValueError(f"threads is {threads!r}; give a number, or 0 for all cores")
        self._config = make_config(preset, **options)
        self._wanted = None if classes is None else Classes(classes)
        self._columns = {name: _texts(name, texts) for name, texts in zip(
            COLUMN_OPTIONS, (categorical, numeric, time, ignore, missing, scores, score_input))}
        self._threads = int(threads)
        self._core: _core.Model | None = None
        self._classes = Classes([])
        self._lock = _core.Lock()  # held to make the core, or to teach it new classes

    def __repr__(self) -> str:
        made = self.config
        parts = f"{made['ensemble']['size']} x {made['learner']['name']}, {made['calibrator']['name']}, " \
                f"{made['policy']['name']}"
        return f"<plumbline.Model: {parts}; {'not made yet' if self._core is None else self.classes}>"

    # ---- Properties

    @property
    def config(self) -> dict[str, Any]:
        """The complete configuration, with every option.

        >>> Model("paper", learner="logistic:alpha=0.01").config["learner"]["alpha"]
        0.01
        """
        self._lock.check()
        made: dict[str, Any] = json.loads(self._core.config if self._core else self._config)
        return made

    @property
    def classes(self) -> list[Any]:
        """The labels, in the order of the columns of `predict_proba`.

        >>> Model().learn([[0.0], [1.0]], ["ham", "spam"]).classes
        ['ham', 'spam']
        """
        known = self._classes if self._core is not None or self._wanted is None else self._wanted
        return list(known.labels)

    @property
    def features(self) -> list[str]:
        """The features' names; those of categories are "colour=red".

        >>> Model().learn([{"size": 2, "colour": "red"}], [True]).features
        ['size', 'colour=red']
        """
        return self._made().features

    @property
    def notes(self) -> list[str]:
        """Notes on how the columns of a table were interpreted when the model was made; empty for other rows, and after
        loading.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"when": pd.date_range("2024-05-31", periods=10, freq="h"), "x": range(10)})
        >>> Model().learn(frame, [0, 1] * 5).notes[0]
        "'when' is a time: hour of day, day of week, time since the previous row; try ignore=['when'] to leave it out, ...
        """
        return self._made().notes

    @property
    def rows_learned(self) -> int:
        """The number of rows that this object has learned, not counting rows from before it was loaded or unpickled.

        A call that was interrupted by an exception of a signal handler, such as KeyboardInterrupt, has learned whole
        minibatches; this property shows how many rows.

        >>> Model().learn([[0.0], [1.0]], [0, 1]).rows_learned
        2
        """
        return 0 if self._core is None else self._core.rows_learned

    def view(self) -> dict[str, Any]:
        """The state: rounds, examples, the learners' errors, the policy's estimates, the calibration curve.

        For several classes, "models" has the state of each binary model.

        >>> import plumbline
        >>> view = Model("paper").learn(*plumbline.generate("sea", 1000)).view()
        >>> view["rounds"], [arm["action"] for arm in view["arms"]], len(view["learners"])
        (20, ['train', 'calibrate'], 10)
        """
        core = self._made()
        views = core.view()
        return {"models": views} if core.multiclass else views[0]

    # ---- The loop

    def step(self, X: Any, y: Any, *, costs: Any = None, scores: bool = False, asked: bool = False) -> Any:
        """Predicts the rows, then learns from them, minibatch by minibatch; returns the probabilities.

        `costs` are those of a false positive and a false negative: a pair, or a pair for each row; the reward
        "cost" uses them. With `scores=True` the result is a tuple, whose second element has the ensemble's scores
        before calibration. With a `label_budget`, only the rows that the model asks for are learned; with
        `asked=True` the last element of the tuple is True for these.

        >>> import plumbline
        >>> X, y = plumbline.generate("sea", 2000)
        >>> p = Model().step(X, y)
        >>> metric = plumbline.Metric("log_loss")
        >>> metric.update(p[:, 1], y)
        >>> round(metric.value, 3)
        0.356
        """
        self._lock.check()
        core = self._core
        if (core is not None and costs is None and not scores and not asked and type(X) is np.ndarray
                and type(y) is np.ndarray and self._classes.are_numbers and X.ndim == 2 and y.ndim == 1
                and readable(X) and readable(y) and not core.multiclass):
            return core.step(X, y)  # a shortcut of the code below
        return self._step(X, y, costs, scores, asked, every=False)

    def learn(self, X: Any, y: Any, *, costs: Any = None) -> "Model":
        """Learns from the rows, as `step` does, but from all of them also with a `label_budget`; returns the model.

        >>> Model().learn([[0.0], [1.0]] * 5, [0, 1] * 5).predict_proba([[0.0], [1.0]]).round(2)
        array([[0.98, 0.02],
               [0.11, 0.89]])
        """
        self._lock.check()
        self._step(X, y, costs, scores=False, asked=False, every=True)
        return self

    def ask(self, X: Any) -> Any:
        """Predicts rows without labels, and decides which of them are worth one, as far as the `label_budget` goes.

        Returns the probabilities, and an array with True for the rows whose labels to get; give these to `learn`. It
        changes nothing but what is spent of the budget.

        >>> import plumbline
        >>> X, y = plumbline.generate("sea", 1000)
        >>> model = Model(label_budget=0.1).learn(X[:100], y[:100])
        >>> for i in range(100, 1000, 100):
        ...     p, asked = model.ask(X[i:i + 100])
        ...     model = model.learn(X[i:i + 100][asked], y[i:i + 100][asked])
        >>> model.view()["examples"] <= 100 + 91
        True
        """
        self._lock.check()
        core = self._made()
        table = rows(X)
        found: Any = self._lock.change(lambda: core.ask(table))
        p, asked = found
        return alike(X, p, self._names(p.shape[1])), asked.ravel() > 0

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each row. Changes nothing.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"colour": ["red", "green"] * 5}, index=range(100, 110))
        >>> Model().learn(frame, ["stop", "go"] * 5).predict_proba(frame[:2]).round(2)
               go  stop
        100  0.02  0.98
        101  0.96  0.04
        """
        p = self._predict(X)
        return alike(X, p, self._names(p.shape[1]))

    def scores(self, X: Any) -> Any:
        """The ensemble's scores before calibration, in the form of `predict_proba`.

        >>> Model("paper").learn([[0.0], [1.0]] * 50, [0, 1] * 50).scores([[1.0]]).round(2)
        array([[0., 1.]])
        """
        s = self._predict(X, scores=True)
        return alike(X, s, self._names(s.shape[1]))

    # ---- Files

    def save(self, path: Path) -> None:
        """Writes the model's file, with which `plumbline run --load` and `Model.load` continue.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "m.safetensors")
        >>> Model().learn([[0.0], [1.0]], ["no", "yes"]).save(path)
        >>> Model.load(path).classes
        ['no', 'yes']
        """
        self._made().save(path_bytes(path))

    def to_bytes(self) -> bytes:
        """The bytes of the model's file.

        >>> model = Model().learn([[0.0], [1.0]], [0, 1])
        >>> Model.from_bytes(model.to_bytes()).to_bytes() == model.to_bytes()
        True
        """
        return self._made().to_bytes()

    @classmethod
    def load(cls, path: Path, *, threads: int = 0) -> "Model":
        """The model of a file, from Python or from the command line: see `save`."""
        return cls._of(_core.Model.load(existing(path)), threads)

    @classmethod
    def from_bytes(cls, data: bytes, *, threads: int = 0) -> "Model":
        """The model of the bytes of a file: see `to_bytes`."""
        return cls._of(_core.Model.from_bytes(bytes(data)), threads)

    # Without a dict, whose keys may be identical to other texts, and with copies of lists: identity of objects changes
    # the bytes of a pickle.
    def __getstate__(self) -> tuple[Any, ...]:
        wanted = None if self._wanted is None else list(self._wanted.labels)
        learned: Any = self._lock.look(lambda: (
            list(self._classes.labels), None if self._core is None else self._core.to_bytes()))
        return (self._config, wanted, list(self._columns.values()), self._threads, *learned)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        config, wanted, columns, threads, labels, core = state
        Model.__init__(self, classes=wanted, threads=threads)
        self._config = config
        self._columns.update(zip(self._columns, columns))  # pickles of earlier versions have no times
        self._classes = Classes(labels)
        if core is not None:
            self._core = _core.Model.from_bytes(core)
            self._core.set_threads(threads)

    # ---- Inside

    def _step(self, X: Any, y: Any, costs: Any, scores: bool, asked: bool, every: bool) -> Any:
        table, labels = rows(X), checked_labels(y)
        if len(labels) != count(table):
            raise ValueError(f"X has {count(table)} rows, but y has {len(labels)}")
        pairs = None if costs is None else _costs(costs, len(labels))
        details = scores or asked
        result: Any = self._lock.change(
            lambda: (self._learned(table, labels, pairs, details, every), self._classes.labels))
        predictions, classes = result
        if not details:
            return alike(X, predictions, classes)
        p, raw, flags = predictions
        parts = [alike(X, p, classes)]
        if scores:
            parts.append(alike(X, raw, classes))
        if asked:
            parts.append(flags.ravel() > 0)
        return tuple(parts)

    def _learned(self, X: Any, y: Any, costs: np.ndarray | None, details: bool, every: bool) -> Any:
        core, classes = self._ready(X, y)
        if isinstance(y, np.ndarray) and classes.are_numbers and not core.multiclass:
            return teach(self, core, classes, [],
                         lambda: core.step(X, y, costs=costs, details=details, every=every))
        indices, new = classes.indices(y, core.multiclass)
        texts = [text_of(label) for label in new]
        return teach(self, core, classes, new, lambda: core.step(X, indices, True, texts, costs, details, every))

    def _learn_times(self, X: Any, y: Any, times: np.ndarray) -> None:
        """Learns each row the given number of times, all within its minibatch."""
        table, labels = rows(X), checked_labels(y)

        def learn() -> None:
            core, classes = self._ready(table, labels)
            indices = classes.indices(labels, several=False)[0]
            teach(self, core, classes, [], lambda: core.learn(table, indices, times))

        self._lock.change(learn)

    @classmethod
    def _of(cls, core: _core.Model, threads: int) -> "Model":
        model = cls.__new__(cls)
        Model.__init__(model, threads=threads)
        core.set_threads(threads)
        model._config, model._core = core.config, core
        model._classes = Classes(label_of(text) for text in core.classes)
        return model

    def _predict(self, X: Any, scores: bool = False, places: Any = _core.Places.in_order) -> np.ndarray:
        core = self._made()
        if isinstance(X, list) and not X and core.is_open:
            return np.empty((0, len(self._classes)))
        return core.predict(rows(X), scores, places)

    def _names(self, columns: int) -> list[Any]:
        """The classes of the columns of a prediction."""
        labels = self._classes.labels
        if len(labels) < columns:  # another thread has just taught a class, and will add its name before it finishes
            now: Any = self._lock.look(lambda: self._classes.labels)
            labels = now
        return labels[:columns]

    def _ready(self, X: Any, y: Any) -> tuple[_core.Model, Classes]:
        """The core, which is made for these rows if it does not exist yet."""
        return self._make(X, y) if self._core is None else (self._core, self._classes)

    def _made(self) -> _core.Model:
        self._lock.check()
        if self._core is None:
            raise ValueError("the model has not learned yet; call learn or step first")
        return self._core

    def _make(self, X: Any, y: Any) -> tuple[_core.Model, Classes]:
        classes = self._wanted or Classes.among(y)
        several = len(classes) != 2
        chosen = [name for name, columns in self._columns.items() if columns]
        if chosen and not hasattr(X, "__arrow_c_stream__"):
            raise ValueError(f"{chosen[0]} is about the columns of tables, but X is not a table: give a table of "
                             "pandas, polars or pyarrow")
        if isinstance(X, list):
            # Truth values are a binary label.
            if several and set(classes.labels) <= {False, True} and isinstance(classes.labels[0], bool):
                classes, several = Classes([False, True]), False
            core = _core.Model.from_named(self._config, X, classes.texts, several)
        elif len(classes) < 2 and self._wanted is None:
            seen = f"1 class, {classes.labels[0]!r}" if len(classes) else "no label"
            raise ValueError(f"y has {seen}; give all of them as classes=[...]")
        elif hasattr(X, "__arrow_c_stream__"):
            core = _core.Model.from_table(self._config, X, classes.texts, several, **self._columns)
        else:
            names = [f"x{j + 1}" for j in range(X.shape[1])]
            core = _core.Model.numeric(self._config, names, classes.texts, several, has_few_values(X))
        core.set_threads(self._threads)
        return core, classes


def _texts(name: str, values: Sequence[str]) -> list[str]:
    if isinstance(values, str):
        raise TypeError(f"{name} has to be a list of texts; write {name}=[{values!r}]")
    return [str(value) for value in values]


def _costs(costs: Any, rows: int) -> np.ndarray:
    pairs = np.asarray(costs, dtype=np.float64)
    if pairs.shape != (2,) and pairs.shape != (rows, 2):
        raise ValueError(f"costs have to be a pair, of a false positive and a false negative, or one for each of "
                         f"{rows} rows, but their shape is {pairs.shape}")
    return np.tile(pairs, (rows, 1)) if pairs.ndim == 1 else pairs
