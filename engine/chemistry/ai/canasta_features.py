"""Numeric inputs for `canasta_network`: the situation and each move of a two-player Canasta decision.

Everything is computed from an observation. The opponent's hidden cards are modelled as independent draws from
the unseen cards. Numbers are scaled to be around 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from engine.chemistry.ai.heuristic import MoveScorer
from engine.chemistry.ai.judge import closing
from engine.chemistry.ai.rollout import lacks
from engine.chemistry.ai.run_odds import STEP, held_of, near
from engine.chemistry.deck import BASIC, KINDS, NEEDS, SIZES, WILD, compounds
from engine.chemistry.moves import PILE, RUN, Move
from engine.chemistry.observation import (
    AFTER,
    DRAW,
    GAIN,
    HAND,
    LAY,
    SECOND,
    TAKE,
    Observation,
    parts,
)
from engine.chemistry.observation import RUN as TABLED
from engine.chemistry.scoring import COMPOUND, ELEMENT_LEFT, RUN_CARD, WILD_LEFT, cost_of

SITUATION: Final = 69
"""Length of `Known.situation`."""
PLAY: Final = 50
"""Length of `Known.described`."""
_COMMON: Final = 0.95
"""Upper limit on the fraction of unseen cards that one kind may make up."""
_MOST: Final = 7
"""Most cards of a kind that are counted apart; more count the same."""
_FEW: Final = 3
_NONE: Final = (0.0,) * 7
"""The numbers for the top of an empty pile."""
_CAPTURED, _RAN, _LAID = 1, 2, 3
"""Result of a turn: a capture, a run, or only a discard."""
_DRAW_STOCK, _DRAW_PILE, _CAPTURE, _RUN, _CLAIM, _DISCARD, _END = range(7)
_KINDS_OF_MOVE: Final = {"capture": _CAPTURE, "run": _RUN, "claim": _CLAIM, "discard": _DISCARD, "end": _END}
_USES: Final = tuple(frozenset(z for z, _ in needs) for needs in NEEDS)

Row = tuple[int, ...]


class Known:
    """A seat's knowledge before a decision."""

    def __init__(self, seen: Observation, scorer: MoveScorer) -> None:
        self.seen, self.scorer = seen, scorer
        self.viewer = seen.viewer or 0
        self.other = 1 - self.viewer
        known = seen.known[self.other]
        self.known = [known.count(kind) for kind in range(KINDS)]
        self.hidden = seen.sizes[self.other] - len(known)
        self.covered = sorted(set(compounds(seen.decks)).difference(seen.turned))
        self.passed, self.last = _story(seen, self.other)
        self._holds: dict[int, list[float]] = {}
        self.likely = [self._captures(compound, None) for compound in seen.row]
        unseen, total = scorer.unseen, scorer.total
        mean = 1 + (ELEMENT_LEFT - WILD_LEFT) * unseen[WILD] / total if total else 1.7
        cost = len(known) + (ELEMENT_LEFT - WILD_LEFT) * self.known[WILD] + self.hidden * mean
        self.made = [
            COMPOUND * len(captured) + RUN * RUN_CARD * len(runs)
            for captured, runs in zip(seen.captured, seen.runs, strict=True)
        ]
        totals = [total + made for total, made in zip(seen.totals, self.made, strict=True)]
        self.mine, self.theirs = totals[self.viewer], totals[self.other] - cost

    # the opponent's possible cards

    def holds(self, kind: int) -> list[float]:
        """Return the probabilities that the opponent holds at least 0, 1, 2, ... cards of a kind."""
        found = self._holds.get(kind)
        if found is None:
            had, hidden = self.known[kind], self.hidden
            share = min(_COMMON, self.scorer.unseen[kind] / max(1, self.scorer.total))
            chance, tail = (1 - share) ** hidden, 1.0
            found = [1.0] * had
            for drawn in range(_MOST - had):
                found.append(tail)
                tail = max(0.0, tail - chance)
                chance *= max(0, hidden - drawn) / (drawn + 1) * share / (1 - share)
            self._holds[kind] = found
        return found

    def _captures(self, compound: int, top: int | None) -> float:
        """Return the probability that the opponent could capture a compound with at most one wild.

        `top` is the card they take from the pile, if any.
        """
        exact, less = list[float](), list[float]()
        for z, n in NEEDS[compound]:
            chances, need = self.holds(z), n - (z == top)
            exact.append(chances[need])
            less.append(chances[max(0, need - 1)] - chances[need])
        whole = _product(exact)
        one = 0.0
        for place, more in enumerate(less):
            if more:
                one += more * _product(exact[:place]) * _product(exact[place + 1 :])
        return min(1.0, whole + one * (1.0 if top == WILD else self.holds(WILD)[1]))

    def _runs(self, card: int) -> float:
        """Return the probability that the opponent could lay a run with this card."""
        if card == WILD:
            return 1.0
        a, b, c, d = (
            self.holds(z)[1] if z in BASIC else 0.0 for z in (card - 2, card - 1, card + 1, card + 2)
        )
        without = (1 - a * b) * (1 - b * c) * (1 - c * d)
        by_wild = self.holds(WILD)[1] * (1 - (1 - a) * (1 - b) * (1 - c) * (1 - d))
        return 1 - without * (1 - by_wild)

    def _top(self, card: int | None, row: Row, likely: Sequence[float]) -> Sequence[float]:
        """Return the value of the top of the discard pile to the opponent."""
        if card is None:
            return _NONE
        use, best, more = 0, 0.0, 0.0
        for compound, before in zip(row, likely, strict=True):
            if card == WILD or card in _USES[compound]:
                use += 1
                chance = self._captures(compound, card)
                best = max(best, chance)
                more += chance - before
        wanted = 0.0 if card == WILD else use / 3
        return (card == WILD, wanted, best, more, self._runs(card), card in self.passed, card / BASIC[-1])

    # a hand

    def _hand(self, hand: bytearray, row: Row, short: Sequence[int]) -> list[float]:
        """Return the numbers of a hand; `short` is what it lacks for each open compound."""
        scorer, covered = self.scorer, self.covered
        cards, wilds = sum(hand), hand[WILD]
        kinds = KINDS - hand.count(0) - (wilds > 0)
        ready = short.count(0)
        one, two = scorer.chances(hand, row)
        one_run, two_runs = scorer.run_chances(hand)
        held = held_of(hand)
        can_run = near(held, wilds)[0]
        beyond, each = lacks(covered, hand), 3 / max(1, len(covered))
        return [
            cards / 10,
            wilds / 2,
            ready > 0,
            (ready - 1) / 2 if ready else 0.0,
            short.count(1) / 3,
            short.count(2) / 3,
            two,
            two_runs,
            can_run,
            (held & held >> STEP).bit_count() / 3,
            (held & held >> 2 * STEP).bit_count() / 3,
            beyond.count(0) * each,
            beyond.count(1) * each,
            beyond.count(2) * each,
            kinds / 10,
            ready > 0 and can_run,
            (cards - wilds - kinds) / 5,
            ready > 0 and wilds > 0,
            one,
            one_run,
            two * two_runs,
            not wilds,
            cards <= _FEW,
            not cards,
        ]

    def _ended(self, gained: int, hand: bytearray) -> float:
        """Return the expected share of the match if the round ended with this gain and this hand."""
        seen, totals = self.seen, [0.0, 0.0]
        totals[self.viewer], totals[self.other] = self.mine + gained - cost_of(hand), self.theirs
        return closing(
            totals, self.viewer, played=seen.round, rounds=seen.rounds, dealer=seen.dealer, canasta=True
        )

    # the decision

    def situation(self) -> list[float]:
        """Return the numbers of the situation: time, points, opponent, pile, own hand, table."""
        seen, scorer, me, other = self.seen, self.scorer, self.viewer, self.other
        stock, made, totals = seen.stock, self.made, seen.totals
        sizes = [SIZES[compound] for compound in seen.row]
        wilds = [
            start + step
            for runs in seen.runs
            for start, cards in runs
            for step, card in enumerate(cards)
            if card == WILD
        ]
        return [
            stock / 99,
            min(stock, 4) / 4,
            min(stock, 12) / 12,
            min(stock, 30) / 30,
            made[me] / 100,
            made[other] / 100,
            (made[me] - made[other]) / 60,
            totals[me] / 250,
            totals[other] / 250,
            (totals[me] - totals[other]) / 250,
            min(seen.round, 5) / 5,
            self._ended(0, scorer.hand),
            seen.sizes[other] / 10,
            len(seen.known[other]) / 3,
            self.known[WILD],
            self.hidden / 10,
            self.holds(WILD)[1],
            *[self.last == what for what in (_CAPTURED, _RAN, _LAID)],
            len(self.covered) / 48,
            *[seen.phase == phase for phase in range(SECOND, AFTER + 1)],
            *self._top(seen.discard[-1] if seen.discard else None, seen.row, self.likely),
            *self._hand(scorer.hand, seen.row, lacks(seen.row, scorer.hand)),
            sum(self.likely),
            max(self.likely, default=0.0),
            len(wilds) / 3,
            sum(scorer.hand[number] > 0 for number in wilds),
            sum(self.holds(number)[1] for number in wilds),
            sum(size <= 2 for size in sizes) / 6,
            sizes.count(3) / 6,
            sum(size > 3 for size in sizes) / 6,
            4 * scorer.unseen[WILD] / max(1, scorer.total),
            len(seen.runs[me]) / 3,
            len(seen.runs[other]) / 3,
            len(seen.captured[me]) / 4,
            len(seen.captured[other]) / 4,
        ]

    def described(self, move: Move, worth: float, best: float) -> list[float]:
        """Return the numbers of a move: its effect, and how far its Steady score trails the best one."""
        seen, hand, row, likely = self.seen, self.scorer.hand.copy(), self.seen.row, self.likely
        verb, what, cards = move.verb, move.what, move.cards
        top = seen.discard[-1] if seen.discard else None
        kind = _KINDS_OF_MOVE.get(verb, _DRAW_STOCK)
        gained, again, claimed = 0, False, 0.0
        for card in cards:
            hand[card] -= 1
        if verb == "draw":
            if what == PILE:
                kind = _DRAW_PILE
                hand[seen.discard[-1]] += 1
                top = seen.discard[-2] if len(seen.discard) > 1 else None
        elif verb == "capture":
            gained, top = COMPOUND, cards[-1]
            place = row.index(what)
            row, likely = (*row[:place], *row[place + 1 :]), [*likely[:place], *likely[place + 1 :]]
        elif verb == "run":
            gained = RUN * RUN_CARD
            claimed = sum(self.holds(what + step)[1] for step, card in enumerate(cards) if card == WILD)
        elif verb == "claim":
            hand[what] -= 1
            hand[WILD] += 1
        elif verb == "discard":
            hand[what] -= 1
            top, again = what, hand[what] > 0
        ends = self._ends(kind, sum(hand), row)
        short = lacks(row, hand)
        chances = likely
        if top is not None:
            chances = [
                self._captures(compound, top) if top == WILD or top in _USES[compound] else chance
                for compound, chance in zip(row, likely, strict=True)
            ]
        return [
            *self._hand(hand, row, short),
            *self._top(top, row, likely),
            sum(chances),
            max(chances, default=0.0),
            sum(chance for chance, lacking in zip(chances, short, strict=True) if lacking == 0),
            sum(chance for chance, lacking in zip(chances, short, strict=True) if lacking == 1),
            *[kind == one for one in range(7)],
            cards.count(WILD) / 2,
            (len(cards) + (verb == "discard")) / 6,
            max(-2.0, (worth - best) / 10),
            gained / 30,
            ends,
            self._ended(gained, hand) if ends else 0.0,
            again,
            claimed,
        ]

    def _ends(self, kind: int, left: int, row: Row) -> bool:
        """Return whether this kind of move ends the round if it leaves `left` cards in hand."""
        if kind in (_CAPTURE, _RUN, _DISCARD) and not left:
            return True
        if kind == _CAPTURE and not row and not self.seen.stack:
            return True
        if self.seen.stock:
            return False
        pauses = left == 1 or any(WILD in cards for runs in self.seen.runs for _, cards in runs)
        return kind in (_DISCARD, _END) or (kind == _CAPTURE and not pauses)


def _product(chances: Sequence[float]) -> float:
    found = 1.0
    for chance in chances:
        found *= chance
    return found


def _story(seen: Observation, seat: int) -> tuple[set[int], int]:
    """Return the kinds a seat passed over on the pile, and the result of its last turn (0 if none)."""
    passed, last = set[int](), 0
    pile = [seen.orders[0][seen.seats * HAND]]
    for actor, turn in groupby(map(parts, seen.log), key=lambda one: one[1]):
        draws = laid = tabled = 0
        for op, _, card in turn:
            if op == DRAW:
                draws += 1
                if draws > 1 and actor == seat:
                    passed.add(pile[-1])
            elif op == TAKE:
                pile.pop()
            elif op == LAY:
                pile.append(card)
                laid += 1
            elif op in (TABLED, GAIN):
                tabled += 1 if op == TABLED else -1
        if actor == seat:
            last = _CAPTURED if laid > 1 else _RAN if tabled else _LAID
    return passed, last
