"""Brackets of every size: nothing cut, nothing overlapping, the words say the same."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any, cast

import msgspec
import pytest

from bot.features.tournaments.brackets import bracket_pages, bracket_picture
from bot.features.tournaments.messages import PICTURE, tournament_message
from bot.features.tournaments.rows import Entrant, StoredTournament, TournamentState
from bot.features.tournaments.tournament import Tournament
from bot.locales import words
from bot.render.check import faults
from bot.render.pages.brackets import COLUMNS, ROWS, BracketRound, BracketView, Pair, bracket_scene, following
from bot.render.parts import text_width
from bot.render.scene import Line, Look, Scene, Text
from bot.store.terms import TournamentTerms
from engine import brackets
from tests.support.discord.keys import part
from tests.support.games.pictures import every_item, in_corner


@pytest.mark.parametrize("kind", ["single", "double"])
@pytest.mark.parametrize("players", [3, 4, 5, 8, 13, 32])
@pytest.mark.parametrize("played", [0, 3, 999])
def test_every_page_of_a_bracket_is_readable(kind: brackets.Kind, players: int, played: int) -> None:
    bracket, rng = brackets.start(kind, [str(n) for n in range(players)]), random.Random(players)
    for _ in range(played):
        if not (ready := bracket.ready()):
            break
        bracket = bracket.report(ready[0].key, rng.choice(ready[0].players), walkover=rng.random() < 0.3)
    stored = StoredTournament(
        name="The cup of the long name 🏆",
        game="probe",
        options={},
        terms=TournamentTerms(),
        phase="running",
        bracket=msgspec.to_builtins(bracket),
        guild_id=1,
        channel_id=1,
        host_id=1,
        created_at=0,
    )
    entrants = tuple(Entrant(n, f"Maximiliane von Hohenfels {n}", n) for n in range(players))
    tournament = Tournament(cast("Any", None), TournamentState(stored=stored, entrants=entrants))
    pages = bracket_pages(bracket, tournament.name_of, words("en"))
    for at, rounds in enumerate(pages):
        scene = tournament_message(tournament, "en", at).pictures[PICTURE]
        assert faults(scene) == []
        assert in_corner(scene) == []
        assert played < 3 or at or "Maximiliane" in scene.alt
        assert len(rounds) <= COLUMNS
        assert all(len(each.pairs) <= ROWS for each in rounds)
    shown = {pair for rounds in pages for each in rounds for pair in each.pairs if pair.names != ("", "")}
    assert {pair.names for pair in shown} >= {
        tuple(tournament.name_of(player) for player in match.players)
        for match in bracket.matches()
        if len(match.players) == 2
    }
    if bracket.champion:
        assert scene.alt.startswith(f"{tournament.name_of(bracket.champion)} {part('tournament.wins_it')}")


@pytest.mark.parametrize("kind", ["single", "double"])
@pytest.mark.parametrize("players", [3, 4, 5, 6, 9, 11, 17, 32])
@pytest.mark.parametrize("played", [0, 2, 9])
def test_rules_lead_to_the_match_that_the_winner_plays_next(
    kind: brackets.Kind, players: int, played: int
) -> None:
    """Of five, the two who meet in the first round play on against the first seed and nobody else."""
    bracket, rng, seen = brackets.start(kind, [str(n) for n in range(players)]), random.Random(players), 0
    for _ in range(played):
        if ready := bracket.ready():
            bracket = bracket.report(ready[0].key, rng.choice(ready[0].players))
    for here, there in (two for page in bracket_pages(bracket, str, words("en")) for two in pairwise(page)):
        open_matches = [pair for pair in here.pairs if all(pair.names) and pair.winner < 0]
        for pair in open_matches if here.title != words("en")("tournament.before_final") else ():
            winner = pair.names[0]
            (match,) = (m for m in bracket.ready() if set(m.players) == set(pair.names))
            after = bracket.report(match.key, winner)
            (goal,) = (m for m in after.matches() if winner in m.players and not m.winner)
            (shown,) = (each for each in there.pairs if each.place == following(pair.place, here, there))
            assert set(goal.players) == {winner, *shown.names} - {""}
            seen += 1
    assert seen or played


def view(*rounds: BracketRound, won: bool = False) -> BracketView:
    return BracketView("Mira", "of 8", won, rounds, "…", "Gold", "{winner} beat {loser}.", "{one}, {two}.")


def strings(scene: Scene) -> list[str]:
    return [item.string for item in every_item(scene.items) if isinstance(item, Text)]


def test_the_way_of_the_champion_is_gold_and_the_others_are_not() -> None:
    first = BracketRound("1", (Pair(("Mira", "Ann"), 0, path=True), Pair(("Ben", "Cleo"), 1, place=1)), 2)
    final = BracketRound("2", (Pair(("Mira", "Cleo"), 0, path=True),), 1)
    scene = bracket_scene(view(first, final, won=True), Look())
    rules = [item for item in every_item(scene.items) if isinstance(item, Line)]
    assert {rule.colour for rule in rules} == {"accent", "muted"}
    colours = {item.string: item.colour for item in every_item(scene.items) if isinstance(item, Text)}
    assert (colours["✓ Mira"], colours["✓ Cleo"], colours["Ann"]) == ("accent_ink", "text", "muted")


def test_the_two_finals_have_names_of_their_own() -> None:
    """Who comes from the losers' bracket and wins must win once more."""
    bracket = brackets.start("double", list("abcd"))
    while not bracket.champion:
        match = bracket.ready()[0]
        bracket = bracket.report(match.key, match.players[match.key == "F1"])
    *_, first, second = bracket_pages(bracket, str.upper, words("en"))[-1]
    assert (first.title, second.title) == (
        words("en")("tournament.final"),
        words("en")("tournament.second_final"),
    )
    assert first.title != second.title


def test_names_get_the_room_that_others_leave() -> None:
    long = "Rosalind Franklin"
    first = BracketRound("1", (Pair((long, "Ann")),), 2)
    final = BracketRound("2", (Pair(("", "")),), 1)
    scene = bracket_scene(view(first, BracketRound("2", (), 1), final), Look())
    assert faults(scene) == []
    (name,) = (item for item in every_item(scene.items) if isinstance(item, Text) and item.string == long)
    assert name.max_lines == 1
    assert text_width(long, name.size, name.weight) <= name.rect.w


def test_a_bye_leaves_no_hole() -> None:
    """Five players: one match in the first round, and the picture is no higher than two matches."""
    five = bracket_scene(
        view(
            BracketRound("1", (Pair(("D", "E"), place=1),), 4),
            BracketRound("2", (Pair(("A", "")), Pair(("B", "C"), place=1)), 2),
            BracketRound("3", (Pair(("", "")),), 1),
        ),
        Look(),
    )
    four = bracket_scene(
        view(
            BracketRound("2", (Pair(("A", "")), Pair(("B", "C"), place=1)), 2),
            BracketRound("3", (Pair(("", "")),), 1),
        ),
        Look(),
    )
    assert five.height == four.height
    assert sorted([*strings(five), "2", "3"]) == sorted([*strings(four), "1", "2", "3", "D", "E"])


def test_four_rounds_are_too_many() -> None:
    with pytest.raises(ValueError, match="4 rounds"):
        bracket_scene(view(*[BracketRound("1", (), 1)] * 4), Look())


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("kind", ["single", "double"])
def test_a_walkover_is_marked_and_told_as_one(kind: brackets.Kind, locale: str) -> None:
    say = words(locale)
    bracket = (
        brackets.start(kind, ["1", "2", "3", "4"]).report("W1.1", "1", walkover=True).report("W1.2", "2")
    )
    rounds = bracket_pages(bracket, str, say)[0]
    scene = bracket_picture(bracket, str, rounds, Look(locale=locale))
    assert faults(scene) == []
    assert say("tournament.walkover", winner="1", loser="4") in scene.alt
    assert say("tournament.beats", winner="1", loser="4") not in scene.alt
    assert say("tournament.beats", winner="2", loser="3") in scene.alt
    written = [item.string for item in every_item(scene.items) if isinstance(item, Text)]
    assert f"4 · {say('tournament.walkover_mark')}" in written
    assert not any(text.startswith("3 ·") for text in written)
    assert any(say("tournament.marks_walkover") in text for text in written)
