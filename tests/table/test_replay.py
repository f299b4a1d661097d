"""What a replay rebuilds is what play had made, in every game: choices, their numbers, what was told."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.store.games import Entry
from bot.store.snapshots import Snapshot, due
from bot.table.table import RECENT_EVENTS, Table
from engine import catalog
from engine.game import as_json
from engine.setups import Kind, covering
from tests.support.games.probe import ProbeState
from tests.support.share import share
from tests.support.tables.replayed import a_table

MOST = 200
"""Actions of each game."""
KINDS = [(key, kind) for key in catalog.listed() for kind in covering(catalog.get(key))]


def seen(table: Table) -> tuple[object, ...]:
    """All of a table that a replay sets."""
    assert table.state is not None
    return (
        table.decisions,
        table.legal,
        table.seq,
        table.acts,
        list(table.recent),
        [table.recent.since(seat) for seat in range(len(table.sitters))],
        table.state.events,
        table.state.fingerprint(),
    )


def test_a_choice_that_another_changes_has_another_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both bid at once, and what one has bid the other may no longer bid."""
    usual = ProbeState.legal_actions

    def without_taken(state: ProbeState, seat: int) -> list[Any]:
        taken = state.bids if state.phase == "bid" else []
        return [action for action in usual(state, seat) if action.verb != "bid" or action.value not in taken]

    monkeypatch.setattr(ProbeState, "legal_actions", without_taken)
    game = catalog.get("probe")
    kind = Kind(3, game.defaults())
    first, second = (Entry(seq, "act", seat, ["bid", seat, []], 0) for seq, seat in ((1, 0), (2, 1)))
    assert a_table(game, kind, [first]).decisions == [1, 1, 1]
    assert a_table(game, kind, [first, second]).decisions == [1, 2, 2]


@pytest.mark.repeats
@pytest.mark.parametrize(("key", "kind"), share(KINDS, 3), ids=str)
def test_a_replay_leads_to_what_play_led_to(key: str, kind: Kind) -> None:
    """From the deal, and from the last snapshot that leaves enough to tell."""
    game, rng = catalog.get(key), random.Random(f"{key}/{kind}")
    live, journal = a_table(game, kind, []), list[Entry]()
    kept = list[Snapshot]()
    looks = {rng.randrange(MOST) for _ in range(4)} | {0, 1, 130, 190}
    while live.waiting() and len(journal) < MOST:
        assert live.state is not None
        if len(journal) in looks:
            assert seen(a_table(game, kind, journal)) == seen(live)
            if usable := [one for one in kept if one.seq <= live.seq - RECENT_EVENTS]:
                assert seen(a_table(game, kind, journal[usable[-1].seq :], usable[-1])) == seen(live)
        if rng.random() < 0.03:  # somebody leaves: the seat has a new hand
            entry = Entry(live.seq + 1, "seat", rng.randrange(kind.seats), ["Steady", "heuristic"], 0)
            live._count(entry)
        else:
            seat = rng.choice(live.waiting())
            action = rng.choice(live.legal[seat])
            if snapshot := due(live.state, live.seq, live.acts, live.decisions):
                kept.append(snapshot)
            how = rng.choice(["act", "timeout"])
            entry = Entry(live.seq + 1, how, seat, as_json(action), 0)
            after = live.state.clone()
            after.events = []
            after.apply(seat, action)
            live._count(entry)
            live._enter(after, seat, moved=how == "act")
        journal.append(entry)
    assert seen(a_table(game, kind, journal)) == seen(live)
