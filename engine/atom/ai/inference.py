"""How likely a world is by what has been played: a weight for each world that an observation allows.

Every world of `sample` fits what was seen; some fit better. Two things tell them apart. With five, a partner
lets the caller's cards stand more often than an opponent does (`partners`). And whoever passes seldom holds
what would beat the cards on the table cheaply: this trick and the last one are known act by act, so each of
their passes is held against the hand that its player had at that moment in the world.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from engine.atom.ai.partners import signs
from engine.atom.cards import BLADES, JOKERS, SLOT_OF, SLOTS, counts
from engine.atom.observation import Act, Observation
from engine.atom.plays import BOMB, LEAST_BOMB, PLAIN, PLAIN_BLADES, SPECIAL, Rung, rung, shape
from engine.atom.sides import CALLERS
from engine.atom.state import AtomState
from engine.game import Seat

NONE, HEAVY, BLADED, SPLIT, TOP, WHOLE = range(6)
"""The cheapest way to beat what lies there: none; a bomb, an atom, or a joker's help; Blades; a part of a
larger group; a whole group of Aces or 2s; a whole lower group."""
ACES: Final = 11
"""The slot of the Aces, or of the Kings where Aces are the Blade."""

LEAST_ATOM, LEAST_NUKE = 3, 2
"""Of one suit, and of each."""

PASSED: Final[Mapping[int, tuple[tuple[float, ...], tuple[float, ...]]]] = {
    4: ((1.0, 1.0, 0.5, 2.0, 0.1, 0.06), (1.0, 1.0, 1.0, 2.0, 0.6, 0.25)),
    5: ((1.0, 0.65, 0.75, 1.15, 0.2, 0.06), (1.0, 1.35, 1.3, 2.0, 1.4, 0.6)),
}
"""By seats, then on an opponent's cards and on an ally's: how much more often than in worlds as they come
whoever passes has this way. A whole group is laid nearly always; larger groups and bombs are what is left to
those who have laid the rest, and an ally passes with them. Counted over games of the heuristic and less
extreme than there, since people are less regular."""


class _Passes(NamedTuple):
    """What somebody passed on with one and the same hand: what it has laid since, by slot, and on whose cards
    it passed, and where these stood."""

    seat: Seat
    since: tuple[int, ...]
    on: tuple[tuple[Seat, Rung], ...]


def likelihood(seen: Observation) -> Callable[[AtomState], float]:
    """By world: how likely the play that was seen is there, relative to other worlds."""
    passes = _passes(seen) if seen.phase == "play" else []
    hints = _hints(seen, passes) if seen.called >= 0 and seen.phase == "play" else None
    passed = PASSED[seen.seats]

    def weight(world: AtomState) -> float:
        teams, hands = world.teams, world.hands
        found = 1.0
        for seat, since, on in passes:
            hand = [held + laid for held, laid in zip(hands[seat], since, strict=True)]
            many = [sizes(packed)[0] for packed in hand]
            special = any(sizes(packed)[1] for packed in hand)
            for owner, stand in on:
                found *= passed[teams[seat] == teams[owner]][cheapest(many, special, stand)]
        if hints is not None:
            found *= exp(sum(hint for hint, side in zip(hints, teams, strict=True) if side == CALLERS))
        return found

    return weight


@lru_cache(maxsize=8192)
def sizes(packed: int) -> tuple[int, bool]:
    """How many cards are packed here, and whether an atom or a nuke is among them."""
    by_suit = counts(packed)
    return sum(by_suit), max(by_suit) >= LEAST_ATOM or min(by_suit) >= LEAST_NUKE


def cheapest(many: Sequence[int], special: bool, stand: Rung) -> int:
    """The cheapest way in which a hand can beat cards that are neither atom nor nuke: it has so many cards in
    each slot, and an atom or a nuke or none."""
    kind, size, strength = stand
    jokers, way = many[JOKERS], HEAVY if special else NONE
    if kind == PLAIN:
        if many[BLADES] >= size:
            way = BLADED
        for slot in range(strength + 1, BLADES):
            if many[slot] == size:
                return WHOLE if slot < ACES else max(way, TOP)
            if many[slot] > size:
                way = max(way, SPLIT)
            elif many[slot] and many[slot] + jokers >= size:
                way = max(way, HEAVY)
    if way == NONE and kind in (PLAIN, BOMB):
        least = size if kind == BOMB else LEAST_BOMB
        for slot in range(1, BLADES):
            need = least + (kind == BOMB and slot <= strength)
            if many[slot] and many[slot] + jokers >= need:
                return HEAVY
        if many[BLADES] >= LEAST_BOMB:
            return HEAVY
    return way


def _passes(seen: Observation) -> list[_Passes]:
    """The passes of others in this trick and the last one, but for those on Blades, atoms and nukes,
    which hardly anybody beats who could."""
    tricks: list[Sequence[Act]] = [seen.trick]
    if seen.last_trick is not None:
        tricks.append(seen.last_trick.acts)
    slots = SLOT_OF[seen.blade]
    since = [[0] * SLOTS for _ in range(seen.seats)]
    found: dict[tuple[Seat, tuple[int, ...]], list[tuple[Seat, Rung]]] = {}
    for acts in tricks:  # the later one first: what was laid since grows
        stands = _stands(seen, acts)
        for (seat, cards), (owner, stand) in zip(reversed(acts), reversed(stands), strict=True):
            for card in cards:
                since[seat][slots[card >> 2]] += 1 << 4 * (card & 3)
            if not cards and seat != seen.viewer and stand.kind not in (PLAIN_BLADES, SPECIAL):
                found.setdefault((seat, tuple(since[seat])), []).append((owner, stand))
    return [_Passes(seat, laid, tuple(on)) for (seat, laid), on in found.items()]


def _stands(seen: Observation, acts: Sequence[Act]) -> list[tuple[Seat, Rung]]:
    """By act: whose cards lay there when it was made, or was made by it, and where they stood."""
    found: list[tuple[Seat, Rung]] = []
    owner, stand = -1, Rung(PLAIN, 0, 0)
    for seat, cards in acts:
        play = shape(cards, seen.packs) if cards else None
        if play is not None:
            owner, stand = seat, rung(play, seen.blade, seen.low)
        found.append((owner, stand))
    return found


def _hints(seen: Observation, passes: Sequence[_Passes]) -> list[float]:
    """By seat: what its acts towards the caller say for its being a partner, in nats; passes that are held
    against hands do not count twice."""
    let = list(seen.let)
    for seat, _, on in passes:
        for owner, _ in on:
            let[5 * seat + owner] -= 1
    found = signs(seen.beaten, let, seen.caller)
    found[seen.caller] = 0.0
    return found
