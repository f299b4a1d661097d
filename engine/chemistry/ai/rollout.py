"""Fast rollouts of one round: the state that a search plays in, and a cheap policy for all seats.

The policy follows the heuristic without its probabilities: capture or run at once, keep what the open
compounds need, discard what they do not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import compress, groupby, pairwise
from operator import itemgetter
from typing import Any

from typing_extensions import override

from engine.chemistry import worlds
from engine.chemistry.deck import KINDS, NEEDS, SIZES, WILD
from engine.chemistry.moves import DISCARDS, DRAWS, END, PILE, STOCK, Move, captures, claim, lack, runs
from engine.chemistry.observation import (
    AFTER,
    FIRST,
    GAIN,
    LAY,
    OVER,
    PLAY,
    RUN,
    SECOND,
    SHUFFLE,
    Observation,
    parts,
)
from engine.chemistry.state import CollectState
from engine.game import Seat

_WORTH = (5.0, 5.0, 3.0, 1.2, 0.5, 0.2, *[0.1] * max(SIZES))
"""Value of a card for a compound that uses it, by how many cards the hand still lacks for that compound."""
_WILD_WORTH = 4.0
_WANTED = 0.2
"""Value of a card to the next player, per open compound that uses it."""
_BESIDE, _APART = 2.0, 1.2
"""Value of a card with the next number in hand, and with the one after that."""
_ANOTHER_RUN = 6.0
_REACH = 2
"""Cards drawn per turn: a compound that lacks more cannot be captured this turn."""
_ATTEMPTS = 6
"""Most positions drawn in search of one that explains why the other seats made no play."""


class _Lacks(dict[tuple[int, ...], int]):
    """Cards a capture still lacks, by how many of each of its elements and how many wilds a hand has."""

    def __init__(self, compound: int) -> None:
        super().__init__()
        self.compound = compound
        self.kinds = (*(z for z, _ in NEEDS[compound]), WILD)

    def __missing__(self, held: tuple[int, ...]) -> int:
        hand = bytearray(KINDS)
        for kind, count in zip(self.kinds, held, strict=True):
            hand[kind] = count
        found = self[held] = lack(self.compound, hand)
        return found


_LACKS = tuple((itemgetter(*table.kinds), table) for table in map(_Lacks, range(len(NEEDS))))
"""For each compound, a getter of the relevant counts of a hand and a table of what such a hand lacks."""
_USED = tuple(frozenset(z for z, _ in needs) for needs in NEEDS)
_KINDS = tuple(range(KINDS))
_ONES = int.from_bytes(b"\x7f" * KINDS, "little")
_HIGH = int.from_bytes(b"\x80" * KINDS, "little")


def lacks(row: Sequence[int], hand: bytearray) -> list[int]:
    """Return how many cards a hand lacks for each compound of the row, as `moves.lack` counts them."""
    return [table[relevant(hand)] for relevant, table in map(_LACKS.__getitem__, row)]


def can_run(hand: bytearray) -> bool:
    """Return whether a hand can lay any run."""
    flags = (int.from_bytes(hand, "little") + _ONES & _HIGH) >> 7 & ~1
    wilds = hand[WILD]
    beside = flags & flags >> 8
    if wilds:
        return bool(beside or flags & flags >> 16 or (wilds > 1 and flags))
    return bool(beside & flags >> 16)


class Round(CollectState):
    """A sampled position in which the game ends with the running round."""

    __slots__ = ()

    @override
    def deal_round(self) -> None:
        """Leave the cards as the end of the round left them."""

    def play_on(self, rng: random.Random, turns: int | None = None) -> None:
        """Play all seats by the policy for this many more turns, or until the round is over.

        Simple turns are played in one step.
        """
        while self.phase != OVER:
            if self.phase == FIRST:
                if turns is not None:
                    if not turns:
                        break
                    turns -= 1
                if len(self.order) - self.at >= _REACH and self.discard:
                    self._take_turn()
                    continue
            self.push(self.turn, policy(self, self.turn, rng))

    def _take_turn(self) -> None:
        """Draw two cards and play as `policy` would, without recording the draws in the history."""
        seat, row = self.turn, self.row
        hand = self.hands[seat]
        hand[self.order[self.at]] += 1
        self.at += 1
        self.sizes[seat] += _REACH
        if _wanted(self, hand):
            hand[self.discard.pop()] += 1
        else:
            hand[self.order[self.at]] += 1
            self.at += 1
        self.phase = PLAY
        short = lacks(row, hand)
        if self.canasta or 0 in short:
            self.push(seat, _play(self, hand, short))
        else:
            self._discard(seat, _least(self, hand, short))


Idle = tuple[Seat, int, tuple[int, ...]]
"""A seat whose last turn made no play, the card it discarded, and the compounds that were open to it."""


def sampler(seen: Observation) -> Callable[[random.Random], CollectState]:
    """Return a function that samples the running round, preferring positions in which no seat missed a play.

    Players capture and lay runs as soon as they can, so a seat that only discarded had neither.
    """
    draw = worlds.sampler(seen, Round)
    silent = idle(seen)
    if not silent:
        return draw

    def likely(rng: random.Random) -> CollectState:
        for _ in range(_ATTEMPTS):
            world = draw(rng)
            if not any(_was_able(world, *one) for one in silent):
                break
        return world

    return likely


def idle(seen: Observation) -> list[Idle]:
    """Return the other seats whose last turn ended without a capture or a run.

    Of the compounds that were open to each, only those still open are listed.
    """
    story = [parts(one) for one in seen.log]
    turns = groupby((one for one in story if one[0] != SHUFFLE), key=lambda one: one[1])
    found = []
    looked: set[Seat] = set()
    later = 0
    for seat, what in reversed([(seat, list(group)) for seat, group in turns]):
        ops = [op for op, _, _ in what]
        laid = [card for op, _, card in what if op == LAY]
        # a claim is logged as a card put on the table and a wild card taken
        ran = ops.count(RUN) - ops.count(GAIN)
        if seat not in looked and seat != seen.viewer and len(laid) == 1 and not ran:
            fresh = seen.turned[len(seen.turned) - later :]
            found.append((seat, laid[0], tuple(one for one in seen.row if one not in fresh)))
        looked.add(seat)
        later += len(laid) > 1
    return found


def _was_able(world: CollectState, seat: Seat, card: int, row: Sequence[int]) -> bool:
    """Return whether a seat could have captured or laid a run when it discarded this card."""
    hand = _with(world.hands[seat], card)
    return 0 in lacks(row, hand) or (world.canasta and can_run(hand))


def policy(state: Any, seat: Seat, _rng: random.Random) -> Move:
    """Return the move a seat makes in a rollout."""
    phase, hand = state.phase, state.hands[seat]
    if phase == FIRST:
        return DRAWS[STOCK]
    if phase == SECOND:
        return DRAWS[PILE if _wanted(state, hand) else STOCK]
    if phase == AFTER:
        return END
    short = lacks(state.row, hand)
    return _play(state, hand, short) if phase == PLAY else DISCARDS[_least(state, hand, short)]


def _play(state: CollectState, hand: bytearray, short: Sequence[int]) -> Move:
    """Return a run or capture if possible, else a claim that makes one possible, else a discard."""
    if state.canasta and can_run(hand):
        found = runs(hand)
        return found[0] if len(found) == 1 else _best(found, state.row, hand)
    if 0 in short:
        # the first way to capture a compound takes the fewest wild cards
        open_ = [one for one, lacking in zip(state.row, short, strict=True) if not lacking]
        ways = [captures((one,), hand)[0] for one in open_]
        return ways[0] if len(ways) == 1 else _best(ways, state.row, hand)
    if state.wilds and (move := _claimed(state, hand)):
        return move
    return DISCARDS[_least(state, hand, short)]


def _with(hand: bytearray, card: int) -> bytearray:
    more = hand.copy()
    more[card] += 1
    return more


def _wanted(state: CollectState, hand: bytearray) -> bool:
    """Return whether the top of the discard pile is better than an unknown card."""
    top = state.discard[-1]
    if top == WILD:
        return True
    more = _with(hand, top)
    for compound in state.row:
        if top in _USED[compound]:
            relevant, table = _LACKS[compound]
            before = table[relevant(hand)]
            if 0 < before <= _REACH and table[relevant(more)] < before:
                return True
    return state.canasta and can_run(more) and not can_run(hand)


def _best(ways: Sequence[Move], row: Sequence[int], hand: bytearray) -> Move:
    """Return the play that uses few wild cards and leaves the most useful hand."""
    best, chosen = float("-inf"), ways[0]
    for way in ways:
        left = hand.copy()
        for card in way.cards:
            left[card] -= 1
        score = _WILD_WORTH * left[WILD]
        rest = row if way.verb == "run" else [compound for compound in row if compound != way.what]
        score += sum(map(_WORTH.__getitem__, lacks(rest, left)))
        if way.verb == "run" and can_run(left):
            score += _ANOTHER_RUN
        if score > best:
            best, chosen = score, way
    return chosen


def _claimed(state: CollectState, hand: bytearray) -> Move | None:
    """Return a claim that makes a play possible, or None."""
    for number, owner, place in state.wilds:
        if hand[number]:
            after = _with(hand, WILD)
            after[number] -= 1
            if can_run(after) or 0 in lacks(state.row, after):
                return claim(number, owner, place)
    return None


def _least(state: CollectState, hand: bytearray, short: Sequence[int]) -> int:
    """Return the least useful card of a hand."""
    held = [kind for kind in compress(_KINDS, hand) if kind]
    if not held:
        return WILD
    use = [0.0] * KINDS
    for compound, lacking in zip(state.row, short, strict=True):
        worth = _WORTH[lacking]
        for z, n in NEEDS[compound]:
            use[z] += worth + _WANTED if hand[z] <= n else _WANTED
    if state.canasta:
        for one, other in pairwise(held):
            if other - one <= _REACH:
                worth = _BESIDE if other - one == 1 else _APART
                for z in (one, other):
                    if hand[z] == 1:
                        use[z] += worth
    return min(held, key=use.__getitem__)
