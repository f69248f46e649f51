"""plumbline.spark in a real local session of Spark.

pyspark is not among the packages of ./check: docs/scale.md says how to run these tests.
"""

import doctest
import os
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import plumbline
import plumbline.spark


def test_importing_does_not_import_pyspark():
    code = "import sys, plumbline, plumbline.spark; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture(scope="module")
def spark():
    pytest.importorskip("pyspark", reason="pyspark is not installed: docs/scale.md")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("there is no Java, which Spark needs")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (SparkSession.builder.master("local[2]").appName("plumbline")
               .config("spark.ui.enabled", "false")
               .config("spark.sql.shuffle.partitions", "2")
               .config("spark.sql.session.timeZone", "UTC")
               .getOrCreate())
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def rows_of(shops, rows, seed=1):
    """Rows of shops with a number, a category and a time, some of them missing; each shop has a rule of its own."""
    rng = np.random.default_rng(seed)
    shop = rng.integers(shops, size=rows)
    x = rng.normal(size=rows)
    frame = pd.DataFrame({
        "shop": [f"shop {k}" for k in shop],
        "when": pd.Timestamp("2024-05-31") + pd.to_timedelta(np.arange(rows) * 999 + rng.integers(900, size=rows), "s"),
        "x": np.where(rng.random(rows) < 0.1, np.nan, x),
        "n": rng.integers(5, size=rows),
        "colour": np.where(rng.random(rows) < 0.1, None, rng.choice(["red", "green"], size=rows)),
    })
    frame["sold"] = np.where(x * (shop - shops / 2) + rng.normal(size=rows) > 0, "yes", "no")
    return frame


@pytest.fixture(scope="module")
def table():
    return rows_of(5, 600)


@pytest.fixture(scope="module")
def df(spark, table):
    return spark.createDataFrame(table.sample(frac=1, random_state=3)).cache()


def local_fit(df, preset="small", **options):
    """What fit_by_key has to give, from Spark's rows in this process."""
    import pyarrow.compute as pc

    expected, table = {}, df.toArrow().sort_by("when")
    for shop in set(table["shop"].to_pylist()):
        rows = table.filter(pc.equal(table["shop"], shop))
        labels = rows["sold"].to_pylist()
        model = plumbline.Model(preset, classes=["no", "yes"], **options)
        p = model.step(rows.drop_columns(["shop", "sold"]), labels)
        loss = plumbline.Metric("log_loss")
        loss.update(p["yes"].to_numpy(), [y == "yes" for y in labels])
        expected[shop] = (rows.num_rows, loss.value, model.to_bytes())
    return expected


def fitted(models):
    return {row.shop: (row.rows, row.log_loss, bytes(row.model)) for row in models.collect()}


# ---- fit_by_key

@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_models_by_key_are_those_of_a_local_run(spark, df, partitions):
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 10 * partitions)
    found = fitted(plumbline.spark.fit_by_key(df.repartition(partitions), "shop", "when", "sold"))
    assert len(found) == 5
    assert found == local_fit(df)


def test_options_and_presets_are_those_of_a_model(df):
    options = {"ignore": ["when"], "categorical": ["n"], "seed": 7, "learner": "logistic"}
    found = fitted(plumbline.spark.fit_by_key(df, "shop", "when", "sold", preset="paper", **options))
    assert found == local_fit(df, "paper", **options)
    assert found != local_fit(df, "paper")


def test_wrong_arguments_of_fit_by_key_are_refused_at_once(spark, df):
    fit = plumbline.spark.fit_by_key
    with pytest.raises(ValueError, match="no column 'store'; its columns are shop, when"):
        fit(df, "store", "when", "sold")
    with pytest.raises(ValueError, match="order_by names no column"):
        fit(df, "shop", [], "sold")
    with pytest.raises(ValueError, match="is the key and the label"):
        fit(df, "sold", "when", "sold")
    with pytest.raises(ValueError, match="has the name of another column"):
        fit(df.withColumnRenamed("shop", "Model"), "Model", "when", "sold")
    with pytest.raises(ValueError, match="two classes, not 5"):
        fit(df, "shop", "when", "n")
    with pytest.raises(ValueError, match="unknown preset 'smal'"):
        fit(df, "shop", "when", "sold", preset="smal")
    with pytest.raises(ValueError, match="rows have no label in 'colour'"):
        fit(df, "shop", "when", "colour")


@pytest.mark.parametrize("row, message", [
    (("a", 1, 0.5, 0), "shop 'a': two rows have the same day 1, so that their order is unknown"),
    (("a", None, 0.5, 0), "shop 'a': a row has no value in 'day'"),
    ((None, 2, 0.5, 0), "shop None: 1 rows have no key"),
    (("a", 2, 0.5, None), "shop 'a': y has no label in row 2"),
    (("a", 2, 0.5, 7), "shop 'a': the label 7"),
])
def test_rows_that_would_make_the_result_ambiguous_are_refused(spark, row, message):
    df = spark.createDataFrame([("a", 1, 0.25, 1), row], "shop string, day int, x double, y int")
    with pytest.raises(Exception) as raised:
        plumbline.spark.fit_by_key(df, "shop", "day", "y", classes=[0, 1]).collect()
    assert message in str(raised.value)


# ---- score

@pytest.mark.parametrize("partitions", [1, 3])
@pytest.mark.parametrize("unused", [["shop", "sold"], ["shop", "sold", "when"]], ids=["times", "no times"])
def test_scores_are_those_of_each_row_alone(spark, df, table, unused, partitions):
    model = plumbline.Model().learn(table.drop(columns=unused)[:300], table["sold"][:300])
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 7 * partitions)
    some = df.repartition(partitions).limit(100).cache()
    result = plumbline.spark.score(some, model, ignore=unused)
    assert result.columns == [*df.columns, "probability"]
    found = result.toArrow()
    assert found.drop_columns(["probability"]).sort_by("when") == some.toArrow().sort_by("when")
    features = found.drop_columns([*unused, "probability"])
    alone = [model.predict_proba(features.slice(row, 1))["yes"][0].as_py() for row in range(found.num_rows)]
    assert found["probability"].to_pylist() == alone
    assert len(set(alone)) > 50


def test_several_classes_have_a_column_each(df, table):
    model = plumbline.Model("fast").learn(table[["x", "colour"]], table["n"])
    found = plumbline.spark.score(df.limit(20).select("n", "colour", "x"), model.to_bytes(), ignore=["n"]).toArrow()
    names = [f"probability={k}" for k in range(5)]
    assert found.column_names[-5:] == names
    expected = model.predict_proba(found.select(["x", "colour"]))
    assert np.array_equal(found.select(names).to_pandas(), expected.to_pandas())


def test_wrong_columns_are_refused_at_once(df, table):
    model = plumbline.Model("fast").learn(table[["x", "colour"]], table["sold"])
    features = df.select("x", "colour")
    with pytest.raises(ValueError, match="colour"):
        plumbline.spark.score(features.drop("colour"), model)
    with pytest.raises(ValueError, match="'n' is not one that the model knows; try ignore=\\['n'\\]"):
        plumbline.spark.score(df.select("x", "colour", "n"), model)
    with pytest.raises(ValueError, match="no column 'm'"):
        plumbline.spark.score(features, model, ignore=["m"])
    with pytest.raises(TypeError, match="write ignore=\\['n'\\]"):
        plumbline.spark.score(df.select("x", "colour", "n"), model, ignore="n")
    with pytest.raises(ValueError, match="has a column 'probability' already"):
        plumbline.spark.score(df.withColumnRenamed("n", "Probability"), model)
    with pytest.raises(ValueError, match="has two columns 'x'"):
        plumbline.spark.score(df.select("x", "x", "colour"), model)


def test_a_process_holds_a_few_models_and_loads_each_once(monkeypatch):
    class Broadcast:
        value = plumbline.Model().learn([[0.0], [1.0]], [0, 1]).to_bytes()

    monkeypatch.setattr(plumbline.spark, "_models", {})
    first = plumbline.spark._held("0", Broadcast)
    assert plumbline.spark._held("0", None) is first
    for digest in "1234":
        plumbline.spark._held(digest, Broadcast)
    assert list(plumbline.spark._models) == ["1", "2", "3", "4"]


# ---- The docstrings

@pytest.mark.parametrize("function", ["score", "fit_by_key"])
def test_examples_of_the_docstrings(spark, function):
    """Those that ./check skips because it has no Spark."""
    (test,) = doctest.DocTestFinder().find(getattr(plumbline.spark, function), function, plumbline.spark)
    assert test.examples
    for example in test.examples:
        example.options.pop(doctest.SKIP)
    assert doctest.DocTestRunner().run(test).failed == 0
