"""Everything public has a docstring with an example; that the examples are right is for doctest to say."""

import importlib
import inspect

import pytest

import plumbline

MODULES = ["plumbline", "plumbline.river", "plumbline.plot", "plumbline.spark"]


def public_things():
    for module in map(importlib.import_module, MODULES):
        names = getattr(module, "__all__", None) or [
            name for name, thing in vars(module).items()
            if getattr(thing, "__module__", None) == module.__name__ and not name.startswith("_")]
        for name in names:
            thing = getattr(module, name)
            if name.startswith("__"):
                continue
            yield pytest.param(thing, id=f"{module.__name__}.{name}")
            if not inspect.isclass(thing):
                continue
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(
                        value, (property, classmethod, staticmethod))):
                    yield pytest.param(getattr(value, "__func__", value), id=f"{thing.__name__}.{member}")


@pytest.mark.parametrize("thing", list(public_things()))
def test_has_a_docstring_with_an_example(thing):
    text = inspect.getdoc(thing) or ""
    assert ">>>" in text or "see `" in text


def test_the_list_is_not_empty():
    names = {parameter.id for parameter in public_things()}
    assert {"plumbline.Model", "Model.step", "OnlineBoost.learn_one", "plumbline.plot.reliability"} <= names


def test_everything_public_is_listed():
    assert set(plumbline.__all__) <= set(dir(plumbline))
