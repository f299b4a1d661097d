"""The voice of Atom: its strings, and names for cards, sets and players in one language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from bot.locales import Words, words
from bot.render.scene import Look
from engine.atom.cards import ORDER
from engine.atom.plays import Play, shape
from engine.playing_cards import BLACK_JOKER, JOKER, LABELS, RANK_LABELS, RED_JOKER

GAME = "atom"
_ESCAPED = re.compile(r"\\([^\w\s])")
_COLOURS = {BLACK_JOKER: "black", RED_JOKER: "red"}
LABEL = 80
"""The most signs on a button or in a line of a select."""
NOTE = 100
"""The most signs in a note."""


def clipped(text: str, most: int) -> str:
    """The text, shortened with an ellipsis where it is longer."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def height(card: int, blade: int) -> tuple[int, int]:
    """What cards are sorted by: jokers, then ranks from low to high with the Blade on top."""
    rank = card >> 2
    if rank == JOKER:
        return -1, card
    return (len(ORDER) if rank == blade else ORDER.index(rank)), card


class Voice:
    """The strings of Atom for one reader: `voice("line.pass", name=…)`."""

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

    def all(self, parts: Sequence[str], last: str = "and") -> str:
        """Several things as a phrase."""
        if len(parts) < 2:
            return "".join(parts)
        return self("comma").join(parts[:-1]) + self(last) + parts[-1]

    def names(self, seats: Iterable[int]) -> str:
        """Several players in bold."""
        return self.all([self.name(seat) for seat in seats])

    def card(self, card: int) -> str:
        """A card in passing: 7♠, or the word for a joker."""
        return self(f"joker.{_COLOURS[card]}") if card >= BLACK_JOKER else LABELS[card]

    def cards(self, cards: Iterable[int]) -> str:
        """Several cards, equal ones with their number: 7♠×2 7♥."""
        found = Counter(cards)
        parts = []
        for card, many in sorted(found.items(), key=lambda item: (item[0] >= BLACK_JOKER, item[0])):
            parts.append(self.card(card) if many == 1 else self("times", card=self.card(card), n=many))
        return " ".join(parts)

    def rank(self, rank: int) -> str:
        """A rank: 10, K, or the word for jokers."""
        return self("joker.any") if rank == JOKER else RANK_LABELS[rank]

    def kind(self, play: Play) -> str:
        """What a set is: pair, bomb of 5, atom …"""
        return self(f"kind.{play.kind}", size=play.size)

    def set(self, cards: tuple[int, ...], seats: int) -> str:
        """A set in words: pair 7♠ 7♥."""
        play = shape(cards, 3 if seats == 4 else 5)
        shown = self.cards(cards)
        return self("set", kind=self.kind(play), cards=shown) if play else shown
