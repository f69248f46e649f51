"""The model itself, for those who write the loop."""

from __future__ import annotations

import json
from typing import Any, Sequence

import numpy as np

from . import _core
from ._config import config as make_config
from ._input import Path, alike, count, existing, has_few_values, path_bytes, readable, rows
from ._labels import Classes, given, label_of, text_of
from ._teaching import teach


class Model:
    """An ensemble, a calibrator and a policy between them; rows become numbers on the way.

    Rows are arrays of numbers (NaN is missing), SciPy's sparse matrices, tables of pandas, polars or pyarrow
    with columns of numbers and texts, or lists of dicts whose keys come and go. Probabilities come back as
    the same kind of table, else as an array. Predicting from several threads at once is safe; learning
    waits for them. Ctrl-C ends a long call between minibatches: `rows_learned` tells how far it came.

    Parameters
    ----------
    preset
        Where the other options begin: "auto", "paper", … (`plumbline.presets()`).
    classes
        All labels there are, in the order of the columns of the probabilities; those of the first call unless
        given. Of two, the second one is the positive class. Of more, new ones may still come.
    categorical, numeric, time, ignore
        Columns of a table that are categories, numbers or times though the first rows do not look so, and that are
        left out. Of a time, its hour, day of the week and the time since the previous row are features. Columns of
        times are found out, and columns that only identify rows are left out, unless they are named here: `notes`.
    missing
        Texts that stand for a missing number, besides ?, NA, N/A, NaN, null and none.
    threads
        0 uses all cores. The results do not depend on it.
    **options
        The components and options of the command line, by their names there: `plumbline.config`.

    Examples
    --------
    >>> import plumbline
    >>> X, y = plumbline.generate("sea", 3000)
    >>> model = plumbline.Model(policy="ucb1", calibrator="platt", learner="gaussian_nb")
    >>> for i in range(0, 3000, 50):
    ...     p = model.step(X[i:i + 50], y[i:i + 50])     # predicts, then learns
    >>> p[:2].round(3)
    array([[0.999, 0.001],
           [0.998, 0.002]])
    >>> model.classes, model.features
    ([0, 1], ['x1', 'x2', 'x3'])
    """

    def __init__(self, preset: str = "auto", *, classes: Sequence[Any] | None = None,
                 categorical: Sequence[str] = (), numeric: Sequence[str] = (), time: Sequence[str] = (),
                 ignore: Sequence[str] = (), missing: Sequence[str] = (), threads: int = 0,
                 **options: Any):
        if not isinstance(threads, (int, np.integer)) or not 0 <= threads <= 10_000:
            raise ValueError(f"threads are {threads!r}; give 0 for all cores, or how many")
        self._config = make_config(preset, **options)
        self._wanted = None if classes is None else Classes(classes)
        self._columns = {name: _texts(name, given) for name, given in [
            ("categorical", categorical), ("numeric", numeric), ("ignore", ignore), ("missing", missing),
            ("time", time)]}
        self._threads = int(threads)
        self._core: _core.Model | None = None
        self._classes = Classes([])
        self._lock = _core.Lock()  # held to make the core, or to teach it new classes

    def __repr__(self) -> str:
        made = self.config
        parts = f"{made['ensemble']['size']} x {made['learner']['name']}, {made['calibrator']['name']}, " \
                f"{made['policy']['name']}"
        return f"<plumbline.Model: {parts}; {'not made yet' if self._core is None else self.classes}>"

    # ---- What it is

    @property
    def config(self) -> dict[str, Any]:
        """Everything that it is made of, every option filled in.

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
        """How the columns of a table were understood when the model was made; empty for other rows, and after loading.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"when": pd.date_range("2024-05-31", periods=10, freq="h"), "x": range(10)})
        >>> Model().learn(frame, [0, 1] * 5).notes[0]
        "'when' is a time: hour of day, day of week, time since the previous row; try ignore=['when'] to leave it out, ...
        """
        return self._made().notes

    @property
    def rows_learned(self) -> int:
        """Rows that this object has learned, without those from before it was loaded or unpickled.

        A call that an exception of a signal handler has interrupted, such as KeyboardInterrupt, has learned whole
        minibatches: this tells how far it came.

        >>> Model().learn([[0.0], [1.0]], [0, 1]).rows_learned
        2
        """
        return 0 if self._core is None else self._core.rows_learned

    def view(self) -> dict[str, Any]:
        """The inside: rounds, examples, the learners' errors, the policy's estimates, the curve.

        Of several classes, that of each binary model, as "models".

        >>> import plumbline
        >>> view = Model("paper").learn(*plumbline.generate("sea", 1000)).view()
        >>> view["rounds"], [arm["action"] for arm in view["arms"]], len(view["learners"])
        (20, ['train', 'calibrate'], 10)
        """
        core = self._made()
        views = core.view()
        return {"models": views} if core.multiclass else views[0]

    # ---- The loop

    def step(self, X: Any, y: Any, *, costs: Any = None, scores: bool = False) -> Any:
        """Predicts the rows, then learns from them, minibatch by minibatch; the probabilities.

        `costs` are of a false positive and a false negative: a pair, or a pair for each row; the reward
        "cost" looks at them. With `scores=True` the result is a pair, the second of which is what the ensemble
        said before it was calibrated.

        >>> import plumbline
        >>> X, y = plumbline.generate("sea", 2000)
        >>> p = Model().step(X, y)
        >>> metric = plumbline.Metric("log_loss")
        >>> metric.update(p[:, 1], y)
        >>> round(metric.value, 3)
        0.366
        """
        self._lock.check()
        core = self._core
        if (core is not None and costs is None and not scores and type(X) is np.ndarray
                and type(y) is np.ndarray and self._classes.are_numbers and X.ndim == 2 and y.ndim == 1
                and readable(X) and readable(y) and not core.multiclass):
            return core.step(X, y)  # the same as below, at once
        table, labels = rows(X), given(y)
        if len(labels) != count(table):
            raise ValueError(f"X has {count(table)} rows, but y has {len(labels)}")
        pairs = None if costs is None else _costs(costs, len(labels))
        result: Any = self._lock.change(lambda: (self._learned(table, labels, pairs, scores), self._classes.labels))
        said, classes = result
        if scores:
            return alike(X, said[0], classes), alike(X, said[1], classes)
        return alike(X, said, classes)

    def learn(self, X: Any, y: Any, *, costs: Any = None) -> "Model":
        """Learns from the rows, as `step` does; the model itself.

        >>> Model().learn([[0.0], [1.0]] * 5, [0, 1] * 5).predict_proba([[0.0], [1.0]]).round(2)
        array([[0.98, 0.02],
               [0.02, 0.98]])
        """
        self.step(X, y, costs=costs)
        return self

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each row; changes nothing.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"colour": ["red", "green"] * 5}, index=range(100, 110))
        >>> Model().learn(frame, ["stop", "go"] * 5).predict_proba(frame[:2]).round(2)
               go  stop
        100  0.04  0.96
        101  0.97  0.03
        """
        p = self._predict(X)
        return alike(X, p, self._names(p.shape[1]))

    def scores(self, X: Any) -> Any:
        """What the ensemble says before it is calibrated, in the form of `predict_proba`.

        >>> Model("paper").learn([[0.0], [1.0]] * 50, [0, 1] * 50).scores([[1.0]]).round(2)
        array([[0., 1.]])
        """
        said = self._predict(X, scores=True)
        return alike(X, said, self._names(said.shape[1]))

    # ---- Files

    def save(self, path: Path) -> None:
        """Writes the file that `plumbline run --load` and `Model.load` go on with.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "m.safetensors")
        >>> Model().learn([[0.0], [1.0]], ["no", "yes"]).save(path)
        >>> Model.load(path).classes
        ['no', 'yes']
        """
        self._made().save(path_bytes(path))

    def to_bytes(self) -> bytes:
        """The bytes of that file.

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

    # Without a dict, whose keys may be the same objects as other texts, and with copies of lists: what is the same
    # object and what is only equal changes the bytes of a pickle.
    def __getstate__(self) -> tuple[Any, ...]:
        wanted = None if self._wanted is None else list(self._wanted.labels)
        known: Any = self._lock.look(lambda: (
            list(self._classes.labels), None if self._core is None else self._core.to_bytes()))
        return (self._config, wanted, list(self._columns.values()), self._threads, *known)

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

    def _learned(self, X: Any, y: Any, costs: np.ndarray | None, scores: bool) -> Any:
        core, classes = self._ready(X, y)
        if isinstance(y, np.ndarray) and classes.are_numbers and not core.multiclass:
            return teach(self, core, classes, [], lambda: core.step(X, y, costs=costs, scores=scores))
        places, new = classes.places(y, core.multiclass)
        texts = [text_of(label) for label in new]
        return teach(self, core, classes, new, lambda: core.step(X, places, True, texts, costs, scores))

    def _learn_times(self, X: Any, y: Any, times: np.ndarray) -> None:
        """Learns each row so many times, all of them in the minibatch that the row is in."""
        table, labels = rows(X), given(y)

        def learn() -> None:
            core, classes = self._ready(table, labels)
            places = classes.places(labels, several=False)[0]
            teach(self, core, classes, [], lambda: core.learn(table, places, times))

        self._lock.change(learn)

    @classmethod
    def _of(cls, core: _core.Model, threads: int) -> "Model":
        model = cls.__new__(cls)
        Model.__init__(model, threads=threads)
        core.set_threads(threads)
        model._config, model._core = core.config, core
        model._classes = Classes(label_of(text) for text in core.classes)
        return model

    def _predict(self, X: Any, scores: bool = False) -> np.ndarray:
        core = self._made()
        if isinstance(X, list) and not X and core.is_open:
            return np.empty((0, len(self._classes)))
        return core.predict(rows(X), scores)

    def _names(self, columns: int) -> list[Any]:
        """The classes of so many columns that the core has given."""
        labels = self._classes.labels
        if len(labels) < columns:  # a class has just come; the thread that taught it tells its name before it goes on
            now: Any = self._lock.look(lambda: self._classes.labels)
            labels = now
        return labels[:columns]

    def _ready(self, X: Any, y: Any) -> tuple[_core.Model, Classes]:
        """The core, made for these rows if there is none yet."""
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
            raise ValueError(f"{chosen[0]} is about the columns of tables, but X is none: give a table of pandas, "
                             "polars or pyarrow")
        if isinstance(X, list):
            # A truth value is one of two.
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
