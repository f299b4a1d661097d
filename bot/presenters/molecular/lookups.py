"""What can be looked up: the groups and the effectors, in words and as pictures."""

from __future__ import annotations

from collections.abc import Mapping

from bot.presenters.base import Card, Page
from bot.presenters.molecular import sight
from bot.presenters.molecular.pictures import effector_scene, group_scene
from bot.presenters.molecular.words import Voice
from bot.render.scene import Look
from engine.game import Value
from engine.molecular import smarts
from engine.molecular.cards import BOX, EFFECTOR, GROUP, RAISED, TILE_REAGENTS
from engine.molecular.observation import Observation


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
    working = [card for card in (*seen.actives, seen.reagent) if card >= 0]
    return (
        *(f"g-{BOX.groups[group].id}" for group in sight.hand(seen)),
        *(f"e-{BOX.effectors[card].id}" for card in working),
    )


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


def card(
    key: str,
    look: Look,
    options: Mapping[str, Value] | None = None,  # noqa: ARG001 - no option changes a card
    observation: Observation | None = None,
) -> Page:
    """The page of a card; with an observation, also what it is worth in that game now.

    Raises:
        KeyError: there is no such card.
    """
    kind, _, name = key.partition("-")
    voice = Voice(look)
    if kind == "g":
        return _group(GROUP[name], voice, observation)
    if kind == "e":
        return _effector(EFFECTOR[name], voice, observation)
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
        score = sight.worth(seen, group)
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
