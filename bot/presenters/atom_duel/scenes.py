"""The table of Atom Duel: the hand in the middle with what each card has become, and what everybody holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.words import Voice, number
from bot.presenters.atom_duel.words import slot as slot_number
from bot.render import layout
from bot.render import text as letters
from bot.render.parts import (
    CHIP,
    MARGIN,
    alt_text,
    band,
    header,
    person,
    person_width,
    seat_panel,
    text_width,
)
from bot.render.scene import (
    BASE_WIDTH,
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
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL, RADIUS_SMALL, seat_letter
from engine.atom_duel.observation import HandView, Observation, PlayView
from engine.elements import ELEMENTS


def lasting(area: Rect, effects: tuple[str, ...], voice: Voice) -> tuple[list[Item], int]:
    """What lasts for everybody, as tile and word, from the right edge inwards; and where they begin."""
    signs = {"germanium": 32, "germanium_next": 32, "lanthanum": 57, "hydrogen": 1}
    items: list[Item] = []
    x = area.right
    for key in reversed(effects):
        label = voice(f"picture.effect.{key}")
        wide = text_width(label, Size.SMALL, Weight.MEDIUM)
        x -= wide
        items.append(Text(Rect(x, area.y, wide, area.h), label, colour="text"))
        x -= 60 + 12
        items.append(
            Sprite("atom_duel.tile", (face(signs[key]), ""), Rect(x, area.y + (area.h - 48) // 2, 60, 48))
        )
        x -= 28
    return items, x


def flagged(right: int, y: int, flags: tuple[str, ...], voice: Voice) -> tuple[list[Item], int]:
    """Lasting effects of one player as small signs, from the right edge inwards; and where they begin."""
    items: list[Item] = []
    for flag in flags:
        label = voice(f"picture.flag.{flag}")
        wide = text_width(label, Size.SMALL, Weight.BOLD) + 20
        box = Rect(right - wide, y, wide, 46)
        items.append(Panel(box, "transition metal", RADIUS_SMALL))
        items.append(Text(box, label, Size.SMALL, Weight.BOLD, "ink", Align.CENTRE))
        right -= wide + 8
    return items, right


def _moment(seen: Observation, voice: Voice) -> tuple[str, str]:
    """Which round the middle of the table shows, and which hand; no hand before the first card."""
    done = queries.finished(seen)
    round_ = voice("picture.round", round=done.round if done else seen.round, rounds=seen.rounds)
    hand = done.hand if done else seen.hand if seen.plays else 0
    return (
        voice("picture.last_round") if seen.simultaneous else round_,
        voice("picture.hand", hand=hand) if hand else "",
    )


def _header(seen: Observation, voice: Voice) -> list[Item]:
    left = " · ".join(filter(None, _moment(seen, voice)))
    right = f"{voice('picture.level', level=seen.level)} · {voice('picture.deck', deck=seen.deck)}"
    return header(band(16, 56), left, right, 480)


def _points(points: int, voice: Voice) -> str:
    return voice("picture.points", n=points)


def _before(seen: Observation, voice: Voice) -> str:
    """What the hand before came to, where the middle of the table does not show it."""
    before = seen.last_hand
    if before is None or queries.plays(seen):
        return ""
    return voice(
        "picture.last",
        hand=before.hand,
        name=voice.look.name(before.winner),
        symbol=ELEMENTS[before.card - 1].symbol,
        value=number(before.value2),
    )


def champions(seen: Observation, voice: Voice) -> tuple[str, str]:
    """Who has won the game, and with how many points; not before it is over."""
    won = queries.champions(seen)
    points = seen.points[won[0]]
    name = voice("picture.and").join(_called(seat, voice) for seat in won)
    return name, f"{voice('picture.wins_game', n=len(won))} · {points} {_points(points, voice)}"


def _status(seen: Observation, voice: Voice) -> list[Item]:
    """Who has won or is ahead, or what happened last; beside it what lasts for everybody."""
    area = band(76, 52)
    items, edge = lasting(area, queries.effects(seen), voice)
    left = Rect(area.x, area.y, min(area.right, edge) - area.x, area.h)
    best = next((play for play in queries.plays(seen) if queries.is_best(seen, play)), None)
    if seen.over:
        name, said = champions(seen, voice)
    elif best is not None:
        name = _called(best.seat, voice)
        said = f"{_ahead(seen, voice)} · {number(best.value2)}"
    else:
        if before := _before(seen, voice):
            items.append(Text(left, before, colour="muted", fit=Fit.ELLIPSIS))
        return items
    crown = Rect(left.x, left.y + 4, 44, 44)
    items.append(Sprite("elements.sign", ("crown", "accent", "felt"), crown))
    # a long name makes room for what is said of it, never the other way round
    room = Rect(crown.right + 12, left.y, left.right - crown.right - 12, left.h)
    told = min(text_width(said, Size.SMALL, Weight.BOLD), room.w - 60)
    wide = min(text_width(name, Size.SMALL, Weight.BOLD), room.w - told - 10)
    after = Rect(room.x + wide + 10, room.y, told, room.h)
    items.append(Text(room._replace(w=wide), name, Size.SMALL, Weight.BOLD, "accent", fit=Fit.ELLIPSIS))
    items.append(Text(after, said, Size.SMALL, Weight.BOLD, "accent", fit=Fit.ELLIPSIS))
    return items


def _ahead(seen: Observation, voice: Voice) -> str:
    return voice("picture.wins" if queries.finished(seen) else "picture.leads")


def _called(seat: int, voice: Voice) -> str:
    """A player's name, or the seat's letter where our fonts cannot write it."""
    return letters.written(voice.look.name(seat)) or seat_letter(seat)


_TOP, _BOTTOM = 136, 880
_CARD_RATIO: Final = 208 / 292
# Rows of a play's column: name, card, room for the rule of a compound, number, power.
_NAME, _RULE, _NUMBER, _POWER = 50, 18, 58, 48
_EDGE: Final = 10
ROOMY: Final = 3
"""Up to so many players have room for larger tiles and for the word after their points."""


def _card_size(battle: Rect, columns: int) -> tuple[int, int]:
    """How large a card of the battle may be: what the column leaves in width and in height."""
    height = battle.h - 16 - 2 * _EDGE - _NAME - _RULE - _NUMBER - _POWER - 4 * 2
    width = min(248, (battle.w - 16 - 16 * (columns - 1)) // columns - 24)
    return (
        (width, round(width / _CARD_RATIO))
        if width / _CARD_RATIO <= height
        else (int(height * _CARD_RATIO), height)
    )


def _symbol(z: int) -> str:
    return ELEMENTS[z - 1].symbol


def _joined(play: PlayView) -> bool:
    """Whether another card controls the compound to which this one belongs."""
    return play.head != play.card


def _icon(play: PlayView) -> str:
    """The sign of the power at work, "" for none."""
    return play.power


def _shines(seen: Observation, play: PlayView) -> bool:
    """Whether this card stands out: it wins the hand or is ahead; once the game is over only where its
    player has won that too."""
    return queries.is_best(seen, play) and (not seen.over or play.seat in queries.champions(seen))


def _value(area: Rect, seen: Observation, play: PlayView, voice: Voice) -> list[Item]:
    """The number of a play: as printed, and what it became."""
    colour = "accent" if _shines(seen, play) else "muted" if play.beaten else "text"
    if _joined(play):
        inside = voice("picture.joined", symbol=_symbol(play.head))
        return [Text(area, inside, Size.SMALL, Weight.BOLD, "muted", Align.CENTRE)]
    value = number(play.value2)
    if value == str(play.card):
        return [Text(area, value, Size.TITLE, Weight.BOLD, colour, Align.CENTRE)]
    before = f"{play.card} →"
    wide = text_width(before, Size.SMALL, Weight.MEDIUM)
    after = text_width(value, Size.TITLE, Weight.BOLD)
    size = Size.TITLE
    if wide + 12 + after > area.w:
        after, size = text_width(value, Size.BODY, Weight.BOLD), Size.BODY
    left = area.x + (area.w - wide - 12 - after) // 2
    return [
        Text(Rect(left, area.y + 2, wide, area.h), before, colour="muted"),
        Text(Rect(left + wide + 12, area.y, after, area.h), value, size, Weight.BOLD, colour),
    ]


def _power(area: Rect, seen: Observation, play: PlayView, voice: Voice) -> list[Item]:
    if play.beaten:
        return [Text(area, voice("picture.beaten"), Size.SMALL, Weight.MEDIUM, "bad", Align.CENTRE)]
    icon = _icon(play)
    if not icon:
        return []
    label = voice.power(icon)
    if text_width(label, Size.SMALL, Weight.MEDIUM) > area.w - 46:
        label = voice(f"picture.power.{icon}")
    wide = min(text_width(label, Size.SMALL, Weight.MEDIUM), area.w - 46)
    left = area.x + (area.w - wide - 46) // 2
    ground = "panel_high" if _shines(seen, play) else "panel"
    return [
        Sprite("elements.sign", (icon, "text", ground), Rect(left, area.y + 4, 38, 38)),
        Text(Rect(left + 46, area.y, wide, area.h), label, fit=Fit.ELLIPSIS),
    ]


def _play(column: Rect, seen: Observation, play: PlayView, voice: Voice) -> Group:
    items: list[Item] = []
    best, player = _shines(seen, play), voice.look.name(play.seat)
    if best:
        items.append(Panel(column, "panel_high", RADIUS_CARD, "accent", 4))
    rows = layout.down(column.inset(12, _EDGE), (_NAME, None, _RULE, _NUMBER, _POWER), gap=2)
    name, card, _, value, power = rows
    # with five the name needs the room; and once the game is over the crown is its winner's
    crowned = best and seen.seats < 5 and not seen.over
    crown = 52 if crowned else 0
    wide = min(name.w, person_width(player) + crown)
    name = Rect(name.x + (name.w - wide) // 2, name.y, wide, name.h)
    if crowned:
        place = Rect(name.x, name.y + 2, 44, 44)
        items.append(Sprite("elements.sign", ("crown", "accent", "panel_high"), place))
    items += person(Rect(name.x + crown, name.y, name.w - crown, name.h), play.seat, player)
    states = frozenset({State.DIMMED}) if play.beaten else frozenset()
    size = layout.fitted(card, _CARD_RATIO)
    items.append(Sprite("atom_duel.card", (face(play.card, seen.level), ()), size, states))
    items += _value(value, seen, play, voice)
    items += _power(power, seen, play, voice)
    return Group(column, tuple(items))


def _links(columns: tuple[Rect, ...], card_bottom: int, plays: tuple[PlayView, ...]) -> Iterator[Item]:
    """A bracket below the cards of each compound, with a foot at each member."""
    heads = {play.head for play in plays if _joined(play)}
    for lane, head in enumerate(play.card for play in plays if play.card in heads):
        members = [at for at, play in enumerate(plays) if play.head == head]
        members.sort(key=lambda at: plays[at].card != head)
        y = card_bottom + 12 - lane * 8
        middles = [columns[at].x + columns[at].w // 2 + 12 * lane for at in members]
        yield Line((min(middles) - 2, y), (max(middles) + 3, y), "text", 5)
        for middle in middles:
            yield Line((middle, card_bottom + 2), (middle, y), "text", 5)


def _opening(seen: Observation, voice: Voice) -> tuple[str, str]:
    """What stands in the middle before the first card."""
    if seen.simultaneous:
        return voice("picture.last_round"), voice("picture.sealed_more")
    opener = "" if seen.over else letters.written(voice.look.name(seen.leader))
    more = voice("picture.start_more", name=opener) if opener else voice("picture.start_more_nobody")
    return voice("picture.start"), more


def battle(area: Rect, seen: Observation, voice: Voice) -> list[Item]:
    """The hand in the middle of the table, or what stands there before the first card."""
    items: list[Item] = [Panel(area, "panel", RADIUS_PANEL)]
    inner = area.inset(8, 8)
    plays = queries.plays(seen)
    if not plays:
        title, more = _opening(seen, voice)
        _, backs, upper, lower, _ = layout.down(inner, (None, 176, 88, 56, None), gap=8)
        fan = layout.spread(backs, 5, 124, 174, gap=16)
        items += [Sprite("elements.back", ("",), place) for place in fan]
        items.append(Text(upper, title, Size.TITLE, Weight.BOLD, align=Align.CENTRE))
        items.append(Text(lower, more, Size.SMALL, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS))
        return items
    count = len(plays) if seen.over else max(seen.seats, len(plays))
    width, height = _card_size(area, count)
    tall = height + 2 * _EDGE + _NAME + _RULE + _NUMBER + _POWER + 4 * 2
    columns = layout.spread(inner, count, min(312, (inner.w - 16 * (count - 1)) // count), tall, gap=32)
    items += [_play(column, seen, play, voice) for column, play in zip(columns, plays, strict=False)]
    top = columns[0].y + _EDGE + _NAME + 2
    for column in columns[len(plays) :]:
        place = Rect(column.x + (column.w - width) // 2, top, width, height)
        items.append(Panel(place, None, RADIUS_CARD, "edge", 3))
    items += _links(columns, top + height, plays)
    return items


def _tiles(area: Rect, seen: Observation, seat: int, *, numbered: bool) -> Iterator[Sprite]:
    """Unplayed cards in lines: backs with their numbers, and those that everybody knows, with theirs if
    there is room."""
    roomy = seen.seats <= ROOMY
    narrow, wide, height, gap = (52, 108, 60, 8) if roomy else (39, 102, 48, 3)
    if not numbered:
        wide -= 36
    x, y = area.x, area.y
    for slot in queries.slots(seen, seat):
        card = seen.rows[seat][slot] if queries.public(seen, seat, slot) else 0
        width = wide if card else narrow
        if x + width > area.right:
            x, y = area.x, y + height + 4
        rect = Rect(x, y, width, height)
        if card:
            yield Sprite("atom_duel.tile", (face(card), slot_number(slot) if numbered else ""), rect)
        else:
            yield Sprite("elements.back", (slot_number(slot),), rect)
        x += width + gap


def _seats_area(seen: Observation, *, numbered: bool) -> Rect:
    """The foot of the table, as high as the longest row of cards needs."""
    area = band(_BOTTOM, 0)
    width = layout.row(area, seen.seats, gap=12)[0].w - 24
    probe = Rect(0, 0, width, 0)
    ends = [
        tile.rect.bottom
        for seat in range(seen.seats)
        for tile in _tiles(probe, seen, seat, numbered=numbered)
    ]
    height = 8 + 48 + 2 + 54 + 4 + max([60 if seen.seats <= ROOMY else 48, *ends]) + 12
    return Rect(area.x, _BOTTOM - height, area.w, height)


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice, *, numbered: bool) -> Group:
    turn, won = seat in seen.to_act, seat in queries.champions(seen)
    ground = "panel_high" if turn or won else "panel"
    items: list[Item] = [seat_panel(area, lit=turn or won)]
    inner = area.inset(12, 8)
    name, score, tiles = layout.down(inner, (48, 54, None), gap=2)
    tiles = tiles.moved(0, 2)
    items += person(name, seat, voice.look.name(seat), weight=Weight.BOLD)
    flags, x = flagged(score.right, score.y + 3, queries.flags(seen, seat), voice)
    items += flags
    if won or (seat == seen.leader and not seen.over):
        sign = ("crown", "accent", ground) if won else ("flag", "text", ground)
        items.append(Sprite("elements.sign", sign, Rect(x - 44, score.y + 5, 42, 42)))
        x -= 52
    points = str(seen.points[seat])
    wide = text_width(points, Size.TITLE, Weight.DISPLAY)
    items.append(Text(Rect(score.x, score.y, wide, score.h), points, Size.TITLE, Weight.DISPLAY))
    if seen.seats <= ROOMY:
        unit = Rect(score.x + wide + 8, score.y + 4, x - score.x - wide - 8, score.h)
        items.append(Text(unit, _points(seen.points[seat], voice), colour="muted", fit=Fit.ELLIPSIS))
    items += _tiles(tiles, seen, seat, numbered=numbered)
    return Group(area, tuple(items))


def _play_said(seen: Observation, play: PlayView, voice: Voice) -> str:
    named = {"name": voice.look.name(play.seat), "element": voice.element(play.card)}
    parts = [voice("picture.alt.play", **named, printed=play.card)]
    if icon := _icon(play):
        parts.append(voice.power(icon))
    value = number(play.value2)
    if _joined(play):
        parts.append(voice("picture.joined", symbol=_symbol(play.head)))
    elif value != str(play.card):
        parts.append(voice("picture.alt.value", value=value))
    if play.beaten:
        parts.append(voice("picture.beaten"))
    if queries.is_best(seen, play):
        parts.append(_ahead(seen, voice))
    return ", ".join(parts) + "."


def plays_said(seen: Observation, voice: Voice) -> str:
    """The cards in the middle of the table in words, "" for none."""
    return " ".join(_play_said(seen, play, voice) for play in queries.plays(seen))


def _seat_said(seen: Observation, seat: int, voice: Voice) -> str:
    held = queries.slots(seen, seat)
    line = voice("picture.alt.seat", name=voice.look.name(seat), points=seen.points[seat], cards=len(held))
    shown = [voice.element(seen.rows[seat][slot]) for slot in held if queries.public(seen, seat, slot)]
    if shown:
        line += f" ({', '.join(shown)})"
    line += "".join(", " + voice(f"picture.flag.{flag}") for flag in queries.flags(seen, seat))
    if seat in queries.champions(seen):
        line += f", {voice('picture.alt.won')}"
    return line + (f", {voice('picture.alt.turn')}." if seat in seen.to_act else ".")


def _alt(seen: Observation, voice: Voice) -> str:
    round_, hand = _moment(seen, voice)
    level = voice("picture.level", level=seen.level)
    title = ", ".join(filter(None, (round_, level, hand)))
    effects = "".join(voice(f"picture.effect.{key}") + ". " for key in queries.effects(seen))
    earlier = "".join(
        voice("picture.alt.earlier", hand=one.hand, name=voice.look.name(one.winner), how=_how(one, voice))
        + " "
        for one in queries.unseen(seen)
    )
    middle = (
        effects
        + earlier
        + (plays_said(seen, voice) or _before(seen, voice) or _opening(seen, voice)[0] + ".")
    )
    seats = " ".join(_seat_said(seen, seat, voice) for seat in range(seen.seats))
    return alt_text(voice("picture.alt.table", title=title, battle=middle, seats=seats))


_LINE: Final = 46
_LEAST_BATTLE: Final = 436
"""Lower than this the cards of the battle would become too small to read."""


def _how(hand: HandView, voice: Voice, *, brief: bool = False) -> str:
    compound = sum(play.head == hand.card for play in hand.plays) > 1
    key = "picture.how_compound" if compound and not brief else "picture.how"
    return voice(key, symbol=_symbol(hand.card), value=number(hand.value2))


def _columns(hands: Sequence[HandView]) -> int:
    return 2 if len(hands) <= 4 else 3


def _earlier(area: Rect, hands: Sequence[HandView], voice: Voice) -> Iterator[Item]:
    """The hands that passed without a decision, side by side: which, whose, and with what."""
    columns = _columns(hands)
    brief = columns > 2
    cells = layout.row(area, columns, gap=40)
    for at, hand in enumerate(hands):
        cell = cells[at % columns]
        label, how = (
            str(hand.hand) if brief else voice("picture.hand", hand=hand.hand),
            _how(hand, voice, brief=brief),
        )
        wide, tail = text_width(label, Size.SMALL), text_width(how, Size.SMALL, Weight.BOLD)
        line = Rect(cell.x, area.y + at // columns * _LINE, cell.w, _LINE)
        yield Text(line._replace(w=wide), label, colour="muted")
        left = line.x + wide + 14
        player = voice.look.name(hand.winner)
        name, room = person_width(player), line.right - left - tail - 14
        if name > room:  # a few letters of a name tell nothing: then the seat's own must do
            name = room if room > 160 else CHIP
        yield from person(Rect(left, line.y, name, line.h), hand.winner, player)
        yield Text(Rect(left + name + 14, line.y, tail, line.h), how, Size.SMALL, Weight.BOLD)


def table(seen: Observation, look: Look) -> Scene:
    """The table picture, 1280x900, for 2 to 5 seats."""
    voice, earlier = Voice(look), queries.unseen(seen)
    strip = -(-len(earlier) // _columns(earlier)) * _LINE
    for numbered in (True, False):
        foot = _seats_area(seen, numbered=numbered)
        middle = Rect(MARGIN, _TOP, foot.w, foot.y - 16 - _TOP - (strip and strip + 8))
        if middle.h >= _LEAST_BATTLE:
            break
    below = Rect(MARGIN + 12, middle.bottom + 12, foot.w - 24, strip)
    seats = layout.row(foot, seen.seats, gap=12)
    items = [
        *_header(seen, voice),
        *_status(seen, voice),
        *battle(middle, seen, voice),
        *_earlier(below, earlier, voice),
        *(_seat(area, seen, seat, voice, numbered=numbered) for seat, area in enumerate(seats)),
    ]
    return Scene(BASE_WIDTH, 900, tuple(items), _alt(seen, voice), look)
