"""Many worlds of one observation: what `sample` reads of it for each world is read once.

The cards laid are given to hidden draws in the order of time, with the chances of `filling`; everything else
lies at random. As long as each of them finds a draw, nothing can be wrong, so the books for repairs are not
kept; where one finds none, the world is left to `filling`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby

from engine.chemistry.deck import KINDS, compounds
from engine.chemistry.filling import fill, read
from engine.chemistry.observation import HIDDEN, Observation
from engine.chemistry.sample import hands_of, sample
from engine.chemistry.state import CollectState

_ATTEMPTS = 64
"""How often the cards laid are given to draws anew before the repairs of `filling` are called in, which take
some hundred times as long. Where that is in vain, the next world has half of the attempts."""
_REPAIRED, _RENEWED = 4, 8
"""So many repaired worlds of one observation are kept and serve again. Each time that so many were asked for,
another one takes the place of the oldest: no world that fits stays out, however many are drawn."""


def sampler(
    seen: Observation, kind: type[CollectState] = CollectState
) -> Callable[[random.Random], CollectState]:
    """Draws worlds that the observer cannot tell from the real one, each with a deal key of its own.

    `kind` is what the worlds of a running game are made of.
    """
    return partial(sample, seen) if seen.over else _Worlds(seen, kind).draw


class _Worlds:
    """An observation, read and ready to be filled in."""

    def __init__(self, seen: Observation, kind: type[CollectState]) -> None:
        self.seen = seen
        self.story = read(seen)
        self.needs: list[tuple[int, int, list[tuple[int, list[int]]]]] = []
        """The cards laid that came from hidden draws: seat, kind, and by stock the draws since its last."""
        self.hands = self._read()
        self.pools = [bytes(sorted(pool.elements())) for pool in self.story.pools]
        self.held: list[list[tuple[int, int, int]]] = [[] for _ in self.pools]
        """By stock: the draws as (token, seat, place)."""
        for token, (seat, epoch, place) in enumerate(
            zip(self.story.seat, self.story.epoch, self.story.place, strict=True)
        ):
            if seat >= 0:
                self.held[epoch].append((token, seat, place))
        self.compounds = sorted(set(compounds(seen.decks)).difference(seen.turned))
        table = kind(seen.seats, canasta=seen.canasta, decks=seen.decks, rounds=seen.rounds, key=bytes(32))
        table.restore(seen)
        table.at = len(seen.orders[-1]) - seen.stock
        table.up = len(seen.turned)
        table.derive()
        self.table = table
        self.attempts = _ATTEMPTS
        self.repaired: deque[tuple[list[bytearray], list[Sequence[int]]]] = deque(maxlen=_REPAIRED)
        """Hands and stocks."""
        self.asked = 0
        """How often a repaired world was asked for."""

    def _read(self) -> list[bytearray]:
        """Note the needs; the hands as far as they are known and still held."""
        story, seen = self.story, self.seen
        draws: dict[int, list[int]] = {}
        for token, seat in enumerate(story.seat):
            draws.setdefault(seat, []).append(token)
        known = {key: list(times) for key, times in story.known.items()}
        for time, seat, kind in sorted((t, *key) for key, times in story.laid.items() for t in times):
            taken = known.get((seat, kind))
            if taken and taken[0] < time:
                taken.pop(0)
                continue
            own = draws.get(seat, [])
            ready = sum(story.time[token] < time for token in own)
            by_stock = groupby(own[:ready], story.epoch.__getitem__)
            self.needs.append((seat, kind, [(epoch, list(tokens)) for epoch, tokens in by_stock]))
            del own[:ready]
        hands = [bytearray(KINDS) for _ in range(seen.seats)]
        for (seat, kind), times in known.items():
            hands[seat][kind] += len(times)
        if seen.viewer is not None:
            hands[seen.viewer] = bytearray(KINDS)
            for kind in seen.hand:
                hands[seen.viewer][kind] += 1
        return hands

    def draw(self, rng: random.Random) -> CollectState:
        """One world."""
        state = self.table.clone()
        state.key = rng.randbytes(32)
        state.stack = [*self.seen.turned, *_mixed(self.compounds, rng)]
        orders: list[Sequence[int]] = list(self.seen.orders)
        laid = next(filter(None, (self._lay(rng) for _ in range(self.attempts))), None)
        self.attempts = max(1, self.attempts // 2) if laid is None else min(_ATTEMPTS, 2 * self.attempts)
        if laid is None:
            hands, orders = self._repaired(rng)
            state.hands, orders = [hand.copy() for hand in hands], list(orders)
        else:
            kinds, pools = laid
            state.hands = hands = [hand.copy() for hand in self.hands]
            for epoch, held in enumerate(self.held):
                order, rest = list(orders[epoch]), _mixed(pools[epoch], rng)
                for token, seat, place in held:
                    kind = kinds[token]
                    if kind == HIDDEN:
                        kind = rest.pop()
                        hands[seat][kind] += 1
                    order[place] = kind
                if rest:  # of the last stock, what nobody has drawn
                    order[state.at :] = rest
                orders[epoch] = order
        state.orders, state.order = orders, orders[-1]
        return state

    def _repaired(self, rng: random.Random) -> tuple[list[bytearray], list[Sequence[int]]]:
        """Hands and stocks in which all cards laid were there, found by repairs."""
        self.asked += 1
        if len(self.repaired) == _REPAIRED and self.asked % _RENEWED:
            return rng.choice(self.repaired)
        filled = fill(self.seen, self.story, rng)
        self.repaired.append((hands_of(self.seen, filled), list(filled)))
        return self.repaired[-1]

    def _lay(self, rng: random.Random) -> tuple[list[int], list[bytearray]] | None:
        """Give the cards laid to draws: a kind by token, HIDDEN where it may still be any, and what each
        stock has left for those. None where a card finds no draw."""
        chance = rng.random
        kinds = [HIDDEN] * len(self.story.seat)
        pools = list(map(bytearray, self.pools))
        free: list[dict[int, list[int]]] = [{} for _ in range(self.seen.seats)]
        for seat, kind, fresh in self.needs:
            own = free[seat]
            for epoch, tokens in fresh:
                if epoch in own:
                    own[epoch] += tokens
                else:
                    own[epoch] = tokens.copy()
            epoch = _stock(own, kind, pools, chance) if len(own) > 1 else next(iter(own), 0)
            if not (tokens := own.get(epoch, [])) or kind not in pools[epoch]:
                return None
            place = int(chance() * len(tokens))
            token = tokens[place]
            tokens[place] = tokens[-1]
            tokens.pop()
            kinds[token] = kind
            pools[epoch].remove(kind)
        return kinds, pools


def _stock(
    own: Mapping[int, Sequence[int]], kind: int, pools: Sequence[bytearray], chance: Callable[[], float]
) -> int:
    """The stock that a card laid came from, by what is free in it and how common the kind is there."""
    epochs = list(own)
    weights = [
        len(own[epoch]) * pools[epoch].count(kind) / len(pools[epoch]) if own[epoch] else 0.0
        for epoch in epochs
    ]
    left = chance() * sum(weights)
    for epoch, weight in zip(epochs, weights, strict=True):
        left -= weight
        if left < 0:
            return epoch
    return epochs[0]


def _mixed(cards: Iterable[int], rng: random.Random) -> list[int]:
    """The cards in a random order: several times as fast as a shuffle."""
    chance = rng.random
    return sorted(cards, key=lambda _: chance())
