"""How Atom Duel speaks: names of cards, powers, seats, slots and numbers in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from bot.presenters.elements.words import Voice as ElementVoice
from bot.render.scene import Look
from engine.atom_duel.cards import BY_Z, CARDS, DECK, IMMUNITY_OF_GOLD, POWER_LEVEL, UNIQUE_LEVEL
from engine.atom_duel.events import Card, Doubled, Power, Short, Slot, Verb
from engine.elements import ELEMENTS
from engine.game import Value

GAME = "atom_duel"
HAND_SIZES = {"five": 5, "seven": 7}
MOST_SEATS = 5
_TEXTS = {power.key: power.text for power in DECK.powers} | {one.key: one.text for one in DECK.uniques}


def slot(place: int) -> str:
    """A slot as people read it: its number, from 1. Letters are the signs of seats."""
    return str(place + 1)


def slot_key(place: int) -> str:
    """The key of a slot among choices: a letter, as in the custom ids of hands that lie open."""
    return chr(ord("A") + place)


def number(value2: int) -> str:
    """A doubled number as people write it: 53½, −5."""
    whole, half = divmod(abs(value2), 2)
    text = f"{whole if whole or not half else ''}{'½' if half else ''}"
    return f"\u2212{text}" if value2 < 0 else text


def powers_at(z: int, level: int, gold_immune_from: int = UNIQUE_LEVEL) -> tuple[str, ...]:
    """The powers of a card that are in play at a level, its unique one last."""
    card = BY_Z[z]
    shared = tuple(power for power in card.powers if POWER_LEVEL[power] <= level)
    if card.unique is None or unique_level(z, gold_immune_from) > level:
        return shared
    return (*shared, card.unique)


def unique_level(z: int, gold_immune_from: int = UNIQUE_LEVEL) -> int:
    """The level at which a card's unique power begins to matter (section 3.6)."""
    unique = BY_Z[z].unique or ""
    if unique == IMMUNITY_OF_GOLD:
        return max(gold_immune_from, POWER_LEVEL["laser"])
    return _UNIQUE_LEVELS.get(unique, UNIQUE_LEVEL)


_UNIQUE_LEVELS = {
    # these immunities work as soon as there is something to be immune to
    "immune_laser": POWER_LEVEL["laser"],
    "immune_magnet_carbide": POWER_LEVEL["magnet"],
    "noble_gas": POWER_LEVEL["magnet"],
}


class Voice(ElementVoice):
    """The strings of Atom Duel for one reader."""

    __slots__ = ()
    table = GAME
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {
        Card: lambda voice, card, _: voice.card(card),
        Short: lambda voice, card, _: voice.short(card),
        list[Short]: lambda voice, cards, _: voice.shorts(cards),
        Slot: lambda _voice, at, _: slot(at),
        list[Slot]: lambda voice, slots, _: voice.slots(slots),
        Doubled: lambda _voice, value2, _: number(value2),
        list[Power]: lambda voice, powers, _: voice.all([voice(f"as.{one}") for one in powers], "tree.or"),
        Verb: lambda voice, verb, _: voice(f"asks.{verb}"),
    }

    def power(self, key: str) -> str:
        """The name of a power."""
        return self(f"power.{key}")

    def text(self, power: str) -> str:
        """What a power does, in a sentence: a language may have its own, else that of the card data."""
        key = f"text.{power}"
        return self(key) if key in self else _TEXTS[power]

    def note(self, power: str) -> str:
        """Return what a power does, short enough for the note of a choice."""
        key = f"note.{power}"
        return self(key) if key in self else self.text(power)

    def ground(self, z: int, power: str) -> str:
        """Why a card has a power, in a word or two: `power` may be `unique`."""
        key = f"ground.{ELEMENTS[z - 1].symbol}.{power}"
        return self(key) if key in self else BY_Z[z].why[power]

    def hyphenated(self, z: int) -> str:
        """The name of an element, with a soft hyphen where a long one breaks on a narrow card."""
        key = f"picture.hyphenated.{ELEMENTS[z - 1].symbol}"
        return self(key) if key in self else self.element(z)

    def shorts(self, cards: Iterable[int]) -> str:
        """Several cards in passing."""
        return self.all([self.short(z) for z in cards])

    def slots(self, slots: Iterable[int]) -> str:
        """Several slots by their numbers."""
        return self.all([slot(at) for at in slots])


def option(key: str, value: Value | None, look: Look) -> tuple[str, str]:
    """An option or one of its values, and what it does."""
    voice = Voice(look)
    if value is None:
        return voice(f"option.{key}"), voice(f"option.{key}_note")
    if key == "level":
        return voice(f"option.level_{value}"), voice(f"option.level_{value}_note")
    if key == "hand_size":
        return voice("option.hand_size_value", n=value), voice(f"option.hand_size_{value}_note")
    reach = {name: min(MOST_SEATS, len(CARDS) // (size * int(value))) for name, size in HAND_SIZES.items()}
    return voice("option.rounds_value", n=value), voice("option.rounds_value_note", **reach)
