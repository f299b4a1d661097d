"""The contents of the digests in records, fixed so that a saved record can be verified forever.

A record holds a digest of every position. Positions change internally from release to release, but the input
of a digest must not. For the games below it is therefore written down here, as their first records had it.
Fingerprints are never stored and may change at any time. A game missing from this list uses its fingerprint;
when that has to change, add its previous form here. The golden games will show that it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import astuple

from engine.game import AnyState

Layout: TypeAlias = Callable[[Any], tuple[object, ...]]


def digest(game: str, state: AnyState) -> str:
    """Return sixteen hex digits identifying a position of the game with this key."""
    layout = LAYOUTS.get(game)
    held = state.fingerprint() if layout is None else msgspec.msgpack.encode(layout(state))
    return sha256(held).hexdigest()[:16]


def _atom(s: Any) -> tuple[object, ...]:
    return (
        (s.seats, s.key, s.jokers_as_three, s.game, s.deals, s.phase),
        (s.results, s.last_trick, s.teams, s.turned, s.receiver, s.called),
        (s.leader, s.turn, s.hands, s.left, s.laid, s.captured, s.out),
        (s.trick, s.best_cards, s.best_seat, s.passes, s.pot, s.ended),
        (s.beaten or [0] * 25, s.let or [0] * 25),
    )


def _atom_duel(s: Any) -> tuple[object, ...]:
    known = s.knowledge
    return (
        (s.level, s.seats, s.hand_size, s.rounds, s.key, s.shuffles),
        (s.deck, s.rows, sorted(s.gone)),
        (s.start, s.round, s.hand, s.leader, s.turn, s.phase),
        (s.plays, s.points, s.round_points, s.best2, s.last),
        (s.zinc, s.face_down, s.face_up, s.pass_left, s.pending, s.queue),
        (s.sealed, sorted(s.announced.items())),
        known and ([sorted(one.items()) for one in known.known], (known.log, known.memories)),
    )


def _battle(s: Any) -> tuple[object, ...]:
    return (
        (s.seats, s.blind, s.dealer, s.leader, s.leader if s.over else s.turn, s.round, s.over),
        (s.hands, s.kitty, s.piles, s.plays, s.before, s.last),
    )


def _collecting(s: Any) -> tuple[object, ...]:
    return (
        (s.seats, s.canasta, s.decks, s.rounds, s.key, s.round, s.dealer),
        (s.turn, s.phase, s.took, s.dry, s.hands, s.orders, s.at),
        (s.discard, s.stack[: s.up], s.up, s.row, s.captured, s.runs, s.totals),
        (s.totals, s.last, s.log),
    )


def _duel52(s: Any) -> tuple[object, ...]:
    values = (s.card, s.flags, s.damage, s.mate, s.known)
    return (
        (s.variant.key, s.vampiric, s.pile + s.aside, len(s.pile)),
        (
            s.hands,
            [[(unit, *(value[unit] for value in values)) for unit in row] for row in s.rows],
            len(s.card),
            s.gone,
        ),
        (s.first, s.turn, s.turns, s.actions, s.quiet),
        ([astuple(ask) for ask in s.asks], s.bet, s.outs, (s.glimpse, s.pointer), s.last, s.reason, s.ranks),
        # version 1 of the rules has no such field
        *((s.held,) if s.held else ()),
    )


def _molecular(s: Any) -> tuple[object, ...]:
    return (
        (s.seats, s.rules, s.key, s.first, s.shuffles, s.chances),
        (sorted(s.board.tiles.items()), s.last_cell, s.last),
        [
            (one.pile, one.held, one.mixes, [sorted(marks) for marks in one.marks])
            for one in (s.tiles, s.cards)
        ],
        (sorted(s.used_cards), s.effectors, sorted(s.used_effectors)),
        (s.actives, s.reagent, s.counters, s.scores),
        (s.turn, s.round, s.actions, s.used, s.tiled),
        (s.pending and astuple(s.pending), s.gifts, s.over),
    )


LAYOUTS: Final[Mapping[str, Layout]] = {
    "atom": _atom,
    "atom_duel": _atom_duel,
    "canasta": _collecting,
    "chemistry_battle": _battle,
    "compound_capture": _collecting,
    "duel52": _duel52,
    "molecular": _molecular,
}
"""The digest input of each game."""
