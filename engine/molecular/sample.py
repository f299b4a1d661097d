"""Determinization: a random full position consistent with what a seat knows.

Every hidden place (a piece in another hand, or in the pile) has the epoch of its last mixing, and every
unseen piece the epoch of its mark (0 without one). A piece fits a place that is at least as recent as its
mark. If the viewer knew every piece of the pile when a place was filled from it (because the pile had just
been rebuilt from the discard), the piece must be one of those. If nothing was mixed, which is nearly always
the case, this is a plain shuffle.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from engine.molecular.board import Board
from engine.molecular.cards import DECK, EFFECTOR_DECK
from engine.molecular.hidden_pieces import (
    KIND,
    MARK,
    PUBLIC,
    HiddenPieces,
    entry,
    epoch_of,
    kind_of,
    knowers_of,
)
from engine.molecular.observation import HIDDEN, HeldView, Mixed, Observation
from engine.molecular.position import Rules
from engine.molecular.state import MolecularState

Piece = tuple[int, int]
"""An unseen piece: (epoch of its mark, kind)."""


def sample(seen: Observation, rng: random.Random) -> MolecularState:
    """Return a random position that the observer cannot tell from the real one, with its own deal key."""
    board = Board.of((code >> 8, code & 255) for code in seen.board)
    state = MolecularState(seen.seats, Rules(seen.rounds, seen.per_edge), rng.randbytes(32), board)
    state.restore(seen)
    left = +Counter(dict(enumerate(state.left)))
    state.tiles = sample_pieces(seen.tiles, seen.viewer, left, rng)
    state.cards = sample_pieces(seen.cards, seen.viewer, Counter(DECK) - Counter(seen.used_cards), rng)
    gone = Counter([*seen.used_effectors, *seen.actives, seen.reagent])
    state.effectors = list((Counter(EFFECTOR_DECK) - gone).elements())
    rng.shuffle(state.effectors)
    state.shuffles = len(seen.tiles.mixes) + len(seen.cards.mixes)
    if seen.conference:
        choose_gifts(state, seen, rng)
    return state


def choose_gifts(state: MolecularState, seen: Observation, rng: random.Random) -> None:
    """Fill in the gifts of a Conference. Everyone knows which seats have chosen, but only their own
    choice."""
    state.gifts = [-1] * seen.seats
    for seat in range(seen.seats):
        held = state.cards.kinds(seat)
        if seat == seen.viewer:
            state.gifts[seat] = seen.gift
        elif held and seat not in seen.to_act:
            state.gifts[seat] = rng.choice(held)


def sample_pieces(
    view: HeldView, viewer: int | None, all_kinds: Counter[int], rng: random.Random
) -> HiddenPieces:
    """Return a pile and hands consistent with the view; `all_kinds` counts all their pieces together."""
    pieces = unseen(view, all_kinds)
    rng.shuffle(pieces)
    hidden = [
        (seat, place)
        for seat, kinds in enumerate(view.held)
        for place, kind in enumerate(kinds)
        if kind == HIDDEN
    ]
    if view.marks:
        epochs = [view.epochs[seat][place] for seat, place in hidden]
        pieces = arranged(pieces, epochs, needs_of(view, viewer, epochs), rng)
    drawn = dict(zip(hidden, (kind for _, kind in pieces), strict=False))
    made = HiddenPieces(len(view.held), [kind for _, kind in pieces[len(hidden) :]])
    made.held = [
        [
            entry(drawn[seat, place] if kind == HIDDEN else kind, epoch, knowers)
            for place, (kind, epoch, knowers) in enumerate(
                zip(kinds, view.epochs[seat], view.knowers[seat], strict=True)
            )
        ]
        for seat, kinds in enumerate(view.held)
    ]
    if view.mixes:
        remember(made, view, viewer, rng)
    return made


def unseen(view: HeldView, all_kinds: Counter[int]) -> list[Piece]:
    """Return the pieces the viewer does not see, in no particular order.

    `all_kinds` is as for `sample_pieces`.
    """
    known = Counter(kind for kinds in view.held for kind in kinds if kind != HIDDEN)
    left = all_kinds - known
    pieces: list[Piece] = []
    for mark in view.marks:
        kind, epoch = mark & KIND, mark >> MARK
        if left[kind]:  # a mark never outnumbers the pieces; this guards against a made-up observation
            pieces.append((epoch, kind))
            left[kind] -= 1
    return pieces + [(0, kind) for kind in left.elements()]


def needs_of(view: HeldView, viewer: int | None, epochs: Sequence[int]) -> dict[int, int]:
    """Return the lowest mark allowed for a piece drawn in each epoch, including the pile's current epoch.

    If the viewer saw every piece that makes up a pile, it contains only those pieces until someone puts in
    one that the viewer did not see.
    """
    oldest = min(epochs, default=len(view.mixes))
    needs: dict[int, int] = {}
    full = 0
    for epoch in range(len(view.mixes) + 1):
        if epoch:
            mix = view.mixes[epoch - 1]
            if mix.who not in (PUBLIC, viewer):
                full = 0
            elif mix.pieces == mix.size:
                full = epoch
        needs[epoch] = full if full > oldest else 0
    return needs


def arranged(
    pieces: list[Piece], epochs: Sequence[int], needs: dict[int, int], rng: random.Random
) -> list[Piece]:
    """Order the pieces so that the first ones fit hidden places of these epochs and the rest fit the pile.

    Uses a matching found in random order (Kuhn's algorithm), so that every fitting order can occur.
    """
    at_pile = needs[max(needs)]
    holder: dict[int, int] = {}
    taken: dict[int, int] = {}

    def fits(place: int, piece: int) -> bool:
        mark = pieces[piece][0]
        return needs[epochs[place]] <= mark <= epochs[place]

    def place_for(piece: int, tried: set[int]) -> bool:
        for place in in_any_order(len(epochs), rng):
            if place not in tried and fits(place, piece):
                tried.add(place)
                if place not in taken or place_for(taken[place], tried):
                    taken[place], holder[piece] = piece, place
                    return True
        return False

    def piece_for(place: int, tried: set[int]) -> bool:
        for piece in in_any_order(len(pieces), rng):
            if piece not in tried and fits(place, piece):
                tried.add(piece)
                if piece not in holder or piece_for(holder[piece], tried):
                    taken[place], holder[piece] = piece, place
                    return True
        return False

    for piece, (mark, _) in enumerate(pieces):
        if mark < at_pile:
            place_for(piece, set())
    for place in in_any_order(len(epochs), rng):
        if place not in taken:
            piece_for(place, set())
    first = [pieces[taken[place]] for place in range(len(epochs)) if place in taken]
    return first + [piece for number, piece in enumerate(pieces) if number not in holder]


def in_any_order(size: int, rng: random.Random) -> Iterator[int]:
    """Yield the numbers below `size` in random order, drawn one by one because a few usually suffice."""
    order = list(range(size))
    while order:
        place = int(rng.random() * len(order))
        order[place], order[-1] = order[-1], order[place]
        yield order.pop()


def remember(made: HiddenPieces, view: HeldView, viewer: int | None, rng: random.Random) -> None:
    """Copy the viewer's own marks, and make up marks for everyone else that fit this sample."""
    made.mixes = list(view.mixes)
    own = len(made.held) if viewer is None else viewer
    for other, marks in enumerate(made.marks):
        if other == own:
            marks.extend(view.marks)
        else:
            marks.extend(_imagined(made, view.mixes, other, rng))
    made.derive()


def _imagined(made: HiddenPieces, mixes: Sequence[Mixed], other: int, rng: random.Random) -> list[int]:
    """Return marks that another viewer may have, latest mixing first.

    Pieces that it saw go in and has not seen since are among those that it does not see now.
    """
    found: list[int] = []
    pool: list[int] = []
    places = [(len(mixes), kind) for kind in made.pile]
    for seat, held in enumerate(made.held):
        if seat != other:
            places += [(epoch_of(p), kind_of(p)) for p in held if not knowers_of(p) >> other & 1]
    for epoch in range(len(mixes), 0, -1):
        mixed = mixes[epoch - 1]
        fresh = [place for place in places if place[0] >= epoch]
        places = [place for place in places if place[0] < epoch]
        pool += [kind for _, kind in fresh]
        if mixed.who == PUBLIC:
            for kind in mixed.kinds:
                if kind in pool and rng.random() < 0.8:
                    pool.remove(kind)
                    found.append(kind | epoch << MARK)
            continue
        rng.shuffle(pool)
        known = mixed.pieces if mixed.who == other else sum(mask >> other & 1 for mask in mixed.known)
        # a viewer sees what it draws from that pile: if it drew all of it, no mark is left
        drawn = sum(epoch_of(piece) == epoch for piece in made.held[other]) if other < len(made.held) else 0
        known = min(known, mixed.size - drawn)
        # never certain: the piece there now may have come with a later mixing, and the mark be gone
        share = min(0.9, max(0.5, len(pool) / max(1, mixed.size)))
        found += [pool.pop() | epoch << MARK for _ in range(known) if pool and rng.random() < share]
    return found
