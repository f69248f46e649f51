"""The lines of Python in the README and in docs/python.md run as they stand, and print what they say."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_lines_work(page, tmp_path, monkeypatch, capsys):
    code = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)[0]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, page, "exec"), {})
    said = re.search(r"print\(.*#\s*(.*)", code).group(1)
    assert capsys.readouterr().out.split() == said.split()
    assert (tmp_path / "model.safetensors").exists()
