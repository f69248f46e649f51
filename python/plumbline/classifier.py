"""The scikit-learn classifier."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from ._config import config as make_config
from ._input import column_names, is_table
from .model import Model, _as_text


class OnlineBoostClassifier(ClassifierMixin, BaseEstimator):
    """Calibrated online boosting with the interface of scikit-learn.

    `fit` learns the rows once, in their order, in minibatches of `batch_size`; `partial_fit` goes on.
    Rows are arrays of numbers, in which NaN stands for a missing one, SciPy's sparse matrices, or tables
    of pandas, polars or pyarrow, whose columns of texts are categories.

    Parameters
    ----------
    preset : str
        Where the other options begin: "auto", "paper", … (`plumbline.presets()`).
    learner, calibrator, policy, reward : str, dict or None
        Components by the command line's names, "logistic:alpha=0.001" or {"name": …}
        (`plumbline.components()`); None leaves that of the preset.
    companions : list or None
        Single learners beside the ensemble.
    n_learners : int or None
        Weak learners of the ensemble.
    ensemble : dict or None
        Further options of the ensemble.
    actions : list of str or None
        What the policy chooses from.
    batch_size : int or None
        Rows of a minibatch.
    multiclass : "ovr", "ovo" or None
        How binary models make several classes.
    standardise : "auto", "true", "false" or None
        Whether features are standardised on the way.
    categorical : sequence of str
        Columns of a table that are categories though they hold numbers.
    random_state : int, RandomState or None
        None is the preset's seed.

    Examples
    --------
    >>> from plumbline import OnlineBoostClassifier, generate
    >>> X, y = generate("waveform", 3000)
    >>> model = OnlineBoostClassifier()
    >>> for i in range(0, 2000, 100):
    ...     model = model.partial_fit(X[i:i + 100], y[i:i + 100], classes=[0, 1])
    >>> model.predict_proba(X[2000:2003]).shape
    (3, 2)
    >>> bool(model.score(X[2000:], y[2000:]) > 0.85)
    True
    """

    def __init__(self, preset="auto", *, learner=None, companions=None, calibrator=None, policy=None,
                 reward=None, actions=None, n_learners=None, ensemble=None, batch_size=None,
                 multiclass=None, standardise=None, categorical=(), random_state=None):
        self.preset = preset
        self.learner = learner
        self.companions = companions
        self.calibrator = calibrator
        self.policy = policy
        self.reward = reward
        self.actions = actions
        self.n_learners = n_learners
        self.ensemble = ensemble
        self.batch_size = batch_size
        self.multiclass = multiclass
        self.standardise = standardise
        self.categorical = categorical
        self.random_state = random_state

    # ---- Learning

    def fit(self, X, y, sample_weight=None):
        """Learns the rows once, in their order, and forgets what it knew.

        >>> from plumbline import OnlineBoostClassifier
        >>> OnlineBoostClassifier().fit([[0.0], [1.0]] * 20, ["no", "yes"] * 20).classes_.tolist()
        ['no', 'yes']
        """
        return self._learn(X, y, None, sample_weight, first=True)

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Goes on learning. The first call needs all classes, unless y has them."""
        first = not hasattr(self, "model_")
        if not first and classes is not None and not np.array_equal(
                self.classes_, unique_labels(classes)):
            raise ValueError(f"`classes={classes}` is not the same as on the first call, "
                             f"which was: {self.classes_}")
        return self._learn(X, y, classes, sample_weight, first)

    def _learn(self, X, y, classes, sample_weight, first):
        if y is None:
            raise ValueError("OnlineBoostClassifier requires y to be passed, but the target y is None")
        X, y = self._rows(X, y, reset=first)
        count = X.num_rows if hasattr(X, "num_rows") else X.shape[0]
        if sample_weight is not None:
            # Counted rows: a weight of 2.3 is two or three times the row.
            weights = _check_sample_weight(sample_weight, np.empty((count, 0)), dtype=np.float64,
                                           ensure_non_negative=True)
        known = unique_labels(y) if classes is None else unique_labels(classes)
        if first:
            if len(known) < 2:
                raise ValueError("Classifier can't train when only one class is present: y has 1 class, "
                                 f"{known[0]!r}; give all of them as `classes` of partial_fit")
            self.classes_ = known
            self._examples, self._named = 0, False
            model = Model.__new__(Model)
            model._config = self._config()
            model._categorical = [str(name) for name in self.categorical]
            model._wanted = list(range(len(known)))
            model._core = None
            model._labels = []
        else:
            model = self.model_
            unknown = np.setdiff1d(y, self.classes_)
            if len(unknown) > 0:
                raise ValueError(f"y has the label {unknown[0]!r}, which is none of `classes` of the "
                                 f"first call: {self.classes_}")
        place = {label: k for k, label in enumerate(self.classes_.tolist())}
        codes = np.array([place[label] for label in y.tolist()], dtype=np.int64)
        if sample_weight is not None:
            rows = self._repeated(weights)
            X = X.take(rows) if hasattr(X, "num_rows") else X[rows]
            codes = codes[rows]
        if len(codes) > 0:
            if model._core is None:
                model._make(X, codes.tolist())
            if is_table(X):
                names = self.classes_.tolist() if self._named else range(len(self.classes_))
                texts = [_as_text(name) for name in names]
                model._core.step_table(X, [texts[code] for code in codes])
            else:
                model._core.step(X, codes.astype(np.uint8))
        elif first:
            raise ValueError("every row has the weight 0: there is nothing to learn from")
        self.model_ = model
        self._examples += count
        return self

    def _repeated(self, weights):
        draws = np.random.default_rng([self._seed() or 0, self._examples]).random(len(weights))
        times = np.floor(weights) + (draws < weights - np.floor(weights))
        return np.repeat(np.arange(len(weights)), times.astype(np.int64))

    # ---- Predicting

    def predict_proba(self, X):
        """The probability of each class, in the order of `classes_`.

        >>> from plumbline import OnlineBoostClassifier, generate
        >>> X, y = generate("sea", 500)
        >>> p = OnlineBoostClassifier().fit(X, y).predict_proba(X)
        >>> bool(abs(p.sum(axis=1) - 1).max() < 1e-12)
        True
        """
        check_is_fitted(self, "model_")
        X = self._rows(X, reset=False)
        core = self.model_._core
        said = core.predict_table(X) if is_table(X) else core.predict(X)
        if not core.multiclass:
            return np.hstack([1 - said, said])
        # The rows of a table bring their classes one after the other.
        places = [self._place_of(text) for text in core.classes]
        if places == list(range(len(self.classes_))):
            return said
        ordered = np.zeros((len(said), len(self.classes_)))
        ordered[:, places] = said
        return ordered

    def predict(self, X):
        """The likeliest class of each row."""
        check_is_fitted(self, "model_")
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def decision_function(self, X):
        """The calibrated logit: of the positive class, or of each of several classes."""
        p = np.clip(self.predict_proba(X), 1e-15, 1 - 1e-15)
        logits = np.log(p) - np.log1p(-p)
        return logits[:, 1] if len(self.classes_) == 2 else logits

    # ---- Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model's file, which the command line can go on with.

        The labels in it are the places of the classes in `classes_`.
        """
        check_is_fitted(self, "model_")
        self.model_.save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "OnlineBoostClassifier":
        """The classifier of a file, from Python or from the command line."""
        model = Model.load(path)
        self = cls()
        self.model_ = model
        self.classes_ = np.array(model.classes)
        self._examples, self._named = 0, True
        names = model._core.columns
        self.n_features_in_ = max(0, len(names) - 1)
        return self

    # ---- Inside

    def _place_of(self, text: str) -> int:
        """Of a class of the core, whose names are places, unless it comes from a file."""
        if self._named:
            return [_as_text(label) for label in self.classes_].index(text)
        return int(text)

    def _config(self) -> str:
        return make_config(
            self.preset, learner=self.learner, companions=self.companions, calibrator=self.calibrator,
            policy=self.policy, reward=self.reward, actions=self.actions, n_learners=self.n_learners,
            ensemble=self.ensemble, batch_size=self.batch_size, multiclass=self.multiclass,
            standardise=self.standardise, seed=self._seed())

    def _seed(self):
        if self.random_state is None or isinstance(self.random_state, (int, np.integer)):
            return None if self.random_state is None else int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _rows(self, X, y=None, reset=False) -> Any:
        table = is_table(X) and _has_texts(X)
        if table:
            self._check_columns(X, reset)
        elif y is None:
            X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=_KINDS,
                              ensure_all_finite="allow-nan")
        if y is not None:
            if table:
                y = column_or_1d(y, warn=True)
            else:
                X, y = validate_data(self, X, y, reset=reset, accept_sparse="csr", dtype=_KINDS,
                                     ensure_all_finite="allow-nan")
            check_classification_targets(y)
        if hasattr(X, "toarray"):
            X = X.toarray()  # the core skips the zeros
        return X if y is None else (X, y)

    def _check_columns(self, X, reset):
        names = np.array(column_names(X), dtype=object)
        if reset:
            self.feature_names_in_ = names
            self.n_features_in_ = len(names)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


# Others become float64.
_KINDS = [np.float64, np.float32]


def _has_texts(X: Any) -> bool:
    if hasattr(X, "dtypes") and hasattr(X, "iloc"):  # pandas
        return not all(getattr(kind, "kind", "O") in "biuf" for kind in X.dtypes)
    return True
