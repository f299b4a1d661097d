"""A hand of Atom Duel: the row of its owner, each card with the number of its slot."""

from __future__ import annotations

from typing import Final

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.scenes import battle, champions, flagged, lasting, plays_said
from bot.presenters.atom_duel.words import Voice
from bot.presenters.atom_duel.words import slot as slot_number
from bot.render import layout
from bot.render.parts import HEAD, INNER, MARGIN, alt_text, band, hand_head, text_width
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Item,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    State,
    Text,
    Weight,
)
from bot.render.sprites import LIFT
from bot.render.theme import RADIUS_CARD
from engine.atom_duel.observation import Observation
from engine.elements import ELEMENTS

MOST_MAYBE: Final = 5
"""So many cards that may lie in a hidden row find room in the note above it."""
NAMED: Final = 5
"""Up to so many cards have room for their names."""


def _power(seen: Observation, card: int) -> str:
    """The power that was announced for a card when it was sealed, "" for none."""
    return {**dict(seen.announced), **dict(seen.sealed)}.get(card, "")


def _place(seen: Observation, slot: int) -> int:
    """The number of a card in the chosen order of the last round, 0 when it has none yet."""
    if seen.viewer is None:
        return 0
    order = [card for card, _ in seen.sealed]
    card = seen.rows[seen.viewer][slot]
    return order.index(card) + 1 if card in order else 0


def _note(seen: Observation, voice: Voice) -> str:
    """The line above the hand: what is asked, or what may lie in it."""
    seat = seen.viewer
    if seen.over or seat is None:
        return ""
    turn = seat in seen.to_act
    if seen.pending is not None and turn:
        return voice("hand.choose", symbol=voice.short(seen.pending.card))
    if seen.sealing:
        return voice("hand.order" if turn else "hand.ordered")
    if not seen.counts[seat]:
        return voice("hand.empty")
    inside = [z for group in seen.groups for z in group.cards if all(at == seat for at, _ in group.places)]
    if seen.hidden and not seen.simultaneous and 0 < len(inside) <= MOST_MAYBE:
        return voice("hand.maybe", symbols=", ".join(ELEMENTS[z - 1].symbol for z in inside))
    return voice("hand.turn") if turn else ""


def _alt(seen: Observation, slots: list[int], voice: Voice) -> str:
    seat, cards = seen.viewer, []
    for slot in slots:
        card = queries.own(seen, slot)
        if card:
            element = voice.element(card)
            line = voice("picture.alt.card", slot=slot_number(slot), element=element, number=card)
        else:
            line = voice("picture.alt.card_hidden", slot=slot_number(slot))
        if seat is not None and queries.public(seen, seat, slot):
            line += f" ({voice('picture.known')})"
        if place := _place(seen, slot):
            line += f" → {place}"
        if power := _power(seen, card):
            line += f" ({voice.power(power)})"
        cards.append(line)
    if seat is None:
        return alt_text(voice("picture.alt.hand", name="", cards=""))
    effects = [voice(f"picture.effect.{key}") + "." for key in queries.effects(seen)]
    effects += [voice(f"picture.alt.flag.{flag}") for flag in queries.flags(seen, seat)]
    said = voice("picture.alt.hand", name=voice.look.name(seat), cards=", ".join(cards))
    return alt_text(said, *effects, _note(seen, voice))


def _slot(area: Rect, seen: Observation, slot: int) -> list[Item]:
    """The number below a card: on the accent when it may be played; its place in the last round with the
    power that was sealed; an eye when all know the card."""
    able, place = queries.playable(seen, slot), _place(seen, slot)
    ground = "accent" if able else "panel_high"
    ink = "accent_ink" if able else "text"
    label = f"{slot_number(slot)} → {place}" if place else slot_number(slot)
    items: list[Item] = [Panel(area, ground, RADIUS_CARD)]
    known = queries.public(seen, seen.viewer or 0, slot)
    signs = [sign for sign in (_power(seen, queries.own(seen, slot)), "eye" if known else "") if sign]
    if not signs:
        return [*items, Text(area, label, Size.BODY, Weight.BOLD, ink, Align.CENTRE)]
    size, side, gap = Size.BODY, 42, 10
    if text_width(label, size, Weight.BOLD) + (side + gap) * len(signs) > area.w - 8:
        label, size, side, gap = label.replace(" ", ""), Size.SMALL, 32, 5
    wide = text_width(label, size, Weight.BOLD)
    left = area.x + (area.w - wide - (side + gap) * len(signs)) // 2
    items.append(Text(Rect(left, area.y, wide, area.h), label, size, Weight.BOLD, ink))
    for number, sign in enumerate(signs):
        x = left + wide + gap + number * (side + gap)
        box = Rect(x, area.y + (area.h - side) // 2, side, side)
        items.append(Sprite("elements.sign", (sign, ink, ground), box))
    return items


_BATTLE: Final = 560
"""How high the hand on the table is drawn for who has no cards left, in pixels."""


def _played_out(seen: Observation, seat: int, voice: Voice) -> Scene:
    """What who has no cards left sees: the hand on the table, and who has won once the game is over."""
    note = " ".join(champions(seen, voice)) if seen.over else voice("hand.empty")
    name = voice.look.name(seat)
    area = band(HEAD.bottom + 16, _BATTLE)
    items = [*hand_head(seat, name, note, HEAD), *battle(area, seen, voice)]
    said = alt_text(f"{name}.", f"{note}.", plays_said(seen, voice))
    return Scene(BASE_WIDTH, area.bottom + MARGIN, tuple(items), said, voice.look)


def hand(seen: Observation, look: Look) -> Scene:
    """The observer's cards, 1280 wide: up to five with their names, more of them smaller in the same row. A
    spectator, who has none, gets an empty hand; who has played all of them, the hand on the table."""
    voice, seat = Voice(look), seen.viewer
    slots = queries.slots(seen, seat) if seat is not None else []
    if seat is not None and not slots and queries.plays(seen):
        return _played_out(seen, seat, voice)
    count = max(1, len(slots))
    named = count <= NAMED
    width = 280 if count <= 4 else 240 if named else (INNER - 12 * (count - 1)) // count
    height = 420 if named else width * 292 // 208
    top = MARGIN + 56 + 16 + LIFT
    total = top + height + 16 + 64 + MARGIN
    effects, edge = lasting(HEAD, queries.effects(seen) if seat is not None else (), voice)
    flags, edge = flagged(edge, HEAD.y + 5, queries.flags(seen, seat) if seat is not None else (), voice)
    items: list[Item] = [*effects, *flags]
    if flags:
        edge -= 16
    name = look.name(seat) if seat is not None else ""
    items += hand_head(seat, name, _note(seen, voice), HEAD._replace(w=edge - HEAD.x))
    places = layout.spread(
        band(top, height),
        len(slots),
        width,
        height,
        gap=8 if count == 5 else 16,
    )
    for place, slot in zip(places, slots, strict=True):
        card = queries.own(seen, slot)
        states = frozenset({State.RAISED}) if queries.playable(seen, slot) else frozenset[State]()
        if card:
            front = face(card, seen.level, voice.hyphenated(card) if named else "")
            powers = tuple(voice(f"picture.power.{key}") for key in front.icons) if named else ()
            items.append(Sprite("atom_duel.card", (front, powers), place, states))
        else:
            items.append(Sprite("elements.back", (slot_number(slot),), place, states))
        items += _slot(Rect(place.x, place.bottom + 16, place.w, 64), seen, slot)
    return Scene(BASE_WIDTH, total, tuple(items), _alt(seen, slots, voice), look)
