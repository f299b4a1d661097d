"""What lies face down, and who knows what of it: a pile and what each seat holds from it.

Tiles and group cards are kept the same way. Pieces of one kind are alike, so knowledge is about
kinds. A held piece remembers the *epoch* in which it was drawn, that is how often the pile had been
mixed by then, and which other seats know it because it passed through their hands. Whoever saw a
piece go back into the pile keeps a *mark* (kind, epoch): that many pieces of the kind lie in the
pile or were drawn since, and in no hand filled before. Epochs are public, as at a table where all
see who draws when; which of several equal pieces leaves a hand is left to chance, so that it
tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Self

from engine.fields import Bag, Derived, Hidden, Owned, Public
from engine.game import Seat
from engine.molecular.observation import Mixed

KIND = 63
MARK = 6
_KNOWERS, _EPOCH = 6, 16
_ALL = (1 << _EPOCH - _KNOWERS) - 1
PUBLIC = -1
"""Instead of a seat whose pieces are mixed in: all have seen them."""


def entry(kind: int, epoch: int, knowers: int = 0) -> int:
    """A held piece as one number; `knowers` has a bit for each seat besides the holder."""
    return kind | knowers << _KNOWERS | epoch << _EPOCH


def kind_of(piece: int) -> int:
    """The kind of a held piece."""
    return piece & KIND


def knowers_of(piece: int) -> int:
    """A bit for each seat besides the holder that knows it."""
    return piece >> _KNOWERS & _ALL


def epoch_of(piece: int) -> int:
    """How often the pile had been mixed when it was drawn."""
    return piece >> _EPOCH


class Hoard:
    """A pile, drawn from its end, and what each seat holds; see the module.

    `marks` has a list for each seat, and a last one for spectators; a mark is `kind | epoch << 6`.
    """

    pile: Hidden[list[int]]
    held: Owned[list[list[int]]]
    mixes: Public[list[Mixed]]
    marks: Owned[list[Bag[int]]]
    marked: Derived[bool]
    """Whether anybody has ever seen what went back into the pile."""

    # written by scripts/positions.py from the fields above
    __slots__ = (
        "held",
        "marked",
        "marks",
        "mixes",
        "pile",
    )

    def clone(self) -> Self:
        """A copy that shares nothing that changes."""
        kind = type(self)
        twin = kind.__new__(kind)
        twin.pile = self.pile.copy()
        twin.held = [one.copy() for one in self.held]
        twin.mixes = self.mixes.copy()
        twin.marks = [one.copy() for one in self.marks]
        twin.marked = self.marked
        return twin

    def parts(self) -> tuple[object, ...]:
        """What it is made of, for fingerprints: equal where the values are."""
        return (
            self.pile,
            self.held,
            self.mixes,
            [sorted(one) for one in self.marks],
        )

    # as far as here

    def __init__(self, seats: int, pile: list[int]) -> None:
        self.pile = pile
        self.held = [[] for _ in range(seats)]
        self.mixes = []
        self.marks = [[] for _ in range(seats + 1)]
        self.derive()

    def derive(self) -> None:
        """Find again what follows from the other fields."""
        self.marked = any(mix.known or (mix.pieces and mix.who >= PUBLIC) for mix in self.mixes)

    def kinds(self, seat: Seat) -> list[int]:
        """What a seat holds, in the order in which it came."""
        return [piece & KIND for piece in self.held[seat]]

    def holds(self, seat: Seat, kind: int) -> bool:
        """Whether a seat holds a piece of this kind."""
        for piece in self.held[seat]:  # noqa: SIM110 - asked before every play
            if piece & KIND == kind:
                return True
        return False

    def draw(self, seat: Seat) -> int:
        """The seat takes the next piece; its kind."""
        kind = self.pile.pop()
        epoch = len(self.mixes)
        self.held[seat].append(kind | epoch << _EPOCH)
        if self.marked:
            _see(self.marks[seat], kind, epoch)
        return kind

    def take(self, seat: Seat, kind: int, chance: Callable[[int], int]) -> int:
        """A piece of this kind leaves a hand, chance deciding among those that differ; the piece."""
        held = self.held[seat]
        alike = [piece for piece in held if piece & KIND == kind]
        piece = alike[0]
        if alike.count(piece) == len(alike):
            held.remove(piece)
            return piece
        places = [place for place, other in enumerate(held) if other & KIND == kind]
        return held.pop(places[chance(len(places))])

    def show(self, piece: int, holder: Seat) -> None:
        """All see a piece that was held."""
        if self.marked:
            kind, epoch = piece & KIND, epoch_of(piece)
            blind = ~(knowers_of(piece) | 1 << holder)
            for viewer, marks in enumerate(self.marks):
                if marks and blind >> viewer & 1:
                    _see(marks, kind, epoch)

    def hand_over(self, piece: int, giver: Seat, taker: Seat) -> None:
        """A piece that was taken from `giver` goes to `taker`; both know it from now on."""
        knowers = knowers_of(piece)
        if self.marked and not knowers >> taker & 1:
            _see(self.marks[taker], piece & KIND, epoch_of(piece))
        knowers = (knowers | 1 << giver) & ~(1 << taker)
        self.held[taker].append(entry(piece & KIND, epoch_of(piece), knowers))

    def mix_in(
        self,
        who: Seat,
        pieces: Iterable[int],
        shuffle: Callable[[Sequence[int]], list[int]],
    ) -> None:
        """Pieces go back and the pile is mixed. From `who` they were hidden; PUBLIC pieces all have seen."""
        pieces = list(pieces)
        epoch = len(self.mixes) + 1
        self.marked = self.marked or bool(pieces and who >= PUBLIC)
        for viewer, marks in enumerate(self.marks):
            if who in (PUBLIC, viewer):
                marks += [piece & KIND | epoch << MARK for piece in pieces]
        for piece in pieces:
            knowers = knowers_of(piece)
            if knowers and who != PUBLIC:
                self.marked = True
                for viewer, marks in enumerate(self.marks):
                    if viewer != who and knowers >> viewer & 1:
                        marks.append(piece & KIND | epoch << MARK)
        kinds = tuple(sorted(piece & KIND for piece in pieces))
        self.pile = shuffle(sorted([*self.pile, *kinds]))
        known = tuple(sorted(filter(None, map(knowers_of, pieces))))
        shown = kinds if who == PUBLIC else ()
        self.mixes.append(Mixed(who, len(kinds), len(self.pile), shown, known))

    def marks_of(self, viewer: Seat | None) -> tuple[int, ...]:
        """The marks of a viewer that still say something, sorted: all other hands are as old, or older."""
        if not self.marked:
            return ()
        index = len(self.held) if viewer is None else viewer
        oldest = min(self.hidden_epochs(viewer), default=len(self.mixes))
        return tuple(sorted(mark for mark in self.marks[index] if mark >> MARK > oldest))

    def hidden_epochs(self, viewer: Seat | None) -> list[int]:
        """The epochs of the held pieces that the viewer does not know."""
        bit = 0 if viewer is None else 1 << viewer
        return [
            epoch_of(piece)
            for seat, held in enumerate(self.held)
            if seat != viewer
            for piece in held
            if not knowers_of(piece) & bit
        ]


def _see(marks: list[int], kind: int, epoch: int) -> None:
    """The viewer with these marks sees a piece drawn in this epoch. It may be a marked one: of those that
    fit, taking the latest mark away leaves exactly the worlds that are possible."""
    latest = -1
    for mark in marks:
        if mark & KIND == kind and mark > latest and mark >> MARK <= epoch:
            latest = mark
    if latest >= 0:
        marks.remove(latest)
