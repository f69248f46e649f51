"""What users give as rows: which kind it is, and how its results should look."""

from __future__ import annotations

import errno
import os
from typing import Any

import numpy as np


def existing(path: str | os.PathLike[str]) -> str:
    """The path as text, if something is there."""
    text = os.fspath(path)
    if not os.path.exists(text):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
    return text


def is_table(X: Any) -> bool:
    """Whether X has columns of its own kinds: pandas, polars, pyarrow."""
    return hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array_interface__")


def column_names(X: Any) -> list[str]:
    names = X.column_names if hasattr(X, "column_names") else X.columns
    return [str(name) for name in names]


def matrix(X: Any) -> np.ndarray:
    """Numbers in rows and columns, without a copy if they are NumPy's already."""
    if hasattr(X, "toarray"):  # SciPy: the core skips the zeros
        X = X.toarray()
    X = np.asarray(X)
    if X.dtype == object or X.dtype.kind in "US":
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"X has to be numbers, or a table with columns of texts: {error}") from None
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X has complex numbers")
    if X.dtype == np.float16 or X.dtype == np.longdouble:
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X has to be rows and "
                         "columns. Reshape your data, X.reshape(1, -1) for a single row")
    return X
