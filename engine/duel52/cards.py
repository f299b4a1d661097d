"""The thirteen ranks and the six variants: the checked data file, and lookup tables for the rules.

Source: docs/rules/duel52.md, section 2.2, and the creators' rule sheet (www.duel52.com).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import msgspec

from engine import data
from engine.playing_cards import JACK, RANK_CODES, RANKS

DATA: Final = "duel52.json"
LONE: Final = 2
"""Hit points of every card but the Jack, and of any face-down card."""

Kind = Literal["flip", "constant", "trap"]


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rank: the key and kind of its power, and its hit points face-up.

    `kind` is "flip" for powers that work when the card is turned up (and again with a King), "constant" for
    those that last while it is face-up, and "trap" for the 3.
    """

    rank: str
    power: str
    kind: Kind
    points: int


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to set up the game.

    `aside` cards are not used; `actions` are those of the first turns, then 3.
    """

    key: str
    seats: int
    sides: int
    lanes: int
    bases: bool
    hand: int
    aside: int
    actions: tuple[int, ...]

    @property
    def pile(self) -> int:
        """The size of the draw pile after the deal."""
        return 52 - self.seats * self.hand - self.lanes * self.sides * self.bases - self.aside


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file; `vampiric` lists the ranks that change in Vampiric games."""

    cards: tuple[Card, ...]
    vampiric: tuple[str, ...]
    variants: tuple[Variant, ...]


def read(source: bytes | None = None) -> Sheet:
    """Read and check the card data. Tests pass `source` instead of the file.

    Raises:
        BrokenData: names the file, the line and the problem.
    """
    sheet = data.load(DATA, Sheet, source)
    raw = (data.folder() / "cards" / DATA).read_bytes() if source is None else source

    def broken(field: str, nth: int, problem: str) -> data.BrokenData:
        return data.BrokenData(f"{DATA}, line {data.line_of(raw, field, nth)}: {problem}")

    _check_cards(sheet, broken)
    _check_variants(sheet, broken)
    return sheet


def _check_cards(sheet: Sheet, broken: Callable[[str, int, str], data.BrokenData]) -> None:
    if len(sheet.cards) != RANKS:
        raise broken("rank", len(sheet.cards) - 1, f"{len(sheet.cards)} ranks, not {RANKS}")
    for nth, card in enumerate(sheet.cards):
        if card.rank != RANK_CODES[nth]:
            raise broken("rank", nth, f"rank {card.rank!r} where {RANK_CODES[nth]!r} belongs")
        if card.power in [other.power for other in sheet.cards[:nth]]:
            raise broken("rank", nth, f"the power {card.power!r} stands there twice")
        if card.points != (3 if nth == JACK else LONE):
            raise broken("rank", nth, f"{card.points} hit points; a Jack has 3, all others {LONE}")
    for rank in sheet.vampiric:
        if rank not in RANK_CODES[:RANKS]:
            raise broken("vampiric", 0, f"{rank!r} is no rank")


def _check_variants(sheet: Sheet, broken: Callable[[str, int, str], data.BrokenData]) -> None:
    for nth, variant in enumerate(sheet.variants):
        if variant.key in [other.key for other in sheet.variants[:nth]]:
            raise broken("key", nth, f"the variant {variant.key!r} stands there twice")
        if variant.seats % variant.sides:
            raise broken("key", nth, f"{variant.seats} seats make no {variant.sides} equal sides")
        if variant.pile < 1:
            raise broken("key", nth, f"{variant.key!r} deals more cards than there are")
        if len(variant.actions) >= variant.seats:
            raise broken("key", nth, "only the first turns of all but the last seat have other actions")


SHEET: Final = read()
"""The content of the data file."""

VARIANTS: Final = {variant.key: variant for variant in SHEET.variants}
POINTS: Final = tuple(card.points for card in SHEET.cards)
"""Hit points face-up, by rank."""
VAMPIRES: Final = frozenset(RANK_CODES.index(rank) for rank in SHEET.vampiric)
"""Ranks that heal after a kill in Vampiric games and have no other power there."""
FLIPPERS: Final = frozenset(rank for rank, card in enumerate(SHEET.cards) if card.kind == "flip")
"""Ranks whose powers work when they are turned up."""
TURN: Final = 3
"""Actions per turn."""
