"""The scikit-learn classifier."""

from __future__ import annotations

import importlib.util
from typing import Any, Sequence

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import (
    _check_feature_names,
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from . import _core
from ._input import Path, column_names, is_pandas, is_table
from ._config import MODEL_OPTIONS
from .model import COLUMN_OPTIONS, Model


class OnlineBoostClassifier(ClassifierMixin, BaseEstimator):
    """Calibrated online boosting with the interface of scikit-learn.

    `fit` learns the rows once, in their order, in minibatches of `batch` rows; `partial_fit` continues.
    Rows are arrays of numbers (NaN is a missing value), SciPy's sparse matrices, or tables of pandas,
    polars or pyarrow, whose text columns are categories.

    Parameters
    ----------
    preset : str
        Base configuration: "auto", "paper", … (`plumbline.presets()`).
    learner, calibrator, policy, reward : str, dict or None
        Components, named as on the command line: "logistic:alpha=0.001" or {"name": …}
        (`plumbline.components()`). None keeps that of the preset.
    companions : list or None
        Models beside the ensemble: "forest", "neighbors", "label_history" or any learner.
    learners : int or None
        Number of weak learners.
    ensemble : dict or None
        Further options of the ensemble, {"score": "logistic", "resample": "false"}.
    actions : list of str or None
        Actions that the policy chooses from.
    batch : int or None
        Rows per minibatch.
    label_delay : int or None
        Delay of labels in rows: a row is learned after so many rows that follow it have been predicted.
    learn_budget : float or None
        Share of minibatches that may be trained, above 0 and at most 1; calibrating is not limited.
    learn_burst : int or None
        Minibatches that may be trained at first, beyond the learn budget.
    first_round : "train", "train_then_calibrate" or None
        What the first minibatch is used for; the second also fits the calibrator to its scores after training.
    multiclass : "ovr", "ovo" or None
        Reduction of several classes to binary models: one-vs-rest or one-vs-one.
    encoder : dict or None
        Encoding of rows, {"standardize": "true"}.
    categorical, numeric, time, ignore : sequence of str
        Columns of a table: numeric ones to treat as categories, columns to treat as numbers or as times whatever
        their first rows contain, and columns to leave out.
    missing : sequence of str
        Texts that stand for a missing number, in addition to the usual ones.
    scores : sequence of str
        Columns of a table that are scores of another model, for two classes: they go to the calibrator.
    score_input : sequence of str
        Their meaning, once for all or for each: "probability" (by default), "logit" or "score".
    threads : int
        Number of threads; 0 uses all cores. The results do not depend on it.
    random_state : int, RandomState or None
        Seed; None uses that of the preset.

    Examples
    --------
    >>> from plumbline import OnlineBoostClassifier, generate
    >>> X, y = generate("waveform", 3000)
    >>> model = OnlineBoostClassifier()
    >>> for i in range(0, 2000, 100):
    ...     model = model.partial_fit(X[i:i + 100], y[i:i + 100], classes=[0, 1])
    >>> model.predict_proba(X[2000:2003]).round(3)
    array([[0.008, 0.992],
           [0.938, 0.062],
           [1.   , 0.   ]])
    >>> round(model.score(X[2000:], y[2000:]), 3)
    0.916
    """

    classes_: np.ndarray
    model_: Model
    _examples: int  # number of examples learned, for random draws of weights
    _tables: bool  # True if made for tables, whose columns have names

    def __init__(self, preset: str = "auto", *, learner: Any = None, companions: Any = None,
                 calibrator: Any = None, policy: Any = None, reward: Any = None, actions: Any = None,
                 learners: int | None = None,
                 ensemble: dict[str, Any] | None = None, batch: int | None = None,
                 label_delay: int | None = None, learn_budget: float | None = None,
                 learn_burst: int | None = None, first_round: str | None = None, multiclass: str | None = None,
                 encoder: dict[str, Any] | None = None,
                 categorical: Sequence[str] = (), numeric: Sequence[str] = (), time: Sequence[str] = (),
                 ignore: Sequence[str] = (), missing: Sequence[str] = (), scores: Sequence[str] = (),
                 score_input: Sequence[str] = (), threads: int = 0, random_state: Any = None):
        self.preset = preset
        self.learner = learner
        self.companions = companions
        self.calibrator = calibrator
        self.policy = policy
        self.reward = reward
        self.actions = actions
        self.learners = learners
        self.ensemble = ensemble
        self.batch = batch
        self.label_delay = label_delay
        self.learn_budget = learn_budget
        self.learn_burst = learn_burst
        self.first_round = first_round
        self.multiclass = multiclass
        self.encoder = encoder
        self.categorical = categorical
        self.numeric = numeric
        self.time = time
        self.ignore = ignore
        self.missing = missing
        self.scores = scores
        self.score_input = score_input
        self.threads = threads
        self.random_state = random_state

    # ---- Learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "OnlineBoostClassifier":
        """Learns the rows once, in their order, with a new model.

        >>> from plumbline import OnlineBoostClassifier
        >>> OnlineBoostClassifier().fit([[0.0], [1.0]] * 20, ["no", "yes"] * 20).classes_.tolist()
        ['no', 'yes']
        """
        return self._learn(X, y, None, sample_weight, first=True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None,
                    sample_weight: Any = None) -> "OnlineBoostClassifier":
        """Continues learning. The first call needs all classes, unless y contains them.

        Weights are repetitions: a row of weight 2 is learned twice, in its minibatch, and a row of weight 0.3 is
        learned with probability 0.3.

        >>> from plumbline import OnlineBoostClassifier, generate
        >>> X, y = generate("sea", 2000)
        >>> model = OnlineBoostClassifier()
        >>> for i in range(0, 2000, 100):
        ...     model = model.partial_fit(X[i:i + 100], y[i:i + 100], classes=[0, 1])
        >>> round(model.score(X, y), 2)
        0.9
        """
        first = not hasattr(self, "model_")
        if not first and classes is not None and not np.array_equal(
                self.classes_, unique_labels(classes)):
            raise ValueError(f"`classes={classes}` is not the same as on the first call, "
                             f"which was: {self.classes_}")
        return self._learn(X, y, classes, sample_weight, first)

    def _learn(self, X: Any, y: Any, classes: Any, sample_weight: Any,
               first: bool) -> "OnlineBoostClassifier":
        before, learned = vars(self).copy(), 0
        draws = self.random_state.get_state() if isinstance(self.random_state, np.random.RandomState) else None
        try:
            X, y, known = self._checked(X, y, classes, first)
            model, seen = (self._model(known.tolist()), 0) if first else (self.model_, self._examples)
            rows = model.rows_learned
            try:
                self._teach(model, X, y, sample_weight, seen, first)
            finally:
                learned = model.rows_learned - rows
                if learned > 0:
                    self.classes_, self.model_, self._examples = known, model, seen + learned
        except BaseException:
            if learned == 0:  # otherwise a signal handler raised the exception, after some of the rows
                for name in vars(self).keys() - before.keys():
                    delattr(self, name)
                self.__dict__.update(before)
                if draws is not None:
                    self.random_state.set_state(draws)
            raise
        return self

    def _checked(self, X: Any, y: Any, classes: Any, first: bool) -> tuple[Any, np.ndarray, np.ndarray]:
        """The rows, their labels and all classes."""
        if y is None:
            raise ValueError("OnlineBoostClassifier requires y to be passed, but the target y is None")
        X, y = self._labelled(X, y, reset=first)
        if first:
            known = unique_labels(y) if classes is None else unique_labels(classes)
            if len(known) < 2:
                raise ValueError("Classifier can't train when only one class is present: y has 1 class, "
                                 f"{known[0]!r}; give all of them as `classes` of partial_fit")
        else:
            known = self.classes_
        unknown = np.setdiff1d(y, known)
        if len(unknown) > 0:
            raise ValueError(f"y has the label {unknown[0]!r}, which is not one of the classes {known}")
        return X, y, known

    def _teach(self, model: Model, X: Any, y: np.ndarray, sample_weight: Any, seen: int, first: bool) -> None:
        if sample_weight is None:
            model.learn(X, y)
            return
        weights = _check_sample_weight(sample_weight, np.empty((len(y), 0)), dtype=np.float64,
                                       ensure_non_negative=True)
        times = self._times(weights, seen)
        if first and not times.any():
            raise ValueError("every row has the weight 0: there is nothing to learn from")
        model._learn_times(X, y, times)

    def _times(self, weights: np.ndarray, seen: int) -> np.ndarray:
        """The number of repetitions of each row: its weight, with the fraction rounded at random."""
        mean = weights.mean()
        if mean > _MOST_WEIGHT:
            raise ValueError(f"the mean of the weights is {mean:g}: a weight is the number of times that a row is "
                             f"learned; divide them, so that their mean is at most {_MOST_WEIGHT}")
        draws = np.random.default_rng([self._seed() or 0, seen]).random(len(weights))
        return (np.floor(weights) + (draws < weights - np.floor(weights))).astype(np.uint32)

    # ---- Predicting

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, in the order of `classes_`.

        The order of the rows does not matter, as scikit-learn expects: the last labels are not used. `Model` does
        use them.

        >>> from plumbline import OnlineBoostClassifier, generate
        >>> X, y = generate("sea", 500)
        >>> OnlineBoostClassifier().fit(X, y).predict_proba(X[:2]).round(3)
        array([[0.132, 0.868],
               [0.151, 0.849]])
        """
        check_is_fitted(self, "model_")
        return self.model_._predict(self._unlabelled(X), places=_core.Places.unknown)

    def predict(self, X: Any) -> np.ndarray:
        """The most likely class of each row.

        >>> from plumbline import OnlineBoostClassifier
        >>> OnlineBoostClassifier().fit([[0.0], [1.0]] * 20, ["no", "yes"] * 20).predict([[1.0]])
        array(['yes'], dtype='<U3')
        """
        check_is_fitted(self, "model_")
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def decision_function(self, X: Any) -> np.ndarray:
        """The calibrated logit: of the positive class, or of each of several classes.

        >>> from plumbline import OnlineBoostClassifier, generate
        >>> X, y = generate("sea", 500)
        >>> OnlineBoostClassifier().fit(X, y).decision_function(X[:2]).round(3)
        array([1.881, 1.727])
        """
        p = np.clip(self.predict_proba(X), 1e-15, 1 - 1e-15)
        logits = np.log(p) - np.log1p(-p)
        return logits[:, 1] if len(self.classes_) == 2 else logits

    # ---- Files

    def save(self, path: Path) -> None:
        """Writes the model's file, with which the command line can continue.

        >>> import os, tempfile
        >>> from plumbline import OnlineBoostClassifier
        >>> path = os.path.join(tempfile.mkdtemp(), "m.safetensors")
        >>> OnlineBoostClassifier().fit([[0.0], [1.0]] * 20, ["no", "yes"] * 20).save(path)
        >>> OnlineBoostClassifier.load(path).predict([[1.0]])
        array(['yes'], dtype='<U3')
        """
        check_is_fitted(self, "model_")
        self.model_.save(path)

    @classmethod
    def load(cls, path: Path) -> "OnlineBoostClassifier":
        """The classifier of a file, from Python or from the command line: see `save`."""
        model = Model.load(path)
        made = model.config
        self = cls(**{name: made[name] for name in (
            "learner", "companions", "calibrator", "policy", "reward", "actions", "ensemble", "batch",
            "encoder")}, label_delay=made.get("label_delay"), learn_budget=made.get("learn_budget"),
                   learn_burst=made.get("learn_burst"), first_round=made.get("first_round"),
                   multiclass=made.get("multiclass"), random_state=made["seed"])
        labels = model.classes
        same_kind = len({isinstance(label, str) for label in labels}) == 1
        self.model_, self.classes_ = model, np.array(labels, dtype=None if same_kind else object)
        self._examples = 0
        names = model._made().columns
        # Columns of arrays have numbered names.
        self._tables = names != [f"x{j + 1}" for j in range(len(names))]
        self.n_features_in_ = len(names)
        if self._tables:
            self.feature_names_in_ = np.array(names, dtype=object)
        return self

    # ---- Inside

    def _model(self, classes: list[Any]) -> Model:
        options = {name: getattr(self, name) for name in (*COLUMN_OPTIONS, *MODEL_OPTIONS)}
        return Model(self.preset, classes=classes, threads=self.threads, seed=self._seed(), **options)

    def _seed(self) -> int | None:
        if self.random_state is None or isinstance(self.random_state, (int, np.integer)):
            return None if self.random_state is None else int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _labelled(self, X: Any, y: Any, reset: bool) -> tuple[Any, np.ndarray]:
        if reset:
            self._tables = is_table(X) and _is_read_as_table(X)
        if self._tables and is_table(X):
            self._check_columns(X, reset)
            y = column_or_1d(y, warn=True)
            check_consistent_length(X, y)
        else:
            X, y = validate_data(self, X, y, reset=reset, **_ALLOWED)
        check_classification_targets(y)
        return X, y

    def _unlabelled(self, X: Any) -> Any:
        if self._tables and is_table(X):
            self._check_columns(X, reset=False)
            return X
        return validate_data(self, X, reset=False, **_ALLOWED)

    def _check_columns(self, X: Any, reset: bool) -> None:
        names = column_names(X)
        if reset:
            self.feature_names_in_ = np.array(names, dtype=object)
            self.n_features_in_ = len(names)
        elif len(names) == self.n_features_in_:
            # Raises scikit-learn's own errors; the core reports the others.
            _check_feature_names(self, X, reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


# Other types of numbers become float64.
_ALLOWED: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32],
                            "ensure_all_finite": "allow-nan"}
_MOST_WEIGHT = 1000


def _is_read_as_table(X: Any) -> bool:
    """False for pandas' tables that scikit-learn treats as arrays: without text names, or without pyarrow."""
    if not is_pandas(X):
        return True
    if importlib.util.find_spec("pyarrow") and all(isinstance(name, str) for name in X.columns):
        return True
    return not all(getattr(kind, "kind", "O") in "biuf" for kind in X.dtypes)
