"""The glossary names what exists, and only words that are special to this project."""

from __future__ import annotations

import re
from pkgutil import resolve_name

import pytest

from tests.house.tree import ROOT

HOMES = re.findall(r"`((?:bot|engine|playground|tests)\.[\w.]+)`", (ROOT / "docs/glossary.md").read_text())


@pytest.mark.parametrize("home", sorted(set(HOMES)))
def test_what_it_names_is_there(home: str) -> None:
    resolve_name(home)


def test_no_word_stands_there_twice() -> None:
    words = re.findall(r"^- (.*?):", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    found = [word for line in words for word in re.findall(r"\*\*(.+?)\*\*", line)]
    assert 20 < len(found) == len(set(found)) <= 39
