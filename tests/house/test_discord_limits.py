"""Each limit of Discord has a place that respects it, and nonces go through the one that knows theirs."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

import pytest

from bot import custom_ids
from bot.features.privacy import export
from bot.features.privacy.export import FILE_BYTES
from bot.features.table.hand import open_hands
from bot.features.table.publishing import threads
from bot.presenters.base import LABEL
from bot.presenters.film_files import GIF_BYTES, PAGE_BYTES
from bot.render.parts import ALT
from bot.store.backend.identify import APART_SECONDS
from bot.telemetry.invalid_requests import MOST, NEAR
from bot.telemetry.metrics import LATE_SECONDS
from bot.ui import channel_budget, choices, components, forms, notification, outbox
from bot.ui.commands import autocomplete
from bot.ui.context import PATIENCE
from tests.house.tree import read, texts

PAGE = Path("docs/discord-limits.md")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in read(PAGE).splitlines()
    if line.startswith("|") and not line.startswith(("| limit", "|---"))
]
SPAN = re.compile(r"`([^`]+)`")


def test_the_page_has_its_tables() -> None:
    assert len(ROWS) > 30
    assert "discord-limits.md" in read(Path("docs/architecture.md"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_limit_is_respected_somewhere(row: list[str]) -> None:
    _, _, respected = row
    files = [Path(span) for span in SPAN.findall(respected) if "/" in span]
    assert files or "library" in respected or respected.startswith("not used")
    code = "\n".join(read(file) for file in files if file.suffix)
    for name in SPAN.findall(respected):
        if name.isupper():
            assert re.search(rf"^{name}\b.*=|^.*, {name}\b.* = ", code, re.MULTILINE), name


def test_our_limits_are_no_larger_than_discords() -> None:
    assert notification.MOST_TEXT <= 2000
    assert components.MOST_TEXT <= 4000
    assert (components.MOST_IN_A_ROW, LABEL, ALT) <= (5, 80, 1024)
    assert max(custom_ids.LONGEST, threads.LONGEST, autocomplete.LONGEST, forms.LONGEST_NOTE) <= 100
    assert max(autocomplete.MOST, choices.OPTIONS, notification.LONGEST_NONCE) <= 25
    assert (forms.MOST_FIELDS, forms.LONGEST_LABEL) <= (5, 45)
    assert outbox.RATE <= 50 / 2, "answers and the library's own requests need the rest"
    assert channel_budget.TAKES <= 5 <= channel_budget.SPAN_MS / 1000
    assert outbox.ARCHIVE_MINUTES in (60, 1440, 4320, 10_080)
    assert max(PAGE_BYTES, GIF_BYTES, FILE_BYTES) <= 10 * 2**20
    assert PATIENCE < LATE_SECONDS <= 3
    assert open_hands.MINUTES < 15
    assert APART_SECONDS > 5
    assert NEAR < MOST <= 10_000


def test_every_nonce_is_made_in_one_place() -> None:
    """A nonce that Discord refuses loses the whole message."""
    wrong = []
    for path in texts(".py"):
        if path.parts[0] != "bot":
            continue
        for node in ast.walk(ast.parse(read(path))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "send"
            ):
                given = [word.value for word in node.keywords if word.arg == "nonce"]
                wrong += [f"{path}:{node.lineno}" for value in given if not _is_nonce(value)]
    assert not wrong


def _is_nonce(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "nonce_of"


async def test_an_export_fits_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """However badly its records can be packed."""

    class Store:
        async def read_at_once(self, work: object) -> object:
            asked.append(work)
            return ({}, list(range(25))) if len(asked) == 1 else []

    class Thinker:
        async def run(self, *_: object, **__: object) -> list[tuple[int, bytes]]:
            start = 10 * (len(asked) - 2)
            return [(table, noise(table)) for table in range(start, min(25, start + 10))]

    class Tables:
        database, thinker = Store(), Thinker()

    def noise(table: int) -> bytes:
        return Random(table).randbytes(1000)

    asked: list[object] = []
    monkeypatch.setattr(export, "FILE_BYTES", 16_000)
    found = await export.export(Tables(), 1, 5)  # type: ignore[arg-type]
    assert len(found.data) <= 16_000
    assert 0 < found.records < 25
    assert found.records + found.left_out == 25
