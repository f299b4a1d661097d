"""What can be looked up: the 118 cards and what they do at a level."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.periodic import SECTIONS, periodic_scene, section_scene
from bot.presenters.atom_duel.sheets import level_sheet, powers_of
from bot.presenters.atom_duel.signs import power_colour
from bot.presenters.atom_duel.words import Voice, powers_at, unique_level
from bot.presenters.base import CardEntry, Page, TableSection
from bot.presenters.elements.page import element_page, signed
from bot.render.pages.card_page import Fact
from bot.render.parts import alt_text
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import ANNOUNCED, BY_Z, IMMUNITY_OF_GOLD, LEVELS, POWER_LEVEL, UNIQUE_LEVEL
from engine.atom_duel.observation import Observation
from engine.elements import BY_SYMBOL, ELEMENTS
from engine.game import Value

_MAGNET_PROOF: Final = frozenset({"immune_magnet_carbide", IMMUNITY_OF_GOLD})


def level_of(options: Mapping[str, Value] | None) -> int:
    """The level that options speak of; the highest when they speak of none."""
    return int(options.get("level", LEVELS)) if options else LEVELS


def cards(locale: str) -> tuple[CardEntry, ...]:
    """All cards, by atomic number."""
    voice = Voice(Look(locale=locale))
    return tuple(_card(element.z, voice) for element in ELEMENTS)


def _card(z: int, voice: Voice) -> CardEntry:
    held, element = BY_Z[z], ELEMENTS[z - 1]
    aliases = [element.symbol, str(z), *voice.list(f"alias.{element.symbol}")]
    if held.unique is not None:
        aliases.append(voice.power(held.unique))
    return CardEntry(element.symbol, _title(z, voice), tuple(aliases), _tags(z, voice))


def _tags(z: int, voice: Voice) -> tuple[str, ...]:
    """What a card is browsed by: its powers, all unique ones as one, and its family."""
    held = BY_Z[z]
    tags = [voice.power(power) for power in held.powers]
    if held.unique is not None:
        tags.append(voice("page.unique"))
    if not tags:
        tags.append(voice("page.no_power"))
    if _choosable(z, LEVELS) > 1:
        tags.append(voice("page.two"))
    return tuple(tag.lower() for tag in (*tags, voice.category(z)))


def overview(look: Look, tag: str = "") -> Page:
    """The periodic table, the cards of a tag marked."""
    voice = Voice(look)
    marked = frozenset(element.z for element in ELEMENTS if tag and tag in _tags(element.z, voice))
    if not marked:
        return Page(voice("picture.elements"), "", periodic_scene(look))
    icons = {voice.power(power).lower(): power for power in POWER_LEVEL}
    icons[voice("page.unique").lower()] = "unique"
    icon, title = icons.get(tag, ""), tag[:1].upper() + tag[1:]
    first = POWER_LEVEL.get(icon, UNIQUE_LEVEL)
    text = voice("page.tagged_from" if icon else "page.tagged", n=len(marked), level=first)
    return Page(title, "", periodic_scene(look, marked=marked, icon=icon, title=title, text=text))


def sections(look: Look) -> tuple[TableSection, ...]:
    """The periodic table in parts that can be read on a phone."""
    voice = Voice(look)
    return tuple(
        TableSection(
            voice("picture.stretch", first=first, last=last),
            section_scene(first, last, look),
            tuple(element.symbol for element in ELEMENTS[first - 1 : last]),
        )
        for first, last in SECTIONS
    )


def _title(z: int, voice: Voice) -> str:
    return voice("page.title", element=voice.element(z), symbol=ELEMENTS[z - 1].symbol, z=z)


def _choosable(z: int, level: int) -> int:
    return sum(power in ANNOUNCED and POWER_LEVEL[power] <= level for power in BY_Z[z].powers)


def _first_level(z: int, power: str, gold_immune_from: int) -> int:
    return POWER_LEVEL[power] if power in POWER_LEVEL else unique_level(z, gold_immune_from)


def scene(z: int, look: Look, level: int = LEVELS, gold_immune_from: int = UNIQUE_LEVEL) -> Scene:
    """The picture of one card with its powers in words; those that sleep at this level are pale."""
    voice, awake = Voice(look), powers_at(z, level, gold_immune_from)
    facts = [fact(power, voice, active=power in awake) for power in powers_at(z, LEVELS)]
    return card_scene(z, facts, voice)


def fact(power: str, voice: Voice, *, active: bool) -> Fact:
    """A power in words, with its sign."""
    colour = power_colour(power)
    mark = signed(power, colour, voice.look, active=active)
    return Fact(mark, colour, voice.power(power), voice.text(power), active=active)


def card_scene(z: int, facts: Sequence[Fact], voice: Voice) -> Scene:
    """One card, large, with these powers in words."""
    kind, name, element = voice.category(z), voice.element(z), ELEMENTS[z - 1]
    said = [
        voice("picture.alt.page", element=name, symbol=element.symbol, z=z, kind=kind, shells=shells_of(z))
    ]
    said += [f"{fact.title}: {fact.text}" for fact in facts]
    return element_page(face(z, name=name), kind, alt_text(*said), voice.look, facts)


def shells_of(z: int) -> str:
    """How many electrons the shells of an element hold, from the innermost."""
    return "-".join(map(str, ELEMENTS[z - 1].shells))


def card(key: str, look: Look, options: Mapping[str, Value] | None = None) -> Page:
    """The page of a card: its picture, and what that does not say.

    Raises:
        KeyError: there is no such card.
    """
    return _page(BY_SYMBOL[key].z, level_of(options), UNIQUE_LEVEL, look)


def card_now(key: str, look: Look, _options: Mapping[str, Value], seen: Observation) -> Page:
    """The page of a card by the rules of a running game.

    Raises:
        KeyError: there is no such card.
    """
    return _page(BY_SYMBOL[key].z, seen.level, seen.gold_immune_from, look)


def _page(z: int, level: int, gold_immune_from: int, look: Look) -> Page:
    voice, awake = Voice(look), powers_at(z, level, gold_immune_from)
    powers, parts = powers_at(z, LEVELS), []
    for power in powers:
        first = _first_level(z, power, gold_immune_from)
        ground = voice.ground(z, power if power in POWER_LEVEL else "unique")
        form = "page.power" if first <= level else "page.waiting"
        parts.append(voice(form, power=voice.power(power), level=first, ground=ground))
    if not powers:
        parts.append(voice("page.plain", z=z))
    if notes := _notes(z, level, awake, voice):
        parts.append("\n".join(notes))
    if tip := _tip(z, awake, voice):
        parts.append(voice("page.tip", tip=tip))
    return Page(_title(z, voice), "\n\n".join(parts), scene(z, look, level, gold_immune_from))


def _notes(z: int, level: int, awake: Collection[str], voice: Voice) -> list[str]:
    """How the card meets others at this level, where these of its powers are in play."""
    held, found = BY_Z[z], []
    if _choosable(z, level) > 1:
        found.append("two_powers")
    if "alloy" in held.powers and level >= POWER_LEVEL["alloy"] and _choosable(z, level) > 1:
        found.append("melts")
    if held.category == "transition metal" and level >= POWER_LEVEL["magnet"]:
        found.append("metal_immune" if _MAGNET_PROOF.intersection(awake) else "metal")
    if "radioactive" in held.powers and level >= POWER_LEVEL["stopper"]:
        found.append("stoppable")
    if held.category == "noble gas" and level >= POWER_LEVEL["magnet"]:
        found.append("noble_barred")
        if "scientist" in held.powers and level >= UNIQUE_LEVEL:
            found.append("noble_scientist")
    return [voice(f"page.{key}") for key in found]


def _tip(z: int, awake: tuple[str, ...], voice: Voice) -> str:
    """Return a word of advice for the card, or for one of its powers that are in play, if there is any."""
    own = f"tip.{ELEMENTS[z - 1].symbol}"
    if own in voice and awake == powers_at(z, LEVELS):
        return voice(own)
    return next((voice(f"tip_power.{p}") for p in awake if f"tip_power.{p}" in voice), "")


def at_hand(seen: Observation) -> tuple[str, ...]:
    """The cards in the own row that the owner may see."""
    if seen.viewer is None or seen.hidden:
        return ()
    return tuple(ELEMENTS[z - 1].symbol for z in seen.rows[seen.viewer] if z > 0)


def in_view(seen: Observation) -> tuple[str, ...]:
    """The cards played in this hand, or in the last one before the next begins; then those at hand."""
    plays = seen.plays or (seen.last_hand.plays if seen.last_hand else ())
    return (*(ELEMENTS[play.card - 1].symbol for play in plays), *at_hand(seen))


def elements(level: int, look: Look) -> Scene:
    """What a level brings into play; the first one all elements."""
    return level_sheet(level, look) if powers_of(level) else periodic_scene(look)
