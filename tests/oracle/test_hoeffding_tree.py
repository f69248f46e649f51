"""hoeffding_tree makes the same splits as river's HoeffdingTreeClassifier, in the same order and at the same rows.

The header of the learner lists the differences in the definitions. Options of river avoid two of them: no leaf is given
up for its purity, and the grace period is a little less than 200, because the weight since the last attempt is a
difference of rounded sums in river and can be one row late.
"""

import csv
import gzip
import itertools
import math
import os
import pathlib

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

pytest.importorskip("river", reason="river is not in the virtual environment; ./check installs it")
import river.tree.nodes.htc_nodes  # noqa: E402
from river import tree  # noqa: E402
from river.datasets import synth  # noqa: E402
from river.tree.nodes.branch import DTBranch  # noqa: E402
from river.tree.utils import do_naive_bayes_prediction  # noqa: E402

# Both compute the same thresholds. Distribution functions and logarithms differ in the last digits, and so do the weights
# that children start with.
RTOL = 1e-9


class Recorded(tree.HoeffdingTreeClassifier):
    """Numbers its nodes as plumbline does: the root, then the two children of each split."""

    def __init__(self, **options):
        super().__init__(**options)
        self.nodes = []

    def _attempt_to_split(self, leaf, parent, parent_branch, **kwargs):
        if not self.nodes:
            self.nodes = [leaf]
        super()._attempt_to_split(leaf, parent, parent_branch, **kwargs)
        node = self._root if parent is None else parent.children[parent_branch]
        if isinstance(node, DTBranch):
            self.nodes[self.nodes.index(leaf)] = node
            self.nodes += node.children


def rows_of(dataset, count):
    rows = list(dataset.take(count))
    x = np.array([[float(value) for value in features.values()] for features, _ in rows])
    return x, np.array([int(label) for _, label in rows])


def led(count):
    x, digit = rows_of(synth.LED(seed=5, noise_percentage=0.1), count)
    return x, (digit > 4).astype(int)


def electricity(count):
    folder = os.environ.get("PLUMBLINE_DATA")
    if not folder:
        pytest.skip("PLUMBLINE_DATA does not name the folder of the data sets")
    with gzip.open(pathlib.Path(folder) / "electricity.csv.gz", "rt") as file:
        rows = np.array(list(itertools.islice(csv.reader(file), 1, count + 1)), dtype=float)
    return rows[:, :-1], rows[:, -1].astype(int)


# For each stream its rows and the number of splits.
STREAMS = {
    "sea": (lambda: rows_of(synth.SEA(variant=1, noise=0.1, seed=1), 25000), 10),
    "hyperplane": (lambda: rows_of(synth.Hyperplane(seed=2, n_features=6), 15000), 5),
    "random_rbf": (lambda: rows_of(synth.RandomRBF(seed_model=3, seed_sample=3, n_classes=2,
                                                   n_features=5, n_centroids=20), 25000), 10),
    "agrawal": (lambda: rows_of(synth.Agrawal(classification_function=4, seed=4), 25000), 10),
    "led": (lambda: led(12000), 3),
    "electricity": (lambda: electricity(45312), 25),
}


def learned(driver, x, y, weights=None, probe=None, ours="hoeffding_tree", **theirs):
    """What plumbline and river have learned from the same rows."""
    weights = np.ones(len(y)) if weights is None else weights
    batch = {"x": x, "y": y, "weights": weights}
    answer = driver("learner", spec=ours, mode="each", batches=[batch],
                    probe=x[:1] if probe is None else probe)
    options = {"grace_period": 200 - 1e-6, "leaf_prediction": "mc", "max_share_to_split": 1,
               "splitter": tree.splitter.GaussianSplitter(n_splits=10), **theirs}
    model = Recorded(**options)
    for row, label, weight in zip(x.tolist(), y.tolist(), weights.tolist()):
        if weight > 0:
            model.learn_one(dict(enumerate(row)), label, w=weight)
    return answer, model


def assert_same_tree(state, model, at_least):
    count = len(model.nodes)
    assert int(state["nodes"]) == count
    assert count >= 2 * at_least + 1  # else it would prove little
    place = {id(node): i for i, node in enumerate(model.nodes)}
    leaf = [0] * count
    for i, node in enumerate(model.nodes):
        left = int(state["left"][i])
        if isinstance(node, DTBranch):
            assert left == place[id(node.children[0])]
            assert state["feature"][i] == node.feature
            assert_allclose(state["threshold"][i], node.threshold, rtol=RTOL)
            leaf[left], leaf[left + 1] = leaf[i], (left + 1) // 2
        else:
            # Equal weights show that the splits were made at the same rows.
            assert left == 0
            weights = state["leaves"][leaf[i]][:2]
            assert_allclose(weights, [node.stats.get(c, 0) for c in (0, 1)], rtol=RTOL, atol=1e-9)


@pytest.mark.parametrize("name", STREAMS)
def test_makes_the_same_splits(driver, name):
    rows, splits = STREAMS[name]
    ours, model = learned(driver, *rows())
    assert_same_tree(ours["state"], model, splits)


def spec(**options):
    return "hoeffding_tree:" + ",".join(f"{name}={value}" for name, value in options.items())


@pytest.mark.parametrize("grace, delta, tau", [(50, 1e-3, 0.1), (500, 1e-4, 0), (1000, 0.1, 0.02)])
def test_options_mean_the_same(driver, grace, delta, tau):
    x, y = rows_of(synth.Agrawal(classification_function=3, seed=6), 12000)
    ours, model = learned(driver, x, y, ours=spec(grace=grace, delta=delta, tau=tau),
                          grace_period=grace - 1e-6, delta=delta, tau=tau)
    assert_same_tree(ours["state"], model, at_least=3)


def test_eager_trees_differ_at_leaves_of_one_class_only(driver, monkeypatch):
    """A documented difference: river also splits leaves that have seen one class and inherited weight of the other."""
    x, y = rows_of(synth.RandomRBF(seed_model=6, seed_sample=6, n_classes=2, n_features=4), 12000)
    both = {"ours": spec(grace=30, delta=0.05, tau=0.2, max_nodes=999), "grace_period": 30 - 1e-6,
            "delta": 0.05, "tau": 0.2}
    ours, model = learned(driver, x, y, **both)
    assert len(model.nodes) > int(ours["state"]["nodes"])
    monkeypatch.setattr(tree.nodes.htc_nodes.LeafMajorityClass, "observed_class_distribution_is_pure",
                        lambda leaf: len(set().union(*(splitter._att_dist_per_class for splitter
                                                       in leaf.splitters.values()))) < 2)
    ours, model = learned(driver, x, y, **both)
    assert_same_tree(ours["state"], model, at_least=200)


@pytest.mark.parametrize("kind", ["whole", "binary fractions"])
def test_weights_mean_the_same(driver, kind):
    rng = np.random.default_rng(7)
    x, y = rows_of(synth.RandomRBF(seed_model=7, seed_sample=7, n_classes=2, n_features=4), 12000)
    # Sums of these weights are exact, as those of ones are.
    weights = rng.poisson(1.0, len(y)).astype(float)
    if kind == "binary fractions":
        weights = rng.integers(0, 16, len(y)) / 8
    ours, model = learned(driver, x, y, weights)
    assert_same_tree(ours["state"], model, at_least=3)


def test_naive_bayes_is_that_of_river(driver):
    x, y = rows_of(synth.RandomRBF(seed_model=3, seed_sample=3, n_classes=2, n_features=5,
                                   n_centroids=20), 20000)
    probe = x[-1000:]
    ours, model = learned(driver, x, y, probe=probe, ours="hoeffding_tree:leaf=naive_bayes")
    compared = 0
    for row, margin in zip(probe.tolist(), ours["margins"]):
        row = dict(enumerate(row))
        leaf = model._root.traverse(row, until_leaf=True)
        # Where a class has no variance, river leaves a feature out for that class only.
        observed = [splitter._att_dist_per_class for splitter in leaf.splitters.values()]
        if not observed or any(gaussians.get(c) is None or gaussians[c].sigma == 0
                               for gaussians in observed for c in (0, 1)):
            continue
        p = do_naive_bayes_prediction(row, leaf.stats, leaf.splitters)
        if min(p.values()) < 1e-6:
            continue  # 1 - p has lost its digits
        # The margin of plumbline has half an example more of each class.
        prior = math.log(leaf.stats[1] / leaf.stats[0])
        smoothed = math.log((leaf.stats[1] + 0.5) / (leaf.stats[0] + 0.5))
        assert margin == pytest.approx(math.log(p[1] / p[0]) - prior + smoothed, rel=1e-8, abs=1e-8)
        compared += 1
    assert compared > 100


def test_a_leaf_with_one_usable_feature_is_split_by_river_alone(driver):
    """A documented difference: to river and MOA, no split has a gain of minus infinity."""
    rng = np.random.default_rng(8)
    x, y = np.c_[rng.normal(size=300), np.zeros(300)], rng.integers(0, 2, 300)
    ours, model = learned(driver, x, y)
    assert_array_equal(ours["state"]["nodes"], 1)
    assert len(model.nodes) == 3
