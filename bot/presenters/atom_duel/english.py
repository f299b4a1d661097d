"""The English words on the pictures of Atom Duel, by key, until the locales carry them."""

from __future__ import annotations

from typing import Final

from engine.elements import ELEMENTS

TEXTS: Final[dict[str, str]] = {
    "round": "Round {round}/{rounds}",
    "hand": "Hand {hand}",
    "last_round": "Last round",
    "level": "Level {level}",
    "deck": "Deck {deck}",
    "points": "points",
    "leads": "leads",
    "wins": "wins",
    "beaten": "beaten",
    "joined": "in {symbol}",
    "start": "Ready to play",
    "start_more": "The cards are dealt. {name} leads.",
    "start_more_nobody": "The cards are dealt.",
    "sealed": "Rows are sealed",
    "effect.germanium": "face down",
    "effect.lanthanum": "face up",
    "effect.hydrogen": "pass left",
    "flag.zinc": "+5",
    "power.scientist": "Scientist",
    "power.laboratory": "Lab",
    "power.anti_scientist": "Anti-Sci.",
    "power.anti_laboratory": "Anti-Lab",
    "power.laser": "Laser",
    "power.radioactive": "Radiation",
    "power.stopper": "Stopper",
    "power.alloy": "Alloy",
    "power.magnet": "Magnet",
    "power.carbide": "Carbide",
    "power.unique": "Unique",
    "hand_title": "{name}'s hand",
    "order": "Order: {order}",
    "known": "seen",
    "hidden": "hidden",
    "elements": "The elements",
    "power_group": "{power}: {count} cards",
    "alt.table": "Atom Duel, {title}. {battle} {seats}",
    "alt.play": "{name} played {element} {printed}",
    "alt.value": "now {value}",
    "alt.seat": "{name}: {points} points, {cards} cards",
    "alt.turn": "to act",
    "alt.hand": "{name}'s hand: {cards}.",
    "alt.card": "{slot} {element} {number}",
    "alt.card_hidden": "{slot} hidden",
    "alt.playable": "playable",
    "alt.elements": "The periodic table. Marked: {marked}.",
    "alt.nothing_marked": "nothing",
}


def english(key: str, **facts: object) -> str:
    """The text of that key with its facts filled in. Raises KeyError for an unknown key."""
    kind, _, rest = key.partition(".")
    if kind == "element":
        return ELEMENTS[int(rest) - 1].name
    if kind == "kind":
        return rest.removesuffix(" metal") if rest != "alkali metal" else rest
    if kind == "category":
        return rest
    return TEXTS[key].format(**facts)
