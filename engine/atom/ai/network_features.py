"""A decision of Atom with four in the numbers that `network` reads: what is known, and what a play does.

All of it is counted from an observation, what a play does by `features`, as Steady counts it. Cards go by
slot (`cards`), seats by how far they sit after the viewer. Numbers are scaled to be about as large as one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.atom.ai.features import DEALT, HEAVY, SOME, Features, strength
from engine.atom.cards import JOKERS, POINTS, RANK_AT, SLOTS, total
from engine.atom.moves import Move
from engine.atom.plays import BLADE_BOMB, SPECIAL, rung, shape
from engine.playing_cards import JOKER

SEATS: Final = 4
KINDS: Final = BLADE_BOMB + 2
"""Kinds of rungs."""
SITUATION: Final = 80
"""How many numbers `situation` finds."""
PLAY: Final = 31
"""How many numbers of a play are its own, beside those of `features`."""
MANY: Final = 20
"""With more cards than this a hand is not near its end."""
CLOSE: Final = 9
"""From so few cards on a hand is seen to be close to its end."""
LEAD: Final = 200
"""Points that a match is led by count in such portions."""


class Described(NamedTuple):
    """What a play does: by `features.HAND`, by `features.LEAD` or `features.FOLLOW`, and the play itself."""

    hand: tuple[float, ...]
    trick: tuple[float, ...]
    play: tuple[float, ...]


def situation(features: Features) -> list[float]:
    """What is known before a decision: the hand, the cards that are out, the other hands by their size,
    points, who is out, the match, and the trick."""
    return [*_hand(features), *_others(features), *_trick(features)]


def _points(blade: int) -> list[int]:
    """By slot: the points of one card."""
    return [POINTS[rank] for rank in RANK_AT[blade]]


def _hand(features: Features) -> list[float]:
    """The own hand by slot and by its groups, and what is out beside it."""
    seen, odds, stands = features.seen, features.odds, features.stands
    worth, ranks = _points(seen.blade), RANK_AT[seen.blade]
    held = [total(features.hand[rank]) for rank in ranks]
    held[JOKERS] = total(features.hand[JOKER])
    return [
        held[JOKERS] / 3,
        *[many / 4 for many in held[1:]],
        len(stands) / 12,
        sum(map(strength, stands)) / 6,
        sum(stand.kind in HEAVY for stand in stands) / 4,
        sum(map(odds.hold, stands)) / 8,
        sum(worth[slot] * held[slot] for slot in range(1, SLOTS)) / 50,
        features.mine / DEALT[SEATS],
        features.ranks / 12,
        *[many / 6 for many in odds.many],
        odds.specials(0) / 2,
        odds.bombs(0, 0) / 4,
        sum(worth[slot] * odds.many[slot] for slot in range(1, SLOTS)) / 150,
    ]


def _others(features: Features) -> list[float]:
    """How many cards the others hold, what everybody has captured, who is out, and how the match stands."""
    seen, me = features.seen, features.viewer
    around = [(me + step) % SEATS for step in range(SEATS)]
    found = list[float]()
    for seat in around[1:]:
        left = seen.left[seat]
        found += (left / DEALT[SEATS], 1 / left if left else 0.0, not left)
    upstream = 0 if not seen.out else 1 if seen.out[0] % 2 == me % 2 else -1
    ahead = sum(result.totals[me % 2] - result.totals[1 - me % 2] for result in seen.results)
    return [
        *found,
        1 / features.mine,
        *[seen.captured[seat] / 100 for seat in around],
        len(seen.out) == 1,
        len(seen.out) == 2,
        upstream,
        len(seen.results) == 1,
        ahead / LEAD,
    ]


def _trick(features: Features) -> list[float]:
    """What lies on the table, whose it is, and who still acts before it is taken."""
    seen, me, stand = features.seen, features.viewer, features.seen.rung
    lies = [0.0] * 15
    if stand is not None:
        owner = seen.best_seat
        lies[stand.kind] = 1.0
        lies[5:9] = (
            stand.size / 4,
            0.0 if stand.kind == SPECIAL else stand.strength / 12,
            features.safe_look,
            features.safe,
        )
        lies[8 + (owner - me) % SEATS] = 1.0
        left = seen.left[owner]
        lies[12:] = (seen.passes / 2, float(not left), left / DEALT[SEATS])
    later = features.later() if stand is not None else []
    return [
        stand is None,
        seen.pot / SOME,
        *lies,
        POINTS[seen.blade] / 10,
        *[(me + step) % SEATS in later for step in range(1, SEATS)],
        max(0, CLOSE - features.nearest) / 8,
        seen.captured[me] / 100 * (features.mine > MANY),
    ]


def described(features: Features, move: Move, worth: float) -> Described | None:
    """What a move does; `worth` is Steady's score of it. None for passing."""
    seen = features.seen
    play = shape(move.cards, seen.packs)
    if play is None or not play.size:
        return None
    stand = rung(play, seen.blade, seen.low)
    chance = features.odds.hold(stand, float(seen.pot + play.points))
    best = seen.rung
    kinds, slots = [0.0] * KINDS, [0.0] * SLOTS
    kinds[stand.kind] = 1.0
    slots[RANK_AT[seen.blade].index(play.rank) if play.rank != JOKER else JOKERS] = 1.0
    own = (
        worth,
        chance,
        *kinds,
        play.size / 4,
        play.points / SOME,
        (features.mine - play.size) / DEALT[SEATS],
        total(play.jokers) / 2,
        *slots,
        stand.strength / (512 if stand.kind == SPECIAL else 12),
        play.size == 1,
        play.size == 2,
        play.size == 3,
        best is not None and stand.kind != best.kind,
        1.0,
    )
    trick = (features.of_lead if features.free else features.of_follow)(play, stand, chance)
    return Described(features.of_hand(play, chance), trick, own)
