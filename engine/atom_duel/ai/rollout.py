"""The rest of a round, played out quickly in worlds that fit what a seat knows.

Whoever comes last plays the cheapest card that wins, or throws the cheapest; that is what people do, and it
tells something about the cards that a player kept. Powers that move cards are left out, but for the Laser.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import exp, sqrt
from typing import Final, NamedTuple, TypeAlias

from engine.atom_duel.ai.worth import Way, best, lay, worth
from engine.atom_duel.cards import CARDS, TABLES
from engine.atom_duel.evaluate import Played
from engine.atom_duel.observation import HIDDEN, Observation
from engine.atom_duel.sample import played
from engine.atom_duel.winning import winner

Rows: TypeAlias = list[list[Played]]
"""By seat: the cards held, the cheapest first."""

Value: TypeAlias = Callable[[Sequence[int]], float]
"""From the hands that each seat wins in the rest of this round to the chance to win the game."""


class RolloutBudget(NamedTuple):
    """The work spent on a decision: rounds of (worlds, number of best moves), and how far each is played."""

    race: tuple[tuple[int, int], ...]
    whole: bool
    """To the end of the round; otherwise to that of the hand, and beyond it the worth of the cards counts."""


_FEW: Final = RolloutBudget(((30, 99), (40, 3), (60, 2)), whole=True)
"""With two players, and with three at most levels."""
_THREE: Final = RolloutBudget(((20, 99), (25, 3), (35, 2)), whole=True)
"""With three at the levels of `_SLOWEST`."""
_MANY: Final = RolloutBudget(((50, 99), (50, 3)), whole=False)
"""With more."""
_USUAL: Final = 5
"""Cards of a usual hand."""
_COSTLY: Final = 6
"""From this level on a hand takes about twice as long to judge, since there are more powers."""
_SLOWEST: Final = (5, 6)
"""The levels at which a decision with three took 11 to 15 milliseconds in the median."""
_MOST: Final = 9_600
"""So many cards are laid in worlds for one decision, half of them at costly levels: many cards, players and
announcements would take more than the time that a steady opponent has."""
_THRIFT: Final = 0.03
"""What the best card would have to gain over the worst: a doubt is for the cheaper one."""
_PRICE: Final = 1.15
"""How much of a card's worth is the price of playing it, for whoever plays neither first nor last."""
_WIDTH: Final = 0.9
"""How far the points of hands to come are apart, for each of the square root of their number."""


@lru_cache(maxsize=32)
def announced(level: int, seats: int) -> tuple[str, ...]:
    """By card: the announcement with which it wins most often."""
    chance = worth(level, seats)
    choices = TABLES[level].choices
    return (
        "",
        *(max(choices[card] or ("",), key=lambda power, card=card: chance[card, power]) for card in CARDS),  # type: ignore[misc]
    )


@lru_cache(maxsize=32)
def prices(level: int, seats: int) -> tuple[float, ...]:
    """By card: what it is worth with its best announcement, after the first hand of a round."""
    chance, powers, late = worth(level, seats), announced(level, seats), TABLES[level].late_is_dead
    return (0.0, *(0.0 if card in late else chance[card, powers[card]] for card in CARDS))


@lru_cache(maxsize=32)
def offers(level: int, seats: int) -> tuple[tuple[float, ...], ...]:
    """By players still to come, then card: the chance that it holds against them, less its price."""
    return tuple(
        tuple(price ** (after / (seats - 1)) - _PRICE * price for price in prices(level, seats))
        for after in range(seats)
    )


def pick(
    row: Sequence[Played], plays: Sequence[Played], kinds: int, coming: int, bids: Sequence[Sequence[float]]
) -> int:
    """The place of the card with which somebody goes for the hand, or of the cheapest, which comes first.

    `kinds` are the bits of what lies there, `coming` the players after this one, `bids` are `offers`.
    """
    if not coming:
        index = len(plays)
        for at, play in enumerate(row):
            if winner([*plays, play], kinds | play[3], len(bids))[0] == index:
                return at
        return 0
    index, most, top, offer = 0, 0.0, max(plays), bids[coming]
    for at, play in enumerate(row):
        if play > top and offer[play[1]] > most:
            index, most = at, offer[play[1]]
    return index


def outlooks(seen: Observation, ways: Sequence[Way], rng: random.Random) -> list[float]:
    """Return the chance to win the game for each card and announcement, if it is played now."""
    budget = _budget(seen)
    value, deal = prospect(seen), dealer(seen, rng)
    viewer = -1 if seen.viewer is None else seen.viewer
    table, level, seats = seen.table, seen.level, seen.seats
    first = [lay(table, viewer, *way, first_hand=seen.hand == 1, zinc=viewer in seen.zinc) for way in ways]
    before = [played(play, table) for play in seen.plays]
    after = [seat for seat in seen.to_play if seat != viewer]
    sums = [0.0] * len(ways)
    shares = [0.0] * len(ways)
    racing = list(range(len(ways)))
    known = offers(level, seats)
    thrift = _THRIFT if budget.whole else _PRICE * stake(value, viewer, seats)
    costs = [thrift * prices(level, seats)[card] for card, _ in ways]
    tries = 0
    part = _part(seen, budget, len(ways))
    for worlds, left in budget.race:
        number = round(worlds * part)
        racing = sorted(racing, key=lambda index: -shares[index])[:left]
        for _ in range(number):
            world = deal()
            for index in racing:
                rows = [row.copy() for row in world]
                own = first[index]
                rows[viewer] = [play for play in rows[viewer] if play[1] != own[1]]
                if budget.whole:
                    gains = _round(rows, [*before, own], after, known, rng.random)
                else:
                    gains = [0] * seats
                    gains[_hand(rows, [*before, own], after, known, rng.random)] = 1
                sums[index] += value(gains)
        tries += number
        for index in racing:
            shares[index] = sums[index] / tries - costs[index]
        # who dropped out does not come back by the luck of few worlds
        limit = max(shares[index] for index in racing)
        shares = [share if index in racing else min(share, limit) for index, share in enumerate(shares)]
    if not after:
        for index, own in enumerate(first):
            if _wins_the_game(seen, before, own):
                # above whatever wins the game in the worlds that were tried alone
                shares[index] = 1 + thrift - costs[index]
    return shares


def _wins_the_game(seen: Observation, before: Sequence[Played], own: Played) -> bool:
    """Whether the last card of a hand wins it and with it the game, however the hands left may go."""
    plays = [*before, own]
    if seen.round < seen.rounds or plays[best(plays, seen.seats)] is not own:
        return False
    left = sorted(seen.counts)[-2]  # a hand needs two who hold cards
    most = max(points for seat, points in enumerate(seen.points) if seat != own[2])
    return seen.points[own[2]] + 1 > most + left


def _budget(seen: Observation) -> RolloutBudget:
    if seen.seats > 3:
        return _MANY
    return _THREE if seen.seats == 3 and seen.level in _SLOWEST else _FEW


def _part(seen: Observation, budget: RolloutBudget, ways: int) -> float:
    """Return the share of the budget there is time for."""
    held = max(seen.counts)
    # in a longer row there are more cards to choose from
    cards = (sum(seen.counts) if budget.whole else 2 * held) * max(1.0, held / _USUAL)
    laid = cards * sum(worlds * min(left, ways) for worlds, left in budget.race)
    most = _MOST // 2 if seen.level >= _COSTLY else _MOST
    return 1.0 if laid <= most else most / laid


def stake(value: Value, viewer: int, seats: int) -> float:
    """How much likelier it is to win the game if the viewer wins a hand than if somebody else does."""
    wins = [value([int(seat == one) for seat in range(seats)]) for one in range(seats)]
    return wins[viewer] - (sum(wins) - wins[viewer]) / (seats - 1)


def prospect(seen: Observation) -> Value:
    """From the hands won in the rest of this round to the chance to win the game."""
    viewer = seen.viewer or 0
    points, seats = seen.points, seen.seats
    width = 0.25 + _WIDTH * sqrt(seen.hand_size * (seen.rounds - seen.round)) / 2

    def value(gains: Sequence[int]) -> float:
        own = points[viewer] + gains[viewer]
        chance = 1.0
        for seat in range(seats):
            if seat != viewer:
                chance /= 1 + exp((points[seat] + gains[seat] - own) / width)
        return chance

    return value


def dealer(seen: Observation, rng: random.Random) -> Callable[[], Rows]:
    """A function that makes up the rows, each with its cheapest card first; it guesses at what was kept."""
    table, level, seats = seen.table, seen.level, seen.seats
    powers, price = announced(level, seats), prices(level, seats)
    shown = {card for row in seen.rows for card in row}
    unseen = [card for card in CARDS if card not in shown and card not in seen.gone]
    zinc = [seat in seen.zinc for seat in range(seats)]
    known = [[card for card in row if card > 0] for row in seen.rows]
    hidden = [row.count(HIDDEN) for row in seen.rows]
    pools = [kept(seen, seat, unseen) if hidden[seat] else unseen for seat in range(seats)]

    def draw(seat: int, taken: set[int]) -> list[int]:
        cards = known[seat].copy()
        pool = pools[seat]
        tries = 0
        while len(cards) < len(known[seat]) + hidden[seat]:
            tries += 1
            card = (pool if tries < 40 else unseen)[int(rng.random() * len(pool if tries < 40 else unseen))]
            if card not in taken and card not in cards:
                cards.append(card)
        return cards

    def deal() -> Rows:
        taken: set[int] = set()
        world = []
        for seat in range(seats):
            cards = draw(seat, taken)
            taken.update(cards)
            cards.sort(key=price.__getitem__)
            world.append(
                [lay(table, seat, card, powers[card], first_hand=False, zinc=zinc[seat]) for card in cards]
            )
        return world

    return deal


def kept(seen: Observation, seat: int, unseen: list[int]) -> list[int]:
    """The cards that a player may have kept: not those that would have done better in the last hand.

    That goes for whoever came last and saw what lay there. Few players throw a winner away.
    """
    last = seen.last_hand
    if last is None or last.round != seen.round or seat == seen.viewer or last.plays[-1].seat != seat:
        return unseen
    table = seen.table
    plays = [played(play, table) for play in last.plays]
    powers, price = announced(seen.level, seen.seats), prices(seen.level, seen.seats)
    thrown = plays[-1][1]
    won = last.winner == seat
    fit = []
    for card in unseen:
        cheaper = price[card] < price[thrown]
        if won and not cheaper:
            fit.append(card)
            continue
        plays[-1] = lay(table, seat, card, powers[card], first_hand=last.hand == 1)
        wins = plays[best(plays, seen.seats)][2] == seat
        if not wins and (won or not cheaper):
            fit.append(card)
    return fit if len(fit) > 2 * seen.counts[seat] else unseen


def round_of(rows: Rows, leader: int, level: int, rng: random.Random) -> list[int]:
    """Play a round from these rows; by seat, the hands that it wins."""
    seats = len(rows)
    order = [*range(leader, seats), *range(leader)]
    return _round(rows, [], order, offers(level, seats), rng.random)


def _round(
    rows: list[list[Played]],
    plays: list[Played],
    order: Sequence[int],
    bids: Sequence[Sequence[float]],
    chance: Callable[[], float],
) -> list[int]:
    """Play this hand and all others of the round; by seat, the hands that it wins."""
    seats = len(rows)
    gains = [0] * seats
    while True:
        leader = _hand(rows, plays, order, bids, chance)
        gains[leader] += 1
        if sum(1 for row in rows if row) < 2:
            return gains
        order = [*range(leader, seats), *range(leader)]
        plays = []


def _hand(
    rows: list[list[Played]],
    plays: list[Played],
    order: Sequence[int],
    bids: Sequence[Sequence[float]],
    chance: Callable[[], float],
) -> int:
    """Play this hand to its end; who wins it."""
    seats = len(rows)
    if plays and plays[-1][4] == "laser":
        _laser(rows, plays[-1][2], chance)
    ahead = [seat for seat in order if rows[seat]]
    kinds = 0
    for play in plays:
        kinds |= play[3]
    while ahead:
        seat = ahead.pop(0)
        row = rows[seat]
        play = row.pop(pick(row, plays, kinds, len(ahead), bids) if plays else int(chance() * len(row)))
        plays.append(play)
        kinds |= play[3]
        if play[4] == "laser":
            _laser(rows, seat, chance)
            ahead = [seat for seat in ahead if rows[seat]]
    return plays[winner(plays, kinds, seats)[0]][2]


def _laser(rows: list[list[Played]], seat: int, chance: Callable[[], float]) -> None:
    """Take any card of anybody else."""
    targets = [row for other, row in enumerate(rows) if row and other != seat]
    if targets:
        row = targets[int(chance() * len(targets))]
        row.pop(int(chance() * len(row)))
