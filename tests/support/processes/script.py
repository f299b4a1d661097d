"""The scripts of the project, to be called by tests."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from tests.house.tree import ROOT


def script(name: str) -> Any:
    """The module of a script; loaded once."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # msgspec looks up annotations there
    spec.loader.exec_module(module)
    return module
