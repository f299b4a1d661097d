"""How Duel 52 speaks: names of cards, powers, seats and places in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from bot.locales import Words, words
from bot.render.scene import Look
from engine.duel52.cards import SHEET, VAMPIRES
from engine.duel52.observation import HIDDEN, Observation, Unit
from engine.playing_cards import LABELS, RANK_LABELS, RANK_OF, SUIT_NAMES, SUIT_OF

GAME: Final = "duel52"
VAMPIRIC: Final = "vampiric"
_ESCAPED = re.compile(r"\\([^\w\s])")


def clipped(text: str, most: int) -> str:
    """The text, shortened with an ellipsis where it is longer."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def power_of(rank: int, *, vampiric: bool) -> str:
    """The key of the power of a rank."""
    return VAMPIRIC if vampiric and rank in VAMPIRES else SHEET.cards[rank].power


def printed(card: int) -> tuple[str, str]:
    """Rank and suit of a card, as its painter wants them."""
    return RANK_LABELS[RANK_OF[card]], SUIT_NAMES[SUIT_OF[card]]


class Voice:
    """The strings of Duel 52 for one reader: `voice("line.play", name=…)`."""

    __slots__ = ("_say", "look")

    def __init__(self, look: Look) -> None:
        self.look = look
        self._say: Words = words(look.locale)

    def __call__(self, key: str, /, **facts: Any) -> str:
        """The string of the key below the game's own table.

        Raises:
            MissingWords: there is no such string.
        """
        return self._say(f"{GAME}.{key}", **facts)

    def list(self, key: str) -> tuple[str, ...]:
        """A list of strings below the game's own table."""
        return self._say.list(f"{GAME}.{key}")

    def __contains__(self, key: str) -> bool:
        return f"{GAME}.{key}" in self._say

    def name(self, seat: int) -> str:
        """A player in bold. The look's names are safe in Markdown already."""
        return self("bold", name=self.look.name(seat))

    def plain(self, seat: int) -> str:
        """A player for labels, which know no Markdown: the signs that escape it are taken out."""
        return _ESCAPED.sub(r"\1", self.look.name(seat))

    def bold(self, text: str) -> str:
        """A text in bold."""
        return self("bold", name=text)

    def side(self, seen: Observation, side: int) -> str:
        """The players of a side, for labels."""
        return self.all([self.plain(seat) for seat in range(side, seen.setup.seats, seen.setup.sides)])

    def card(self, card: int) -> str:
        """A card in a sentence; a back is a back."""
        return self("card", label=LABELS[card]) if card != HIDDEN else self("a_back")

    def cards(self, cards: Iterable[int]) -> str:
        """Several cards in a sentence."""
        return self.all([self.card(card) for card in cards])

    def power(self, rank: int, *, vampiric: bool) -> str:
        """The name of the power of a rank."""
        return self(f"power.{power_of(rank, vampiric=vampiric)}")

    def short(self, rank: int, *, vampiric: bool) -> str:
        """The power of a rank in a few words."""
        return self(f"short.{power_of(rank, vampiric=vampiric)}")

    def label(self, card: int, *, vampiric: bool) -> str:
        """A card with its power, for a choice."""
        return self("label", card=LABELS[card], power=self.power(card >> 2, vampiric=vampiric))

    def place(self, seen: Observation, lane: int) -> str:
        """A lane, or triangle."""
        return self("triangle" if seen.setup.sides > 2 else "lane", n=lane + 1)

    def inside(self, lane: int, *, triangles: bool) -> str:
        """A lane, or triangle, in a sentence."""
        return self("in_triangle" if triangles else "in_lane", n=lane + 1)

    def unit(self, unit: Unit, position: int) -> str:
        """A card on the table, for a choice: what may be shown of it, or its number among the backs."""
        if unit.up:
            return LABELS[unit.card]
        back = self("base" if unit.locked else "back", n=position)
        return self("known_back", card=LABELS[unit.card], back=back) if unit.shown else back

    def all(self, parts: Sequence[str], last: str = "and") -> str:
        """Several things as a phrase."""
        if len(parts) < 2:
            return "".join(parts)
        return ", ".join(parts[:-1]) + self(last) + parts[-1]
