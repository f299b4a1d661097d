"""The 118 cards: what the data file says, checked, and the tables that the rules look up.

Source: docs/rules/atom_duel.md, sections 2 and 5. A card is its atomic number; 0 stands for "no card".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import msgspec

from engine import data
from engine.elements import ELEMENTS

DATA = "atom_duel.json"
CARDS = tuple(range(1, len(ELEMENTS) + 1))
LEVELS = 7
UNIQUE_LEVEL = 7
ANNOUNCED = frozenset({"laser", "alloy", "magnet", "carbide"})
"""Powers that a card may have to choose between; the others are always on."""

# What a play brings into a hand, one bit each. `CardTable.bits` says which cards have which.
SCIENTIST = 1
LABORATORY = 1 << 1
ANTI_SCIENTIST = 1 << 2
ANTI_LABORATORY = 1 << 3
RADIOACTIVE = 1 << 4
STOPPER = 1 << 5
ALLOY = 1 << 6  # the icon: fuel for the alloys of others, whatever was announced
JOIN = 1 << 7  # announced as alloy: melts what lies there
MAGNET = 1 << 8
CARBIDE = 1 << 9
NOBLE = 1 << 10
IMMUNE = 1 << 11  # to Magnets and Carbide Bits
METAL = 1 << 12  # a transition metal
CARBON = 1 << 13
PRASEODYMIUM = 1 << 14
NITROGEN = 1 << 15
OXYGEN = 1 << 16
POTASSIUM = 1 << 17
PLUS_FIVE = 1 << 18  # the owner's Zinc adds 5
DEAD = 1 << 19  # Astatine or Francium played too late

_POWER_BITS = {
    "scientist": SCIENTIST,
    "laboratory": LABORATORY,
    "anti_scientist": ANTI_SCIENTIST,
    "anti_laboratory": ANTI_LABORATORY,
    "radioactive": RADIOACTIVE,
    "stopper": STOPPER,
    "alloy": JOIN,
    "magnet": MAGNET,
    "carbide": CARBIDE,
}
_UNIQUE_BITS = {
    "carbon_x3": CARBON,
    "join_alloy": PRASEODYMIUM,
    "minus_77": NITROGEN,
    "oxidise_second": OXYGEN,
    "join_scientist": POTASSIUM,
}
IMMUNITY_OF_GOLD = "immune_laser_magnet_carbide"
_IMMUNE_TO_LASER = frozenset({"immune_laser", IMMUNITY_OF_GOLD})
_IMMUNE_TO_MAGNET = frozenset({"immune_magnet_carbide", IMMUNITY_OF_GOLD})
_RINGS = ("red", "pink")


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A power that several cards share: the level that brings it in, how many cards have it, its words."""

    key: str
    level: int
    cards: int
    text: str


class Unique(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A power of level 7; a passive one needs no decision and never stands in an announcement."""

    key: str
    passive: bool
    cards: int
    text: str


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One card. `why` gives the ground of each power in a word or two, keyed by power or `unique`."""

    z: int
    symbol: str
    powers: tuple[str, ...]
    ring: str | None
    unique: str | None
    why: dict[str, str]

    @property
    def name(self) -> str:
        """The element's English name, by which ties break."""
        return ELEMENTS[self.z - 1].name

    @property
    def category(self) -> str:
        """The element's family."""
        return ELEMENTS[self.z - 1].category


class Deck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file."""

    levels: tuple[str, ...]
    powers: tuple[Power, ...]
    uniques: tuple[Unique, ...]
    cards: tuple[Card, ...]


def read(source: bytes | None = None) -> Deck:
    """Read and check the card data; `source` stands in for the file in tests.

    Raises:
        BrokenData: names the file, the line and what is wrong there.
    """
    deck = data.load(DATA, Deck, source)
    raw = (data.folder() / "cards" / DATA).read_bytes() if source is None else source

    def broken(list_key: str, field: str, nth: int, problem: str) -> data.BrokenData:
        # the same field name stands in several lists: count only from this list on
        start = max(raw.find(f'"{list_key}": ['.encode()), 0)
        line = raw.count(b"\n", 0, start) + data.line_of(raw[start:], field, nth)
        return data.BrokenData(f"{DATA}, line {line}: {problem}")

    _check_kinds(deck, broken)
    _check_cards(deck, broken)
    _check_counts(deck, broken)
    return deck


def _check_kinds(deck: Deck, broken: Callable[[str, str, int, str], data.BrokenData]) -> None:
    if len(deck.levels) != LEVELS:
        raise broken("levels", "levels", 0, f"{len(deck.levels)} levels, not {LEVELS}")
    for nth, power in enumerate(deck.powers):
        if power.key not in _POWER_BITS and power.key not in ANNOUNCED:
            raise broken("powers", "key", nth, f"no rule knows the power {power.key!r}")
        if not 2 <= power.level < UNIQUE_LEVEL:
            raise broken("powers", "key", nth, f"{power.key!r} at level {power.level}, not 2 to 6")
    lists: dict[str, tuple[Power | Unique, ...]] = {"powers": deck.powers, "uniques": deck.uniques}
    for list_key, kinds in lists.items():
        for nth, kind in enumerate(kinds):
            if not kind.text.strip():
                raise broken(list_key, "key", nth, f"{kind.key!r} has no text")
            if kind.key in [earlier.key for earlier in kinds[:nth]]:
                raise broken(list_key, "key", nth, f"{kind.key!r} stands there twice")


def _check_counts(deck: Deck, broken: Callable[[str, str, int, str], data.BrokenData]) -> None:
    lists: dict[str, tuple[Power | Unique, ...]] = {"powers": deck.powers, "uniques": deck.uniques}
    for list_key, kinds in lists.items():
        for nth, kind in enumerate(kinds):
            if list_key == "powers":
                have = sum(kind.key in card.powers for card in deck.cards)
            else:
                have = sum(kind.key == card.unique for card in deck.cards)
            if have != kind.cards:
                raise broken(list_key, "key", nth, f"{have} cards have {kind.key!r}, not {kind.cards}")


def _check_cards(deck: Deck, broken: Callable[[str, str, int, str], data.BrokenData]) -> None:
    powers = {power.key for power in deck.powers}
    uniques = {unique.key for unique in deck.uniques}
    for nth, (card, element) in enumerate(zip(deck.cards, ELEMENTS, strict=False)):
        problem = None
        announced = [power for power in card.powers if power in ANNOUNCED]
        if card.z != element.z:
            problem = f"card {card.z} where {element.z} belongs"
        elif card.symbol != element.symbol:
            problem = f"element {card.z} is {element.symbol}, not {card.symbol!r}"
        elif unknown := [power for power in card.powers if power not in powers]:
            problem = f"{card.symbol} has the unknown power {unknown[0]!r}"
        elif len(set(card.powers)) != len(card.powers):
            problem = f"{card.symbol} has a power twice"
        elif len(announced) > 2:
            problem = f"{card.symbol} could announce {len(announced)} powers, at most 2 are possible"
        elif card.unique is not None and card.unique not in uniques:
            problem = f"{card.symbol} has the unknown unique power {card.unique!r}"
        elif card.ring not in ((None,) if "radioactive" not in card.powers else _RINGS):
            problem = f"{card.symbol} has the ring {card.ring!r}"
        elif missing := [
            p for p in card.powers + ("unique",) * (card.unique is not None) if p not in card.why
        ]:
            problem = f"{card.symbol} has no ground for {missing[0]!r}"
        if problem:
            raise broken("cards", "z", nth, problem)
    if len(deck.cards) != len(ELEMENTS):
        raise broken("cards", "z", len(deck.cards) - 1, f"{len(deck.cards)} cards, not {len(ELEMENTS)}")


DECK = read()
"""The cards as the data file has them."""

BY_Z: dict[int, Card] = {card.z: card for card in DECK.cards}
POWER_LEVEL: dict[str, int] = {power.key: power.level for power in DECK.powers}

NAME_RANK: tuple[int, ...] = (0, *(sorted(e.name for e in ELEMENTS).index(e.name) for e in ELEMENTS))
"""By card: its place in the alphabet, for the last rule of a tie (section 4.13)."""


def of_unique(key: str) -> tuple[int, ...]:
    """The cards with this unique power, ascending."""
    return tuple(card.z for card in DECK.cards if card.unique == key)


Brought: TypeAlias = tuple[int, int, str]
"""What a card brings into a hand (section 4.2): its doubled number, its bits, the power it uses."""


AFTER_FIRST, WITH_ZINC = 1, 2
"""When a card is played: after the first hand of a round, by a player who has played Zinc."""


class CardTable(msgspec.Struct, frozen=True, eq=False):
    """What each card does at one level (section 3.6); every list is keyed by card, entry 0 is unused.

    `choices` are the powers to announce, empty where there is nothing to choose; `bits` what a
    play brings into the hand when nothing was announced, `announced` the same by announcement;
    `instant` the key of the power that works at play time, by card and by announcement ("" for none).
    `plain` and `chosen` are what is brought into a hand where nothing is announced, and by announcement;
    they are by when it is played (AFTER_FIRST and WITH_ZINC added up), then card.

    There is one table for each level and rules, so tables are compared and hashed by identity.
    """

    level: int
    choices: tuple[tuple[str, ...], ...]
    bits: tuple[int, ...]
    announced: tuple[dict[str, int], ...]
    powers: tuple[str, ...]
    late_is_dead: frozenset[int]
    immune_to_laser: frozenset[int]
    plain: tuple[tuple[Brought, ...], ...]
    chosen: tuple[tuple[dict[str, Brought], ...], ...]

    def played(self, card: int, power: str, *, first_hand: bool, zinc: bool) -> Brought:
        """What a card brings into a hand."""
        when = WITH_ZINC * zinc + AFTER_FIRST * (not first_hand)
        return self.chosen[when][card][power] if power else self.plain[when][card]


@cache
def table(level: int, gold_immune_from: int = UNIQUE_LEVEL) -> CardTable:
    """Return the table of a level.

    Gold is immune from level `gold_immune_from` on: 7, and by rules 1 from the first level (decision 34).
    The other immunities hold at every level; there is nothing to be immune to before they matter.
    """
    gold_is_immune = level >= gold_immune_from
    choices: list[tuple[str, ...]] = [()]
    bits = [0]
    announced: list[dict[str, int]] = [{}]
    powers = [""]
    for card in DECK.cards:
        active = [power for power in card.powers if POWER_LEVEL[power] <= level]
        usable = tuple(power for power in active if power in ANNOUNCED)
        unique = card.unique if level >= UNIQUE_LEVEL else None
        base = 0
        for power in active:
            if power not in ANNOUNCED:
                base |= _POWER_BITS[power]
        if "alloy" in active:
            base |= ALLOY
        if card.category == "transition metal":
            base |= METAL
        # the bar of noble gases matters to Magnets (level 6) and to unique powers (level 7)
        if card.category == "noble gas":
            base |= NOBLE
        if card.unique in _IMMUNE_TO_MAGNET and (gold_is_immune or card.unique != IMMUNITY_OF_GOLD):
            base |= IMMUNE
        base |= _UNIQUE_BITS.get(unique or "", 0)
        if len(usable) == 2:
            choices.append(usable)
            announced.append({power: base | _POWER_BITS.get(power, 0) for power in usable})
            bits.append(base)
            powers.append("")
            continue
        choices.append(())
        announced.append({})
        bits.append(base | (_POWER_BITS.get(usable[0], 0) if usable else 0))
        kinds = [power for power in active if power != "radioactive"]
        passive = next((kind.passive for kind in DECK.uniques if kind.key == unique), True)
        if unique is not None and not passive:
            powers.append(unique)
        else:
            powers.append((usable or tuple(kinds) or tuple(active) or ("",))[0])
    late = frozenset(of_unique("first_or_zero")) if level >= UNIQUE_LEVEL else frozenset()
    laser = frozenset(
        card.z
        for card in DECK.cards
        if card.unique in _IMMUNE_TO_LASER and (gold_is_immune or card.unique != IMMUNITY_OF_GOLD)
    )

    def brought(card: int, power: str, when: int) -> Brought:
        if when & AFTER_FIRST and card in late:
            return 0, DEAD, ""
        given = announced[card][power] if power else bits[card]
        if when & WITH_ZINC:
            return 2 * card + 10, given | PLUS_FIVE, power or powers[card]
        return 2 * card, given, power or powers[card]

    whens = range(2 * WITH_ZINC)
    plain = tuple(((0, 0, ""), *(brought(card, "", when) for card in CARDS)) for when in whens)
    chosen = tuple(
        ({}, *({power: brought(card, power, when) for power in choices[card]} for card in CARDS))
        for when in whens
    )
    return CardTable(
        level, tuple(choices), tuple(bits), tuple(announced), tuple(powers), late, laser, plain, chosen
    )


TABLES: tuple[CardTable, ...] = tuple(table(max(level, 1)) for level in range(LEVELS + 1))
"""The table of each level by today's rules; entry 0 repeats level 1 so that a level is its own index."""
