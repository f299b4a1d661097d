"""How strong the computer opponents are: told where one chooses them, once enough games were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from bot.features.play.opening import last_deal
from bot.table.results import result_of
from engine import catalog, ladder
from engine.ladder import Tally
from tests.support.discord.forging import forge
from tests.support.discord.lobbies import arrange, choose
from tests.support.discord.room_play import the_table
from tests.support.discord.sent_messages import said


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = (
        Tally("atom_duel", "steady", "casual", 2, 1, 200, {"1": 60, "0.5": 20, "0": 20}, 9, 0.1),
        Tally("atom_duel", "newcomer", "steady", 2, 1, 400, {"0.5": 50, "0": 150}, 9, 0.1),
        Tally("atom_duel", "master", "steady", 2, 1, 400, {"1": 108, "0": 92}, 9, 0.1),
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
    assert notes["master"] == (
        "Wins 54 of 100 games against Steady, with 2 at the table; otherwise it plays like Steady"
    )
    assert "sharp" not in notes, "in the usual game it is not shown to be stronger"


@pytest.mark.usefixtures("played")
async def test_figures_of_the_usual_game_are_not_told_of_other_games(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom_duel")
    await choose(room.ann, room.channel.last_message, level="1")
    notes = await notes_of_levels(room)
    assert [notes[level] for level in ("newcomer", "casual")] == [None, None]


async def test_a_table_for_five_is_told_that_levels_matter_little(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom")
    shown = await room.ann.click(room.channel.last_message, label="Opponents and clock…")
    notes = {label["component"]["custom_id"]: label.get("description") for label in shown.modal["components"]}
    assert notes["level"] == "With five, the cards and who plays with whom decide more than the level."
    assert len(notes["level"]) <= 100


FIRST_THREE = ["newcomer", "casual", "steady"]
SHARP_INSTEAD = " · computer, sharp (master isn't available at this table)"


async def test_the_form_offers_only_levels_that_play_as_themselves(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="atom_duel")
    for level, stronger in (("7", ["sharp"]), ("1", [])):
        await choose(room.ann, room.channel.last_message, level=level)
        assert list(await notes_of_levels(room)) == FIRST_THREE + stronger


async def test_three_sides_have_no_stronger_opponent_than_steady(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="duel52")
    await choose(room.ann, room.channel.last_message, variant="triangles")
    assert list(await notes_of_levels(room)) == FIRST_THREE


async def test_a_level_for_two_is_sharp_once_more_sit_down(room: Any) -> None:
    """Master is chosen for two; with two opponents the lobby, the game and its result say Sharp."""
    await room.ann.slash(room.channel, "play", game="compound_capture")
    lobby = room.channel.last_message
    await arrange(room.ann, lobby, opponents="1", level="master")
    assert " · computer, master" in said(room.channel.last_message)
    await arrange(room.ann, lobby, opponents="2", level="master")
    assert said(room.channel.last_message).count(SHARP_INSTEAD) == 2
    table = the_table(room)
    await room.ann.click(lobby, label="Start")
    assert [sitter.level for sitter in table.sitters] == [None, "sharp", "sharp"]


async def test_other_rules_change_what_the_lobby_calls_an_opponent(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="duel52")
    lobby = room.channel.last_message
    await arrange(room.ann, lobby, opponents="1", level="master")
    await choose(room.ann, lobby, variant="quick")
    assert SHARP_INSTEAD in said(room.channel.last_message)
    await choose(room.ann, lobby, variant="standard")
    assert " · computer, master" in said(room.channel.last_message)


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
    assert "Newcomer 12, Casual 30, Master 54¹" in told
    assert told.count("In the usual game.") == 1, "said once for all of them"
    assert "Duel 52**: " not in told.split("Computer opponents")[1]


async def test_tables_of_older_releases_name_the_level_that_really_plays(room: Any) -> None:
    """Someone chose Master in a game in which it has always played like Steady."""
    await room.ann.slash(room.channel, "play", game="atom_duel")
    lobby = room.channel.last_message
    await choose(room.ann, lobby, level="1")
    await arrange(room.ann, lobby, opponents="1", level="steady")
    await room.ann.click(lobby, label="Start")
    table = the_table(room)
    seat = next(seat for seat, sitter in enumerate(table.sitters) if sitter.level)
    table.sitters[seat] = replace(table.sitters[seat], level="master")
    told = said((await forge(room.ann, room.channel.last_message, f"v:status:{table.id}")).response)
    assert "(steady)" in told
    assert "master" not in told
    assert result_of(table, seat, None, 2, 1, 0, 1, 0).level == "steady"
    again = last_deal("atom_duel", table.stored, table.sitters, room.ann.id)
    assert again is not None
    assert again.levels == ("steady",)
