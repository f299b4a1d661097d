"""What is made of a finished game beside its table: a film of the piles, the drawn molecule."""

from __future__ import annotations

import random

import pytest

from playground.actions.person import PersonError
from tests.e2e.room import Room, arrange
from tests.support.processes.playground_people import choices, press_anything

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("game", "label", "file", "magic"),
    [
        ("chemistry_battle", "Watch the piles", "battle.gif", b"GIF89a"),
        ("molecular", "The molecule", "molecule.png", b"\x89PNG\r\n"),
    ],
)
async def test_the_end_is_kept_as_a_picture(
    room: Room, game: str, label: str, file: str, magic: bytes
) -> None:
    ann = await room.person("ann")
    board = await room.lobby(ann, game=game)
    await arrange(ann, board, opponents="1", level="newcomer")
    await ann.press(board, label="Start")
    hand = str((await ann.press(board, label="My hand")).message_id)
    rng = random.Random(game)
    for _ in range(700):
        if "Game over" in ann.text(board):
            break
        await ann.wait_for(lambda: choices(ann, hand) or "Game over" in ann.text(board))
        try:
            await press_anything(ann, hand, rng)
        except (PersonError, IndexError):
            continue  # the hand was turned over under the finger
    out = await ann.press(board, label=label)
    assert out.ephemeral
    kept = await ann.wait_message(
        room.channel, lambda m: any(file in image["url"] for image in ann.images(m))
    )
    (image,) = ann.images(kept)
    assert (await ann.fetch(image["url"])).startswith(magic)
    assert len(image["alt"]) > 20
