"""How a hand is played on in a sampled world: by the look of whole groups, as the heuristic mostly would.

A decision takes some thirty microseconds, a tenth of what the heuristic needs. It reads no hand but that of
the seat that plays; of the others it knows what everybody sees, and who is on which side. The weights are
those with which it does most often what the heuristic does (research/atom.md).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul
from typing import Any, Final, NamedTuple

from engine.atom.ai.features import DEALT, SOME, groups, strength
from engine.atom.cards import BLADES, JOKERS, POINTS, by_rank, total, unpacked
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
"""An opponent with so few cards is close to the end."""
OWNER: Final = 5
"""With fewer cards than this the owner of the trick is."""
FEW: Final = 2
"""With so few groups in hand the end is near."""

FOLLOW: Final[Mapping[int, tuple[tuple[float, ...], ...]]] = {
    4: (
        (1.99, 1.62, 0.3, 0.71, 0.22, 0.45, 2.01, -2.17, -1.21, 0.37, 0.47),
        (2.69, 0.79, -0.44, 0.33, 0.47, 1.05, 2.35, -2.27, -1.2, 0.47, 1.44),
        (1.25, 0.94, -1.44, 0.19, 0.48, 2.0, 0.67, -3.35, -1.78, 0.91, 2.0),
        (-0.56, 0.96, -0.28, -0.06, 0.44, 0.75, -0.69, -1.31, -0.85, 0.7, 0.5),
        (-0.56, 1.16, -0.01, 0.02, 0.37, 1.26, -0.8, -1.66, -1.37, 0.59, 0.62),
    ),
    5: (
        (1.44, 1.2, 0.23, 0.87, -0.03, 0.31, 0.83, -1.58, -1.57, 0.3, 0.48),
        (1.86, 0.77, -0.02, 1.3, 0.8, 0.98, 0.75, -2.22, -1.04, -0.11, 0.38),
        (0.09, 0.67, -1.22, 1.42, 0.99, 0.96, -0.63, -2.54, -1.32, 0.19, 1.48),
        (-0.18, 0.7, -0.03, 0.21, 0.34, 1.1, -0.48, -1.63, -0.97, 0.44, 0.29),
        (-0.38, 0.82, -0.6, 0.04, 0.75, 2.47, -0.66, -1.61, -0.95, 0.29, 1.02),
    ),
}
"""By seats, then by the kind of a play, what speaks for it against passing: that it is one; the pot, and
that there is none; how small the hand is; an opponent close to the end, and the owner of the trick; the
groups in hand; an ally's trick, and how strong his cards look; the last word; few groups left."""
CARDS: Final[Mapping[int, tuple[float, ...]]] = {
    4: (-2.0, 0.14, -2.81, -1.47, 0.19, -2.34, 0.04, -1.03),
    5: (-2.49, 1.72, -2.96, -0.41, 0.83, -2.52, 0.57, -1.46),
}
"""By seats, what the cards of a play on a trick add: their look, more as the hand grows small; a part of a
group; a larger bomb; points; jokers; a part as the hand grows small; a joker that makes a
bomb, or a larger one."""
LEAD: Final[Mapping[int, tuple[float, ...]]] = {
    4: (
        -7.38,
        -1.14,
        1.12,
        2.75,
        0.49,
        -0.83,
        1.13,
        -2.69,
        0.21,
        0.99,
        -2.28,
        3.17,
        -3.46,
        0.23,
        4.58,
        2.27,
        -3.29,
        -1.18,
        0.79,
        -2.96,
    ),
    5: (
        -5.96,
        -1.75,
        2.45,
        2.3,
        0.94,
        -0.54,
        1.72,
        -2.0,
        -0.31,
        -0.41,
        -2.46,
        3.95,
        -4.25,
        -1.23,
        2.96,
        0.68,
        -3.11,
        -1.3,
        0.09,
        -2.35,
    ),
}
"""By seats, what speaks for a lead: its look, the square of that, more as the hand grows small; one, two or
three cards; Blades, bomb, bomb of Blades, atom or nuke; points, and with their look; how low it is where it
lets an opponent out, and that it is too large for him; its look with few groups left; more than 1 to 3 cards
below the Blade, a single, a pair as the hand grows small; a larger bomb; strong cards with many
groups left."""


class SetPiece(NamedTuple):
    """A group as it is laid: where it stands, how strong it looks, its points, and the move."""

    stand: Rung
    look: float
    points: float
    move: Move


@lru_cache(maxsize=16384)
def pieces(rank: int, packed: int, blade: int, packs: int) -> tuple[SetPiece, ...]:
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


def _piece(rank: int, packed: int, stand: Rung) -> SetPiece:
    cards = tuple(unpacked(rank, packed))
    return SetPiece(stand, strength(stand), POINTS[rank] * len(cards) / SOME, Move("play", cards))


def policy(state: Any, seat: Seat, _rng: random.Random) -> Move:
    """What a seat does in a sampled world."""
    hand, ranks, blade, packs = state.hands[seat], state.ranks, state.blade, state.packs
    held: list[SetPiece] = []
    for slot in range(1, BLADES + 1):
        packed = hand[slot]
        if packed:
            held += pieces(ranks[slot], packed, blade, packs)
    best = state.best
    if best is None:
        return _lead(state, seat, held)
    return _follow(state, seat, held, best)


def _lead(state: AtomState, seat: Seat, held: Sequence[SetPiece]) -> Move:
    """The group for which most speaks; jokers go with the last one."""
    jokers = tuple(unpacked(JOKER, state.hands[seat][JOKERS]))
    if not held:
        return Move("play", jokers)
    if len(held) == 1:
        return _with(held[0], jokers)
    late, foes = 1 - state.left[seat] / DEALT[state.seats], _least_of_foes(state, seat)
    weights, many, few = LEAD[state.seats], len(held) / 10, len(held) <= FEW

    def worth(one: SetPiece) -> float:
        (kind, size, _), look, points, _ = one
        plain, near = kind == PLAIN, foes <= NEAR
        numbers = (
            look,
            look * look,
            look * late,
            size == 1,
            size == 2,
            size == 3,
            kind == PLAIN_BLADES,
            kind == BOMB,
            kind == BLADE_BOMB,
            kind == SPECIAL,
            points,
            points * look,
            (plain and near and size == foes) * (1 - look),
            plain and near and size > foes,
            few * look,
            late * (not plain),
            late * (size == 1),
            late * (size == 2),
            (size - LEAST_BOMB) * (kind == BOMB),
            many * (not plain),
        )
        return sum(map(mul, weights, numbers), 0.0)

    return max(held, key=worth).move


def _with(last: SetPiece, jokers: tuple[int, ...]) -> Move:
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


def _follow(state: AtomState, seat: Seat, held: Sequence[SetPiece], best: Rung) -> Move:
    """The play for which most speaks, or Pass where nothing does."""
    fitting = [one for one in held if beats(one.stand, best)]
    wild = total(state.hands[seat][JOKERS])
    if fitting and len(held) == 1 and not wild:
        return fitting[0].move
    parts = _parts(state, seat, best) if best.kind == PLAIN else []
    if not fitting and not parts and not wild:
        return PASS
    seats, owner, mine = state.seats, state.best_seat, state.left[seat]
    ally = state.teams[owner] == state.teams[seat]
    late, pot = 1 - mine / DEALT[seats], state.pot / SOME
    numbers = (
        1.0,
        pot,
        not pot,
        late,
        _least_of_foes(state, seat) <= CLOSE,
        0 if ally else max(0, OWNER - state.left[owner]) / 4,
        len(held) / 10,
        ally,
        ally * strength(best),
        not ally and _next(state, seat) == owner,
        len(held) <= FEW,
    )
    look_of, look_late, part, larger, points_of, joker, part_late, wild_bomb = CARDS[seats]
    look_of += look_late * late
    part += part_late * late
    base = [sum(map(mul, weights, numbers), 0.0) for weights in FOLLOW[seats]]
    most, move = 0.0, PASS
    for (kind, size, _), look, points, one in fitting:
        worth = base[kind] + look_of * look + points_of * points
        if kind == BOMB:
            worth += larger * (size - LEAST_BOMB)
        if worth > most:
            most, move = worth, one
    for (kind, _, _), look, points, one in parts:
        worth = base[kind] + look_of * look + points_of * points + part
        if worth > most:
            most, move = worth, one
    if wild:
        jokers = tuple(unpacked(JOKER, state.hands[seat][JOKERS]))
        for (kind, size, height), look, points, one in held:
            if kind not in (PLAIN, BOMB):
                continue
            more = best.size - size
            if best.kind == PLAIN and 0 < more <= wild and height > best.strength and kind == PLAIN:
                worth = base[PLAIN] + look_of * look + points_of * points + joker * more
                if worth > most:
                    most, move = worth, Move("play", one.cards + jokers[:more])
            bomb = Rung(BOMB, size + 1, height)
            if bomb.size >= LEAST_BOMB and beats(bomb, best):
                worth = base[BOMB] + look_of * strength(bomb) + points_of * points + wild_bomb
                worth += larger * (bomb.size - LEAST_BOMB)
                if worth > most:
                    most, move = worth, Move("play", one.cards + jokers[:1])
    return move


def _next(state: AtomState, seat: Seat) -> Seat:
    """The next seat in turn that has cards."""
    left, seats = state.left, state.seats
    seat = (seat + 1) % seats
    while not left[seat]:
        seat = (seat + 1) % seats
    return seat


def _parts(state: AtomState, seat: Seat, best: Rung) -> list[SetPiece]:
    """What beats 1 to 3 cards and leaves some of its group in hand."""
    hand, ranks, packs, blade, size = state.hands[seat], state.ranks, state.packs, state.blade, best.size
    found = []
    for slot in range(best.strength + 1, BLADES + 1):
        packed = hand[slot]
        if packed and size < total(packed) < LEAST_BOMB:
            found.append(_part(ranks[slot], packed, size, blade, packs))
    return found


@lru_cache(maxsize=4096)
def _part(rank: int, packed: int, size: int, blade: int, packs: int) -> SetPiece:
    """So many of the cards of one rank."""
    cards = offer(rank, packed, 0, packs).sets[size][0].cards
    some = by_rank(cards)[rank]
    return _piece(rank, some, rung(make(rank, some, 0, packs), blade))
