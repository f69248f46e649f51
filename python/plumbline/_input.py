"""Rows as users pass them: detection of their kind, conversion for the core, and results of the same kind."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any, Sequence, Union

import numpy as np

# The types of numbers that the core reads without a copy.
KINDS = frozenset(np.dtype(kind) for kind in (
    np.float64, np.float32, np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16,
    np.uint8, np.bool_))


Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def path_bytes(path: Path) -> bytes:
    """The path as bytes. Raises the errors of `open` for an invalid path."""
    try:
        name = os.fsencode(path)
    except TypeError:
        raise TypeError(f"the path has to be a str, bytes or os.PathLike object, not {type(path).__name__}") from None
    if b"\0" in name:
        raise ValueError(f"the path {path!r} has a null byte; remove it")
    return name


def existing(path: Path) -> bytes:
    """The path as bytes. Raises FileNotFoundError if it does not exist."""
    name = path_bytes(path)
    if not os.path.exists(name):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    return name


def is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_table(X: Any) -> bool:
    """True for tables with typed columns: pandas, polars, pyarrow."""
    return is_pandas(X) or hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array_interface__")


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr")


def column_names(X: Any) -> list[str]:
    names = X.column_names if hasattr(X, "column_names") else X.columns
    return [str(name) for name in names]


def readable(X: np.ndarray) -> bool:
    """True if the core can read the array without a copy."""
    return X.dtype in KINDS and X.flags.aligned


def rows(X: Any) -> Any:
    """X for the core: an array, sparse rows, a table or a list of dicts, copied only if necessary."""
    if type(X) is np.ndarray and X.ndim == 2 and readable(X):
        return X
    if is_table(X):
        return _table(X)
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], dict):
        return list(X)
    if hasattr(X, "collect"):  # polars' LazyFrame
        raise ValueError("X is a lazy query, not a table: call its collect()")
    return _sparse(X) if is_sparse(X) else _matrix(X)


def count(X: Any) -> int:
    """The number of rows in a result of `rows`."""
    return X.num_rows if hasattr(X, "num_rows") else X.shape[0] if hasattr(X, "shape") else len(X)


def _table(X: Any) -> Any:
    """A table that knows its size, without an index, which some versions of pandas would add."""
    if not is_pandas(X) and (hasattr(X, "num_rows") or hasattr(X, "shape")):
        return X
    try:
        import pyarrow
    except ImportError:
        raise ImportError("reading such a table needs pyarrow: pip install pyarrow") from None
    try:
        if not is_pandas(X):
            return pyarrow.table(X)
        if not all(isinstance(name, str) for name in X.columns):
            X = X.rename(columns=str)
        return pyarrow.Table.from_pandas(X, preserve_index=False)
    except (pyarrow.ArrowException, TypeError, OverflowError) as error:
        raise ValueError(f"X cannot be read as a table: {' '.join(map(str, error.args))}") from None


def _sparse(X: Any) -> Any:
    """A SciPy matrix of any format as sparse rows of a type that the core reads."""
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X has to be rows and columns")
    X = X.tocsr()
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X has complex numbers")
    return X if X.dtype in KINDS else X.astype(np.float64)


def has_few_values(X: Any) -> bool:
    """True for sparse rows of many columns, few of which are not 0. Values that are not stored are then absent, not 0."""
    return is_sparse(X) and X.shape[1] >= 64 and 8 * X.nnz <= X.shape[0] * X.shape[1]


def _matrix(X: Any) -> np.ndarray:
    """A two-dimensional array of numbers, without a copy if possible."""
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    X = np.asarray(X)
    if X.dtype == object or X.dtype.kind in "US":
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"X has to be numbers, or a table with columns of texts: {error}") from None
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X has complex numbers")
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X has to be numbers, not {X.dtype}")
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X has to be rows and "
                         "columns. Reshape your data, X.reshape(1, -1) for a single row")
    if readable(X):
        return X
    return X.copy() if X.dtype in KINDS else X.astype(np.float64)


def alike(X: Any, values: np.ndarray, names: Sequence[Any]) -> Any:
    """The values as a table of the kind of X with these columns, or unchanged if X is not a table."""
    if is_pandas(X):
        return sys.modules["pandas"].DataFrame(values, index=X.index, columns=list(names))
    kind = type(X).__module__.partition(".")[0] if is_table(X) else ""
    texts = [str(name) for name in names]
    if kind == "polars":
        return sys.modules["polars"].DataFrame(values, schema=texts)
    if kind == "pyarrow":
        columns = [np.ascontiguousarray(column) for column in values.T]
        return sys.modules["pyarrow"].table(columns, names=texts)
    return values
