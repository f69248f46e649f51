"""Paths are those that `open` takes."""

import os
import pathlib

import pytest

import plumbline
from plumbline import Model, OnlineBoostClassifier

NOT_UTF8 = b"caf\xe9.csv"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def model():
    return Model().learn([[0.0], [1.0]], [0, 1])


@pytest.fixture(scope="module")
def classifier():
    return OnlineBoostClassifier().fit([[0.0], [1.0]] * 5, [0, 1] * 5)


def calls(model, classifier, path):
    """Every function that takes a path."""
    return [lambda: model.save(path), lambda: Model.load(path), lambda: classifier.save(path),
            lambda: OnlineBoostClassifier.load(path), lambda: plumbline.read(path)]


@pytest.mark.parametrize("path", ["a\0b", b"a\0b", pathlib.PurePath("a\0b")])
def test_a_path_with_a_null_byte_is_refused(folder, model, classifier, path):
    for call in calls(model, classifier, path):
        with pytest.raises(ValueError, match="null byte"):
            call()
    assert os.listdir(folder) == []


@pytest.mark.parametrize("path", [5, 1.5, None, ["a"]])
def test_what_is_no_path_is_refused(folder, model, classifier, path):
    for call in calls(model, classifier, path):
        with pytest.raises(TypeError, match="path.* str, bytes or os.PathLike"):
            call()
    assert os.listdir(folder) == []


class BytesPath:
    def __fspath__(self):
        return NOT_UTF8


NAMES = [b"model", "modèle", pathlib.PurePath("model"), NOT_UTF8, os.fsdecode(NOT_UTF8), BytesPath(),
         pathlib.PurePath(os.fsdecode(NOT_UTF8))]


@pytest.mark.parametrize("path", NAMES)
def test_every_kind_of_path_is_taken(folder, model, classifier, path):
    model.save(path)
    assert os.listdir(os.fsencode(folder)) == [os.fsencode(path)]
    assert Model.load(path).to_bytes() == model.to_bytes()
    classifier.save(path)
    assert OnlineBoostClassifier.load(path).predict([[1.0]]).tolist() == [1]
    with open(path, "w") as file:
        file.write("a,label\n1,yes\n")
    assert list(plumbline.read(path)) == [{"a": "1", "label": "yes"}]


@pytest.mark.parametrize("path", [NOT_UTF8, os.fsdecode(NOT_UTF8)])
def test_trouble_with_a_name_that_is_not_utf8_is_told(folder, model, path):
    for call in (lambda: Model.load(path), lambda: plumbline.read(path)):
        with pytest.raises(FileNotFoundError):
            call()
    os.mkdir(path)
    with pytest.raises(OSError, match=r"caf\\xe9.csv.*not a regular file"):
        model.save(path)
    with pytest.raises(OSError, match=r"caf\\xe9.csv"):
        Model.load(path)
    os.rmdir(path)
    with open(path, "w") as file:
        file.write("no model")
    with pytest.raises(ValueError, match=r"caf\\xe9.csv"):
        Model.load(path)
