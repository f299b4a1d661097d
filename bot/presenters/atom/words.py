"""The voice of Atom: its strings, and names for cards, sets and players in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from bot.presenters import voice
from bot.render.scene import Look
from engine.atom.cards import ORDER, PACKS
from engine.atom.events import Card, Ladder, Rank, Set
from engine.atom.plays import Play, shape
from engine.game import Outcome, Value
from engine.playing_cards import BLACK_JOKER, JOKER, LABELS, RANK_LABELS, RED_JOKER

GAME = "atom"
_COLOURS = {BLACK_JOKER: "black", RED_JOKER: "red"}


def height(card: int, blade: int) -> tuple[int, int]:
    """What cards are sorted by: jokers, then ranks from low to high with the Blade on top."""
    rank = card >> 2
    if rank == JOKER:
        return -1, card
    return (len(ORDER) if rank == blade else ORDER.index(rank)), card


def best_first(outcome: Outcome) -> tuple[int, int]:
    """The totals of a match, those of the winners first: they stand below the winners' names."""
    totals = outcome.facts["totals"]
    return totals[outcome.facts["side"]], totals[1 - outcome.facts["side"]]


class Voice(voice.Voice):
    """The strings of Atom for one reader, and the names of its cards and sets."""

    __slots__ = ()
    table = GAME
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {
        Card: lambda voice, card, _: voice.card(card),
        list[Card]: lambda voice, cards, _: voice.cards(cards),
        Ladder: lambda voice, blade, _: voice.ladder(blade),
        Rank: lambda voice, rank, _: voice.rank(rank),
        list[Rank]: lambda voice, ranks, _: voice.all([voice.rank(rank) for rank in ranks]),
        Set: lambda voice, cards, _: voice.set(tuple(cards), voice.seats),
    }

    @property
    def seats(self) -> int:
        """How many play, as far as the names say."""
        return max(min(PACKS), min(len(self.look.names), max(PACKS)))

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

    def dotted(self, parts: Iterable[str]) -> str:
        """Several facts in one line; empty ones are left out."""
        return " · ".join(part for part in parts if part)

    def kind(self, play: Play) -> str:
        """What a set is: pair, bomb of 5, atom …"""
        return self(f"kind.{play.kind}", size=play.size)

    def set(self, cards: tuple[int, ...], seats: int) -> str:
        """A set in words: pair (7♠ 7♥)."""
        play = shape(cards, PACKS[seats])
        return self.sorted(play.kind, cards) if play else self.cards(cards)

    def sorted(self, kind: str, cards: Sequence[int]) -> str:
        """A set of a kind that is known."""
        return self(f"set.{kind}", size=len(cards), cards=self.cards(cards))

    def ladder(self, blade: int) -> str:
        """The order of the ranks: the lowest, the three highest ones below the Blade, and the Blade."""
        ranks = [RANK_LABELS[rank] for rank in ORDER if rank != blade]
        return self("ladder", low=ranks[0], tops=self("comma").join(ranks[-3:]))


def option(key: str, value: Value | None, look: Look) -> tuple[str, str]:
    """An option or one of its values, and what it does."""
    return Voice(look).option(key, value)
