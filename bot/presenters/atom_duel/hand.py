"""A hand of Atom Duel: what everybody has played and what is to beat, below it the row of its owner, each
card with the number of its slot."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.atom_duel import queries, targets
from bot.presenters.atom_duel.painters import face_in
from bot.presenters.atom_duel.plays import lasting, missed_said, moment, plays_said, stake, strip
from bot.presenters.atom_duel.words import Voice
from bot.presenters.atom_duel.words import slot as slot_number
from bot.presenters.new_cards import newly_held
from bot.presenters.telling import Told
from bot.render.blocks import Block, Box, Column, Flow, Paragraph, Piece, Spaced, frozen, tagged_piece
from bot.render.parts import CORNER, INNER, MARGIN, alt_text, as_new, person, sentence, text_width
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import GRID, RADIUS_CARD
from engine.atom_duel.observation import Observation
from engine.elements import ELEMENTS
from engine.game import Event, Seat

MOST_MAYBE: Final = 5
"""How many cards that may lie in a hidden row find room in the note above it."""
_GAP: Final = 12
_TAB: Final = 64
"""How high the number of a slot stands above its card, the room between them included."""
_FOOT: Final = 108
"""How high the foot is: at its left nothing stands that matters, something of Discord's may lie there."""


def gained(events: Sequence[Event], seat: Seat) -> tuple[int, ...]:
    """See `bot.presenters.base.Presenter.gained`: a trade brings single cards, all else whole rows."""
    found = list[int]()
    for event in events:
        facts: Told = event.facts
        if event.kind in ("dealt", "received"):
            found.clear()
        elif event.kind == "trade" and seat in (event.seat, facts["target"]):
            found += facts.get("taken" if seat == event.seat else "given", ())
    return tuple(found)


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
    """The line below the hand: what may lie in it, or how it ended; what is asked stands in the message."""
    seat = seen.viewer
    if seat is None:
        return ""
    if seen.over:
        return _end(seen, seat, voice)
    if seen.sealing:
        return "" if seat in seen.to_act else voice("hand.ordered")
    if not seen.counts[seat]:
        return voice("hand.empty")
    inside = [z for group in seen.groups for z in group.cards if all(at == seat for at, _ in group.places)]
    if seen.hidden and not seen.simultaneous and 0 < len(inside) <= MOST_MAYBE:
        return voice("hand.maybe", symbols=voice.listed(ELEMENTS[z - 1].symbol for z in inside))
    return ""


def _end(seen: Observation, seat: int, voice: Voice) -> str:
    """How the points of a hand came out; whether that counts as won says the message, which knows who has
    stayed away."""
    won = queries.champions(seen)
    if seat in won:
        level = seen.points.count(seen.points[seat]) > len(won)
        return voice("hand.most_level" if level else "hand.most")
    behind = seen.points[won[0]] - seen.points[seat]
    return voice("hand.behind", n=behind) if behind else voice("hand.level")


def _cards_said(seen: Observation, seat: int, voice: Voice) -> str:
    """The cards of a row in words: the own ones, or what is known of those of another."""
    cards, mine = [], seat == seen.viewer
    for slot in queries.slots(seen, seat):
        card = targets.seen_there(seen, seat, slot)
        if card:
            element = voice.element(card)
            line = voice("picture.alt.card", slot=slot_number(slot), element=element, number=card)
        else:
            line = voice("picture.alt.card_hidden", slot=slot_number(slot))
        if queries.public(seen, seat, slot):
            line += f" ({voice('picture.known')})"
        if mine and (place := _place(seen, slot)):
            line += f" → {place}"
        if mine and (power := _power(seen, card)):
            line += f" ({voice.power(power)})"
        cards.append(line)
    return voice.listed(cards) or voice("hand.empty")


def _alt(seen: Observation, among: tuple[int, ...], voice: Voice, new: Collection[int]) -> str:
    seat = seen.viewer
    rows = among if among or seat is None else (seat,)
    held = [
        voice("picture.alt.hand", name=voice.look.name(at), cards=_cards_said(seen, at, voice)) for at in rows
    ]
    effects = [voice(f"picture.effect.{key}") + "." for key in queries.effects(seen)]
    if seat is not None:
        effects += [voice(f"picture.alt.flag.{flag}") for flag in queries.flags(seen, seat)]
    note, (said, who) = _note(seen, voice), stake(seen, voice)
    points = voice.listed(f"{voice.look.name(at)} {seen.points[at]}" for at in range(seen.seats))
    return alt_text(
        *held,
        voice("picture.alt.new", cards=voice.listed(map(voice.element, new))) if new else "",
        "" if seen.over else sentence(_when(seen, voice)),
        sentence(note),
        f"{said} {who}.".replace(" .", "."),
        *effects,
        plays_said(seen, voice),
        voice("picture.alt.points", points=points),
        # last, since of many of them some may have no room
        *missed_said(seen, voice),
    )


def _tab(area: Rect, seen: Observation, seat: int, slot: int) -> Iterator[Item]:
    """The number of a slot: on the accent when its card may be chosen; its place in the last round with the
    power that was sealed; an eye when all know the card."""
    mine = seat == seen.viewer
    able, place = _able(seen, seat, slot), _place(seen, slot) if mine else 0
    ground = "accent" if able else "panel_high"
    ink = "accent_ink" if able else "text"
    label = f"{slot_number(slot)} → {place}" if place else slot_number(slot)
    yield Panel(area, ground, RADIUS_CARD)
    power = _power(seen, queries.own(seen, slot)) if mine else ""
    signs = [sign for sign in (power, "eye" if queries.public(seen, seat, slot) else "") if sign]
    size, side, gap = Size.CLEAR, 46, 10
    if text_width(label, size, Weight.BOLD) + (side + gap) * len(signs) > area.w - 8:
        label, size, side, gap = label.replace(" ", ""), Size.SMALL, 32, 5
    wide = text_width(label, size, Weight.BOLD)
    left = area.x + (area.w - wide - (side + gap) * len(signs)) // 2
    yield Text(Rect(left, area.y, wide, area.h), label, size, Weight.BOLD, ink)
    for number, sign in enumerate(signs):
        x = left + wide + gap + number * (side + gap)
        yield Sprite("elements.sign", (sign, ink, ground), Rect(x, area.y + (area.h - side) // 2, side, side))


def _able(seen: Observation, seat: int, slot: int) -> bool:
    """Whether this card may be chosen now: an own one, or one of the player whom a power reaches."""
    if seat == seen.viewer:
        return queries.playable(seen, slot)
    return targets.able(seen, slot)


def _card(
    area: Rect, seen: Observation, at: tuple[int, int], voice: Voice, new: Container[int], *, named: bool
) -> Iterator[Item]:
    """A card of a row below the tab with its number."""
    seat, slot = at
    yield from _tab(area._replace(h=_TAB - GRID), seen, seat, slot)
    place = Rect(area.x, area.y + _TAB, area.w, area.h - _TAB)
    card = targets.seen_there(seen, seat, slot)
    if not card:
        yield Sprite("elements.back", (slot_number(slot),), place)
        return
    front = face_in(seen, card, voice.hyphenated(card) if named else "")
    powers = tuple(voice(f"picture.power.{key}") for key in front.icons) if named else ()
    shown = Sprite("atom_duel.card", (front, powers), place)
    yield as_new(shown) if card in new and seat == seen.viewer else shown


def _row(seen: Observation, seat: int, voice: Voice, new: Container[int]) -> Flow:
    """The cards of a player: up to five with the names of their powers, more of them smaller in one row."""
    slots = queries.slots(seen, seat)
    count = max(1, len(slots))
    named = count <= queries.NAMED
    width = min(280, (INNER - _GAP * (count - 1)) // count)
    height = _TAB + (420 if named else width * 292 // 208)
    draw = partial(_card, seen=seen, voice=voice, new=new, named=named)
    pieces = [
        tagged_piece(Piece(width, height, partial(draw, at=(seat, slot))), targets.tag(seat, slot))
        for slot in slots
    ]
    return Flow(pieces, _GAP, align=Align.CENTRE)


def _before(seen: Observation, among: tuple[int, ...], voice: Voice, new: Container[int]) -> Block:
    """The cards that a decision is about: the own ones, those of the player whom a power reaches, or those of
    all whom it could reach."""
    if not among:
        return _row(seen, seen.viewer, voice, new) if seen.viewer is not None else Column(())
    if len(among) > 1:
        trades = seen.pending is not None and seen.pending.verb == "trade"
        mine = (seen.viewer,) if trades and seen.viewer is not None else ()
        return targets.rows(seen, (*among, *mine), voice)
    (seat,) = among
    name = Box(56, lambda area: person(area, seat, voice.drawn(seat), Size.BODY, weight=Weight.BOLD))
    return Column((name, _row(seen, seat, voice, new)), 8)


def _when(seen: Observation, voice: Voice) -> str:
    """Which hand of which round it is, and the level."""
    return " · ".join(filter(None, (*moment(seen, voice), voice("picture.level", level=seen.level))))


def _foot(seen: Observation, voice: Voice) -> Block:
    """At the right what lasts, and what may lie in the hand, or which hand of which round it is."""
    line = Paragraph(
        _note(seen, voice) or _when(seen, voice), (Size.CLEAR, Size.SMALL), colour="muted", align=Align.RIGHT
    )
    foot = Column((lasting(seen, voice, seen.viewer), line), 4)
    return Box(max(_FOOT, foot.height(INNER - CORNER)), partial(_right, block=foot))


def _right(area: Rect, block: Column) -> Iterator[Item]:
    yield from block.items(Rect(area.x + CORNER, area.y, area.w - CORNER, block.height(area.w - CORNER)))


def hand(seen: Observation, look: Look, new: Sequence[int] = ()) -> Scene:
    """The observer's cards below everything that a decision asks for; the cards of others where a power
    chooses among those. A spectator, and who has played all cards, see what was played alone."""
    held = seen.rows[seen.viewer] if seen.viewer is not None else ()
    fresh = newly_held(filter(None, held), new)
    return _scene(seen, targets.chosen_among(seen), Voice(look), fresh)


def on_way(seen: Observation, way: Sequence[str], look: Look) -> Scene | None:
    """The hand once it is chosen whom a power reaches; None where the hand itself says all."""
    among = targets.chosen_among(seen, way)
    return None if among == targets.chosen_among(seen) else _scene(seen, among, Voice(look))


def _scene(seen: Observation, among: tuple[int, ...], voice: Voice, new: Collection[int] = ()) -> Scene:
    block = Column(
        (
            Spaced(strip(seen, voice), 20),
            Spaced(_before(seen, among, voice, new), 16),
            _foot(seen, voice),
        )
    )
    return frozen(block, _alt(seen, among, voice, new), voice.look, top=MARGIN, bottom=12)
