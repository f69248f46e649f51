"""The model file as safetensors, xxhash and scikit-learn see it."""

import json
import re
import struct

import numpy as np
import pytest
import xxhash
from numpy.testing import assert_allclose, assert_array_equal
from safetensors import safe_open
from safetensors.numpy import load_file
from scipy.special import expit
from sklearn.naive_bayes import GaussianNB

LEARNERS = 3
FEATURES = 23  # the 21 points of the wave and two of noise
CONFIG = {
    "learner": "gaussian_nb",
    "ensemble": {"size": LEARNERS},
    "calibrator": "platt",
    "policy": "fixed:every=4",
    "seed": 7,
}


def train(driver, path, config):
    return driver("model", config=config, stream="waveform:noise_features=2", rounds=12, rows=50,
                  path=str(path))


@pytest.fixture(scope="module")
def saved(driver, tmp_path_factory):
    """The path of a trained model's file, and what the driver says of the model."""
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    return path, train(driver, path, CONFIG)


@pytest.fixture(scope="module")
def metadata(saved):
    with safe_open(saved[0], framework="numpy") as file:
        return file.metadata()


def test_safetensors_reads_every_piece_of_state_bit_by_bit(saved):
    path, answer = saved
    tensors = load_file(path)
    assert tensors.keys() == answer["state"].keys()
    for name, values in answer["state"].items():
        assert tensors[name].shape == values.shape
        assert_array_equal(tensors[name], values)


@pytest.mark.parametrize("learner", ["logistic", "logistic:penalty=l1", "linear_svm", "perceptron"])
def test_safetensors_reads_the_state_of_linear_learners(driver, tmp_path, learner):
    path = tmp_path / "model.safetensors"
    answer = train(driver, path, CONFIG | {"learner": learner})
    tensors = load_file(path)
    assert tensors.keys() == answer["state"].keys()
    assert tensors["ensemble.learner1.weights"].shape == (FEATURES,)
    for name, values in answer["state"].items():
        assert_array_equal(tensors[name], values)


def test_tensors_have_the_types_and_shapes_of_what_they_hold(saved):
    tensors = load_file(saved[0])
    expected = {
        "rounds": (np.uint64, ()),
        "examples": (np.uint64, ()),
        "calibrator.slope": (np.float64, ()),
        "calibrator.fitted": (np.uint64, ()),
        "ensemble.correct_weight": (np.float64, (LEARNERS,)),
    }
    for t in range(1, LEARNERS + 1):
        expected[f"ensemble.learner{t}.weight"] = (np.float64, (2,))
        expected[f"ensemble.learner{t}.mean"] = (np.float64, (2, FEATURES))
        expected[f"ensemble.learner{t}.variance"] = (np.float64, (2, FEATURES))
    for name, (dtype, shape) in expected.items():
        assert tensors[name].dtype == dtype and tensors[name].shape == shape, name
    assert tensors["rounds"] == 12 and tensors["examples"] == 600


def test_metadata_says_what_the_file_is(metadata):
    assert metadata["format"] == "plumbline"
    assert metadata["format_version"] == "1"
    assert re.fullmatch(r"\d+\.\d+\.\d+", metadata["plumbline_version"])
    assert re.fullmatch(r"xxh64:[0-9a-f]{16}", metadata["checksum"])


def test_config_in_the_metadata_is_json_and_holds_every_option(metadata):
    config = json.loads(metadata["config"])
    assert config["learner"]["name"] == "gaussian_nb" and "variance_floor" in config["learner"]
    assert config["ensemble"]["size"] == LEARNERS and "error_floor" in config["ensemble"]
    assert config["policy"] == config["policy"] | {"name": "fixed", "every": 4}
    assert config["seed"] == CONFIG["seed"]


def test_schema_in_the_metadata_is_json_and_names_the_columns(metadata):
    schema = json.loads(metadata["schema"])
    assert schema == {"features": [f"x{j}" for j in range(1, FEATURES + 1)], "label": "label",
                      "negative": "0", "positive": "1"}


def test_checksum_is_the_xxh64_of_the_file_with_its_own_digits_as_zeros(saved, metadata):
    content = saved[0].read_bytes()
    digits = metadata["checksum"].removeprefix("xxh64:").encode()
    assert content.count(digits) == 1
    assert xxhash.xxh64_hexdigest(content.replace(digits, b"0" * 16), seed=0).encode() == digits


def test_header_is_padded_so_that_the_tensors_begin_at_a_multiple_of_eight(saved):
    length = struct.unpack("<Q", saved[0].read_bytes()[:8])[0]
    assert length % 8 == 0


def learners_of(tensors):
    """The learners in the file, each as the scikit-learn model that it equals."""
    for t in range(1, LEARNERS + 1):
        model = GaussianNB()
        model.classes_ = np.array([0, 1])
        weight = tensors[f"ensemble.learner{t}.weight"]
        model.class_prior_ = weight / weight.sum()
        model.theta_ = tensors[f"ensemble.learner{t}.mean"]
        model.var_ = tensors[f"ensemble.learner{t}.variance"]
        yield model


def test_predictions_follow_from_the_file_alone_with_scikit_learn(saved):
    path, answer = saved
    tensors = load_file(path)
    right, wrong = tensors["ensemble.correct_weight"], tensors["ensemble.wrong_weight"]
    votes = np.log(right / wrong)
    says_positive = np.array([model.predict(answer["x"]) for model in learners_of(tensors)])
    scores = votes @ says_positive / votes.sum()
    assert_allclose(answer["scores"], scores, rtol=1e-9, atol=1e-12)  # a score may be 0
    assert len(np.unique(answer["scores"])) > 2  # the learners disagree, so votes matter
    slope, intercept = tensors["calibrator.slope"], tensors["calibrator.intercept"]
    assert tensors["calibrator.fitted"] == 1
    assert_allclose(answer["probabilities"], expit(-(slope * scores + intercept)), rtol=1e-9)
