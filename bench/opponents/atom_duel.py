"""An opponent that counts: it knows which cards are still out and what each is worth.

Every decision is a score for each legal move. A card is played where it wins more than it would
win elsewhere: the chance to win this hand, found by exact evaluation against random replies, less
the *worth* of the card, its chance to win a hand of unknown cards. So the weakest winner is played
where the outcome is sure, and the weakest card where nothing wins. The only input is an observation.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from engine.atom_duel.cards import CARDS, TABLES
from engine.atom_duel.evaluate import Played
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import HIDDEN, Observation
from engine.atom_duel.sample import played
from engine.atom_duel.winning import winner

SAMPLES = 64
"""Random replies against which a card is tried."""

THRIFT = 1.15
"""How much of a card's worth is counted as the price of playing it."""

_WORTH_TRIES = 400


def heuristic(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """The move with the best score; equal ones by chance."""
    if len(actions) == 1:
        return actions[0]
    scores = _SCORERS[actions[0].verb](seen, actions, rng)
    return max(zip(scores, (rng.random() for _ in actions), actions, strict=True))[2]


@lru_cache(maxsize=64)
def worth(level: int, seats: int) -> Mapping[tuple[int, str], float]:
    """By card and announcement: the chance to win a full hand of random cards, first of a round.

    Computed on first use (about a tenth of a second), always to the same numbers.
    """
    rng = random.Random(1)
    table = TABLES[level]
    ways = [(card, power) for card in CARDS for power in table.choices[card] or ("",)]
    # one hand is a try for each of its cards; starting at 1 of 2 keeps the unlucky comparable
    tries = dict.fromkeys(ways, 2)
    won = dict.fromkeys(ways, 1)
    for _ in range(_WORTH_TRIES * len(ways) // seats):
        hand = rng.sample(ways, seats)
        if len({card for card, _ in hand}) < seats:
            continue
        for way in hand:
            tries[way] += 1
        won[hand[_best([_lay(level, seat, *way) for seat, way in enumerate(hand)], seats)]] += 1
    return {way: won[way] / tries[way] for way in ways}


def _lay(
    level: int, seat: int, card: int, power: str, *, first_hand: bool = True, zinc: bool = False
) -> Played:
    number, bits, used = TABLES[level].played(card, power, first_hand=first_hand, zinc=zinc)
    return (number, card, seat, bits, used)


def _best(plays: Sequence[Played], seats: int) -> int:
    kinds = 0
    for play in plays:
        kinds |= play[3]
    return winner(plays, kinds, seats)[0]


def _card_worth(seen: Observation, card: int, *, later: bool = False) -> float:
    """What the card is worth in the next hands, with its best announcement."""
    table = TABLES[seen.level]
    if card in table.late_is_dead and (later or seen.hand > 1):
        return 0.0
    chance = worth(seen.level, seen.seats)
    return max(chance[card, power] for power in table.choices[card] or ("",))


def _unseen(seen: Observation) -> list[int]:
    """The cards that may lie in a hidden slot."""
    shown = {card for row in seen.rows for card in row}
    return [card for card in CARDS if card not in shown and card not in seen.gone]


def _replies(seen: Observation, rng: random.Random) -> list[list[Played]]:
    """What those who play after the viewer may answer, several times over."""
    unseen = _unseen(seen)
    table = TABLES[seen.level]
    after = [seat for seat in seen.to_play if seat != seen.viewer]
    known = {seat: [card for card in seen.rows[seat] if card > 0] for seat in after}
    replies = []
    for _ in range(SAMPLES if after else 1):
        drawn: list[Played] = []
        taken: set[int] = set()
        for seat in after:
            # an opponent's answer is the better of two cards it may hold: neither blind nor perfect
            best: tuple[float, int] = (-1.0, 0)
            for _ in range(min(2, seen.counts[seat])):
                index = int(rng.random() * seen.counts[seat])
                open_ = known[seat]
                card = open_[index] if index < len(open_) else unseen[int(rng.random() * len(unseen))]
                if card not in taken:
                    best = max(best, (_card_worth(seen, card), card))
            card = best[1]
            if not card:
                continue
            taken.add(card)
            power = rng.choice(table.choices[card] or ("",))
            drawn.append(
                _lay(seen.level, seat, card, power, first_hand=seen.hand == 1, zinc=seat in seen.zinc)
            )
        replies.append(drawn)
    return replies


def _score_cards(seen: Observation, ways: Sequence[tuple[int, str]], rng: random.Random) -> list[float]:
    """The chance that each card wins this hand, less what it would be worth later."""
    viewer = -1 if seen.viewer is None else seen.viewer
    table = TABLES[seen.level]
    before = [played(play, table) for play in seen.plays]
    replies = _replies(seen, rng)
    scores = []
    for card, power in ways:
        own = _lay(seen.level, viewer, card, power, first_hand=seen.hand == 1, zinc=viewer in seen.zinc)
        won = 0
        for after in replies:
            plays = [*before, own, *after]
            won += plays[_best(plays, seen.seats)][2] == viewer
        scores.append(won / len(replies) - THRIFT * _card_worth(seen, card, later=True))
    return scores


def _play(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    scores = _score_cards(seen, [(move.card, move.power) for move in actions], rng)
    return [score + _aside(seen, move) for score, move in zip(scores, actions, strict=True)]


def _aside(seen: Observation, move: Move) -> float:
    """What a card does besides winning: a bad row is gladly passed on or dealt again, a good one kept."""
    power = move.power or TABLES[seen.level].powers[move.card]
    if power not in _ASIDE:
        return 0.0
    rest = [card for card in _own(seen) if card != move.card]
    lack = sum(1 / seen.seats - _card_worth(seen, card, later=True) for card in rest)
    fresh, each = _ASIDE[power]
    return fresh * lack + each * len(rest)


def _announce(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    card = seen.pending.card if seen.pending else 0
    return _score_cards(seen, [(card, move.power) for move in actions], rng)


def _flip(_seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Nobody knows the own cards."""
    return [0.0] * len(actions)


def _at(seen: Observation, seat: int, slot: int) -> float:
    """What the card in this slot is worth; a hidden one as much as an average card."""
    card = seen.rows[seat][slot]
    return 1 / seen.seats if card == HIDDEN else _card_worth(seen, card)


def _ahead(seen: Observation, seat: int) -> float:
    """A small preference for troubling whoever is ahead, and who has yet to play in this hand."""
    return 0.01 * seen.points[seat] + (0.05 if seat in seen.to_play else 0.0)


def _aim(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """At the best card in sight, never at one that no Laser harms."""
    immune = TABLES[seen.level].immune_to_laser
    return [
        -1.0
        if seen.rows[move.seat][move.slot] in immune
        else _at(seen, move.seat, move.slot) + _ahead(seen, move.seat)
        for move in actions
    ]


def _look(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Where nothing is known yet."""
    return [(seen.rows[move.seat][move.slot] == HIDDEN) + _ahead(seen, move.seat) for move in actions]


def _own(seen: Observation) -> list[int]:
    return [card for card in seen.rows[seen.viewer or 0] if card]


def _trade(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    """Trade if the two best cards of somebody promise more than the two worst of one's own."""
    average = 1 / seen.seats
    own = sorted(average if card == HIDDEN else _card_worth(seen, card) for card in _own(seen))
    price = sum(own[:2]) + 0.02
    return [
        price
        if move.seat < 0
        else sum(
            sorted((_at(seen, move.seat, slot) for slot, c in enumerate(seen.rows[move.seat]) if c))[-2:]
        )
        + 0.1 * _ahead(seen, move.seat)
        for move in actions
    ]


def _give(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    viewer = seen.viewer or 0
    return [
        -(_card_worth(seen, move.card) if move.card else _at(seen, viewer, move.slot)) for move in actions
    ]


def _take(seen: Observation, actions: Sequence[Move], _rng: random.Random) -> list[float]:
    target = seen.pending.target if seen.pending else 0
    return [_at(seen, target, move.slot) for move in actions]


def _seal(seen: Observation, actions: Sequence[Move], rng: random.Random) -> list[float]:
    """What must come early comes early, the rest in an order that nobody can read; best announcements."""
    table = TABLES[seen.level]
    chance = worth(seen.level, seen.seats)
    luck = {move.card: rng.random() for move in actions}
    return [
        2.0 * (move.card in table.late_is_dead)
        + _EARLY.get(table.powers[move.card], 0.0)
        + luck[move.card]
        + 0.001 * chance[move.card, move.power]
        for move in actions
    ]


_ASIDE = {
    "redeal": (1.0, 0.0),
    "pass_left": (1.0, 0.0),
    "trade_two": (0.3, 0.03),
    "plus_5": (0.0, 0.03),
    "laser": (0.0, 0.01),
    "face_down": (0.0, -0.05),
}
"""By power: the share of the row that is made fresh, and what it brings for each card still held."""

_EARLY = {"plus_5": 1.5, "laser": 0.6, "trade_two": 0.6}
_SCORERS: Mapping[str, Callable[[Observation, Sequence[Move], random.Random], list[float]]] = {
    "play": _play,
    "announce": _announce,
    "flip": _flip,
    "aim": _aim,
    "reveal": _look,
    "peek": _look,
    "trade": _trade,
    "keep": _trade,
    "give": _give,
    "take": _take,
    "seal": _seal,
}
