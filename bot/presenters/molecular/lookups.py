"""What can be looked up: the groups and the effectors, in words and as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.presenters.base import CardEntry, Page
from bot.presenters.molecular import queries
from bot.presenters.molecular.words import GROUND, Voice
from bot.render.blocks import Piece
from bot.render.pages.card_page import CardKind, Mark, card_page
from bot.render.parts import alt_text
from bot.render.scene import Look, Scene, Sprite
from engine.game import Value
from engine.molecular import smarts
from engine.molecular.cards import BOX, EFFECTOR, GROUP, RAISED, TILE_REAGENTS
from engine.molecular.observation import Observation

COLOUR: Final = {"instant": "accent", "active": "good", "reagent": "seat3"}
"""The colour of a kind of effector; its symbol and its name always stand on it."""
DRAWING: Final = (660, 420)
"""How wide and how high the drawing of a group is on its page, in pixels."""
SYMBOL: Final = 180
"""Side of the symbol of an effector there."""


def cards(locale: str) -> tuple[CardEntry, ...]:
    """All groups, then all effectors, in the order of the data file."""
    voice = Voice(Look(locale=locale))
    found = [
        CardEntry(f"g-{group.id}", voice.group(n), voice.list(f"alias.{group.id}"), _group_tags(n, voice))
        for n, group in enumerate(BOX.groups)
    ]
    found += [
        CardEntry(
            f"e-{card.id}",
            voice.effector(n),
            (),
            tuple(voice(f"tag.{kind}") for kind in _kinds(card.symbols)),
        )
        for n, card in enumerate(BOX.effectors)
    ]
    return tuple(found)


def at_hand(seen: Observation) -> tuple[str, ...]:
    """The keys of the group cards held, then of the effectors that are at work."""
    if seen.viewer is None:
        return ()
    return (*(f"g-{BOX.groups[group].id}" for group in queries.hand(seen)), *_working(seen))


def in_view(seen: Observation) -> tuple[str, ...]:
    """The group cards held, and for everybody the effectors that are at work."""
    return at_hand(seen) or _working(seen)


def _working(seen: Observation) -> tuple[str, ...]:
    return tuple(f"e-{BOX.effectors[card].id}" for card in (*seen.actives, seen.reagent) if card >= 0)


def _kinds(symbols: tuple[str, ...]) -> tuple[str, ...]:
    return ("effector", *symbols)


def _group_tags(group: int, voice: Voice) -> tuple[str, ...]:
    """What a group is browsed by: its elements, unusual bonds, rings, and its points."""
    pattern = smarts.parse(BOX.groups[group].smarts)
    elements = {min(atom.elements) for atom in pattern.atoms if len(atom.elements) == 1}
    orders = {order for order, _, _ in pattern.bonds}
    tags = ["group"]
    tags += [name for name, sign in (("oxygen", "O"), ("nitrogen", "N")) if sign in elements]
    tags += [name for name, order in (("double", 2), ("triple", 3)) if order in orders]
    if len(pattern.bonds) >= len(pattern.atoms):
        tags.append("ring")
    return tuple(voice(f"tag.{tag}") for tag in tags)


def card(key: str, look: Look, _options: Mapping[str, Value] | None = None) -> Page:
    """The page of a card.

    Raises:
        KeyError: there is no such card.
    """
    return _page(key, look, None)


def card_now(key: str, look: Look, _options: Mapping[str, Value], seen: Observation) -> Page:
    """The page of a card with what it is worth in that game now.

    Raises:
        KeyError: there is no such card.
    """
    return _page(key, look, seen)


def _page(key: str, look: Look, seen: Observation | None) -> Page:
    kind, _, name = key.partition("-")
    voice = Voice(look)
    if kind == "g":
        return _group(GROUP[name], voice, seen)
    if kind == "e":
        return _effector(EFFECTOR[name], voice, seen)
    raise KeyError(key)


def _group(group: int, voice: Voice, seen: Observation | None) -> Page:
    held = BOX.groups[group]
    parts = [
        voice(f"pattern.{held.id}"),
        voice("page.examples", examples=voice(f"examples_of.{held.id}")),
    ]
    helpers = [voice.effector(reagent) for reagent, raised in RAISED.items() if group in raised]
    if helpers:
        parts.append(voice("page.reagents", reagents=voice.all(helpers)))
    if seen is not None:
        score = queries.worth(seen, group)
        examples, counters = voice("examples", n=score.examples), voice("counters", n=score.counters)
        key = "page.worth" if score.examples else "page.worthless"
        parts.append(voice(key, examples=examples, counters=counters, points=voice.points(score.total)))
    parts.append(voice("page.count"))
    return Page(voice.group(group), "\n\n".join(parts), group_scene(group, voice.look))


def _effector(card: int, voice: Voice, seen: Observation | None) -> Page:
    held = BOX.effectors[card]
    kind = held.symbols[-1]
    most = seen.most_actives if seen is not None and kind == "active" else 0
    parts = [voice("page.active_limited", n=most) if most else voice(f"page.{kind}")]
    if f"ruling.{held.id}" in voice:
        parts.append(voice(f"ruling.{held.id}"))
    raised = RAISED.get(card)
    if raised and held.id not in TILE_REAGENTS:
        parts.append(voice("page.bonus"))
    if seen is not None and card in (*seen.actives, seen.reagent):
        parts.append(voice("page.in_play"))
    return Page(voice.effector(card), "\n\n".join(parts), effector_scene(card, voice.look))


def group_scene(group: int, look: Look) -> Scene:
    """One group card, large."""
    voice, card = Voice(look), BOX.groups[group]
    copies, points = voice("picture.copies", n=card.copies), voice.points(card.base)
    _, ring, atoms = card.drawing.rpartition("ring ")
    drawing = voice("alt.ring", atoms=atoms) if ring else atoms
    said = voice("alt.group", group=voice.group(group), points=points, drawing=drawing, cards=copies)
    return card_page(
        voice.group(group),
        CardKind(voice("tag.group"), "accent"),
        alt_text(said),
        look,
        art=Piece(*DRAWING, lambda at: (Sprite("molecular.structure", (group,), at),)),
        number=str(card.base),
        note=copies,
        ground=GROUND,
    )


def effector_scene(card: int, look: Look) -> Scene:
    """One effector, large: its symbol, its name, what it does, and at the foot its kind."""
    voice, effector = Voice(look), BOX.effectors[card]
    kind = voice("picture.and").join(voice(f"symbol.{symbol}") for symbol in effector.symbols)
    copies = voice("picture.copies", n=effector.copies)
    colour = COLOUR[effector.symbols[-1]]
    said = f"{voice.effector(card)}. {kind}, {copies}. {voice.effect(card)}"
    return card_page(
        voice.effector(card),
        CardKind(kind, colour, tuple(Mark("molecular.sign", (symbol, "ink")) for symbol in effector.symbols)),
        alt_text(said),
        look,
        art=Piece(SYMBOL, SYMBOL, lambda at: (Sprite("molecular.sign", (effector.symbols[-1], "ink"), at),)),
        note=copies,
        text=voice.effect(card),
        ground=GROUND,
    )
