"""A fast sampler: it does the work that `sample` repeats for each sample only once per observation.

The table is set up once and copied. A sample differs from it in the hidden pieces, which are drawn with the
same probabilities as in `sample`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from engine.molecular.board import Board
from engine.molecular.cards import DECK, EFFECTOR_DECK
from engine.molecular.hidden_pieces import HiddenPieces, entry
from engine.molecular.observation import HIDDEN, HeldView, Observation
from engine.molecular.position import Rules
from engine.molecular.sample import arranged, choose_gifts, needs_of, remember, unseen
from engine.molecular.state import MolecularState

T = TypeVar("T")


def sampler(seen: Observation) -> Callable[[random.Random], MolecularState]:
    """Return a function drawing samples that the observer cannot tell from the real position.

    Each has its own deal key.
    """
    return _Worlds(seen).draw


class _Worlds:
    """An observation, prepared to be completed."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        board = Board.of((code >> 8, code & 255) for code in seen.board)
        self.table = MolecularState(seen.seats, Rules(seen.rounds, seen.per_edge), bytes(32), board)
        self.table.restore(seen)
        self.table.shuffles = len(seen.tiles.mixes) + len(seen.cards.mixes)
        left = +Counter(dict(enumerate(self.table.left)))
        self.tiles = _Hidden(seen.tiles, seen.viewer, left)
        self.cards = _Hidden(seen.cards, seen.viewer, Counter(DECK) - Counter(seen.used_cards))
        gone = Counter([*seen.used_effectors, *seen.actives, seen.reagent])
        self.effectors = list((Counter(EFFECTOR_DECK) - gone).elements())

    def draw(self, rng: random.Random) -> MolecularState:
        """Return one sample."""
        state = self.table.clone()
        state.key = rng.randbytes(32)
        state.tiles = self.tiles.draw(rng)
        state.cards = self.cards.draw(rng)
        state.effectors = _mixed(self.effectors, rng)
        if self.seen.conference:
            choose_gifts(state, self.seen, rng)
        return state


class _Hidden:
    """A pile and hands with empty places for the unseen pieces."""

    def __init__(self, view: HeldView, viewer: int | None, all_kinds: Counter[int]) -> None:
        self.view, self.viewer = view, viewer
        self.pieces = unseen(view, all_kinds)
        self.places = [
            (seat, place)
            for seat, kinds in enumerate(view.held)
            for place, kind in enumerate(kinds)
            if kind == HIDDEN
        ]
        self.epochs = [view.epochs[seat][place] for seat, place in self.places]
        self.needs = needs_of(view, viewer, self.epochs)
        self.empty = HiddenPieces(len(view.held), [])
        self.empty.held = [
            [entry(max(kind, 0), epoch, knowers) for kind, epoch, knowers in zip(*row, strict=True)]
            for row in zip(view.held, view.epochs, view.knowers, strict=True)
        ]

    def draw(self, rng: random.Random) -> HiddenPieces:
        """Return the pile and hands with every unseen piece in a possible place."""
        pieces = _mixed(self.pieces, rng)
        if self.view.marks:
            pieces = arranged(pieces, self.epochs, self.needs, rng)
        made = self.empty.clone()
        # the pile is long and hands are small, so what is left of the list becomes the pile
        made.pile = [kind for _, kind in pieces]
        for (seat, place), kind in zip(self.places, made.pile, strict=False):
            made.held[seat][place] |= kind
        del made.pile[: len(self.places)]
        if self.view.mixes:
            remember(made, self.view, self.viewer, rng)
        return made


def _mixed(pieces: Iterable[T], rng: random.Random) -> list[T]:
    """Return the pieces in a random order; faster than a shuffle."""
    chance = rng.random
    return sorted(pieces, key=lambda _: chance())
