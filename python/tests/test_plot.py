"""plumbline.plot: the figures of the command line's reports, point by point."""

import json
import re

import numpy as np
import pandas as pd
import pytest

import plumbline

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def run():
    X, y = plumbline.generate("sea", 8_500, seed=3)  # just beyond 800 minibatches, where points are joined
    model = plumbline.Model("fast")
    p, s = model.step(X, y, scores=True)
    return X, y, p[:, 1], s[:, 1], model


@pytest.fixture(scope="module")
def report(tmp_path_factory, run, command_line):
    """The charts of `plumbline run --report` on the same stream, by their titles."""
    X, y, *_ = run
    folder = tmp_path_factory.mktemp("report")
    pd.DataFrame(X, columns=["x1", "x2", "x3"]).assign(label=y).to_csv(folder / "a.csv", index=False)
    command_line("run", folder / "a.csv", "--preset", "fast", "--report", folder / "r.html")
    charts = (folder / "r.html").read_text().split("<svg xmlns")[1:]
    return {re.search('aria-label="([^"]*)"', chart).group(1): chart for chart in charts}


def path_of(chart, name, mark="line"):
    """The points of a curve, in pixels."""
    found = re.search(rf'<title>{name}</title>\n<path class="{mark}" d="([^"]*)"', chart)
    return np.array(re.findall(r"[ML]?(-?[\d.]+)[ ,](-?[\d.]+)", found.group(1)), dtype=float)


def assert_same_shape(pixels, x, y):
    """Pixels are a linear map of the data, up to their rounding to a tenth."""
    assert len(pixels) == len(x)
    for drawn, data in zip(pixels.T, (np.asarray(x, float), np.asarray(y, float))):
        slope, offset = np.polyfit(data, drawn, 1)
        assert np.abs(slope * data + offset - drawn).max() < 0.11


def test_the_learning_curve_is_that_of_the_report(run, report):
    _, y, p, _, _ = run
    ax = plumbline.plot.learning_curve(y, p, batch=10)
    assert_same_shape(path_of(report["Learning curve"], "in each stretch"), *ax.lines[0].get_data())
    pixels = path_of(report["Learning curve"], "running mean")
    assert ax.lines[1].get_data()[1][-1] == pytest.approx(
        -np.log(np.where(y == 1, p, 1 - p)).mean(), rel=1e-12)
    assert len(pixels) <= len(ax.lines[1].get_data()[0])  # the report leaves out what cannot be seen


def test_the_baselines_are_those_of_the_command_line(run, tmp_path, command_line):
    X, y, p, *_ = run
    y = np.sort(y.reshape(-1, 20), axis=1).ravel()  # labels in runs
    pd.DataFrame(X, columns=["x1", "x2", "x3"]).assign(label=y).to_csv(tmp_path / "a.csv", index=False)
    for batch in (1, 10):
        result = json.loads(command_line("run", tmp_path / "a.csv", "--batch", batch, "--json"))
        ax = plumbline.plot.learning_curve(y, p, batch=batch)
        for line, key in zip(ax.lines[2:], ("base_rate", "last_label"), strict=True):
            assert line.get_ydata()[0] == pytest.approx(result[key]["log_loss"], rel=1e-12)
        probabilities = plumbline.Model(batch=batch).step(X, y)[:, 1]
        for name, value in [("last_label_accuracy", result["last_label"]["accuracy"]),
                            ("kappa_temporal", result["kappa_temporal"])]:
            metric = plumbline.Metric(f"{name}:batch={batch}")
            metric.update(probabilities, y)
            assert metric.value == pytest.approx(value, rel=1e-12)


def test_the_reliability_diagram_is_that_of_the_report(run, report):
    _, y, p, s, _ = run
    ax = plumbline.plot.reliability(y, p, scores=s)
    names = [line.get_label() for line in ax.lines]
    assert names == ["perfect calibration", "calibrated", "scores before calibration"]
    for name in ("calibrated", "scores before calibration"):
        said = re.findall(rf"<title>{name}, ([\d.]+): ([\d.]+)</title>", report["Reliability"])
        x, share = ax.lines[names.index(name)].get_data()
        assert len(said) == len(x)
        # The report writes four digits.
        np.testing.assert_allclose(np.array(said, dtype=float), np.column_stack([x, share]), atol=5.1e-5)
    said = re.findall(r"<title>band of a calibrated model, ([\d.]+): [\d.]+ \(([\d.]+) to ([\d.]+)\)</title>",
                      report["Reliability"])
    metric = plumbline.Metric("calibration_error")
    metric.update(p, y)
    np.testing.assert_allclose(np.array(said, dtype=float), metric.bands(), atol=5.1e-5)
    drawn = ax.collections[0].get_paths()[0].vertices
    for mean, low, high in metric.bands():
        assert [mean, low] in drawn.tolist() and [mean, high] in drawn.tolist()


def test_the_histogram_is_that_of_the_report(run, report):
    _, _, _, s, _ = run
    ax = plumbline.plot.histogram(s)
    said = re.findall(r"<title>scores, [\d.]+ to [\d.]+: ([\d,]+)</title>", report["Histogram of the scores"])
    assert [int(count.replace(",", "")) for count in said] == [
        int(bar.get_height()) for bar in ax.patches]


def test_the_calibrator_is_that_of_the_report(run, report):
    ax = plumbline.plot.calibrator(run[4])
    assert_same_shape(path_of(report["The calibrator at the end"], "calibrator"), *ax.lines[0].get_data())


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="no prediction"):
        plumbline.plot.learning_curve([], [])
    with pytest.raises(ValueError, match="0 or 1"):
        plumbline.plot.reliability([0, 2], [0.1, 0.2])
    with pytest.raises(ValueError, match="no prediction"):
        plumbline.plot.reliability([], [])
    with pytest.raises(ValueError, match="0 or 1"):
        plumbline.plot.learning_curve([0.5, 1.9], [0.1, 0.2])
    with pytest.raises(ValueError, match="batch"):
        plumbline.plot.learning_curve([0, 1], [0.1, 0.2], batch=0)
    X, y = plumbline.generate("sea", 300)
    assert plumbline.plot.calibrator(plumbline.OnlineBoostClassifier().fit(X, y)).lines
    several = plumbline.Model().learn(X, y + (X[:, 0] > 5))
    with pytest.raises(ValueError, match="several"):
        plumbline.plot.calibrator(several)
