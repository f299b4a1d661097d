"""The scenes of Atom Duel: the table, a hand, one card, and the elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.views import (
    CardView,
    EarlierView,
    HandView,
    PlayView,
    SeatView,
    TableView,
    Words,
)
from bot.presenters.elements.painters import Rule
from bot.render import layout
from bot.render import text as letters
from bot.render.parts import CHIP, alt_text, person, person_width, text_width
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
    signs = {"germanium": 32, "germanium_next": 32, "lanthanum": 57, "hydrogen": 1}
    items: list[Item] = []
    x = area.right
    for key in reversed(effects):
        label = words(f"effect.{key}")
        wide = text_width(label, Size.SMALL, Weight.MEDIUM)
        x -= wide
        items.append(Text(Rect(x, area.y, wide, area.h), label, colour="text"))
        x -= 60 + 12
        items.append(
            Sprite("atom_duel.tile", (face(signs[key]), ""), Rect(x, area.y + (area.h - 48) // 2, 60, 48))
        )
        x -= 28
    return items, x


def _header(view: TableView, words: Words) -> list[Item]:
    area = Rect(MARGIN, 16, 1280 - 2 * MARGIN, 56)
    place = words("round", round=view.round, rounds=view.rounds)
    left = place if not view.hand else f"{place} · {words('hand', hand=view.hand)}"
    right = f"{words('level', level=view.level)} · {words('deck', deck=view.deck)}"
    first, second = layout.across(area, (None, 480))
    return [
        Text(first, left, Size.BODY, Weight.BOLD),
        Text(second, right, Size.SMALL, colour="muted", align=Align.RIGHT),
    ]


def _status(view: TableView, words: Words) -> list[Item]:
    """Who has won or is ahead, or what happened last; beside it what lasts for everybody."""
    area = Rect(MARGIN, 76, 1280 - 2 * MARGIN, 52)
    items, edge = _effects(area, view.effects, words)
    left = Rect(area.x, area.y, min(area.right, edge) - area.x, area.h)
    best = next((play for play in view.plays if play.winning), None)
    won = [seat for seat in view.seats if seat.won]
    if won:
        name = words("and").join(_called(seat) for seat in won)
        points = won[0].points
        said = f"{words('wins_game', n=len(won))} · {points} {words('points', points=points)}"
    elif best is not None:
        name = _called(best)
        said = f"{words('wins' if view.finished else 'leads')} · {best.value}"
    else:
        if view.last:
            items.append(Text(left, view.last, colour="muted", fit=Fit.ELLIPSIS))
        return items
    crown = Rect(left.x, left.y + 4, 44, 44)
    items.append(Sprite("atom_duel.sign", ("crown", "accent", "felt"), crown))
    # a long name makes room for what is said of it, never the other way round
    room = Rect(crown.right + 12, left.y, left.right - crown.right - 12, left.h)
    told = min(text_width(said, Size.SMALL, Weight.BOLD), room.w - 60)
    wide = min(text_width(name, Size.SMALL, Weight.BOLD), room.w - told - 10)
    after = Rect(room.x + wide + 10, room.y, told, room.h)
    items.append(Text(room._replace(w=wide), name, Size.SMALL, Weight.BOLD, "accent", fit=Fit.ELLIPSIS))
    items.append(Text(after, said, Size.SMALL, Weight.BOLD, "accent", fit=Fit.ELLIPSIS))
    return items


def _called(who: PlayView | SeatView) -> str:
    """A player's name, or the seat's letter where our fonts cannot write it."""
    return letters.written(who.name) or seat_letter(who.seat)


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
    # with five the name needs the room; and once the game is over the crown is its winner's
    crowned = play.winning and len(view.seats) < 5 and not any(seat.won for seat in view.seats)
    crown = 52 if crowned else 0
    wide = min(name.w, person_width(play.name) + crown)
    name = Rect(name.x + (name.w - wide) // 2, name.y, wide, name.h)
    if crowned:
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
        opener = letters.written(next((seat.name for seat in view.seats if seat.leads), ""))
        more = words("start_more", name=opener) if opener else words("start_more_nobody")
        title = words("start")
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


def _tiles(
    area: Rect, cards: tuple[CardView, ...], *, roomy: bool, lettered: bool = True
) -> Iterator[Sprite]:
    """Unplayed cards in lines: backs with their letters, and those that everybody knows, with theirs if
    there is room."""
    narrow, wide, height, gap = (52, 108, 60, 8) if roomy else (39, 102, 48, 3)
    if not lettered:
        wide -= 36
    x, y = area.x, area.y
    for card in cards:
        width = wide if card.z else narrow
        if x + width > area.right:
            x, y = area.x, y + height + 4
        rect = Rect(x, y, width, height)
        if card.z:
            yield Sprite("atom_duel.tile", (face(card.z), card.slot if lettered else ""), rect)
        else:
            yield Sprite("atom_duel.back", (card.slot,), rect)
        x += width + gap


def _seats_area(view: TableView, *, lettered: bool) -> Rect:
    """The foot of the table, as high as the longest row of cards needs."""
    area = Rect(MARGIN, _BOTTOM, 1280 - 2 * MARGIN, 0)
    width = layout.row(area, len(view.seats), gap=12)[0].w - 24
    roomy = len(view.seats) <= 3
    probe = Rect(0, 0, width, 0)
    ends = [
        tile.rect.bottom
        for seat in view.seats
        for tile in _tiles(probe, seat.cards, roomy=roomy, lettered=lettered)
    ]
    height = 8 + 48 + 2 + 54 + 4 + max([60 if roomy else 48, *ends]) + 12
    return Rect(area.x, _BOTTOM - height, area.w, height)


def _seat(area: Rect, view: TableView, seat: SeatView, words: Words, *, lettered: bool) -> Group:
    roomy = len(view.seats) <= 3
    ground = "panel_high" if seat.turn else "panel"
    items: list[Item] = [
        Panel(area, ground, RADIUS_CARD, "accent" if seat.turn else None, 4 if seat.turn else 0)
    ]
    inner = area.inset(12, 8)
    name, score, tiles = layout.down(inner, (48, 54, None), gap=2)
    tiles = tiles.moved(0, 2)
    items += person(name, seat.seat, seat.name, weight=Weight.BOLD)
    flags, x = _flags(score.right, score.y + 3, seat.flags, words)
    items += flags
    if seat.leads or seat.won:
        sign = ("crown", "accent", ground) if seat.won else ("flag", "text", ground)
        items.append(Sprite("atom_duel.sign", sign, Rect(x - 44, score.y + 5, 42, 42)))
        x -= 52
    points = str(seat.points)
    wide = text_width(points, Size.TITLE, Weight.DISPLAY)
    items.append(Text(Rect(score.x, score.y, wide, score.h), points, Size.TITLE, Weight.DISPLAY))
    if roomy:
        unit = Rect(score.x + wide + 8, score.y + 4, x - score.x - wide - 8, score.h)
        items.append(Text(unit, words("points", points=seat.points), colour="muted", fit=Fit.ELLIPSIS))
    items += _tiles(tiles, seat.cards, roomy=roomy, lettered=lettered)
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
        if seat.won:
            line += f", {words('alt.won')}"
        seats.append(line + (f", {words('alt.turn')}." if seat.turn else "."))
    effects = "".join(words(f"effect.{key}") + ". " for key in view.effects)
    earlier = "".join(
        words("alt.earlier", hand=hand.hand, name=hand.name, how=_how(hand, words)) + " "
        for hand in view.earlier
    )
    battle = effects + earlier + (" ".join(plays) or view.last or words("start") + ".")
    return alt_text(words("alt.table", title=title, battle=battle, seats=" ".join(seats)))


_LINE: Final = 46
_LEAST_BATTLE: Final = 436
"""Lower than this the cards of the battle would become too small to read."""


def _how(hand: EarlierView, words: Words, *, brief: bool = False) -> str:
    key = "how_compound" if hand.compound and not brief else "how"
    return words(key, symbol=ELEMENTS[hand.z - 1].symbol, value=hand.value)


def _columns(hands: tuple[EarlierView, ...]) -> int:
    return 2 if len(hands) <= 4 else 3


def _earlier(area: Rect, hands: tuple[EarlierView, ...], words: Words) -> Iterator[Item]:
    """The hands that passed without a decision, side by side: which, whose, and with what."""
    columns = _columns(hands)
    brief = columns > 2
    cells = layout.row(area, columns, gap=40)
    for number, hand in enumerate(hands):
        cell = cells[number % columns]
        label, how = (
            str(hand.hand) if brief else words("hand", hand=hand.hand),
            _how(hand, words, brief=brief),
        )
        wide, tail = text_width(label, Size.SMALL), text_width(how, Size.SMALL, Weight.BOLD)
        line = Rect(cell.x, area.y + number // columns * _LINE, cell.w, _LINE)
        yield Text(line._replace(w=wide), label, colour="muted")
        left = line.x + wide + 14
        name, room = person_width(hand.name), line.right - left - tail - 14
        if name > room:  # a few letters of a name tell nothing: then the seat's own must do
            name = room if room > 160 else CHIP
        yield from person(Rect(left, line.y, name, line.h), hand.seat, hand.name)
        yield Text(Rect(left + name + 14, line.y, tail, line.h), how, Size.SMALL, Weight.BOLD)


def table_scene(view: TableView, look: Look, words: Words) -> Scene:
    """The table picture, 1280x900, for 2 to 5 seats."""
    strip = -(-len(view.earlier) // _columns(view.earlier)) * _LINE
    for lettered in (True, False):
        foot = _seats_area(view, lettered=lettered)
        battle = Rect(MARGIN, _TOP, foot.w, foot.y - 16 - _TOP - (strip and strip + 8))
        if battle.h >= _LEAST_BATTLE:
            break
    below = Rect(MARGIN + 12, battle.bottom + 12, foot.w - 24, strip)
    seats = layout.row(foot, len(view.seats), gap=12)
    items = [
        *_header(view, words),
        *_status(view, words),
        *_battle(battle, view, words),
        *_earlier(below, view.earlier, words),
        *(
            _seat(area, view, seat, words, lettered=lettered)
            for area, seat in zip(seats, view.seats, strict=True)
        ),
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
        if card.power:
            line += f" ({words(f'power.{card.power}')})"
        cards.append(line)
    effects = [words(f"effect.{key}") + "." for key in view.effects]
    effects += [words(f"alt.flag.{flag}") for flag in view.flags]
    return alt_text(words("alt.hand", name=view.name, cards=", ".join(cards)), *effects, view.note)


def _slot(area: Rect, card: CardView) -> list[Item]:
    """The letter below a card: on the accent when it may be played; its place in the last round with the
    power that was sealed; an eye when all know the card."""
    ground = "accent" if card.playable else "panel_high"
    ink = "accent_ink" if card.playable else "text"
    label = f"{card.slot} → {card.place}" if card.place else card.slot
    items: list[Item] = [Panel(area, ground, RADIUS_CARD)]
    signs = [sign for sign in (card.power, "eye" if card.known else "") if sign]
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
        place = Rect(x, area.y + (area.h - side) // 2, side, side)
        items.append(Sprite("atom_duel.sign", (sign, ink, ground), place))
    return items


def _flags(right: int, y: int, flags: tuple[str, ...], words: Words) -> tuple[list[Item], int]:
    """Lasting effects of one player as small signs, from the right edge inwards; and where they begin."""
    items: list[Item] = []
    for flag in flags:
        label = words(f"flag.{flag}")
        wide = text_width(label, Size.SMALL, Weight.BOLD) + 20
        box = Rect(right - wide, y, wide, 46)
        items.append(Panel(box, "transition metal", RADIUS_SMALL))
        items.append(Text(box, label, Size.SMALL, Weight.BOLD, "ink", Align.CENTRE))
        right -= wide + 8
    return items, right


def hand_scene(view: HandView, look: Look, words: Words) -> Scene:
    """A hand, 1280 wide: up to five cards with their names, more of them smaller in the same row."""
    count = max(1, len(view.cards))
    named = count <= 5
    width = 280 if count <= 4 else 240 if named else (1280 - 2 * MARGIN - 12 * (count - 1)) // count
    height = width * 292 // 208 + (46 if named else 0)
    top = MARGIN + 56 + 16 + LIFT
    total = top + height + 16 + 64 + MARGIN
    head = Rect(MARGIN, MARGIN - 4, 1280 - 2 * MARGIN, 56)
    effects, edge = _effects(head, view.effects, words)
    flags, edge = _flags(edge, head.y + 5, view.flags, words)
    items: list[Item] = [*effects, *flags]
    if flags:
        edge -= 16
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
        Rect(MARGIN, top, 1280 - 2 * MARGIN, height),
        len(view.cards),
        width,
        height,
        gap=8 if count == 5 else 16,
    )
    for place, card in zip(places, view.cards, strict=True):
        states = frozenset({State.RAISED}) if card.playable else frozenset()
        if card.z:
            front = face(card.z, view.level, words(f"hyphenated.{card.z}") if named else "")
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
