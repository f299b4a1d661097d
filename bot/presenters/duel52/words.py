"""The words of Duel 52: names of cards, powers, seats and places in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import ascii_lowercase
from typing import ClassVar, Final

from bot.presenters.duel52.queries import left, seats_of
from bot.presenters.voice import Voice as GameVoice
from bot.render.scene import Look
from bot.render.theme import seat_letter
from engine.duel52.cards import SHEET, VAMPIRES, VARIANTS
from engine.duel52.events import Card, Lane, Side, Verb
from engine.duel52.observation import HIDDEN, LaneUnit, Observation
from engine.game import Value
from engine.playing_cards import LABELS, RANK_LABELS, RANK_OF, SUIT_NAMES, SUIT_OF

GAME: Final = "duel52"
GROUND: Final = "slate"
"""The background of its pictures."""
VAMPIRIC: Final = "vampiric"


def power_of(rank: int, *, vampiric: bool) -> str:
    """Return the key of the power of a rank."""
    return VAMPIRIC if vampiric and rank in VAMPIRES else SHEET.cards[rank].power


def letter(place: int) -> str:
    """Return the name of a back by its place in its row, from 1. A digit would look like a rank."""
    return ascii_lowercase[place - 1]


def circled(lane: int) -> str:
    """Return the sign of a lane or triangle that is shown with its cards."""
    return chr(ord("①") + lane)


def printed(card: int) -> tuple[str, str]:
    """Return the rank and suit of a card as its painter expects them."""
    return RANK_LABELS[RANK_OF[card]], SUIT_NAMES[SUIT_OF[card]]


class Voice(GameVoice):
    """The strings of Duel 52 for one reader."""

    __slots__ = ()
    table = GAME
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {
        Card: lambda voice, card, _: voice.card(card),
        list[Card]: lambda voice, cards, _: voice.cards(cards),
        Lane: lambda voice, lane, facts: voice.inside(lane, triangles=facts.get("triangles", False)),
        Side: lambda _voice, side, _: "AB"[side],
        Verb: lambda voice, verb, _: voice(f"asks.{verb}"),
    }

    def side(self, seen: Observation, side: int) -> str:
        """Return the players of a side, for labels."""
        return self.all([self.plain(seat) for seat in seats_of(seen, side)])

    def letters(self, seen: Observation, side: int) -> str:
        """Return the letters of the players of a side, as in the picture."""
        return "".join(map(seat_letter, seats_of(seen, side)))

    def of_side(self, seen: Observation, side: int) -> str:
        """Return the players of a side, for a sentence."""
        return self.names(seats_of(seen, side))

    def card(self, card: int) -> str:
        """Return a card for a sentence. A hidden card is "a back"."""
        return self("card", label=LABELS[card]) if card != HIDDEN else self("a_back")

    def cards(self, cards: Iterable[int]) -> str:
        """Return several cards for a sentence."""
        return self.all([self.card(card) for card in cards])

    def power(self, rank: int, *, vampiric: bool) -> str:
        """Return the name of the power of a rank."""
        return self(f"power.{power_of(rank, vampiric=vampiric)}")

    def short(self, rank: int, *, vampiric: bool) -> str:
        """Return the power of a rank in a few words."""
        return self(f"short.{power_of(rank, vampiric=vampiric)}")

    def label(self, card: int, *, vampiric: bool) -> str:
        """Return a card with its power, for a choice."""
        return self("label", card=LABELS[card], power=self.power(card >> 2, vampiric=vampiric))

    def place(self, seen: Observation, lane: int) -> str:
        """Return the name of a lane or triangle."""
        return self("triangle" if seen.setup.sides > 2 else "lane", n=lane + 1)

    def inside(self, lane: int, *, triangles: bool) -> str:
        """Return a lane or triangle for a sentence."""
        return self("in_triangle" if triangles else "in_lane", n=lane + 1)

    def unit(self, unit: LaneUnit, position: int) -> str:
        """Return a card on the table for a choice, with its remaining hit points if it is damaged."""
        return self.hurt(self.named(unit, position), unit)

    def named(self, unit: LaneUnit, position: int) -> str:
        """Return the name of a card if the reader may see it, or the letter of its place among the backs."""
        if unit.up or unit.shown:
            return LABELS[unit.card]
        return self("base" if unit.locked else "back", letter=letter(position))

    def hurt(self, card: str, unit: LaneUnit) -> str:
        """Add the remaining hit points to the name of a damaged card."""
        return self("hurt", card=card, left=left(unit)) if unit.damage else card


def option(key: str, value: Value | None, look: Look) -> tuple[str, str]:
    """Return the label of an option or one of its values, and a sentence on what it does."""
    voice = Voice(look)
    if value is None:
        return voice(f"option.{key}"), voice(f"option.{key}_note")
    if key == "vampiric":
        word = "on" if value else "off"
        return voice(f"option.vampiric_{word}"), voice(f"option.vampiric_{word}_note")
    return voice(f"option.{value}"), voice(f"option.{value}_note", pile=VARIANTS[str(value)].pile)
