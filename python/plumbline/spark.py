"""Spark: probabilities of the rows of a DataFrame, and one model per key from historical rows (docs/scale.md).

pyspark 4 and pyarrow are optional dependencies, imported when a DataFrame is given. Every worker needs plumbline too.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

import numpy as np

from . import _core
from ._labels import Classes, is_missing, text_of
from .metrics import Metric
from .model import Model

if TYPE_CHECKING:
    import pyarrow
    from pyspark.broadcast import Broadcast
    from pyspark.sql import DataFrame

__all__ = ["fit_by_key", "score"]


def score(df: DataFrame, model: Model | bytes, *, ignore: Sequence[str] = ()) -> DataFrame:
    """The DataFrame with the probability of the positive class as a further column, `probability`.

    For more than two classes there is a column for each, `probability=CLASS`, as on the command line. Each row gets the
    probability that `model.predict_proba` gives it in a call of its own, to the bit: partitions, batches and the order
    of the rows make no difference. Columns are matched by name. Nothing is computed before Spark needs it.

    Parameters
    ----------
    df
        Rows with the columns that the model learned from.
    model
        A model, or its bytes: `Model.to_bytes`, the column `model` of `fit_by_key`. It is broadcast, and each worker
        process loads it once.
    ignore
        Columns that the model does not know, such as a key or the label. They are kept.

    Examples
    --------
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> import pandas as pd, plumbline  # doctest: +SKIP
    >>> from plumbline.spark import score  # doctest: +SKIP
    >>> spark = SparkSession.builder.getOrCreate()  # doctest: +SKIP
    >>> lights = pd.DataFrame({"colour": ["red", "green"] * 5})  # doctest: +SKIP
    >>> model = plumbline.Model().learn(lights, ["stop", "go"] * 5)  # doctest: +SKIP
    >>> rows = score(spark.createDataFrame(lights[:2]), model).collect()  # doctest: +SKIP
    >>> [round(row.probability, 2) for row in rows]  # doctest: +SKIP
    [0.98, 0.09]
    """
    data = model if isinstance(model, bytes) else model.to_bytes()
    here = Model.from_bytes(data)
    two = len(here.classes) == 2
    names = ["probability"] if two else [f"probability={text_of(label)}" for label in here.classes]
    if isinstance(ignore, str):
        raise TypeError(f"ignore has to be a list of texts; write ignore=[{ignore!r}]")
    unused = list(ignore)
    _check_columns(df, needed=unused, added=names)
    here.predict_proba(df.limit(0).drop(*unused).toArrow())  # raises ValueError for the wrong columns
    digest = hashlib.sha256(data).hexdigest()
    broadcast = df.sparkSession.sparkContext.broadcast(data)

    def scored(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        held = _held(digest, broadcast)
        for batch in batches:
            p = _alone(held, pyarrow.Table.from_batches([batch]).drop_columns(unused))
            columns = [pyarrow.array(p[:, k]) for k in ([1] if two else range(p.shape[1]))]
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, *columns], names=[*batch.schema.names, *names])

    from pyspark.sql.types import DoubleType, StructField, StructType

    return df.mapInArrow(scored, StructType([*df.schema.fields, *(StructField(name, DoubleType()) for name in names)]))


def fit_by_key(df: DataFrame, key: str, order_by: str | Sequence[str], label: str, *, preset: str = "small",
               classes: Sequence[Any] | None = None, **options: Any) -> DataFrame:
    """One model for each value of a column, learned from the rows of this value in order.

    The result has a row for each key, with the columns

    - the key, under its own name,
    - `rows`, the number of rows,
    - `log_loss`, the mean of the rows' log-losses, each predicted before it was learned,
    - `model`, the bytes of the model, for `Model.from_bytes` and `score`.

    They are those of `Model(preset, classes=classes, **options).step(X, y)` with the key's rows, sorted, to the bit,
    however many partitions and workers there are. X has all columns but the key and the label; name those that are no
    features in `ignore`. The rows of one key have to fit in the memory of a worker. Nothing is learned before Spark
    needs it.

    Parameters
    ----------
    df
        Rows with labels.
    key
        Column whose values have a model each.
    order_by
        Column, or columns, that determine the order of a key's rows: two rows with the same values are an error.
    label
        Column with the label, one of two.
    preset
        Base configuration; "small" is made for one model per key.
    classes
        The two labels; the second one is positive. By default those that occur, sorted: Spark reads the column for it.
    **options
        Further arguments of `plumbline.Model`, about columns and components.

    Examples
    --------
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> from plumbline.spark import fit_by_key  # doctest: +SKIP
    >>> spark = SparkSession.builder.getOrCreate()  # doctest: +SKIP
    >>> rows = [(shop, day, day % 7, day % 7 > 4) for day in range(70) for shop in "AB"]  # doctest: +SKIP
    >>> df = spark.createDataFrame(rows, "shop string, day int, weekday int, full boolean")  # doctest: +SKIP
    >>> models = fit_by_key(df, "shop", "day", "full", ignore=["day"])  # doctest: +SKIP
    >>> [(row.shop, row.rows, row.log_loss < 0.4) for row in models.orderBy("shop").collect()]  # doctest: +SKIP
    [('A', 70, True), ('B', 70, True)]
    """
    order = [order_by] if isinstance(order_by, str) else list(order_by)
    if not order:
        raise ValueError("order_by names no column: the order of the rows would be unknown")
    _check_columns(df, needed=[key, *order, label])
    if key == label:
        raise ValueError(f"{key!r} is the key and the label")
    if key.lower() in ("rows", "log_loss", "model"):
        raise ValueError(f"the key's column {key!r} has the name of another column of the result: rename it")
    options.setdefault("threads", 1)  # Spark has a task for each core
    known = _classes_in(df, label) if classes is None else list(classes)
    if len(known) != 2:
        raise ValueError(f"fit_by_key has two classes, not {len(known)}: {known[:10]}")
    Model(preset, classes=known, **options)  # raises ValueError for a wrong option, before anything runs

    from pyspark.sql.types import BinaryType, DoubleType, LongType, StructField, StructType

    def fitted(keys: tuple[pyarrow.Scalar, ...], table: pyarrow.Table) -> pyarrow.Table:
        import pyarrow

        value = keys[0].as_py()
        try:
            if is_missing(value):
                raise ValueError(f"{table.num_rows} rows have no key: leave such rows out")
            learner = Model(preset, classes=known, **options)
            loss = _learn(learner, _sorted(table, order).drop_columns([key]), label)
        except ValueError as error:
            raise ValueError(f"{key} {value!r}: {error}") from None
        return pyarrow.table({key: pyarrow.array([value], table.schema.field(key).type),
                              "rows": pyarrow.array([table.num_rows], pyarrow.int64()),
                              "log_loss": pyarrow.array([loss], pyarrow.float64()),
                              "model": pyarrow.array([learner.to_bytes()], pyarrow.binary())})

    return df.groupBy(key).applyInArrow(fitted, StructType([
        df.schema[key], StructField("rows", LongType()), StructField("log_loss", DoubleType()),
        StructField("model", BinaryType())]))


# ---- On the driver

def _check_columns(df: DataFrame, needed: Sequence[str] = (), added: Sequence[str] = ()) -> None:
    """Raises ValueError unless the DataFrame has the needed columns, and can have the added ones beside its own."""
    if len(set(df.columns)) < len(df.columns):
        twice = next(name for name in df.columns if df.columns.count(name) > 1)
        raise ValueError(f"the DataFrame has two columns {twice!r}: rename or drop one")
    for name in needed:
        if name not in df.columns:
            raise ValueError(f"the DataFrame has no column {name!r}; its columns are {', '.join(df.columns)}")
    there = {name.lower() for name in df.columns}  # Spark does not distinguish them by case
    for name in added:
        if name.lower() in there:
            raise ValueError(f"the DataFrame has a column {name!r} already: rename or drop it")


def _classes_in(df: DataFrame, label: str) -> list[Any]:
    found = [row[0] for row in df.select(df[label]).distinct().limit(258).collect()]
    if any(map(is_missing, found)):
        raise ValueError(f"rows have no label in {label!r}: leave such rows out")
    return Classes.among(found).labels


# ---- On the workers

_models: dict[str, Model] = {}  # the models that this process has scored with last, by the digest of their bytes


def _held(digest: str, broadcast: Broadcast[bytes]) -> Model:
    if digest not in _models:
        while len(_models) >= 4:
            del _models[next(iter(_models))]
        _models[digest] = Model.from_bytes(broadcast.value, threads=1)
    return _models[digest]


def _alone(model: Model, table: pyarrow.Table) -> np.ndarray:
    """The probabilities of each row as in a call of its own."""
    if table.num_rows and any(name.endswith(".gap") for name in model.features):
        # The gap of a column of times is that to the previous row of the call.
        return np.vstack([model._predict(table.slice(row, 1)) for row in range(table.num_rows)])
    return model._predict(table, places=_core.Places.next)


def _sorted(table: pyarrow.Table, order: list[str]) -> pyarrow.Table:
    """The rows in order. Raises ValueError if the columns do not determine it: it would depend on the partitions."""
    import pyarrow.compute as pc

    for name in order:
        if pc.any(pc.is_null(table[name], nan_is_null=True)).as_py():
            raise ValueError(f"a row has no value in {name!r}, which is in order_by: leave such rows out")
    table = table.sort_by([(name, "ascending") for name in order]).combine_chunks()
    if table.num_rows < 2:
        return table
    same = None
    for name in order:
        equal = pc.equal(table[name].slice(1), table[name].slice(0, table.num_rows - 1))
        same = equal if same is None else pc.and_(same, equal)
    row = pc.index(same, True).as_py()
    if row >= 0:
        values = ", ".join(f"{name} {table[name][row].as_py()!r}" for name in order)
        raise ValueError(f"two rows have the same {values}, so that their order is unknown: add a column to order_by")
    return table


def _learn(model: Model, table: pyarrow.Table, label: str) -> float:
    """Predicts and learns the rows; returns the mean log-loss of the predictions."""
    labels = table[label].to_numpy()
    p = model.step(table.drop_columns([label]), labels)
    metric = Metric("log_loss")
    metric.update(p.column(1).to_numpy(), [model._classes.index_of(y) for y in labels.tolist()])
    loss: Any = metric.value
    return float(loss)
