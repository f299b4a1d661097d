"""What can be looked up: the groups and the effectors, in words and as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.presenters.base import Card, Page
from bot.presenters.molecular import queries
from bot.presenters.molecular.words import GROUND, Voice
from bot.render.blocks import Column, Words
from bot.render.parts import INNER, MARGIN, alt_text
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Fit,
    Group,
    Item,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_PANEL
from engine.game import Value
from engine.molecular import smarts
from engine.molecular.cards import BOX, EFFECTOR, GROUP, RAISED, TILE_REAGENTS
from engine.molecular.observation import Observation

COLOUR: Final = {"instant": "accent", "active": "good", "reagent": "seat3"}
"""The colour of a kind of effector; its symbol and its name always stand on it."""
BAND, SIGN, PAD, RIM, LEAST = 144, 96, 48, 10, 340
"""Of an effector, in pixels: how high the band above is, the side of a symbol in it, the room round the words
and their rim, and the least height of the words."""


def cards(locale: str) -> tuple[Card, ...]:
    """All groups, then all effectors, in the order of the data file."""
    voice = Voice(Look(locale=locale))
    found = [
        Card(f"g-{group.id}", voice.group(n), voice.list(f"alias.{group.id}"), _group_tags(n, voice))
        for n, group in enumerate(BOX.groups)
    ]
    found += [
        Card(
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
        voice("page.group", drawing=held.drawing, base=held.base, n=held.copies),
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
    kinds = voice("picture.and").join(voice(f"symbol.{symbol}") for symbol in held.symbols)
    parts = [voice("page.effector", kinds=kinds, n=held.copies), voice.effect(card)]
    parts.append(voice(f"page.{held.symbols[-1]}"))
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
    box = Rect(32, 32, 800, 720)
    items: tuple[Item, ...] = (
        Panel(box, "paper", 32),
        Text(Rect(80, 64, 200, 130), str(card.base), Size.HUGE, Weight.DISPLAY, "ink"),
        Text(
            Rect(300, 84, 492, 72),
            voice("picture.copies", n=card.copies),
            Size.CLEAR,
            Weight.MEDIUM,
            "ink_soft",
            Align.RIGHT,
        ),
        Sprite("molecular.structure", (group,), Rect(72, 220, 720, 400)),
        Text(
            Rect(72, 640, 720, 80),
            voice.group(group),
            Size.LARGE,
            Weight.BOLD,
            "ink",
            Align.CENTRE,
            fit=Fit.ELLIPSIS,
        ),
    )
    points = voice.points(card.base)
    said = voice("alt.group", group=voice.group(group), points=points, drawing=card.drawing)
    return Scene(864, 784, (Group(box, items),), alt_text(said), look, GROUND)


def effector_scene(card: int, look: Look) -> Scene:
    """One effector, large: a band with its symbols and its kind, below it its name and what it does."""
    voice, effector = Voice(look), BOX.effectors[card]
    kind = voice("picture.and").join(voice(f"symbol.{symbol}") for symbol in effector.symbols)
    below = Column(
        (
            Words(voice.effector(card), (Size.LARGE,), Weight.DISPLAY, "paper", lines=2),
            Words(voice.effect(card), (Size.LARGE, Size.TITLE), Weight.MEDIUM, "paper", lines=6),
        ),
        gap=24,
    )
    wide = INNER - 2 * (RIM + PAD)
    tall = max(LEAST, below.height(wide))
    box = Rect(MARGIN, MARGIN, INNER, BAND + tall + 2 * PAD + RIM)
    inside = Rect(box.x + RIM, box.y + BAND, box.w - 2 * RIM, tall + 2 * PAD)
    items: list[Item] = [
        Panel(box, COLOUR[effector.symbols[-1]], RADIUS_PANEL),
        Panel(inside, "ink", RADIUS_PANEL - RIM),
    ]
    x = box.x + PAD
    for symbol in effector.symbols:
        items.append(
            Sprite("molecular.sign", (symbol, "ink"), Rect(x, box.y + (BAND - SIGN) // 2, SIGN, SIGN))
        )
        x += SIGN + 24
    head = Rect(x, box.y, box.right - PAD - x, BAND)
    items.append(Text(head, kind, Size.TITLE, Weight.BOLD, "ink"))
    items += below.items(inside.inset(PAD))
    said = f"{voice.effector(card)}. {kind}. {voice.effect(card)}"
    return Scene(BASE_WIDTH, box.bottom + MARGIN, (Group(box, tuple(items)),), alt_text(said), look, GROUND)
