"""How a hand is played on in a sampled world: by rules of thumb that look at whole groups only.

A decision takes some ten microseconds, a thirtieth of what the heuristic needs. It reads no hand but that of
the seat that plays; of the others it knows what everybody sees, and who is on which side.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine.atom.cards import BLADES, JOKERS, total, unpacked
from engine.atom.features import groups, strength
from engine.atom.moves import PASS, Move
from engine.atom.options import offer
from engine.atom.plays import (
    BLADE_BOMB,
    BOMB,
    LEAST_BOMB,
    PLAIN,
    PLAIN_BLADES,
    SPECIAL,
    Rung,
    beats,
    make,
    rung,
)
from engine.atom.state import AtomState
from engine.game import Seat
from engine.playing_cards import JOKER

NEAR: Final = 3
"""A lead of so few cards lets out an opponent who holds as many."""
CLOSE: Final = 8
"""Against an opponent with so few cards nothing is kept back."""
BLADED_POT, HEAVY_POT, SPECIAL_POT = 15, 20, 30
"""Points in a trick for which Blades, a bomb, or an atom are laid."""
HIGH: Final = 9
"""The slot above which an ally's cards are left alone, and own cards are dear."""
LAST: Final = 2
"""With so few groups the stronger is led first."""


class Piece(NamedTuple):
    """A group as it is laid: where it stands, how strong it looks, and the move."""

    stand: Rung
    look: float
    move: Move


@lru_cache(maxsize=16384)
def pieces(rank: int, packed: int, blade: int, packs: int) -> tuple[Piece, ...]:
    """The groups that the cards of one rank are laid as, see `features.groups`."""
    _, stands = groups(rank, packed, blade, packs)
    found, rest = [], packed
    for stand in stands[:-1]:
        special = next(
            some
            for some in _apart(rest)
            if (play := make(rank, some, 0, packs)).tier and rung(play, blade) == stand
        )
        found.append(_piece(rank, special, stand))
        rest -= special
    return (*found, _piece(rank, rest, stands[-1])) if packed else ()


def _apart(packed: int) -> list[int]:
    """All atoms and nukes that could be among these cards."""
    by_suit = [packed >> shift & 15 for shift in (0, 4, 8, 12)]
    found = [size << 4 * suit for suit, many in enumerate(by_suit) for size in range(3, many + 1)]
    return found + [0x1111 * each for each in range(2, min(by_suit) + 1)]


def _piece(rank: int, packed: int, stand: Rung) -> Piece:
    return Piece(stand, strength(stand), Move("play", tuple(unpacked(rank, packed))))


def policy(state: Any, seat: Seat, _rng: random.Random) -> Move:
    """What a seat does in a sampled world."""
    hand, ranks, blade, packs = state.hands[seat], state.ranks, state.blade, state.packs
    held: list[Piece] = []
    for slot in range(1, BLADES + 1):
        packed = hand[slot]
        if packed:
            held += pieces(ranks[slot], packed, blade, packs)
    best = state.best
    if best is None:
        return _lead(state, seat, held)
    return _follow(state, seat, held, best)


def _lead(state: AtomState, seat: Seat, held: list[Piece]) -> Move:
    """The weakest group, but for one that would let an opponent out; jokers go with the last one."""
    jokers = tuple(unpacked(JOKER, state.hands[seat][JOKERS]))
    if not held:
        return Move("play", jokers)
    if len(held) == 1:
        return _with(held[0], jokers)
    foes = _least_of_foes(state, seat)
    if len(held) <= LAST:
        return max(held, key=lambda one: one.look).move
    if foes > NEAR:
        return min(held, key=lambda one: one.look).move
    return min(held, key=lambda one: one.look if one.stand.size != foes else 2 - one.look).move


def _with(last: Piece, jokers: tuple[int, ...]) -> Move:
    """The last group, with all jokers where they may go with it."""
    if not jokers or last.stand.kind in (PLAIN_BLADES, BLADE_BOMB):
        return last.move
    return Move("play", last.move.cards + jokers)


def _least_of_foes(state: AtomState, seat: Seat) -> int:
    """The fewest cards that an opponent holds."""
    teams, mine = state.teams, state.teams[seat]
    return min(
        (many for many, team in zip(state.left, teams, strict=True) if many and team != mine), default=99
    )


def _follow(state: AtomState, seat: Seat, held: list[Piece], best: Rung) -> Move:
    """The cheapest group that beats what lies there, where that is worth it; else Pass."""
    fitting = [one for one in held if beats(one.stand, best)]
    if fitting and len(held) == 1 and not state.hands[seat][JOKERS]:
        return fitting[0].move
    owner = state.best_seat
    pot = state.pot
    if state.teams[owner] == state.teams[seat]:
        if best.kind == PLAIN and best.strength < HIGH - 2:
            for one in fitting:
                if one.stand.kind == PLAIN and one.stand.strength <= HIGH:
                    return one.move
        return PASS
    foes = _least_of_foes(state, seat)
    close = foes <= CLOSE or len(held) <= LAST
    if fitting:
        cheap = min(fitting, key=lambda one: (one.stand.kind, one.look))
        kind = cheap.stand.kind
        if (
            kind == PLAIN
            or close
            or (kind == PLAIN_BLADES and pot >= BLADED_POT)
            or (kind in (BOMB, BLADE_BOMB) and pot >= HEAVY_POT)
            or (kind == SPECIAL and pot >= SPECIAL_POT)
        ):
            return cheap.move
    if best.kind == PLAIN and (close or pot >= BLADED_POT):
        return _part(state, seat, best) or PASS
    return PASS


def _part(state: AtomState, seat: Seat, best: Rung) -> Move | None:
    """A part of the highest larger group below the Blades that beats 1 to 3 cards."""
    hand = state.hands[seat]
    for slot in range(BLADES - 1, best.strength, -1):
        packed = hand[slot]
        if best.size < total(packed) < LEAST_BOMB:
            return offer(state.ranks[slot], packed, 0, state.packs).sets[best.size][0]
    return None
