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

    `known[viewer][card]` is the set of places where the card can be. `seen[viewer]` are disjoint sets
    of places whose cards the viewer has seen, as a set: that is public, since everybody notices who
    looks where, and lets a sampled world give the others what they know.
    """

    __slots__ = ("known", "seen", "vague")

    def __init__(self, known: list[dict[int, int]], seen: list[list[int]], vague: bool) -> None:
        self.known = known
        self.seen = seen
        self.vague = vague

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int]]) -> Knowledge:
        """Every seat knows its own row, the spectator nothing."""
        known: list[dict[int, int]] = [
            {card: place(seat, slot) for slot, card in enumerate(row) if card}
            for seat, row in enumerate(rows)
        ]
        seen = [list(own.values()) for own in known]
        return cls([*known, {}], [*seen, []], False)

    def clone(self) -> Knowledge:
        """A copy that shares nothing."""
        return Knowledge([known.copy() for known in self.known], [s.copy() for s in self.seen], self.vague)

    def see(self, viewer: int, card: int, at: int) -> None:
        """`viewer` sees this card in this place."""
        known = self.known[viewer]
        before = known.get(card)
        if before == at and at in self.seen[viewer]:
            return
        known[card] = at
        if self.vague:
            _narrow(known, at)
        self.seen[viewer] = [rest for mask in self.seen[viewer] if (rest := mask & ~at)]
        self.seen[viewer].append(at)

    def all_see(self, card: int, at: int) -> None:
        """The card is shown to the table."""
        for viewer in range(len(self.known)):
            self.see(viewer, card, at)

    def leave(self, card: int, at: int) -> None:
        """The card leaves its place for good, seen by all."""
        for known in self.known:
            known.pop(card, None)
            if self.vague:
                _narrow(known, at)
        for viewer, seen in enumerate(self.seen):
            if any(mask & at for mask in seen):
                self.seen[viewer] = [rest for mask in seen if (rest := mask & ~at)]

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
                known[card] = moved(mask)
        self.seen = [[moved(mask) for mask in seen] for seen in self.seen]

    def shuffle(self, parts: Iterable[int]) -> None:
        """The cards within each of these sets of places are shuffled, and nobody looks."""
        parts = [part for part in parts if part]
        self.vague = True
        for known in self.known:
            for card, mask in known.items():
                known[card] = _spread(mask, parts)
        for viewer, seen in enumerate(self.seen):
            # a shuffled part is still known as a set to whoever had seen all of it
            whole = [mask for mask in seen if _spread(mask, parts) == mask]
            for part in parts:
                union = 0
                for mask in seen:
                    if mask & ~part == 0:
                        union |= mask
                if union == part and part not in whole:
                    whole = [mask for mask in whole if mask & part == 0]
                    whole.append(part)
            self.seen[viewer] = whole


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
