"""A level keeps its character: what each would do in fifty positions of its game.

Where a level is changed on purpose, `pytest tests/engine/ai/test_character.py --snapshot-update` takes it and
the commit says why; everywhere else a line that differs is a level that plays otherwise than people know it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from engine import catalog, levels
from engine.arena import key_of
from engine.game import AnyGame

pytestmark = pytest.mark.long

GAMES = [key for key in catalog.listed() if levels.STEADY in catalog.get(key).levels]
POSITIONS, EVERY = 50, 7
"""How many positions, and one in how many decisions of a game."""


class Choices(SingleFileSnapshotExtension):
    """A text file for each game."""

    file_extension = "txt"
    _write_mode = WriteMode.TEXT


def positions(game: AnyGame) -> Iterator[tuple[Any, list[Any]]]:
    """Decisions of games played half at random, half by the steady opponent, on each number of seats in turn:
    the observation and the legal actions."""
    counts, steady, found = game.seats(game.defaults()), game.opponents[levels.STEADY], 0
    for number in range(POSITIONS):
        rng = random.Random(f"{game.key}/{number}")
        state = game.deal(game.setup(counts[number % len(counts)], key_of(number, 7)))
        decisions = rng.randrange(EVERY)
        while waiting := state.to_act():
            seen, actions = state.observe(waiting[0]), list(state.legal_actions(waiting[0]))
            if len(actions) > 1:
                decisions += 1
                if decisions % EVERY == 0:
                    yield seen, actions
                    found += 1
                    if found % 5 == 0:
                        break
            wise = rng.random() < 0.5 and len(actions) > 1
            state.push(waiting[0], steady(seen, actions, rng) if wise else rng.choice(actions))
        if found >= POSITIONS:
            return


@pytest.mark.parametrize("key", GAMES)
def test_a_level_keeps_its_character(key: str, snapshot: SnapshotAssertion) -> None:
    game = catalog.get(key)
    lines = []
    for number, (seen, actions) in enumerate(positions(game)):
        lines.append(f"{number + 1}: seat {seen.viewer}, {len(actions)} actions")
        for level in game.levels:
            chosen = game.opponents[level](seen, actions, random.Random(number))
            lines.append(f"  {level}: {msgspec.json.encode(chosen).decode()}")
    assert len(lines) == POSITIONS * (1 + len(game.levels))
    assert "\n".join(lines) + "\n" == snapshot.use_extension(Choices)
