"""What users give as rows: which kind it is, and results of the same kind."""

from __future__ import annotations

import errno
import os
import sys
from typing import Any, Sequence

import numpy as np

# The numbers that the core reads where they lie.
KINDS = frozenset(np.dtype(kind) for kind in (
    np.float64, np.float32, np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16,
    np.uint8, np.bool_))


def existing(path: str | os.PathLike[str]) -> str:
    """The path as text, if something is there."""
    text = os.fspath(path)
    if not os.path.exists(text):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
    return text


def is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_table(X: Any) -> bool:
    """Whether X has columns of its own kinds: pandas, polars, pyarrow."""
    return is_pandas(X) or hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array_interface__")


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr")


def column_names(X: Any) -> list[str]:
    names = X.column_names if hasattr(X, "column_names") else X.columns
    return [str(name) for name in names]


def rows(X: Any) -> Any:
    """X as the core takes it: an array, sparse rows, a table or a list of dicts; copied only if it must be."""
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in KINDS:
        return X
    if is_table(X):
        return _pandas_table(X) if is_pandas(X) else X
    if isinstance(X, list) and X and isinstance(X[0], dict):
        return X
    return sparse(X) if is_sparse(X) else matrix(X)


def count(X: Any) -> int:
    """Of the rows."""
    return X.num_rows if hasattr(X, "num_rows") else X.shape[0] if hasattr(X, "shape") else len(X)


def _pandas_table(X: Any) -> Any:
    """As an Arrow table without the index, which some versions of pandas would add."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError("rows of pandas are read through pyarrow: pip install pyarrow") from None
    if not all(isinstance(name, str) for name in X.columns):
        X = X.rename(columns=str)
    return pyarrow.Table.from_pandas(X, preserve_index=False)


def sparse(X: Any) -> Any:
    """SciPy's matrix of any format as sparse rows of a number that the core reads."""
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X has to be rows and columns")
    X = X.tocsr()
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X has complex numbers")
    return X if X.dtype in KINDS else X.astype(np.float64)


def matrix(X: Any) -> np.ndarray:
    """Numbers in rows and columns, without a copy if they are NumPy's already."""
    X = np.asarray(X)
    if X.dtype == object or X.dtype.kind in "US":
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"X has to be numbers, or a table with columns of texts: {error}") from None
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X has complex numbers")
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: X has to be rows and "
                         "columns. Reshape your data, X.reshape(1, -1) for a single row")
    return X if X.dtype in KINDS else X.astype(np.float64)


def alike(X: Any, values: np.ndarray, names: Sequence[Any]) -> Any:
    """The values in the kind of table that X is, with these columns; else as they are."""
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
