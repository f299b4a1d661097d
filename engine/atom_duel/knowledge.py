"""Who may know where which card lies: perfect recall of every look, through every shuffle.

A *place* is one bit: seat * 8 + slot. For each viewer and each card that it knows to lie in a row
there is the set of places where the card can be. One place: the viewer knows. Several: the card was
shuffled within them. Seeing, playing, swapping and shuffling keep these sets exact, because every
shuffle of the rules takes in whole rows of all players: the sets stay nested or apart, and every
way to fit the cards into them was equally likely.

The last viewer is the spectator, who knows what all know. Source: rules/atom_duel.md, A3.8 and A5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


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


def row_mask(seat: int, row: Sequence[int]) -> int:
    """The occupied places of a row."""
    mask = 0
    for slot, card in enumerate(row):
        if card:
            mask |= place(seat, slot)
    return mask


class Knowledge:
    """What every viewer knows of the rows; made only when somebody knows more than the own row.

    `known[viewer][card]` is the set of places where the card can be. `looked[viewer]` are the places
    whose cards the viewer has seen there, `sets[viewer]` larger sets of places whose cards it has seen,
    but which were shuffled since. The latter two are public, since everybody notices who looks where,
    and let a sampled world give the others what they know. `vague` says that there was a shuffle.
    """

    __slots__ = ("known", "looked", "sets", "vague")

    def __init__(
        self, known: list[dict[int, int]], looked: list[int], sets: list[list[int]], vague: bool
    ) -> None:
        self.known = known
        self.looked = looked
        self.sets = sets
        self.vague = vague

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int]]) -> Knowledge:
        """Every seat knows its own row, the spectator nothing."""
        known: list[dict[int, int]] = [
            {card: place(seat, slot) for slot, card in enumerate(row) if card}
            for seat, row in enumerate(rows)
        ]
        looked = [row_mask(seat, row) for seat, row in enumerate(rows)]
        return cls([*known, {}], [*looked, 0], [[] for _ in range(len(rows) + 1)], False)

    def clone(self) -> Knowledge:
        """A copy that shares nothing."""
        return Knowledge(
            [known.copy() for known in self.known],
            self.looked.copy(),
            [sets.copy() for sets in self.sets],
            self.vague,
        )

    def seen(self, viewer: int) -> list[int]:
        """The disjoint sets of places whose cards the viewer has seen, ascending."""
        singles, looked = [], self.looked[viewer]
        while looked:
            singles.append(looked & -looked)
            looked &= looked - 1
        return sorted(singles + self.sets[viewer])

    def see(self, viewer: int, card: int, at: int) -> None:
        """`viewer` sees this card in this place."""
        if self.looked[viewer] & at:
            return
        known = self.known[viewer]
        known[card] = at
        if self.vague:
            _narrow(known, at)
            self._leave_sets(viewer, at)
        self.looked[viewer] |= at

    def all_see(self, card: int, at: int) -> None:
        """The card is shown to the table."""
        for viewer in range(len(self.known)):
            self.see(viewer, card, at)

    def leave(self, card: int, at: int) -> None:
        """The card leaves its place for good, seen by all."""
        for viewer, known in enumerate(self.known):
            self.looked[viewer] &= ~at
            if card in known:
                del known[card]
            if self.vague:
                _narrow(known, at)
                self._leave_sets(viewer, at)

    def _leave_sets(self, viewer: int, at: int) -> None:
        sets = self.sets[viewer]
        for i, mask in enumerate(sets):
            if mask & at:
                rest = sets[i] = mask & ~at
                if rest & (rest - 1) == 0:
                    self.looked[viewer] |= rest
                    del sets[i]
                return

    def move(self, to: Mapping[int, int]) -> None:
        """Cards change places in the open: what lay in a key now lies in its value."""
        source = 0
        for bit in to:
            source |= bit

        def moved(mask: int) -> int:
            if not mask & source:
                return mask
            out = mask & ~source
            for bit, target in to.items():
                if mask & bit:
                    out |= target
            return out

        for known in self.known:
            for card, mask in known.items():
                if mask & source:
                    known[card] = to.get(mask) or moved(mask)
        self.looked = [moved(looked) for looked in self.looked]
        self.sets = [[moved(mask) for mask in sets] for sets in self.sets]

    def shuffle(self, parts: Iterable[int]) -> None:
        """The cards within each of these sets of places are shuffled, and nobody looks."""
        parts = [part for part in parts if part]
        everywhere = 0
        for part in parts:
            everywhere |= part
        self.vague = True
        for known in self.known:
            for card, mask in known.items():
                known[card] = _spread(mask, parts)
        for viewer, sets in enumerate(self.sets):
            looked = self.looked[viewer]
            # sets that the shuffle does not touch, or that it only stirs within themselves
            kept = [mask for mask in sets if _spread(mask, parts) == mask and mask not in parts]
            self.looked[viewer] = looked & ~everywhere
            for part in parts:
                union = looked & part
                for mask in sets:
                    if mask & ~part == 0:
                        union |= mask
                if union != part:
                    continue
                # whoever had seen all of a part still knows its cards, though not their order
                if part & (part - 1):
                    kept.append(part)
                else:
                    self.looked[viewer] |= part
            self.sets[viewer] = kept


def _spread(mask: int, parts: Sequence[int]) -> int:
    """All places that a card of `mask` can reach when each part is shuffled within itself."""
    out = mask
    for part in parts:
        if mask & part:
            out |= part
    return out


def _narrow(known: dict[int, int], at: int) -> None:
    """Another card lies in this place: take it from all sets, and follow what that settles."""
    settled = [at]
    while settled:
        at = settled.pop()
        for card, mask in known.items():
            if mask & at and mask != at:
                rest = mask & ~at
                known[card] = rest
                if rest & (rest - 1) == 0:
                    settled.append(rest)
