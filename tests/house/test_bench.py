"""What measures is kept alive: every script of `bench/` can be imported after any change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, texts

SCRIPTS = [path for path in texts(".py") if path.parts[0] == "bench"]


@pytest.mark.parametrize("path", SCRIPTS, ids=str)
def test_a_script_can_be_imported(path: Path) -> None:
    code = f"import runpy; runpy.run_path({str(ROOT / path)!r}, run_name='looked_at')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
