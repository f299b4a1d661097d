"""The game of docs/add-a-game.md is a real one: it keeps every law of the contract."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine import catalog
from tests.conformance.test_kit import ALL_LAWS, check
from tests.house.tree import ROOT, read

PAGE = Path("docs/add-a-game.md")


def source() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", read(PAGE), re.DOTALL)
    return str(code)


@pytest.fixture(scope="module")
def module() -> Any:
    made = ModuleType("high_card")
    sys.modules["high_card"] = made  # msgspec looks up annotations there
    exec(source(), made.__dict__)
    yield made
    del sys.modules["high_card"]


@pytest.mark.parametrize("law", ALL_LAWS, ids=lambda law: law.__name__.removeprefix("test_"))
def test_the_game_of_the_page_keeps_the_law(law: Any, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "PACKAGES", {**catalog.PACKAGES, "high_card": "high_card"})
    check(law, module.GAME, monkeypatch)


def test_the_code_of_the_page_is_typed_and_tidy(tmp_path: Path) -> None:
    path = tmp_path / "high_card.py"
    path.write_text(source(), encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff"]
    style = ["--config", str(ROOT / "pyproject.toml")]
    for words in (["check", *style, "--ignore", "D1,ARG002,RUF012,RUF017"], ["format", "--check", *style]):
        done = subprocess.run([*ruff, *words, str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_page_names_files_that_are_there() -> None:
    for name in re.findall(r"`((?:engine|bot|tests|assets)/[\w./]+\.\w+)`", read(PAGE)):
        if "high_card" not in name and "<" not in name:
            assert (ROOT / name).exists() or (ROOT / "tests/conformance" / name).exists(), name
