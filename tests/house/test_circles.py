"""No module needs itself: not one circle of imports, those that serve types alone included."""

from __future__ import annotations

import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOTS = ("bot", "engine", "playground")
SCRIPTS = Path("playground/page/js")
IMPORTED = re.compile(r'from "\./([\w.]+)"')


def circle_in(arrows: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, each imported by the next; nothing where there is none."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def arrows_of(*roots: str) -> dict[str, set[str]]:
    """By module, what it imports from these packages, be it for types alone."""
    graph = grimp.build_graph(*roots, exclude_type_checking_imports=False, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


@pytest.mark.parametrize("root", ROOTS)
def test_there_is_no_circle_of_imports(root: str) -> None:
    assert circle_in(arrows_of(root)) == []


def test_there_is_no_circle_in_the_page() -> None:
    arrows = {path.name: set(IMPORTED.findall(path.read_text())) for path in SCRIPTS.glob("*.js")}
    assert arrows["modal.js"]
    assert circle_in(arrows) == []


def test_a_circle_is_found() -> None:
    assert set(circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_imports_for_types_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "circling"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "one.py").write_text("from circling import two\n")
    (folder / "two.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from circling import one\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert set(circle_in(arrows_of("circling"))) == {"circling.one", "circling.two"}
    sys.modules.pop("circling", None)
