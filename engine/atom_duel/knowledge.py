"""Who may know where which card lies: perfect recall of every look, through every shuffle.

A *place* is one bit: seat * 8 + slot. For each viewer and each card that it knows to lie in a row
there is the set of places where the card can be. One place: the viewer knows. Several: the card was
shuffled within them. Seeing, playing, swapping and shuffling keep these sets exact, because every
shuffle of the rules takes in whole rows of all players: the sets stay nested or apart, and every
way to fit the cards into them is equally likely.

That somebody looks, where, and what is swapped and shuffled is public; only the cards are not. So the
log of it is, with what the viewer itself knew before each shuffle, all that `relive` needs to give the
other seats of a sampled world what they would know there.

The last viewer is the spectator, who knows what all know. Source: docs/rules/atom_duel.md, sections 3.8 and
5.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Self, TypeAlias

from typing_extensions import override

from engine.fields import Derived, Owned, Public

EVERYBODY = -1

Look: TypeAlias = tuple[str, int, tuple[int, ...]]
"""One public act: `see` (viewer or EVERYBODY, one set of places), `leave` (card, its place), `move` (0,
from and to in turns), `shuffle` (0, the sets of places that were shuffled, each within itself)."""

Memory: TypeAlias = tuple[tuple[int, int], ...]
"""What one viewer knew at some moment: (card, set of places), by card."""


def place(seat: int, slot: int) -> int:
    """The bit of a slot."""
    return 1 << (seat * 8 + slot)


def places(mask: int) -> list[tuple[int, int]]:
    """The (seat, slot) pairs of a set of places, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(divmod(low.bit_length() - 1, 8))
        mask ^= low
    return found


def front_mask(seat: int, count: int) -> int:
    """The first places of a row."""
    return ((1 << count) - 1) << seat * 8


def lying(seat: int, row: Sequence[int]) -> dict[int, int]:
    """By card of a row: its place."""
    return {card: 1 << at for at, card in enumerate(row, seat * 8) if card}


def closed_up(seat: int, row: Sequence[int], target: int) -> dict[int, int]:
    """By place of a card in a row: where it goes if all go to the front of the row of `target`."""
    to = {}
    old, new = place(seat, 0), place(target, 0)
    for card in row:
        if card:
            to[old] = new
            new <<= 1
        old <<= 1
    return to


def bits(mask: int) -> list[int]:
    """The single places of a set, ascending."""
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


class Knowledge:
    """What every viewer knows of the rows; made only when somebody knows more than the own row.

    `known[viewer][card]` is the set of places where the card can be; `vague` says that there was a
    shuffle; `memories` holds, for each shuffle, what each viewer knew just before.
    """

    known: Owned[list[dict[int, int]]]
    log: Public[list[Look]]
    memories: Owned[list[tuple[Memory, ...]]]
    vague: Derived[bool]

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "known",
        "log",
        "memories",
        "vague",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.known = [one.copy() for one in self.known]
        twin.log = self.log.copy()
        twin.memories = self.memories.copy()
        twin.vague = self.vague
        return twin

    def parts(self) -> tuple[object, ...]:
        """What it is made of, for fingerprints: equal where the values are."""
        return (
            [sorted(one.items()) for one in self.known],
            self.log,
            self.memories,
        )

    # as far as here

    def __init__(self, known: list[dict[int, int]]) -> None:
        self.known = known
        self.log = []
        self.memories = []
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.vague = bool(self.memories)

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int]]) -> Knowledge:
        """Every seat knows its own row, the spectator nothing."""
        return cls([*(lying(seat, row) for seat, row in enumerate(rows)), {}])

    def see(self, viewer: int, cards: Mapping[int, int] | Iterable[tuple[int, int]]) -> None:
        """`viewer`, or EVERYBODY, sees these cards in their places."""
        seen = dict(cards)
        mask = 0
        for at in seen.values():
            mask |= at
        for known in self.known if viewer == EVERYBODY else (self.known[viewer],):
            known.update(seen)
            if self.vague:
                _narrow(known, mask)
        self.log.append(("see", viewer, (mask,)))

    def leave(self, card: int, at: int) -> None:
        """The card leaves its place for good, seen by all."""
        for known in self.known:
            known.pop(card, None)
            if self.vague:
                _narrow(known, at)
        self.log.append(("leave", card, (at,)))

    def move(self, to: Mapping[int, int]) -> None:
        """Cards change places in the open: what lay in a key now lies in its value."""
        source = 0
        for old, new in to.items():
            if old != new:
                source |= old
        if source:
            for known in self.known:
                for card, mask in known.items():
                    if mask & source:
                        known[card] = to.get(mask) or _moved(mask, to)
        self.log.append(("move", 0, tuple(chain.from_iterable(to.items()))))

    def shuffle(self, parts: Iterable[int]) -> None:
        """The cards within each of these sets of places are shuffled, and nobody looks."""
        parts = tuple(part for part in parts if part)
        self.memories.append(tuple(tuple(sorted(known.items())) for known in self.known))
        self.vague = True
        for known in self.known:
            for card, mask in known.items():
                known[card] = _spread(mask, parts)
        self.log.append(("shuffle", 0, parts))


class Recalled(Knowledge):
    """What everybody knows in a sampled world, found out by `relive` when somebody asks: search never does.

    Until then acts are only noted. `seed` says which of the pasts that fit it was.
    """

    __slots__ = ("_acts", "_past")

    _acts: list[Callable[[Knowledge], None]]
    _past: Callable[[], Knowledge] | None
    """None once it was lived through."""

    def __init__(
        self, rows: Sequence[Sequence[int]], log: Sequence[Look], memories: Sequence[Memory], seed: bytes
    ) -> None:
        now = tuple(map(tuple, rows))
        self._past = lambda: relive(now, log, memories, random.Random(seed))
        self._acts = []

    def __getattr__(self, name: str) -> object:
        # Python asks here for what is missing: the fields, until the past is lived through
        if name not in Knowledge.__slots__ or self._past is None:
            raise AttributeError(name)
        lived, self._past = self._past(), None
        for act in self._acts:
            act(lived)
        for field in Knowledge.__slots__:
            setattr(self, field, getattr(lived, field))
        return getattr(self, name)

    @override
    def clone(self) -> Self:
        if self._past is None:
            twin = super().clone()
            twin._past = None
            return twin
        kind = type(self)
        twin = kind.__new__(kind)
        twin._past, twin._acts = self._past, self._acts.copy()
        return twin

    @override
    def see(self, viewer: int, cards: Mapping[int, int] | Iterable[tuple[int, int]]) -> None:
        if self._past is None:
            super().see(viewer, cards)
        else:
            seen = dict(cards)
            self._acts.append(lambda lived: lived.see(viewer, seen))

    @override
    def leave(self, card: int, at: int) -> None:
        if self._past is None:
            super().leave(card, at)
        else:
            self._acts.append(lambda lived: lived.leave(card, at))

    @override
    def move(self, to: Mapping[int, int]) -> None:
        if self._past is None:
            super().move(to)
        else:
            self._acts.append(lambda lived: lived.move(to))

    @override
    def shuffle(self, parts: Iterable[int]) -> None:
        if self._past is None:
            super().shuffle(parts)
        else:
            there = tuple(parts)
            self._acts.append(lambda lived: lived.shuffle(there))


def relive(
    rows: Sequence[Sequence[int]],
    log: Sequence[Look],
    memories: Sequence[Memory],
    rng: random.Random,
) -> Knowledge:
    """What everybody knows in a sampled world that ended in these rows.

    Goes back through the log, drawing before each shuffle an order that the observer, by its
    `memories`, must think possible, and then forward again, this time with all eyes open.
    """
    at = {place(seat, slot): card for seat, row in enumerate(rows) for slot, card in enumerate(row) if card}
    shuffled = []
    earlier = list(memories)
    for kind, what, where in reversed(log):
        if kind == "leave":
            at[where[0]] = what
        elif kind == "move":
            _carry(at, where[1::2], where[::2])
        elif kind == "shuffle":
            shuffled.append(at)
            at = _unshuffled(at, where, dict(earlier.pop()), rng)
    knowledge = Knowledge.of_rows(
        [[at.get(place(seat, slot), 0) for slot in range(len(row))] for seat, row in enumerate(rows)]
    )
    for kind, what, where in log:
        if kind == "see":
            knowledge.see(what, {at[place]: place for place in bits(where[0])})
        elif kind == "leave":
            del at[where[0]]
            knowledge.leave(what, where[0])
        elif kind == "move":
            _carry(at, where[::2], where[1::2])
            knowledge.move(dict(zip(where[::2], where[1::2], strict=True)))
        else:
            at = shuffled.pop()
            knowledge.shuffle(where)
    return knowledge


def _carry(at: dict[int, int], source: Sequence[int], target: Sequence[int]) -> None:
    """Move what lies in the source places, each to its target."""
    at.update(zip(target, [at.pop(here) for here in source], strict=True))


def _unshuffled(
    at: Mapping[int, int], parts: Sequence[int], known: Mapping[int, int], rng: random.Random
) -> dict[int, int]:
    """The cards as they may have lain before a shuffle: each part in an order that fits `known`."""
    before = dict(at)
    for part in parts:
        free = bits(part)
        cards = [at[place] for place in free]
        # the smallest sets first, and those of which nothing is known last: as in `sample`
        for card in sorted(cards, key=lambda card: (known.get(card, part) & part).bit_count()):
            mask = known.get(card, part)
            place = rng.choice([place for place in free if place & mask])
            free.remove(place)
            before[place] = card
    return before


def _moved(mask: int, to: Mapping[int, int]) -> int:
    out = 0
    for bit, target in to.items():
        if mask & bit:
            out |= target
            mask ^= bit
    return out | mask


def _spread(mask: int, parts: Sequence[int]) -> int:
    """All places that a card of `mask` can reach when each part is shuffled within itself."""
    out = mask
    for part in parts:
        if mask & part:
            out |= part
    return out


def _narrow(known: dict[int, int], at: int) -> None:
    """Other cards lie in these places: take them from all sets, and follow what that settles."""
    while at:
        settled = 0
        for card, mask in known.items():
            if mask & at and mask & (mask - 1):
                rest = mask & ~at
                known[card] = rest
                if rest & (rest - 1) == 0:
                    settled |= rest
        at = settled
