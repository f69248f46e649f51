"""Columns of times and of identifiers in tables; the table of payments is that of the command line's tests."""

import datetime
import io
import pathlib
import pickle
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from plumbline import Model, OnlineBoostClassifier

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests" / "cli"))
from payments import LEAST_LIKELY, MOST_LIKELY, payments, text  # noqa: E402

LEARNED, NEW = 4000, 400
TIME = [f"timestamp.{part}" for part in ("hour_sin", "hour_cos", "weekday_sin", "weekday_cos", "gap")]


@pytest.fixture(scope="module")
def table():
    """The rows as texts and numbers, their labels, and the probabilities of those."""
    rows = list(payments(LEARNED + NEW))
    frame = pd.read_csv(io.StringIO(text(row for row, _ in rows)))
    y = frame.pop("label").to_numpy()
    return frame, y, np.array([p for _, p in rows])


def small(**columns):
    return pd.DataFrame({"x": [0.5, 1.5, 2.5, 3.5], **columns}), [0, 1, 0, 1]


def test_what_the_columns_are_is_told(table):
    frame, y, _ = table
    model = Model().learn(frame[:LEARNED], y[:LEARNED])
    assert model.features[:5] == TIME and len(model.features) == 13
    assert "'id' counts the rows and is left out; try numeric=['id'] to keep it" in model.notes
    assert ("'timestamp' is a time: hour of day, day of week, time since the previous row; try ignore=['timestamp'] to "
            "leave it out, numeric=['timestamp'] for a number or categorical=['timestamp']") in model.notes
    assert Model().learn([[0.0], [1.0]], [0, 1]).notes == []


# The bounds are those of tests/cli/tables_test.py.
def test_old_and_new_rows_have_sensible_probabilities(table):
    frame, y, p = table
    model = OnlineBoostClassifier().fit(frame[:LEARNED], y[:LEARNED])
    for part in slice(NEW), slice(LEARNED - NEW, LEARNED), slice(LEARNED, None):
        said, expected = model.predict_proba(frame[part])[:, 1], p[part].mean()
        assert LEAST_LIKELY / 2 < said.min() and said.max() < 1.5 * MOST_LIKELY
        assert abs(said.mean() - expected) < 5 * (expected * (1 - expected) / LEARNED) ** 0.5


def test_times_are_the_same_from_texts_and_from_tables_of_every_kind(table):
    frame, y, _ = table
    frame, y = frame[:500], y[:500]
    wanted = Model().learn(frame, y).to_bytes()
    times = frame.assign(timestamp=pd.to_datetime(frame["timestamp"]))
    berlin = times.assign(timestamp=times["timestamp"].dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"))
    for one in times, berlin, pl.from_pandas(times), pa.Table.from_pandas(times, preserve_index=False):
        assert Model().learn(one, y).to_bytes() == wanted
    for unit in "s", "ms", "us", "ns":
        arrow = pa.table({**{name: frame[name] for name in frame}, "timestamp": times["timestamp"].to_numpy().astype(
            f"datetime64[{unit}]")})
        assert Model().learn(arrow, y).to_bytes() == wanted


def test_the_command_line_reads_the_same_model(table):
    frame, y, _ = table
    model = Model().learn(frame[:500], y[:500])
    again = Model.from_bytes(model.to_bytes())
    new = frame[500:600]
    times = new.assign(timestamp=pd.to_datetime(new["timestamp"]))
    assert (again.predict_proba(times) == model.predict_proba(new)).all(axis=None)


def test_dates_have_no_hour():
    days = [datetime.date(2024, 5, day) for day in (1, 2, 3, 6)]
    frame, y = small(day=days)
    assert Model().learn(frame, y).features == ["x", "day.weekday_sin", "day.weekday_cos", "day.gap"]
    frame["day"] = pd.to_datetime(frame["day"])
    assert Model().learn(frame, y).features == ["x", "day.weekday_sin", "day.weekday_cos", "day.gap"]


def test_columns_are_what_the_user_says():
    stamps = [1717158605, 1717158665, 1717158725, 1717158785]
    frame, y = small(when=pd.to_datetime(stamps, unit="s"), moment=stamps)
    assert len(Model().learn(frame, y).features) == 1 + 5 + 1
    assert len(Model(time=["moment"]).learn(frame, y).features) == 1 + 5 + 5
    assert Model(numeric=["when"]).learn(frame, y).features == ["x", "when", "moment"]
    assert Model(ignore=["when"]).learn(frame, y).features == ["x", "moment"]
    assert "when=2024-05-31T12:30:05" in Model(categorical=["when"]).learn(frame, y).features
    assert OnlineBoostClassifier(time=["moment"]).fit(frame, y).get_params()["time"] == ["moment"]
    with pytest.raises(ValueError, match="'x' has no times"):
        Model(time=["x"]).learn(frame.assign(x=["a", "b", "c", "d"]), y)
    with pytest.raises(ValueError, match="about the columns of tables"):
        Model(time=["x"]).learn(np.zeros((4, 1)), y)


def test_a_missing_time_is_a_missing_value():
    frame, y = small(when=pd.to_datetime(["2024-05-31T12:30", None, "2024-05-31T12:31", None]))
    model = Model().learn(frame, y)
    assert np.isfinite(model.predict_proba(frame).to_numpy()).all()


def test_identifiers_are_kept_if_they_are_named(table):
    frame, y, _ = table
    assert Model(numeric=["id"]).learn(frame[:500], y[:500]).features[0] == "id"
    assert Model(categorical=["id"]).learn(frame[:500], y[:500]).features[0] == "id=1"
    # Real numbers are never taken as identifiers.
    assert Model().learn(frame[:500].assign(id=frame["id"] + 0.5), y[:500]).features[0] == "id"


def test_predicting_changes_nothing_and_follows_the_last_learned_row(table):
    frame, y, _ = table
    model = Model().learn(frame[:500], y[:500])
    before = model.to_bytes()
    # More rows than the core reads at a time, in one call and in parts: each but the first follows the one before it.
    whole = model.predict_proba(frame[500:1100]).to_numpy()
    assert model.to_bytes() == before
    assert (model.predict_proba(frame[500:700]).to_numpy() == whole[:200]).all()
    model.learn(frame[500:700], y[500:700])
    twin = Model.from_bytes(before)
    twin.learn(frame[500:700], y[500:700])
    assert model.to_bytes() == twin.to_bytes()


def test_learning_in_parts_is_learning_at_once(table):
    frame, y, _ = table
    whole = Model(batch=50).learn(frame[:600], y[:600])
    model = Model(batch=50, classes=[0, 1]).learn(frame[:600][:300], y[:300])
    model = pickle.loads(pickle.dumps(model))
    assert model.learn(frame[300:600], y[300:600]).to_bytes() == whole.to_bytes()


def test_a_bad_row_leaves_no_trace(table):
    frame, y, _ = table
    model = Model(batch=50).learn(frame[:500], y[:500])
    before = model.to_bytes()
    bad = frame[500:600].assign(timestamp=[*frame["timestamp"][500:599], "soon"])
    with pytest.raises(ValueError, match="'soon' in 'timestamp' is not a time"):
        model.learn(bad, y[500:600])
    with pytest.raises(ValueError, match="'soon' in 'timestamp' is not a time"):
        model.predict_proba(bad)
    assert model.to_bytes() == before


def test_a_row_of_weight_0_is_no_previous_row(table):
    frame, y, _ = table
    weights = np.ones(300)
    weights[100:300:7] = 0  # each category is among the first rows
    weighted = OnlineBoostClassifier(batch=1).fit(frame[:300], y[:300], sample_weight=weights)
    kept = OnlineBoostClassifier(batch=1).fit(frame[:300][weights > 0], y[:300][weights > 0])
    assert weighted.model_.to_bytes() == kept.model_.to_bytes()


def test_arrays_are_no_tables_with_times():
    frame, y = small(when=pd.date_range("2024-05-31", periods=4, freq="h"))
    model = Model().learn(frame, y)
    with pytest.raises(ValueError, match="categories or times"):
        model.predict_proba(np.zeros((1, 6)))
