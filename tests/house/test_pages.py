"""What the pages name is there: files and folders in backticks, links with their headings."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.tree import files, read, texts

PAGES = [page for page in texts(".md") if page != Path("CHANGELOG.md")]
"""All but the changelog, which tells of what was."""
SPAN = re.compile(r"`([^`\n]+)`")
FOLDERS = "bot|engine|tests|docs|tools|research|playground|assets|deploy"
PLACE = re.compile(rf"(?<![\w./-])(?:{FOLDERS})/[\w./-]+")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
WALKS = (Path("docs/add-a-game.md"), Path("docs/add-a-feature.md"))
"""Pages that have their reader make files; `test_add_a_game.py` and `test_add_a_feature.py` make them."""


@cache
def there() -> frozenset[str]:
    """Every file and every folder, as paths from the root."""
    return frozenset(str(place) for path in files() for place in (path, *path.parents))


def places(text: str) -> Iterator[str]:
    """The files and folders that a page names, without those that hold a word for a game."""
    for span in SPAN.findall(text):
        for found in PLACE.finditer(span):
            following = span[found.end() : found.end() + 1]
            if following not in ("*", "<", "{") and "GAME" not in found[0]:
                yield found[0].rstrip("./")


def headings(page: Path) -> set[str]:
    """What a link into a page may lead to: its headings as GitHub names them, and its own marks."""
    text = read(page)
    bare = [re.sub(r"[^\w\- ]", "", line.lower()).strip() for line in re.findall(r"^#+ (.*)$", text, re.M)]
    return {line.replace(" ", "-") for line in bare} | set(re.findall(r'id="([^"]+)"', text))


def test_places_are_found_in_a_text() -> None:
    text = "`engine/none.py`, `bot/` and `tests/x_*.py`, `engine/<game>/a.py`, `python tools/no.py --all`"
    assert list(places(text)) == ["engine/none.py", "tools/no.py"]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WALKS], ids=str)
def test_files_and_folders_that_a_page_names_are_there(page: Path) -> None:
    assert sorted(set(places(read(page))) - there()) == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for path, heading in LINK.findall(read(page)):
        target = Path(os.path.normpath(page.parent / path)) if path else page
        if str(target) not in there() or (heading and heading not in headings(target)):
            lost.append(f"{path}#{heading}")
    assert lost == []
