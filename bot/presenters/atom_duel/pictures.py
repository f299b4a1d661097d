"""The scenes of Atom Duel: the table, a hand, one card, and the elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bot.presenters.atom_duel.painters import Rule, face
from bot.presenters.atom_duel.views import CardView, HandView, PlayView, SeatView, TableView, Words
from bot.render import layout
from bot.render import text as letters
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
from bot.render.theme import GRID, RADIUS_CARD, RADIUS_PANEL, RADIUS_SMALL, seat_colour, seat_letter
from engine.elements import ELEMENTS

MARGIN: Final = GRID * 3
_CHIP: Final = 44
ALT: Final = 1024


def alt(sentences: Iterable[str]) -> str:
    """Sentences as one alt text, shortened to what Discord takes."""
    text = " ".join(sentence for sentence in sentences if sentence)
    return text if len(text) <= ALT else text[: ALT - 1] + letters.ELLIPSIS


def _element(z: int) -> str:
    return ELEMENTS[z - 1].name


def person(
    area: Rect, seat: int, name: str, size: Size = Size.SMALL, *, weight: Weight = Weight.MEDIUM
) -> list[Item]:
    """A player: the letter on the seat's colour, and the name where our fonts can write it."""
    chip = Rect(area.x, area.y + (area.h - _CHIP) // 2, _CHIP, _CHIP)
    items: list[Item] = [
        Panel(chip, seat_colour(seat), RADIUS_SMALL),
        Text(chip, seat_letter(seat), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE),
    ]
    room = Rect(chip.right + 12, area.y, area.right - chip.right - 12, area.h)
    if letters.drawable(name) and room.w > 0:
        items.append(Text(room, letters.normal(name), size, weight, fit=Fit.ELLIPSIS))
    return items


def _effects(area: Rect, effects: tuple[str, ...], words: Words) -> tuple[list[Item], int]:
    """What lasts for everybody, as tile and word, from the right edge inwards; and where they begin."""
    signs = {"germanium": 32, "lanthanum": 57, "hydrogen": 1}
    items: list[Item] = []
    x = area.right
    for key in reversed(effects):
        label = words(f"effect.{key}")
        wide = round(letters.width(label, Size.SMALL, Weight.MEDIUM)) + 4
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


_BATTLE: Final = Rect(MARGIN, 136, 1280 - 2 * MARGIN, 460)
_CARD_W, _CARD_H = 182, 256


def _value(area: Rect, play: PlayView, words: Words, symbol: str) -> list[Item]:
    """The number of a play: as printed, and what it became."""
    colour = "accent" if play.winning else "muted" if play.beaten else "text"
    if play.joined is not None:
        return [Text(area, words("joined", symbol=symbol), Size.SMALL, Weight.BOLD, "muted", Align.CENTRE)]
    if play.value == play.printed:
        return [Text(area, play.value, Size.TITLE, Weight.BOLD, colour, Align.CENTRE)]
    before = f"{play.printed} →"
    wide = round(letters.width(before, Size.SMALL, Weight.MEDIUM)) + 2
    after = round(letters.width(play.value, Size.TITLE, Weight.BOLD)) + 2
    size = Size.TITLE
    if wide + 12 + after > area.w:
        after, size = round(letters.width(play.value, Size.BODY, Weight.BOLD)) + 2, Size.BODY
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
    wide = min(round(letters.width(label, Size.SMALL, Weight.MEDIUM)) + 2, area.w - 48)
    left = area.x + (area.w - wide - 48) // 2
    ground = "panel_high" if play.winning else "panel"
    return [
        Sprite("atom_duel.sign", (play.power, "text", ground), Rect(left, area.y + 4, 38, 38)),
        Text(Rect(left + 48, area.y, wide, area.h), label),
    ]


def _play(column: Rect, view: TableView, play: PlayView, words: Words) -> Group:
    items: list[Item] = []
    if play.winning:
        items.append(Panel(column, "panel_high", RADIUS_CARD, "accent", 4))
    name, card, _, value, power = layout.down(column.inset(8, 6), (48, _CARD_H, 16, 56, 46), gap=2)
    if play.winning:
        crown = Rect(name.right - 44, name.y + 2, 44, 44)
        items.append(Sprite("atom_duel.sign", ("crown", "accent", "panel_high"), crown))
        name = Rect(name.x, name.y, name.w - 48, name.h)
    items += person(name, play.seat, play.name)
    states = frozenset({State.DIMMED}) if play.beaten else frozenset()
    items.append(
        Sprite("atom_duel.card", (face(play.z, view.level),), layout.centred(card, _CARD_W, _CARD_H), states)
    )
    symbol = ELEMENTS[view.plays[play.joined].z - 1].symbol if play.joined is not None else ""
    items += _value(value, play, words, symbol)
    items += _power(power, play, words)
    return Group(column, tuple(items))


def _links(columns: tuple[Rect, ...], plays: tuple[PlayView, ...]) -> Iterator[Item]:
    """A rule below the cards of each compound, from member to member, with a knob at each."""
    heads = sorted({play.joined for play in plays if play.joined is not None})
    for lane, head in enumerate(heads):
        members = [head, *(index for index, play in enumerate(plays) if play.joined == head)]
        y = columns[0].y + 6 + 48 + 2 + _CARD_H + 6 + lane * 12
        middles = [columns[index].x + columns[index].w // 2 for index in members]
        yield Line((min(middles), y), (max(middles), y), "muted", 6)
        for middle in middles:
            yield Line((middle - 22, y), (middle + 22, y), "accent" if middle == middles[0] else "text", 10)


def _battle(view: TableView, words: Words) -> list[Item]:
    items: list[Item] = [Panel(_BATTLE, "panel", RADIUS_PANEL)]
    inner = _BATTLE.inset(8, 8)
    if not view.plays:
        opener = next((seat.name for seat in view.seats if seat.leads and letters.drawable(seat.name)), "")
        more = words("start_more", name=opener) if opener else words("start_more_nobody")
        title = words("sealed") if view.sealed else words("start")
        _, upper, lower, _ = layout.down(inner, (None, 72, 60, None), gap=8)
        items.append(Text(upper, title, Size.TITLE, Weight.BOLD, align=Align.CENTRE))
        items.append(Text(lower, more, Size.SMALL, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS))
        return items
    count = max(len(view.seats), len(view.plays))
    columns = layout.spread(inner, count, min(320, (inner.w - 8 * (count - 1)) // count), inner.h, gap=16)
    items += [_play(column, view, play, words) for column, play in zip(columns, view.plays, strict=False)]
    for column in columns[len(view.plays) :]:
        room = Rect(column.x + 8, column.y + 56, column.w - 16, _CARD_H)
        items.append(Panel(layout.centred(room, _CARD_W, _CARD_H), None, RADIUS_CARD, "edge", 3))
    items += _links(columns, view.plays)
    return items


_SEATS: Final = Rect(MARGIN, 612, 1280 - 2 * MARGIN, 268)


def _tiles(area: Rect, cards: tuple[CardView, ...], *, roomy: bool, sealed: bool) -> Iterator[Item]:
    """Unplayed cards in lines: backs with their letters, and those that everybody knows."""
    narrow, wide, height, gap = (52, 72, 60, 8) if roomy else (39, 60, 48, 3)
    x, y = area.x, area.y
    for number, card in enumerate(cards, 1):
        width = wide if card.z else narrow
        if x + width > area.right:
            x, y = area.x, y + height + 4
        if y + height > area.bottom:
            return
        rect = Rect(x, y, width, height)
        if card.z:
            yield Sprite("atom_duel.tile", (face(card.z),), rect)
        else:
            yield Sprite("atom_duel.back", (str(number) if sealed else card.slot,), rect)
        x += width + gap


def _seat(area: Rect, view: TableView, seat: SeatView, words: Words) -> Group:
    roomy = len(view.seats) <= 3
    ground = "panel_high" if seat.turn else "panel"
    items: list[Item] = [
        Panel(area, ground, RADIUS_CARD, "accent" if seat.turn else None, 4 if seat.turn else 0)
    ]
    inner = area.inset(12, 8)
    name, score, tiles = layout.down(inner, (48, 52, None), gap=2)
    items += person(name, seat.seat, seat.name, weight=Weight.BOLD)
    x = score.right
    for flag in seat.flags:
        label = words(f"flag.{flag}")
        wide = round(letters.width(label, Size.SMALL, Weight.BOLD)) + 20
        box = Rect(x - wide, score.y + 3, wide, 46)
        items.append(Panel(box, "transition metal", RADIUS_SMALL))
        items.append(Text(box, label, Size.SMALL, Weight.BOLD, "ink", Align.CENTRE))
        x -= wide + 8
    if seat.leads:
        flag_box = Rect(x - 44, score.y + 5, 42, 42)
        items.append(Sprite("atom_duel.sign", ("flag", "text", ground), flag_box))
        x -= 52
    points = words("points", points=seat.points)
    items.append(Text(Rect(score.x, score.y, x - score.x, score.h), points, Size.TITLE, Weight.DISPLAY))
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
    return alt([words("alt.table", title=title, battle=battle, seats=" ".join(seats))])


def table_scene(view: TableView, look: Look, words: Words) -> Scene:
    """The table picture, 1280x900, for 2 to 5 seats."""
    seats = layout.row(_SEATS, len(view.seats), gap=12)
    items = [
        *_header(view, words),
        *_status(view, words),
        *_battle(view, words),
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
    return alt([words("alt.hand", name=view.name, cards=", ".join(cards)), *effects, view.note])


def _slot(area: Rect, card: CardView) -> list[Item]:
    """The letter below a card: on the accent when it may be played; an eye when all know the card."""
    ground = "accent" if card.playable else "panel_high"
    ink = "accent_ink" if card.playable else "text"
    label = f"{card.slot} → {card.place}" if card.place else card.slot
    items: list[Item] = [Panel(area, ground, RADIUS_CARD)]
    if not card.known:
        return [*items, Text(area, label, Size.BODY, Weight.BOLD, ink, Align.CENTRE)]
    wide = round(letters.width(label, Size.BODY, Weight.BOLD)) + 2
    left = area.x + (area.w - wide - 52) // 2
    items.append(Text(Rect(left, area.y, wide, area.h), label, Size.BODY, Weight.BOLD, ink))
    eye = Rect(left + wide + 10, area.y + (area.h - 42) // 2, 42, 42)
    items.append(Sprite("atom_duel.sign", ("eye", ink, ground), eye))
    return items


def hand_scene(view: HandView, look: Look, words: Words) -> Scene:
    """A hand, 1280 wide: up to five cards with their names, more of them smaller in the same row."""
    count = max(1, len(view.cards))
    named = count <= 5
    width = 232 if named else (1280 - 2 * MARGIN - 12 * (count - 1)) // count
    height = 372 if named else width * 292 // 208
    top = MARGIN + 56 + 16 + LIFT
    total = top + height + 16 + 64 + MARGIN
    head = Rect(MARGIN, MARGIN - 4, 1280 - 2 * MARGIN, 56)
    effects, edge = _effects(head, view.effects, words)
    items: list[Item] = list(effects)
    if view.note:
        wide = min(round(letters.width(view.note, Size.BODY, Weight.BOLD)) + 4, 700)
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
    return Scene(864, 1184, (card,), alt(said), look)
