"""Which sets of cards are offered: one for each rank, size and number of jokers, and more only where it
matters which suits are spent.

Of two sets of one size, rank and number of jokers only that is offered whose rest is good for more atoms
and nukes; where neither rest is good for all that the other is, both are. Every other set of the same
cards is accepted too (docs/rules/atom.md, section 3). What one rank of a hand offers depends on nothing else
in the hand but its jokers, so it is found once and kept. Games of five go on meeting new ones: with half the
places, random ones take a sixth more time (research/engines.md).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from engine.atom.cards import counts, pack, unpacked
from engine.atom.moves import Move
from engine.atom.plays import LEAST_BOMB, nukes, special
from engine.playing_cards import JOKER


class Offer(NamedTuple):
    """What one rank of a hand offers, alone or with jokers, each list from small to large.

    `every` holds all of it; `sets` by number of cards (1 to 3) what is neither atom nor nuke; `bombs`
    with their sizes, `specials` (atoms and nukes) with tier and suit; `heavy` the moves of both.
    """

    every: tuple[Move, ...]
    sets: tuple[tuple[Move, ...], ...]
    bombs: tuple[tuple[int, Move], ...]
    specials: tuple[tuple[int, int, Move], ...]
    heavy: tuple[Move, ...]


NOTHING: Final = Offer((), ((),) * 4, (), (), ())


def _promise(rest: tuple[int, ...], order: tuple[int, ...], packs: int) -> tuple[int, ...]:
    """What a rest of one rank is still good for, as numbers that grow with it: for each size of atom
    how many there are from each suit upwards, and the nuke."""
    found = []
    for least in range(3, packs + 1):
        high = 0
        for suit in order:
            high += rest[suit] >= least
            found.append(high)
    if len(rest) == 4:
        found.append(sum(min(rest) >= each for each in nukes(packs)))
    return tuple(found)


def _spends(by_suit: tuple[int, ...], packs: int, *, plain: bool) -> dict[int, list[int]]:
    """By number of cards: the sets worth offering, packed.

    Of all sets of one size those are left out whose rest promises nothing that the rest of another
    does not promise too. With `plain`, sets that are an atom or a nuke are left out as well.
    """
    order = (3, 2, 0, 1) if len(by_suit) == 4 else (1, 0)
    cheap = {suit: place for place, suit in enumerate(reversed(order))}
    found: dict[int, dict[tuple[int, ...], tuple[list[int], tuple[int, ...]]]] = {}
    for spent in product(*(range(many + 1) for many in by_suit)):
        size = sum(spent)
        if not size or (plain and special(spent, packs)[0]):
            continue
        rest = tuple(many - less for many, less in zip(by_suit, spent, strict=True))
        promise = _promise(rest, order, packs)
        # among equals the low suits go first
        taste = sorted(cheap[suit] for suit, many in enumerate(spent) for _ in range(many))
        known = found.setdefault(size, {})
        if promise not in known or taste < known[promise][0]:
            known[promise] = (taste, spent)
    kept: dict[int, list[int]] = {}
    for size, sets in found.items():
        best = [
            (taste, spent)
            for promise, (taste, spent) in sets.items()
            if not any(
                other != promise and all(a >= b for a, b in zip(other, promise, strict=True))
                for other in sets
            )
        ]
        kept[size] = [pack(spent) for _, spent in sorted(best)]
    return kept


@lru_cache(maxsize=2048)
def _sets(packed: int, packs: int, plain: bool, wild: bool) -> dict[int, list[int]]:
    return _spends(counts(packed)[: 2 if wild else 4], packs, plain=plain)


class _Template(NamedTuple):
    """An offer of no particular rank: packed cards instead of moves."""

    sets: tuple[tuple[tuple[int, int], ...], ...]
    bombs: tuple[tuple[int, int, int], ...]
    specials: tuple[tuple[int, int, int, int], ...]


def _specials(packed: int, packs: int, *, wild: bool) -> list[tuple[int, int, int, int]]:
    """All atoms and nukes in the packed cards, weakest first: tier, suit, cards, jokers."""
    found = [size << 4 * suit for suit, many in enumerate(counts(packed)) for size in range(3, many + 1)]
    if not wild:
        found += [0x1111 * each for each in nukes(packs) if each <= min(counts(packed))]
    named = [(*special(counts(held)[: 2 if wild else 4], packs), held) for held in found]
    return sorted((tier, suit, 0, held) if wild else (tier, suit, held, 0) for tier, suit, held in named)


@lru_cache(maxsize=8192)
def _template(packed: int, jokers: int, packs: int, wild: bool) -> _Template:
    """What packed cards offer together with jokers; with `wild` they are jokers themselves."""
    found = [
        (size, 0, 0, held) if wild else (size, 0, held, 0)
        for size, sets in _sets(packed, packs, True, wild).items()
        for held in sets
    ]
    if jokers:
        found += [
            (size + more, more, suits, held)
            for size, sets in _sets(packed, packs, False, False).items()
            for more, joker_sets in _sets(jokers, packs, False, True).items()
            for suits in sets
            for held in joker_sets
        ]
    found.sort(key=lambda one: one[:2])
    small = tuple(
        tuple((suits, held) for size, _, suits, held in found if size == many) for many in range(LEAST_BOMB)
    )
    bombs = tuple((size, suits, held) for size, _, suits, held in found if size >= LEAST_BOMB)
    return _Template(small, bombs, tuple(_specials(packed, packs, wild=wild)))


@lru_cache(maxsize=2048)
def _suits(packed: int) -> tuple[int, ...]:
    """The suit of each of the packed cards."""
    return tuple(unpacked(0, packed))


@lru_cache(maxsize=32768)
def _move(rank: int, suits: int, jokers: int) -> Move:
    """The move that lays these packed cards."""
    first = 4 * rank
    cards = tuple([first + suit for suit in _suits(suits)])
    return Move("play", cards + tuple([4 * JOKER + suit for suit in _suits(jokers)]) if jokers else cards)


@lru_cache(maxsize=16384)
def offer(rank: int, packed: int, jokers: int, packs: int) -> Offer:
    """What the packed cards of one rank offer to somebody with these jokers (0 for a Blade).

    For the jokers themselves `rank` is JOKER and `packed` holds them.
    """
    if not packed:
        return NOTHING
    shapes, bomb_shapes, special_shapes = _template(packed, jokers, packs, rank == JOKER)
    sets = tuple([tuple([_move(rank, suits, held) for suits, held in some]) for some in shapes])
    bombs = tuple([(size, _move(rank, suits, held)) for size, suits, held in bomb_shapes])
    specials = tuple([(tier, suit, _move(rank, suits, held)) for tier, suit, suits, held in special_shapes])
    heavy = (*[bomb[1] for bomb in bombs], *[one[2] for one in specials])
    return Offer((*sets[1], *sets[2], *sets[3], *heavy), sets, bombs, specials, heavy)
