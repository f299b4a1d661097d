"""Fast sampling of many positions from one observation, which is read only once.

Played cards are assigned to hidden draws in order of time, with the probabilities of `filling`; all other
cards are placed at random. While every played card finds a draw nothing can be wrong, so the bookkeeping for
repairs is skipped. If one finds none, the sample is left to `filling`.
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
"""Attempts at assigning the played cards before `filling` repairs a sample, which takes about a hundred times
as long. After a failure the next sample gets half as many attempts."""
_REPAIRED, _RENEWED = 4, 8
"""Repaired samples kept per observation for reuse, and how many requests pass before a new one replaces the
oldest. Renewal makes sure that every fitting sample can still come up."""


def sampler(
    seen: Observation, kind: type[CollectState] = CollectState
) -> Callable[[random.Random], CollectState]:
    """Return a function that draws positions the observer cannot tell from the real one.

    Each has its own deal key. `kind` is the state class used while the game is running.
    """
    return partial(sample, seen) if seen.over else _Worlds(seen, kind).draw


class _Worlds:
    """An observation prepared for repeated sampling."""

    def __init__(self, seen: Observation, kind: type[CollectState]) -> None:
        self.seen = seen
        self.story = read(seen)
        self.needs: list[tuple[int, int, list[tuple[int, list[int]]]]] = []
        """Played cards from hidden draws: seat, kind, and per stock the draws since the previous one."""
        self.hands = self._read()
        self.pools = [bytes(sorted(pool.elements())) for pool in self.story.pools]
        self.held: list[list[tuple[int, int, int]]] = [[] for _ in self.pools]
        """The draws of each stock as (token, seat, place)."""
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
        """Hands and stocks of repaired samples."""
        self.asked = 0
        """Number of times a repaired sample was requested."""

    def _read(self) -> list[bytearray]:
        """Record the needs and return each hand's known cards."""
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
        """Return one sampled position."""
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
                if rest:  # undrawn cards of the last stock
                    order[state.at :] = rest
                orders[epoch] = order
        state.orders, state.order = orders, orders[-1]
        return state

    def _repaired(self, rng: random.Random) -> tuple[list[bytearray], list[Sequence[int]]]:
        """Return hands and stocks that explain all played cards, found by repairs."""
        self.asked += 1
        if len(self.repaired) == _REPAIRED and self.asked % _RENEWED:
            return rng.choice(self.repaired)
        filled = fill(self.seen, self.story, rng)
        self.repaired.append((hands_of(self.seen, filled), list(filled)))
        return self.repaired[-1]

    def _lay(self, rng: random.Random) -> tuple[list[int], list[bytearray]] | None:
        """Assign the played cards to draws.

        Return the kind of each token, HIDDEN if it may still be any, and what each stock has left for those.
        Return None if a card finds no draw.
        """
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
    """Pick the stock a played card came from, weighted by free draws and frequency of the kind."""
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
    """Return the cards in random order, several times as fast as a shuffle."""
    chance = rng.random
    return sorted(cards, key=lambda _: chance())
