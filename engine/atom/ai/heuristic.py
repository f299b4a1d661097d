"""An opponent that counts what is still out, and weighs what each move does to its hand and the trick.

`features` says what a move does, `weights` what that is worth, and `odds` how likely cards hold. Where all
groups but one are sure to hold, it plays them first and runs out. Its only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from engine.ai.choosers import Best
from engine.atom.ai.features import Features
from engine.atom.ai.weights import FOLLOW, HAND, LEAD
from engine.atom.cards import ORDER, by_rank, total
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.plays import BLADE_BOMB, PLAIN_BLADES, Play, Rung, rung, shape
from engine.playing_cards import JOKER

OUT: Final = 5.0
"""What running out counts, and SURE what a sure way to it does: more than all else together."""
SURE: Final = 3.0
BLADED: Final = (PLAIN_BLADES, BLADE_BOMB)
"""What jokers never go with."""
NEVER: Final = -9.0
"""What a play without a shape counts; none is offered."""
HELD: Final = 0.5
"""What each card of the rank in the own hand takes off a call, in ranks."""

_WEIGHTS: Final[Mapping[int, tuple[tuple[float, ...], ...]]] = {
    4: tuple(tuple(four for four, _ in table.values()) for table in (HAND, LEAD, FOLLOW)),
    5: tuple(tuple(five for _, five in table.values()) for table in (HAND, LEAD, FOLLOW)),
}


def calls(seen: Observation, actions: Sequence[Move]) -> list[float]:
    """Return how good it is to call each card with five players.

    The higher the card, the stronger are those who hold two of it. The fewer of its rank the caller holds,
    the more of them are left for partners.
    """
    hand = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
    return [ORDER.index(rank) - HELD * total(hand[rank]) for rank in (move.cards[0] >> 2 for move in actions)]


def scores(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """How good each move is, in parts of what a game can bring; passing is the measure of all others."""
    if actions[0].verb == "call":
        return calls(seen, actions)
    features = Features(seen)
    return [score(features, move) for move in actions]


heuristic: Final = Best(scores)
"""The opponent that takes what scores best."""


def score(features: Features, move: Move) -> float:
    """How good a move is, see `scores`; of more than one move the features are shared."""
    if move.verb == "pass":
        return 0.0
    seen = features.seen
    play = shape(move.cards, seen.packs)
    if play is None:
        return NEVER
    if play.size == features.mine:
        return OUT + play.points / 100
    stand = rung(play, seen.blade, seen.low)
    if _runs_out(features, play, stand):
        return SURE - 0.1 * len(features.left_over(play))
    hand, lead, follow = _WEIGHTS[seen.seats]
    chance = features.odds.hold(stand, float(seen.pot + play.points))
    worth = _sum(hand, features.of_hand(play, chance))
    if features.free:
        return worth + _sum(lead, features.of_lead(play, stand, chance))
    return worth + _sum(follow, features.of_follow(play, stand, chance))


def _sum(weights: Sequence[float], numbers: Sequence[float]) -> float:
    return sum(weight * number for weight, number in zip(weights, numbers, strict=True))


def _runs_out(features: Features, play: Play, stand: Rung) -> bool:
    """Whether no opponent can stop it from running out: these cards hold, and so do all groups but one."""
    unbeatable = features.odds.unbeatable
    if not unbeatable(stand):
        return False
    left = features.left_over(play)
    weak = [one for one in left if not unbeatable(one)]
    if len(weak) > 1 or not left or not total(features.hand[JOKER] - play.jokers):
        return len(weak) <= 1
    # jokers go with the last group
    return any(one.kind not in BLADED for one in weak or left)
