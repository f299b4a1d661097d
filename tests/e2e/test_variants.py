"""Games with other numbers of seats and other options than usual: they start, show themselves and go on."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine import catalog
from engine.duel52.cards import VARIANTS as DUEL52
from playground.actions.person import Person, PersonError
from tests.e2e.room import Room, arrange, beside, hand_of
from tests.support.processes.playground_people import my_turn, press_anything

pytestmark = pytest.mark.asyncio(loop_scope="session")

PRESSES = 15
VARIANTS: list[tuple[str, int, dict[str, Any]]] = [
    # solo: one person on both seats, with nobody else at the table
    *(("duel52", 1 if key == "solo" else variant.seats, {"variant": key}) for key, variant in DUEL52.items()),
    ("duel52", 2, {"variant": "standard", "vampiric": "yes"}),
    *(("atom", seats, {}) for seats in (4, 5)),
    *((game, n, {}) for game in ("chemistry_battle", "compound_capture", "canasta") for n in (1, 2, 6)),
    *(("molecular", seats, {}) for seats in (1, 2, 8)),
]


def name_of(case: tuple[str, int, dict[str, Any]]) -> str:
    game, seats, options = case
    return "-".join([game, str(seats), *map(str, options.values())])


def told(person: Person, message: str) -> str:
    """The words for the pictures of a message; each picture has some."""
    alts = [picture["alt"] for picture in person.images(message)]
    assert alts
    assert all(alts)
    return "\n".join(alts)


@pytest.mark.parametrize("case", VARIANTS, ids=name_of)
async def test_a_variant_starts_and_goes_on(room: Room, case: tuple[str, int, dict[str, Any]]) -> None:
    game, seats, options = case
    ann = await room.person("ann")
    before = len(ann.errors)
    board = await room.lobby(ann, game=game, **options)
    if seats > 1:
        out = await arrange(ann, board, opponents=str(seats - 1), level=catalog.get(game).levels[0])
        assert not out.ephemeral, ann.text(out)
    assert ann.text(board).count("computer") == seats - 1
    out = await ann.press(board, label="Start")
    assert not out.ephemeral, ann.text(out)
    hand = await hand_of(ann, board)
    first = told(ann, hand), told(ann, board)
    assert all(len(words) > 40 for words in first)
    for picture in [*ann.images(hand), *ann.images(board)]:
        # the table moves where an opponent has just captured
        assert (await ann.fetch(picture["url"])).startswith((b"\x89PNG", b"GIF89a"))
    rng = random.Random(name_of(case))
    pressed = 0
    for _ in range(5 * PRESSES):
        await my_turn(ann, hand, board)
        # whoever leads may walk to and fro among choices for long
        gone_on = (told(ann, hand), told(ann, board)) != first
        if (pressed >= PRESSES and gone_on) or "Game over" in ann.text(board):
            break
        try:
            await press_anything(ann, hand, rng)
        except (PersonError, IndexError):
            continue  # the hand was turned over under the finger
        pressed += 1
    assert pressed >= PRESSES or "Game over" in ann.text(board)
    assert "\n".join((told(ann, hand), told(ann, board))) != "\n".join(first)
    assert len((await beside(ann, board, hand, "Log")).splitlines()) > 2
    assert [error["lines"] for error in ann.errors[before:]] == []
