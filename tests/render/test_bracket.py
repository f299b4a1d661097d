"""Brackets of every size: nothing cut, nothing overlapping, the words say the same."""

from __future__ import annotations

import random
from typing import Any, cast

import msgspec
import pytest

from bot.locales import words
from bot.render.bracket import COLUMNS
from bot.render.check import audit
from bot.store.terms import TournamentTerms
from bot.store.tournaments import Entrant, StoredTournament, TournamentState
from bot.tables.tournament import Tournament
from bot.views.tournament import PICTURE, tournament_message
from engine import brackets


@pytest.mark.parametrize("kind", ["single", "double"])
@pytest.mark.parametrize("players", [3, 4, 5, 8, 13, 32])
@pytest.mark.parametrize("played", [0, 3, 999])
def test_every_page_of_a_bracket_is_readable(kind: brackets.Kind, players: int, played: int) -> None:
    bracket, rng = brackets.start(kind, [str(n) for n in range(players)]), random.Random(players)
    for _ in range(played):
        if not (ready := bracket.ready()):
            break
        bracket = bracket.report(ready[0].key, rng.choice(ready[0].players))
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
    for at in range(6):
        scene = tournament_message(tournament, "en", at).pictures[PICTURE]
        assert audit(scene) == []
        assert played < 3 or at or "Maximiliane" in scene.alt
        assert scene.height <= 4096
    if bracket.champion:
        won = words("en")("tournament.champion_plain", name="").strip()
        assert won in scene.alt
    assert COLUMNS == 3
