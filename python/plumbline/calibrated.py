"""Calibration around scikit-learn's own classifiers."""

from __future__ import annotations

import inspect
from typing import Any, Iterator, Sequence

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._actions import ACTIONS, CALIBRATES, POLICY, TRAINS, Chooser, mean_entropy, mean_loss
from .calibrator import OnlineCalibrator


class _Last:
    """The rows predicted last and their scores: `partial_fit` of the same rows does not ask the estimators again."""

    MOST = 100_000  # numbers to remember

    def __init__(self) -> None:
        self.rows: np.ndarray | None = None
        self.scores: np.ndarray | None = None

    def remember(self, X: Any, scores: np.ndarray) -> None:
        if isinstance(X, np.ndarray) and X.dtype.kind in "biuf" and X.size <= self.MOST:
            self.rows, self.scores = X.copy(), scores

    def scores_of(self, X: Any) -> np.ndarray | None:
        if self.rows is None or not isinstance(X, np.ndarray) or X.dtype != self.rows.dtype:
            return None
        return self.scores if np.array_equal(X, self.rows, equal_nan=X.dtype.kind == "f") else None

    def forget(self) -> None:
        self.rows = self.scores = None

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.forget()


class _Calibrated(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Estimators, a calibrator of their scores, and a policy."""

    classes_: np.ndarray
    estimators_: list[Any]
    calibrator_: OnlineCalibrator
    calibrator: Any
    policy: Any
    actions: Sequence[str]
    batch: int
    random_state: int | None
    learn_budget: float

    def _members(self) -> list[Any]:
        raise NotImplementedError

    # ---- Learning

    def fit(self, X: Any, y: Any) -> Any:
        """Learns the rows once, in their order, with new estimators, in minibatches of `batch` rows."""
        return self._learn(X, y, None, None, first=True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Any:
        """Continues learning. The first call needs all classes, unless y contains them.

        Each minibatch of `batch` rows is predicted first. The calibrator learns from these predictions, then the
        estimators learn the rows, unless the policy chooses otherwise.

        `sample_weight` is passed to the `partial_fit` of the estimators, which must take it; a frozen one is not
        trained. The calibrator learns all rows with equal weights, so that probabilities are those of the rows as they
        come.
        """
        first = not hasattr(self, "calibrator_")
        if not first and classes is not None and not np.array_equal(self.classes_, classes) and not np.array_equal(
                self.classes_, unique_labels(classes)):
            raise ValueError(f"`classes={classes}` is not the same as on the first call, "
                             f"which was: {self.classes_}")
        return self._learn(X, y, classes, sample_weight, first)

    def _learn(self, X: Any, y: Any, classes: Any, sample_weight: Any, first: bool) -> Any:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        estimators = [self._prepared(member) for member in self._members()] if first else self.estimators_
        X, y = self._checked(X, y, reset=first)
        known = self._known(y, classes, estimators) if first else self.classes_
        indices = np.searchsorted(known, y).clip(max=len(known) - 1)
        unknown = y[known[indices] != y]
        if len(unknown) > 0:
            raise ValueError(f"y has the label {unknown[0]!r}, which is not one of the classes {known}")
        if not isinstance(self.batch, (int, np.integer)) or self.batch < 1:
            raise ValueError(f"batch is {self.batch!r}; give the number of rows of a minibatch")
        weights = None if sample_weight is None else _checked_weights(sample_weight, len(y), estimators)
        if first:
            inputs = ["probability" if hasattr(one, "predict_proba") else "score" for one in estimators]
            made = OnlineCalibrator._made_for(inputs, range(len(known)), self.calibrator)
            chooser = Chooser(self.policy, self.actions, self.random_state or 0, self.learn_budget)
            self.classes_, self.estimators_, self.calibrator_, self._chooser = known, estimators, made, chooser
            self._trained, self._last = [isinstance(one, FrozenEstimator) for one in estimators], _Last()
        for rows in self._batches(len(y)):
            some = X if rows == slice(0, len(y)) else _safe_indexing(X, rows)
            self._learn_batch(some, y[rows], indices[rows], None if weights is None else weights[rows])
        return self

    def _batches(self, rows: int) -> Iterator[slice]:
        """Minibatches. The first one that trains is cut in two, so that the second half can be calibrated."""
        size, start = int(self.batch), 0
        while start < rows:
            end = min(start + size, rows)
            if not all(self._trained):
                end = start + (end - start + 1) // 2
            yield slice(start, end)
            start = end

    def _learn_batch(self, X: Any, y: np.ndarray, indices: np.ndarray, weights: np.ndarray | None) -> None:
        ready = all(self._trained)
        scores = self._scores(X) if ready else None
        self._last.forget()
        loss, uncertainty = 1.0, 0.0
        if scores is not None and (self._chooser.needs_loss or self._chooser.needs_uncertainty):
            p = self.calibrator_.predict_proba(scores)
            loss, uncertainty = mean_loss(p, indices), mean_entropy(p)
        action = self._chooser.choose(loss, uncertainty)
        frozen = all(isinstance(one, FrozenEstimator) for one in self.estimators_)
        # Without a prediction there is nothing to calibrate, and a frozen model has nothing to train.
        if scores is not None and (action in CALIBRATES or frozen and action == "train"):
            self.calibrator_._step(scores, indices)
        if action not in TRAINS and ready:
            return
        for m, estimator in enumerate(self.estimators_):
            if not isinstance(estimator, FrozenEstimator):
                more: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
                if not self._trained[m] and _takes(estimator, "classes"):
                    more["classes"] = self.classes_
                estimator.partial_fit(X, y, **more)
                self._trained[m] = True

    # ---- Predicting

    def predict_proba(self, X: Any) -> np.ndarray:
        """The calibrated probability of each class, in the order of `classes_`."""
        check_is_fitted(self, "calibrator_")
        X = self._checked(X, None, reset=False)
        scores = self._scores(X)
        self._last.remember(X, scores)
        return self.calibrator_.predict_proba(scores)

    def predict(self, X: Any) -> np.ndarray:
        """The most likely class of each row."""
        check_is_fitted(self, "calibrator_")
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def decision_function(self, X: Any) -> np.ndarray:
        """The calibrated logit: of the positive class, or of each of several classes."""
        p = np.clip(self.predict_proba(X), 1e-15, 1 - 1e-15)
        logits = np.log(p) - np.log1p(-p)
        return logits[:, 1] if len(self.classes_) == 2 else logits

    def _scores(self, X: Any) -> np.ndarray:
        """The scores of all estimators: (rows, M) for two classes, otherwise (rows, M, K)."""
        scores = self._last.scores_of(X)
        if scores is not None:
            return scores
        return np.stack([_scores_of(one, X, self.classes_) for one in self.estimators_], axis=1)

    # ---- Inside

    @staticmethod
    def _prepared(member: Any) -> Any:
        """A new estimator like the given one; a frozen one is used as it is."""
        if not isinstance(member, FrozenEstimator) and not hasattr(member, "partial_fit"):
            raise ValueError(f"{type(member).__name__} has no partial_fit: fit it, and give FrozenEstimator(…) of it, to "
                             "calibrate its scores")
        if not hasattr(member, "predict_proba") and not hasattr(member, "decision_function"):
            raise ValueError(f"{type(member).__name__} has neither predict_proba nor decision_function")
        return clone(member)

    @staticmethod
    def _known(y: np.ndarray, classes: Any, estimators: list[Any]) -> np.ndarray:
        frozen = [one.classes_ for one in estimators if isinstance(one, FrozenEstimator)]
        known = np.asarray(frozen[0]) if frozen else unique_labels(y if classes is None else classes)
        if len(known) < 2:
            raise ValueError("Classifier can't train when only one class is present: y has 1 class, "
                             f"{known[0]!r}; give all of them as `classes` of partial_fit")
        return known

    def _checked(self, X: Any, y: Any, reset: bool) -> Any:
        """Rows that estimators may see; tables stay as they are."""
        if not reset and self._plain(X) and (y is None or isinstance(y, np.ndarray) and y.shape == X.shape[:1]):
            return X if y is None else (X, y)
        if reset:
            self._allow_nan = all(get_tags(one).input_tags.allow_nan for one in self._members())
        how: dict[str, Any] = {"accept_sparse": "csr", "dtype": None if hasattr(X, "iloc") else "numeric",
                               "ensure_all_finite": "allow-nan" if self._allow_nan else True}
        if y is None:
            rows = validate_data(self, X, reset=reset, **how)
            return X if hasattr(X, "iloc") else rows
        rows, y = validate_data(self, X, y, reset=reset, **how)
        check_classification_targets(y)
        return X if hasattr(X, "iloc") else rows, y

    def _plain(self, X: Any) -> bool:
        """True for an array of numbers that needs no further check, which takes longer than learning some rows."""
        return (type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and len(X) > 0 and
                X.shape[1] == self.n_features_in_ and not hasattr(self, "feature_names_in_") and
                bool(np.isfinite(X.sum())))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        members = [get_tags(one) for one in self._members()]
        tags.input_tags.sparse = all(one.input_tags.sparse for one in members)
        tags.input_tags.allow_nan = all(one.input_tags.allow_nan for one in members)
        tags.input_tags.positive_only = any(one.input_tags.positive_only for one in members)
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "calibrator_")


class OnlineCalibrated(_Calibrated):
    """A classifier whose probabilities are calibrated online, around any estimator with `partial_fit`.

    The estimator has `predict_proba` or `decision_function`, for two classes or several. Each minibatch is predicted
    before it is learned, and the calibrator learns from these predictions. A `FrozenEstimator` is only calibrated.

    Parameters
    ----------
    estimator : classifier
        It is cloned; a FrozenEstimator is used as it is.
    calibrator : str or dict
        Calibrator of two classes (`plumbline.components()`).
    policy : str or dict
        Chooses an action for each minibatch: by default, always both.
    actions : sequence of str
        Actions that the policy chooses from: "train", "calibrate", "both" and "skip".
    batch : int
        Rows of a minibatch.
    random_state : int or None
        Seed of the policy.
    learn_budget : float
        Share of minibatches that the estimators may learn; the calibrator learns beyond it.

    Examples
    --------
    >>> from sklearn.metrics import log_loss
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from plumbline import OnlineCalibrated, generate
    >>> X, y = generate("waveform", 5000)
    >>> raw, model = GaussianNB(), OnlineCalibrated(GaussianNB())
    >>> for i in range(0, 4000, 100):
    ...     raw = raw.partial_fit(X[i:i + 100], y[i:i + 100], classes=[0, 1])
    ...     model = model.partial_fit(X[i:i + 100], y[i:i + 100], classes=[0, 1])
    >>> round(log_loss(y[4000:], raw.predict_proba(X[4000:])), 2)
    0.5
    >>> round(log_loss(y[4000:], model.predict_proba(X[4000:])), 2)
    0.19
    """

    def __init__(self, estimator: Any, *, calibrator: Any = "cascade", policy: Any = POLICY,
                 actions: Sequence[str] = ACTIONS, batch: int = 100, random_state: int | None = None,
                 learn_budget: float = 1.0):
        self.estimator = estimator
        self.calibrator = calibrator
        self.policy = policy
        self.actions = actions
        self.batch = batch
        self.random_state = random_state
        self.learn_budget = learn_budget

    def _members(self) -> list[Any]:
        return [self.estimator]

    @property
    def estimator_(self) -> Any:
        """The estimator that has learned: see `OnlineCalibrated`."""
        check_is_fitted(self, "calibrator_")
        return self.estimators_[0]


class OnlineStack(_Calibrated):
    """Several classifiers, weighed and calibrated together online.

    The total log-loss of n rows that are learned one by one is at most ln(2 M) + n/100,000 above that of the best of M
    estimators (docs/calibrate.md). Parameters are those of `OnlineCalibrated`, except the first.

    Parameters
    ----------
    estimators : list of classifiers, or of (name, classifier)
        Each is cloned; a FrozenEstimator is used as it is.

    Examples
    --------
    >>> from sklearn.linear_model import SGDClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from plumbline import OnlineBoostClassifier, OnlineStack, generate
    >>> X, y = generate("sea", 3000)
    >>> model = OnlineStack([GaussianNB(), SGDClassifier(random_state=1), OnlineBoostClassifier("fast")])
    >>> model.fit(X[:2000], y[:2000]).score(X[2000:], y[2000:]) > 0.85
    True
    """

    def __init__(self, estimators: Sequence[Any], *, calibrator: Any = "cascade", policy: Any = POLICY,
                 actions: Sequence[str] = ACTIONS, batch: int = 100, random_state: int | None = None,
                 learn_budget: float = 1.0):
        self.estimators = estimators
        self.calibrator = calibrator
        self.policy = policy
        self.actions = actions
        self.batch = batch
        self.random_state = random_state
        self.learn_budget = learn_budget

    def _members(self) -> list[Any]:
        members = [one[1] if isinstance(one, tuple) else one for one in self.estimators]
        if not members:
            raise ValueError("there are no estimators")
        return members


def _takes(estimator: Any, name: str) -> bool:
    return name in inspect.signature(estimator.partial_fit).parameters


def _checked_weights(sample_weight: Any, rows: int, estimators: list[Any]) -> np.ndarray:
    for one in estimators:
        if not isinstance(one, FrozenEstimator) and not _takes(one, "sample_weight"):
            raise ValueError(f"the partial_fit of {type(one).__name__} takes no sample_weight")
    return _check_sample_weight(sample_weight, np.empty((rows, 0)), dtype=np.float64, ensure_non_negative=True)


def _scores_of(estimator: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    """The scores of an estimator: one per row, or one for each class. A NaN counts as no opinion."""
    if hasattr(estimator, "predict_proba"):
        scores = np.asarray(estimator.predict_proba(X), dtype=np.float64)
        scores = scores[:, 1] if len(classes) == 2 else scores
        return np.where(np.isnan(scores), 1 / len(classes), scores) if np.isnan(scores).any() else scores
    scores = np.asarray(estimator.decision_function(X), dtype=np.float64)
    return np.nan_to_num(scores, nan=0.0, posinf=1e100, neginf=-1e100)
