"""The feature of docs/add-a-feature.md works, and touches no more files than the page says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.house.tree import PYTEST, ROOT, copy_to, read, run_in

PAGE = Path("docs/add-a-feature.md")
FOLDER = "bot/features/coin/"
NAMED = re.compile(r"`((?:bot|tests)/[\w./-]*coin[\w./-]*\.(?:py|toml))`")
TESTS = (
    "tests/features/coin/test_coin.py",
    "tests/flows/test_every_command.py",
    "tests/house/test_circles.py",
    "tests/house/test_commands.py",
    "tests/house/test_locales.py",
    "tests/store/test_privacy.py::test_every_column_is_declared",
    "tests/store/test_privacy.py::test_the_page_for_people_shows_every_column",
)
"""Tests that the feature must pass."""
STYLE = ("--no-cache", "--config", "pyproject.toml")


@cache
def blocks() -> dict[str, str]:
    """Return the files of the page: each block of code by the path of the feature named last before it."""
    found = {}
    for block in re.finditer(r"```(?:python|toml)\n(.*?)```", read(PAGE), re.DOTALL):
        before = read(PAGE)[: block.start()]
        found[NAMED.findall(before)[-1]] = block[1]
    return found


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project and add the files of the page."""
    tree = tmp_path_factory.mktemp("project")
    copy_to(tree)
    for name, code in blocks().items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(code, encoding="utf-8")
    run_in(tree, "tools/privacy_page.py")
    return tree


@pytest.mark.long
def test_the_feature_of_the_page_works(tree: Path) -> None:
    run_in(tree, *PYTEST, *TESTS)
    code = [name for name in blocks() if name.endswith(".py")]
    run_in(tree, "-m", "ruff", "check", *STYLE, *code)
    run_in(tree, "-m", "ruff", "format", "--check", *STYLE, *code)
    run_in(tree, "-m", "mypy", *(name for name in code if name.startswith(FOLDER)))


def test_the_page_counts_its_files() -> None:
    """The files of the page are all that it shows, and PRIVACY.md is the only other one."""
    new = [name for name in blocks() if not (ROOT / name).exists()]
    assert sorted(new) == sorted(blocks())
    assert len(new) + 1 == 8
    assert len([name for name in new if name.startswith(FOLDER)]) == 3
