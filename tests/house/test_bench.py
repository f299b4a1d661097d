"""Benchmarks and training scripts can be imported after any change."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.house.tree import ROOT, texts

SCRIPTS = [path for path in texts(".py") if path.parts[:2] in (("tools", "bench"), ("tools", "train"))]


@pytest.mark.long
def test_every_script_can_be_imported() -> None:
    paths = [str(ROOT / path) for path in SCRIPTS]
    code = f"import runpy\nfor path in {paths!r}: runpy.run_path(path, run_name='looked_at')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
