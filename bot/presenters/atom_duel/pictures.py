"""The scenes of Atom Duel: the table, a hand, one card, and the elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.presenters.atom_duel.painters import Rule, face
from bot.presenters.atom_duel.views import CardView, HandView, PlayView, SeatView, TableView, Words
from bot.render import layout
from bot.render import text as letters
from bot.render.parts import alt_text, person, person_width, text_width
from bot.render.scene import (
    Align,
    Fit,
    Group,
    Item,
    Line,
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
from bot.render.theme import GRID, RADIUS_CARD, RADIUS_PANEL, RADIUS_SMALL, seat_letter
from engine.elements import ELEMENTS

MARGIN: Final = GRID * 3


def _element(z: int) -> str:
    return ELEMENTS[z - 1].name


def _effects(area: Rect, effects: tuple[str, ...], words: Words) -> tuple[list[Item], int]:
    """What lasts for everybody, as tile and word, from the right edge inwards; and where they begin."""
    signs = {"germanium": 32, "lanthanum": 57, "hydrogen": 1}
    items: list[Item] = []
    x = area.right
    for key in reversed(effects):
        label = words(f"effect.{key}")
        wide = text_width(label, Size.SMALL, Weight.MEDIUM)
        x -= wide
        items.append(Text(Rect(x, area.y, wide, area.h), label, colour="text"))
        x -= 60 + 12
        items.append(
            Sprite("atom_duel.tile", (face(signs[key]),), Rect(x, area.y + (area.h - 48) // 2, 60, 48))
        )
        x -= 28
    return items, x


def _header(view: TableView, words: Words) -> list[Item]:
    area = Rect(MARGIN, 16, 1280 - 2 * MARGIN, 56)
    place = words("last_round") if view.sealed else words("round", round=view.round, rounds=view.rounds)
    left = place if not view.hand else f"{place} · {words('hand', hand=view.hand)}"
    right = f"{words('level', level=view.level)} · {words('deck', deck=view.deck)}"
    first, second = layout.across(area, (None, 480))
    return [
        Text(first, left, Size.BODY, Weight.BOLD),
        Text(second, right, Size.SMALL, colour="muted", align=Align.RIGHT),
    ]


def _status(view: TableView, words: Words) -> list[Item]:
    """Who is ahead, or what happened last; beside it what lasts for everybody."""
    area = Rect(MARGIN, 76, 1280 - 2 * MARGIN, 52)
    items, edge = _effects(area, view.effects, words)
    left = Rect(area.x, area.y, min(area.right, edge) - area.x, area.h)
    best = next((play for play in view.plays if play.winning), None)
    if best is None:
        if view.last:
            items.append(Text(left, view.last, colour="muted", fit=Fit.ELLIPSIS))
        return items
    verb = words("wins") if view.finished else words("leads")
    crown = Rect(left.x, left.y + 4, 44, 44)
    name = best.name if letters.drawable(best.name) else seat_letter(best.seat)
    line = f"{name} {verb} · {best.value}"
    items.append(Sprite("atom_duel.sign", ("crown", "accent", "felt"), crown))
    room = Rect(crown.right + 12, left.y, left.right - crown.right - 12, left.h)
    items.append(Text(room, line, Size.SMALL, Weight.BOLD, "accent", fit=Fit.ELLIPSIS))
    return items


_TOP, _BOTTOM = 136, 880
_CARD_RATIO: Final = 208 / 292
# Rows of a play's column: name, card, room for the rule of a compound, number, power.
_NAME, _RULE, _NUMBER, _POWER = 50, 18, 58, 48
_EDGE: Final = 10


def _card_size(battle: Rect, columns: int) -> tuple[int, int]:
    """How large a card of the battle may be: what the column leaves in width and in height."""
    height = battle.h - 16 - 2 * _EDGE - _NAME - _RULE - _NUMBER - _POWER - 4 * 2
    width = min(248, (battle.w - 16 - 16 * (columns - 1)) // columns - 24)
    return (
        (width, round(width / _CARD_RATIO))
        if width / _CARD_RATIO <= height
        else (int(height * _CARD_RATIO), height)
    )


def _value(area: Rect, play: PlayView, words: Words, symbol: str) -> list[Item]:
    """The number of a play: as printed, and what it became."""
    colour = "accent" if play.winning else "muted" if play.beaten else "text"
    if play.joined is not None:
        return [Text(area, words("joined", symbol=symbol), Size.SMALL, Weight.BOLD, "muted", Align.CENTRE)]
    if play.value == play.printed:
        return [Text(area, play.value, Size.TITLE, Weight.BOLD, colour, Align.CENTRE)]
    before = f"{play.printed} →"
    wide = text_width(before, Size.SMALL, Weight.MEDIUM)
    after = text_width(play.value, Size.TITLE, Weight.BOLD)
    size = Size.TITLE
    if wide + 12 + after > area.w:
        after, size = text_width(play.value, Size.BODY, Weight.BOLD), Size.BODY
    left = area.x + (area.w - wide - 12 - after) // 2
    return [
        Text(Rect(left, area.y + 2, wide, area.h), before, colour="muted"),
        Text(Rect(left + wide + 12, area.y, after, area.h), play.value, size, Weight.BOLD, colour),
    ]


def _power(area: Rect, play: PlayView, words: Words) -> list[Item]:
    if play.beaten:
        return [Text(area, words("beaten"), Size.SMALL, Weight.MEDIUM, "bad", Align.CENTRE)]
    if not play.power:
        return []
    label = words(f"power.{play.power}")
    wide = min(text_width(label, Size.SMALL, Weight.MEDIUM), area.w - 46)
    left = area.x + (area.w - wide - 46) // 2
    ground = "panel_high" if play.winning else "panel"
    return [
        Sprite("atom_duel.sign", (play.power, "text", ground), Rect(left, area.y + 4, 38, 38)),
        Text(Rect(left + 46, area.y, wide, area.h), label, fit=Fit.ELLIPSIS),
    ]


def _play(column: Rect, view: TableView, play: PlayView, words: Words) -> Group:
    items: list[Item] = []
    if play.winning:
        items.append(Panel(column, "panel_high", RADIUS_CARD, "accent", 4))
    rows = layout.down(column.inset(12, _EDGE), (_NAME, None, _RULE, _NUMBER, _POWER), gap=2)
    name, card, _, value, power = rows
    crown = 52 if play.winning else 0
    wide = min(name.w, person_width(play.name) + crown)
    name = Rect(name.x + (name.w - wide) // 2, name.y, wide, name.h)
    if play.winning:
        place = Rect(name.x, name.y + 2, 44, 44)
        items.append(Sprite("atom_duel.sign", ("crown", "accent", "panel_high"), place))
    items += person(Rect(name.x + crown, name.y, name.w - crown, name.h), play.seat, play.name)
    states = frozenset({State.DIMMED}) if play.beaten else frozenset()
    size = layout.fitted(card, _CARD_RATIO)
    items.append(Sprite("atom_duel.card", (face(play.z, view.level),), size, states))
    symbol = ELEMENTS[view.plays[play.joined].z - 1].symbol if play.joined is not None else ""
    items += _value(value, play, words, symbol)
    items += _power(power, play, words)
    return Group(column, tuple(items))


def _links(columns: tuple[Rect, ...], card_bottom: int, plays: tuple[PlayView, ...]) -> Iterator[Item]:
    """A bracket below the cards of each compound, with a foot at each member."""
    heads = sorted({play.joined for play in plays if play.joined is not None})
    for lane, head in enumerate(heads):
        members = [head, *(index for index, play in enumerate(plays) if play.joined == head)]
        y = card_bottom + 12 - lane * 8
        middles = [columns[index].x + columns[index].w // 2 + 12 * lane for index in members]
        yield Line((min(middles) - 2, y), (max(middles) + 3, y), "text", 5)
        for middle in middles:
            yield Line((middle, card_bottom + 2), (middle, y), "text", 5)


def _battle(area: Rect, view: TableView, words: Words) -> list[Item]:
    items: list[Item] = [Panel(area, "panel", RADIUS_PANEL)]
    inner = area.inset(8, 8)
    if not view.plays:
        opener = next((seat.name for seat in view.seats if seat.leads and letters.drawable(seat.name)), "")
        more = words("start_more", name=opener) if opener else words("start_more_nobody")
        title = words("sealed") if view.sealed else words("start")
        _, backs, upper, lower, _ = layout.down(inner, (None, 176, 88, 56, None), gap=8)
        fan = layout.spread(backs, 5, 124, 174, gap=16)
        items += [Sprite("atom_duel.back", ("",), place) for place in fan]
        items.append(Text(upper, title, Size.TITLE, Weight.BOLD, align=Align.CENTRE))
        items.append(Text(lower, more, Size.SMALL, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS))
        return items
    count = max(len(view.seats), len(view.plays))
    width, height = _card_size(area, count)
    tall = height + 2 * _EDGE + _NAME + _RULE + _NUMBER + _POWER + 4 * 2
    columns = layout.spread(inner, count, min(312, (inner.w - 16 * (count - 1)) // count), tall, gap=32)
    items += [_play(column, view, play, words) for column, play in zip(columns, view.plays, strict=False)]
    top = columns[0].y + _EDGE + _NAME + 2
    for column in columns[len(view.plays) :]:
        place = Rect(column.x + (column.w - width) // 2, top, width, height)
        items.append(Panel(place, None, RADIUS_CARD, "edge", 3))
    items += _links(columns, top + height, view.plays)
    return items


def _tiles(area: Rect, cards: tuple[CardView, ...], *, roomy: bool, sealed: bool) -> Iterator[Sprite]:
    """Unplayed cards in lines: backs with their letters, and those that everybody knows."""
    narrow, wide, height, gap = (52, 72, 60, 8) if roomy else (39, 60, 48, 3)
    x, y = area.x, area.y
    for number, card in enumerate(cards, 1):
        width = wide if card.z else narrow
        if x + width > area.right:
            x, y = area.x, y + height + 4
        rect = Rect(x, y, width, height)
        if card.z:
            yield Sprite("atom_duel.tile", (face(card.z),), rect)
        else:
            yield Sprite("atom_duel.back", (str(number) if sealed else card.slot,), rect)
        x += width + gap


def _seats_area(view: TableView) -> Rect:
    """The foot of the table, as high as the longest row of cards needs."""
    area = Rect(MARGIN, _BOTTOM, 1280 - 2 * MARGIN, 0)
    width = layout.row(area, len(view.seats), gap=12)[0].w - 24
    roomy = len(view.seats) <= 3
    probe = Rect(0, 0, width, 0)
    ends = [
        tile.rect.bottom
        for seat in view.seats
        for tile in _tiles(probe, seat.cards, roomy=roomy, sealed=view.sealed)
    ]
    height = 8 + 48 + 2 + 54 + 4 + max([60 if roomy else 48, *ends]) + 12
    return Rect(area.x, _BOTTOM - height, area.w, height)


def _seat(area: Rect, view: TableView, seat: SeatView, words: Words) -> Group:
    roomy = len(view.seats) <= 3
    ground = "panel_high" if seat.turn else "panel"
    items: list[Item] = [
        Panel(area, ground, RADIUS_CARD, "accent" if seat.turn else None, 4 if seat.turn else 0)
    ]
    inner = area.inset(12, 8)
    name, score, tiles = layout.down(inner, (48, 54, None), gap=2)
    tiles = tiles.moved(0, 2)
    items += person(name, seat.seat, seat.name, weight=Weight.BOLD)
    x = score.right
    for flag in seat.flags:
        label = words(f"flag.{flag}")
        wide = text_width(label, Size.SMALL, Weight.BOLD) + 20
        box = Rect(x - wide, score.y + 3, wide, 46)
        items.append(Panel(box, "transition metal", RADIUS_SMALL))
        items.append(Text(box, label, Size.SMALL, Weight.BOLD, "ink", Align.CENTRE))
        x -= wide + 8
    if seat.leads:
        flag_box = Rect(x - 44, score.y + 5, 42, 42)
        items.append(Sprite("atom_duel.sign", ("flag", "text", ground), flag_box))
        x -= 52
    points = str(seat.points)
    wide = text_width(points, Size.TITLE, Weight.DISPLAY)
    items.append(Text(Rect(score.x, score.y, wide, score.h), points, Size.TITLE, Weight.DISPLAY))
    if roomy:
        unit = Rect(score.x + wide + 8, score.y + 4, x - score.x - wide - 8, score.h)
        items.append(Text(unit, words("points", points=seat.points), colour="muted", fit=Fit.ELLIPSIS))
    items += _tiles(tiles, seat.cards, roomy=roomy, sealed=view.sealed)
    return Group(area, tuple(items))


def _table_alt(view: TableView, words: Words) -> str:
    title = words("round", round=view.round, rounds=view.rounds) + ", " + words("level", level=view.level)
    if view.hand:
        title += ", " + words("hand", hand=view.hand)
    plays = []
    for play in view.plays:
        parts = [words("alt.play", name=play.name, element=_element(play.z), printed=play.printed)]
        if play.power:
            parts.append(words(f"power.{play.power}"))
        if play.joined is not None:
            parts.append(words("joined", symbol=ELEMENTS[view.plays[play.joined].z - 1].symbol))
        elif play.value != play.printed:
            parts.append(words("alt.value", value=play.value))
        if play.beaten:
            parts.append(words("beaten"))
        if play.winning:
            parts.append(words("wins") if view.finished else words("leads"))
        plays.append(", ".join(parts) + ".")
    seats = []
    for seat in view.seats:
        line = words("alt.seat", name=seat.name, points=seat.points, cards=len(seat.cards))
        shown = [_element(card.z) for card in seat.cards if card.z]
        if shown:
            line += f" ({', '.join(shown)})"
        line += "".join(", " + words(f"flag.{flag}") for flag in seat.flags)
        seats.append(line + (f", {words('alt.turn')}." if seat.turn else "."))
    effects = "".join(words(f"effect.{key}") + ". " for key in view.effects)
    battle = effects + (" ".join(plays) or view.last or words("start") + ".")
    return alt_text(words("alt.table", title=title, battle=battle, seats=" ".join(seats)))


def table_scene(view: TableView, look: Look, words: Words) -> Scene:
    """The table picture, 1280x900, for 2 to 5 seats."""
    foot = _seats_area(view)
    battle = Rect(MARGIN, _TOP, foot.w, foot.y - 16 - _TOP)
    seats = layout.row(foot, len(view.seats), gap=12)
    items = [
        *_header(view, words),
        *_status(view, words),
        *_battle(battle, view, words),
        *(_seat(area, view, seat, words) for area, seat in zip(seats, view.seats, strict=True)),
    ]
    return Scene(1280, 900, tuple(items), _table_alt(view, words), look)


def _hand_alt(view: HandView, words: Words) -> str:
    cards = []
    for card in view.cards:
        if card.z:
            line = words("alt.card", slot=card.slot, element=_element(card.z), number=card.z)
        else:
            line = words("alt.card_hidden", slot=card.slot)
        if card.known:
            line += f" ({words('known')})"
        if card.place:
            line += f" → {card.place}"
        cards.append(line)
    effects = [words(f"effect.{key}") + "." for key in view.effects]
    return alt_text(words("alt.hand", name=view.name, cards=", ".join(cards)), *effects, view.note)


def _slot(area: Rect, card: CardView) -> list[Item]:
    """The letter below a card: on the accent when it may be played; an eye when all know the card."""
    ground = "accent" if card.playable else "panel_high"
    ink = "accent_ink" if card.playable else "text"
    label = f"{card.slot} → {card.place}" if card.place else card.slot
    items: list[Item] = [Panel(area, ground, RADIUS_CARD)]
    if not card.known:
        return [*items, Text(area, label, Size.BODY, Weight.BOLD, ink, Align.CENTRE)]
    size = Size.BODY
    if card.place and area.w < 200:
        label, size = f"{card.slot}→{card.place}", Size.SMALL
    wide = text_width(label, size, Weight.BOLD)
    left = area.x + (area.w - wide - 52) // 2
    items.append(Text(Rect(left, area.y, wide, area.h), label, size, Weight.BOLD, ink))
    eye = Rect(left + wide + 10, area.y + (area.h - 42) // 2, 42, 42)
    items.append(Sprite("atom_duel.sign", ("eye", ink, ground), eye))
    return items


def hand_scene(view: HandView, look: Look, words: Words) -> Scene:
    """A hand, 1280 wide: up to five cards with their names, more of them smaller in the same row."""
    count = max(1, len(view.cards))
    named = count <= 5
    width = 280 if count <= 4 else 232 if named else (1280 - 2 * MARGIN - 12 * (count - 1)) // count
    height = width * 292 // 208 + (46 if named else 0)
    top = MARGIN + 56 + 16 + LIFT
    total = top + height + 16 + 64 + MARGIN
    head = Rect(MARGIN, MARGIN - 4, 1280 - 2 * MARGIN, 56)
    effects, edge = _effects(head, view.effects, words)
    items: list[Item] = list(effects)
    if view.note:
        wide = min(text_width(view.note, Size.BODY, Weight.BOLD), edge - head.x - 240)
        edge -= wide
        note = Rect(edge, head.y, wide, head.h)
        items.append(Text(note, view.note, Size.BODY, Weight.BOLD, "accent", Align.RIGHT, fit=Fit.ELLIPSIS))
        edge -= 24
    items += person(
        Rect(head.x, head.y, edge - head.x, head.h), view.seat, view.name, Size.BODY, weight=Weight.BOLD
    )
    places = layout.spread(
        Rect(MARGIN, top, 1280 - 2 * MARGIN, height), len(view.cards), width, height, gap=16
    )
    for place, card in zip(places, view.cards, strict=True):
        states = frozenset({State.RAISED}) if card.playable else frozenset()
        if card.z:
            front = face(card.z, view.level, words(f"element.{card.z}") if named else "")
            items.append(Sprite("atom_duel.card", (front,), place, states))
        else:
            items.append(Sprite("atom_duel.back", (card.slot,), place, states))
        items += _slot(Rect(place.x, place.bottom + 16, place.w, 64), card)
    return Scene(1280, total, tuple(items), _hand_alt(view, words), look)


def card_scene(z: int, rules: tuple[Rule, ...], look: Look, words: Words) -> Scene:
    """One card, large, with every power in words. Raises KeyError when there is no such card."""
    element = ELEMENTS[z - 1]
    kind = words(f"category.{element.category}")
    name = words(f"element.{z}")
    said = [f"{name} ({element.symbol}), {z}, {kind}."]
    said += [f"{rule.title}: {rule.text}" for rule in rules]
    card = Sprite("atom_duel.portrait", (face(z, name=name), kind, rules), Rect(32, 32, 800, 1120))
    return Scene(864, 1184, (card,), alt_text(*said), look)
