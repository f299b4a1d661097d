"""Standings of every size: nothing cut, nothing overlapping, the words say the same."""

from __future__ import annotations

import random

import pytest

from bot.features.tournaments.leagues import league_pages, league_picture
from bot.locales import words
from bot.render.check import faults
from bot.render.pages.leagues import ROWS
from bot.render.scene import Look
from engine import brackets
from tests.support.games.pictures import in_corner


def name_of(player: str) -> str:
    return "🦊🦊" if player == "2" else f"Maximiliane von Hohenfels {player}"


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("kind", ["swiss", "round_robin"])
@pytest.mark.parametrize("players", [3, 8, 13, 32])
@pytest.mark.parametrize("played", [0, 3, pytest.param(999, marks=pytest.mark.long)])
def test_every_page_is_readable(kind: brackets.Kind, players: int, played: int, locale: str) -> None:
    bracket, rng = brackets.start(kind, [str(n) for n in range(players)]), random.Random(players)
    for number in range(played):
        if not (ready := bracket.ready()):
            break
        if number == 2:
            bracket = bracket.withdraw(ready[0].players[1])
            continue
        winner = rng.choice((*ready[0].players, None))
        bracket = bracket.report(ready[0].key, winner, walkover=winner is not None and number % 3 == 0)
    league = bracket.league
    assert league is not None
    told = ""
    for at in range(league_pages(league)):
        scene = league_picture(bracket, league, name_of, at, Look(locale=locale))
        assert faults(scene) == []
        assert in_corner(scene) == []
        told += scene.alt
    assert league_pages(league) == -(-players // ROWS)
    if players < ROWS:
        assert all(name_of(player) in told for player in bracket.players)
    if bracket.champion:
        assert told.startswith(name_of(bracket.champion))
    else:
        assert told.startswith(words(locale)("league.round", n=league.round, of=league.rounds))


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("kind", ["swiss", "round_robin"])
def test_a_walkover_is_not_called_a_win_at_the_table(kind: brackets.Kind, locale: str) -> None:
    say = words(locale)
    bracket = brackets.start(kind, [str(n) for n in range(1, 8)])
    match = bracket.ready()[0]
    winner, loser = match.players
    played = bracket.report(match.key, winner)
    missed = bracket.report(match.key, winner, walkover=True)
    told = []
    for each in (played, missed):
        assert each.league is not None
        told.append(league_picture(each, each.league, str, 0, Look(locale=locale)).alt)
    if kind == "swiss":
        assert say("league.beat", other=loser) in told[0]
        assert say("league.walkover", other=loser) in told[1]
        assert say("league.missed") in told[1]
    assert say("league.beat", other=loser) not in told[1]
