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
from dataclasses import dataclass, field
from itertools import chain
from typing import Self, TypeAlias

from typing_extensions import override

from engine.fields import Derived, Owned

EVERYBODY = -1

Look: TypeAlias = tuple[str, int, tuple[int, ...]]
"""One public act: `see` (viewer or EVERYBODY, one set of places), `leave` (card, its place), `move` (0,
from and to in turns), `shuffle` (0, the sets of places that were shuffled, each within itself)."""

Act: TypeAlias = tuple[str, int, Mapping[int, int] | tuple[int, ...]]
"""The same with the cards: `see` (viewer or EVERYBODY, place by card), `leave` (card, its place), `move` (0,
new place by old), `shuffle` (0, the sets of places)."""

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


def places_by_card(seat: int, row: Sequence[int]) -> dict[int, int]:
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


@dataclass(slots=True)
class ReplayedKnowledge:
    """What every viewer knows, as it follows from the acts that were lived through so far.

    `known[viewer][card]` is the set of places where the card can be; `vague` says that there was a
    shuffle; `memories` holds, for each shuffle, what each viewer knew just before; `log` is what was public.
    """

    known: list[dict[int, int]]
    log: list[Look] = field(default_factory=list)
    memories: list[tuple[Memory, ...]] = field(default_factory=list)
    vague: bool = False

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int]]) -> ReplayedKnowledge:
        """Every seat knows its own row, the spectator nothing."""
        return cls([*(places_by_card(seat, row) for seat, row in enumerate(rows)), {}])

    def clone(self) -> ReplayedKnowledge:
        """A copy that shares nothing that changes."""
        known = [one.copy() for one in self.known]
        return ReplayedKnowledge(known, self.log.copy(), self.memories.copy(), self.vague)

    def live(self, act: Act) -> None:
        """Live through one more act.

        Raises:
            ValueError: there is no such act.
        """
        match act:
            case ("see", viewer, Mapping() as cards):
                self._see(viewer, cards)
            case ("leave", card, (at,)):
                self._leave(card, at)
            case ("move", _, Mapping() as to):
                self._move(to)
            case ("shuffle", _, tuple() as parts):
                self._shuffle(parts)
            case _:
                raise ValueError(act[0])

    def _see(self, viewer: int, cards: Mapping[int, int]) -> None:
        mask = 0
        for at in cards.values():
            mask |= at
        for known in self.known if viewer == EVERYBODY else (self.known[viewer],):
            known.update(cards)
            if self.vague:
                _narrow(known, mask)
        self.log.append(("see", viewer, (mask,)))

    def _leave(self, card: int, at: int) -> None:
        for known in self.known:
            known.pop(card, None)
            if self.vague:
                _narrow(known, at)
        self.log.append(("leave", card, (at,)))

    def _move(self, to: Mapping[int, int]) -> None:
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

    def _shuffle(self, parts: tuple[int, ...]) -> None:
        self.memories.append(tuple(tuple(sorted(known.items())) for known in self.known))
        self.vague = True
        for known in self.known:
            for card, mask in known.items():
                known[card] = _spread(mask, parts)
        self.log.append(("shuffle", 0, parts))


class Knowledge:
    """What has happened in the rows, and from it what every viewer knows of them; made only when somebody
    knows more than the own row.

    Acts are noted as they come. What follows from them is found when somebody asks, and most of those who
    play a position on never do.
    """

    start: Owned[tuple[tuple[int, ...], ...]]
    """The rows in which every seat knew its own, and nobody more."""
    acts: Owned[list[Act]]
    past: Derived[ReplayedKnowledge | None]
    """As far as somebody has asked."""

    # generated by tools/positions.py from the fields above
    __slots__ = (
        "acts",
        "past",
        "start",
    )

    def clone(self) -> Self:
        """Return a copy that shares no mutable data."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.start = self.start
        twin.acts = self.acts.copy()
        twin.past = None if self.past is None else self.past.clone()
        return twin

    def parts(self) -> tuple[object, ...]:
        """Return the contents for fingerprints, equal if the values are."""
        return (
            self.start,
            self.acts,
        )

    # end of generated code

    def __init__(self, start: tuple[tuple[int, ...], ...]) -> None:
        self.start = start
        self.acts = []
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.past = None

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int]]) -> Knowledge:
        """Every seat knows its own row, the spectator nothing."""
        return cls(tuple(map(tuple, rows)))

    # what happens; a mapping that is given stays as it is from then on

    def see(self, viewer: int, cards: Mapping[int, int]) -> None:
        """`viewer`, or EVERYBODY, sees these cards in their places."""
        self.acts.append(("see", viewer, cards))

    def leave(self, card: int, at: int) -> None:
        """The card leaves its place for good, seen by all."""
        self.acts.append(("leave", card, (at,)))

    def move(self, to: Mapping[int, int]) -> None:
        """Cards change places in the open: what lay in a key now lies in its value."""
        self.acts.append(("move", 0, to))

    def shuffle(self, parts: Iterable[int]) -> None:
        """The cards within each of these sets of places are shuffled, and nobody looks."""
        self.acts.append(("shuffle", 0, tuple(part for part in parts if part)))

    # what follows

    def lived(self) -> ReplayedKnowledge:
        """What follows from all acts so far."""
        start = self.start
        past = self.past
        if past is None:
            past = self.past = ReplayedKnowledge.of_rows(start)
        for act in self.acts[len(past.log) :]:
            past.live(act)
        return past

    @property
    def known(self) -> list[dict[int, int]]:
        """By viewer, the spectator last, and card: the set of places where it can be."""
        return self.lived().known

    @property
    def log(self) -> list[Look]:
        """What was public of the acts."""
        return self.lived().log

    @property
    def memories(self) -> list[tuple[Memory, ...]]:
        """For each shuffle: what each viewer knew just before."""
        return self.lived().memories

    def renamed(self, names: Mapping[int, int]) -> Knowledge:
        """The same acts with other cards in the place of those that are named."""
        twin = Knowledge(tuple(tuple(names.get(card, card) for card in row) for row in self.start))
        twin.acts = [_renamed(act, names) for act in self.acts]
        return twin


class Recalled(Knowledge):
    """What has happened in a sampled world, made up by `relive` when somebody asks: search never does.

    Until then it holds only the acts since the world was drawn. `seed` says which of the pasts that fit it
    was.
    """

    __slots__ = ("_before",)

    _before: Callable[[], Knowledge] | None
    """None once it was asked for."""

    def __init__(
        self, rows: Sequence[Sequence[int]], log: Sequence[Look], memories: Sequence[Memory], seed: bytes
    ) -> None:
        now = tuple(map(tuple, rows))
        self._before = lambda: relive(now, log, memories, random.Random(seed))
        self.acts = []
        self.past = None

    def __getattr__(self, name: str) -> object:
        # Python asks here for what is missing: the start, which whoever reads the acts needs first
        if name != "start" or self._before is None:
            raise AttributeError(name)
        before, self._before = self._before(), None
        self.start = before.start
        self.acts[:0] = before.acts
        return self.start

    @override
    def clone(self) -> Self:
        if self._before is None:
            twin = super().clone()
            twin._before = None
            return twin
        kind = type(self)
        twin = kind.__new__(kind)
        twin._before, twin.acts, twin.past = self._before, self.acts.copy(), None
        return twin


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


def _renamed(act: Act, names: Mapping[int, int]) -> Act:
    kind, what, where = act
    if kind == "leave":
        return kind, names.get(what, what), where
    if kind == "see" and isinstance(where, Mapping):
        return kind, what, {names.get(card, card): at for card, at in where.items()}
    return act


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
