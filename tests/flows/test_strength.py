"""How strong the computer opponents are: told where one chooses them, once enough games were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from engine import catalog, ladder
from engine.ladder import Tally
from tests.support.discord.lobbies import choose
from tests.support.discord.sent_messages import said


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = (
        Tally("atom_duel", "steady", "casual", 2, 1, 200, {"1": 60, "0.5": 20, "0": 20}, 9, 0.1),
        Tally("atom_duel", "newcomer", "steady", 2, 1, 400, {"0.5": 50, "0": 150}, 9, 0.1),
        Tally("atom_duel", "sharp", "steady", 2, 1, 400, {"1": 108, "0": 92}, 9, 0.1),
        Tally("atom_duel", "newcomer", "steady", 4, 1, 400, {"1": 200}, 9, 0.1),
        Tally("duel52", "newcomer", "steady", 2, 1, 20, {"0": 10}, 9, 0.1),
    )
    show(monkeypatch, runs)


@pytest.fixture
def played_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough games of Chemistry Battle."""
    show(monkeypatch, [Tally("chemistry_battle", "newcomer", "steady", 2, 1, 400, {"0.5": 200}, 9, 0.1)])


def show(monkeypatch: pytest.MonkeyPatch, runs: Sequence[Tally]) -> None:
    """Let the ladder hold these runs, played by today's rules."""
    known = [replace(run, rules=catalog.get(run.game).version) for run in runs]
    monkeypatch.setattr(ladder, "kept", lambda key: tuple(run for run in known if run.game == key))


async def notes_of_levels(room: Any) -> dict[str, str | None]:
    """By level, what the form of opponents says of it."""
    shown = await room.ann.click(room.channel.last_message, label="Opponents and clock…")
    return {
        option["value"]: option.get("description")
        for label in shown.modal["components"]
        if label["component"]["custom_id"] == "level"
        for option in label["component"]["options"]
    }


@pytest.mark.usefixtures("played")
async def test_the_form_says_how_strong_a_level_is(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom_duel")
    notes = await notes_of_levels(room)
    assert notes["newcomer"] == "Wins 12 of 100 games against Steady"
    assert notes["casual"] == "Wins 30 of 100 games against Steady"
    assert notes["steady"] == "The level by which the others are measured"
    assert notes["sharp"] == (
        "Wins 54 of 100 games against Steady, with 2 at the table; otherwise it plays like Steady"
    )


async def test_the_form_says_as_which_level_one_plays_with_the_options_that_were_chosen(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom_duel")
    for level, sharp in (("7", "sharp"), ("1", "steady")):
        await choose(room.ann, room.channel.last_message, level=level)
        notes = await notes_of_levels(room)
        # the master has learned the usual game alone
        assert notes["master"] == f"In such a game it plays like {sharp.capitalize()}"
        assert (notes["sharp"] == "In such a game it plays like Steady") is (sharp == "steady")


async def test_three_sides_are_played_by_the_steady_one(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="duel52")
    await choose(room.ann, room.channel.last_message, variant="triangles")
    notes = await notes_of_levels(room)
    assert notes["sharp"] == notes["master"] == "In such a game it plays like Steady"


@pytest.mark.usefixtures("played_battle")
async def test_a_game_of_luck_says_why_nobody_is_stronger(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="chemistry_battle")
    notes = await notes_of_levels(room)
    assert list(notes) == ["newcomer", "casual", "steady"]
    assert notes["steady"] == (
        "The level by which the others are measured, and luck leaves no room for a stronger one"
    )
    assert [level for level, note in notes.items() if "luck" in (note or "")] == ["steady"]
    told = said((await room.ann.slash(room.channel, "about")).response)
    line = next(line for line in told.splitlines() if line.startswith("**Chemistry Battle**: "))
    assert line.endswith(", and luck leaves no room for a stronger one")
    assert told.count("luck leaves no room") == 1


@pytest.mark.usefixtures("played")
async def test_about_names_the_games_that_were_played_often_enough(room: Any) -> None:
    told = said((await room.ann.slash(room.channel, "about")).response)
    assert "Newcomer 12, Casual 30, Sharp 54¹" in told
    assert told.count("In the usual game.") == 1, "said once for all of them"
    assert "Duel 52**: " not in told.split("Computer opponents")[1]
