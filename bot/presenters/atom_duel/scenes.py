"""The table of Atom Duel: what everybody holds, and the hand in the middle with what each card has become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.game_over import game_over
from bot.presenters.atom_duel.painters import face, face_in
from bot.presenters.atom_duel.plays import (
    ahead,
    called,
    crown_line,
    earlier,
    how,
    joined,
    lasting,
    moment,
    order,
    plays_said,
    shines,
    symbol,
)
from bot.presenters.atom_duel.words import Voice, number
from bot.presenters.atom_duel.words import slot as slot_number
from bot.render import layout
from bot.render.blocks import Block, Box, Column, Flow, Grid, Paragraph, Piece, Spaced, frozen
from bot.render.parts import (
    CORNER,
    INNER,
    alt_text,
    clear_person,
    header,
    person,
    person_width,
    seat_panel,
    text_width,
)
from bot.render.scene import (
    Align,
    Fit,
    Item,
    ItemGroup,
    Line,
    Look,
    Panel,
    Rect,
    Scene,
    Size,
    Sprite,
    SpriteState,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL
from engine.atom_duel.observation import Observation, PlayView

NAMES: Final = (Size.CLEAR, Size.BODY, Size.SMALL)
"""How large a name may be that has a line of its own."""
ROOMY: Final = 3
"""Up to so many players have room for larger tiles and for the word after their points."""
_FOOT: Final = 108
_CARD: Final = (226, 316)
"""A card of the battle at its largest, in pixels."""
_EMPTY: Final = 168
"""How wide the places are while rows are ordered, in pixels."""
# Rows of a play's column: name, card, room for the rule of a compound, number, power.
_NAME, _RULE, _NUMBER, _POWER = 50, 18, 64, 52
_EDGE: Final = 10
_SIGN: Final = 48
"""Room for the sign of a power before its name."""


def _header(area: Rect, seen: Observation, voice: Voice) -> list[Item]:
    left = " · ".join(filter(None, moment(seen, voice)))
    right = f"{voice('picture.level', level=seen.level)} · {voice('picture.deck', deck=seen.deck)}"
    return header(area, left, right, 480)


# who sits there


def _tile(area: Rect, card: int, slot: int) -> Iterator[Item]:
    if card:
        yield Sprite("atom_duel.tile", (face(card), slot_number(slot)), area)
    else:
        yield Sprite("elements.back", (slot_number(slot),), area)


def _tiles(seen: Observation, seat: int) -> Flow:
    """Unplayed cards: backs with their numbers, and with theirs those that everybody knows."""
    narrow, wide, height, gap = (52, 108, 60, 8) if seen.seats <= ROOMY else (39, 102, 48, 3)
    pieces = []
    for slot in queries.slots(seen, seat):
        card = seen.rows[seat][slot] if queries.public(seen, seat, slot) else 0
        pieces.append(Piece(wide if card else narrow, height, partial(_tile, card=card, slot=slot)))
    return Flow(pieces, gap, 4)


def _flags(right: int, y: int, flags: tuple[str, ...]) -> Iterator[Item]:
    """Lasting effects of one player as small signs, from the right edge inwards."""
    for place, _ in enumerate(flags):
        yield Sprite("atom_duel.power", ("plus_5",), Rect(right - 46 - 54 * place, y, 46, 46))


def _head(seen: Observation) -> int:
    """How high the head of a player is: beside several others the name has a line of its own."""
    return 56 if seen.seats <= ROOMY else 116


def _seat_head(area: Rect, seen: Observation, seat: int, voice: Voice, *, ground: str) -> Iterator[Item]:
    """Name and points of a player, and the flag of who leads."""
    first, second = layout.down(area, (56, None), gap=0)
    yield from _points(first, seen, seat, "" if second.h else voice.drawn(seat), ground)
    if second.h:
        yield from Paragraph(voice.drawn(seat), NAMES, Weight.BOLD).items(second)


def _points(area: Rect, seen: Observation, seat: int, name: str, ground: str) -> Iterator[Item]:
    points = str(seen.points[seat])
    wide = text_width(points, Size.TITLE, Weight.DISPLAY)
    score = Rect(area.right - wide, area.y, wide, area.h)
    yield Text(score, points, Size.TITLE, Weight.DISPLAY)
    x = score.x - 14
    if seat == seen.leader:
        yield Sprite(
            "elements.sign", ("flag", "text", ground), Rect(x - 40, area.y + (area.h - 40) // 2, 40, 40)
        )
        x -= 48
    yield from clear_person(area._replace(w=x - area.x), seat, name)


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice) -> Iterator[Item]:
    lit = seat in seen.to_act
    items: list[Item] = [seat_panel(area, lit=lit)]
    inner = area.inset(12, 8)
    ground = "panel_high" if lit else "panel"
    head = _head(seen)
    items += _seat_head(inner._replace(h=head), seen, seat, voice, ground=ground)
    below = inner.y + head + 4
    items += _tiles(seen, seat).items(Rect(inner.x, below, inner.w, inner.bottom - below))
    items += _flags(inner.right, inner.bottom - 46, queries.flags(seen, seat))
    yield ItemGroup(area, tuple(items), f"seat {seat}")


def _seats(seen: Observation, voice: Voice) -> Grid:
    """All players side by side, as high as the longest row of cards needs."""
    width = layout.row(Rect(0, 0, INNER, 0), seen.seats, gap=12)[0].w - 24
    rows = [
        _tiles(seen, seat).height(width - 54 * len(queries.flags(seen, seat))) for seat in range(seen.seats)
    ]
    tall = 8 + _head(seen) + 4 + max(60 if seen.seats <= ROOMY else 48, *rows) + 8
    return Grid(
        [Box(tall, partial(_seat, seen=seen, seat=seat, voice=voice)) for seat in range(seen.seats)],
        seen.seats,
    )


# the hand in the middle


def _value(area: Rect, seen: Observation, play: PlayView, voice: Voice) -> list[Item]:
    """The number of a play: as printed, and what it became."""
    colour = "accent" if shines(seen, play) else "muted" if play.beaten else "text"
    if joined(play):
        inside = voice("picture.joined", symbol=symbol(play.head))
        return [Text(area, inside, Size.BODY, Weight.BOLD, "muted", Align.CENTRE)]
    value = number(play.value2)
    if value == str(play.card):
        return [Text(area, value, Size.TITLE, Weight.BOLD, colour, Align.CENTRE)]
    before = f"{play.card} →"
    wide = text_width(before, Size.SMALL, Weight.MEDIUM)
    after = text_width(value, Size.TITLE, Weight.BOLD)
    size = Size.TITLE
    if wide + 12 + after > area.w:
        after, size = text_width(value, Size.BODY, Weight.BOLD), Size.BODY
    if wide + 12 + after > area.w:  # as printed it stands on the card too
        return [Text(area, value, size, Weight.BOLD, colour, Align.CENTRE)]
    left = area.x + (area.w - wide - 12 - after) // 2
    return [
        Text(Rect(left, area.y + 2, wide, area.h), before, colour="muted"),
        Text(Rect(left + wide + 12, area.y, after, area.h), value, size, Weight.BOLD, colour),
    ]


def _power(area: Rect, play: PlayView, voice: Voice) -> list[Item]:
    if play.beaten:
        return [Text(area, voice("picture.beaten"), Size.SMALL, Weight.MEDIUM, "bad", Align.CENTRE)]
    if not play.power:
        return []
    label = voice.power(play.power)
    if text_width(label, Size.SMALL) > area.w - _SIGN:
        label = voice(f"picture.power.{play.power}")
    wide = min(text_width(label, Size.SMALL), area.w - _SIGN)
    left = area.x + (area.w - wide - _SIGN) // 2
    return [
        Sprite("atom_duel.power", (play.power,), Rect(left, area.y + (area.h - 40) // 2, 40, 40)),
        Text(Rect(left + _SIGN, area.y, wide, area.h), label, fit=Fit.ELLIPSIS),
    ]


def _rows(column: Rect) -> tuple[Rect, ...]:
    return layout.down(column.inset(8, _EDGE), (_NAME, None, _RULE, _NUMBER, _POWER), gap=2)


def _named(area: Rect, seat: int, voice: Voice, *, roomy: bool, crown: bool = False) -> Iterator[Item]:
    """Whose place in the hand it is, in the middle of its column; with the crown of who is ahead."""
    player, left = voice.drawn(seat), 52 if crown else 0
    fits = person_width(player, Size.CLEAR, weight=Weight.BOLD) + left <= area.w
    # beside the crown a name that is cut could be anybody's
    size = Size.CLEAR if fits or (roomy and not crown) else Size.SMALL
    wide = min(area.w, person_width(player, size, weight=Weight.BOLD) + left)
    x = area.x + (area.w - wide) // 2
    if crown:
        yield Sprite("elements.sign", ("crown", "accent", "panel_high"), Rect(x, area.y + 3, 44, 44))
    yield from person(Rect(x + left, area.y, wide - left, area.h), seat, player, size, weight=Weight.BOLD)


def _play(column: Rect, seen: Observation, play: PlayView, voice: Voice) -> ItemGroup:
    items: list[Item] = []
    best = shines(seen, play)
    if best:
        items.append(seat_panel(column, lit=True))
    name, card, _, value, power = _rows(column)
    # with five the name needs the room
    items += _named(name, play.seat, voice, roomy=seen.seats <= ROOMY, crown=best and seen.seats < 5)
    states = frozenset({SpriteState.DIMMED}) if play.beaten else frozenset[SpriteState]()
    size = layout.fitted(card, _CARD[0] / _CARD[1])
    drawn = Sprite("atom_duel.card", (face_in(seen, play.card), ()), size, states)
    items.append(ItemGroup(size, (drawn,), f"card {play.seat}"))
    items += _value(value, seen, play, voice)
    items += _power(power, play, voice)
    return ItemGroup(column, tuple(items), f"play {play.seat}")


def _waits(column: Rect, seen: Observation, seat: int, voice: Voice) -> ItemGroup:
    """The place of who has not played: who is in turn, who has ordered the last row."""
    items: list[Item] = []
    name, card, _, below, _ = _rows(column)
    items += _named(name, seat, voice, roomy=seen.seats <= ROOMY)
    size = layout.fitted(card, _CARD[0] / _CARD[1])
    acts = seat in seen.to_act
    said = ""
    if seen.sealing and not acts:
        items.append(Sprite("elements.back", ("",), size))
        said = voice("picture.ready")
    else:
        items.append(Panel(size, None, RADIUS_CARD, "accent" if acts else "edge", 4 if acts else 3))
        if seen.sealing:
            said = voice("picture.orders")
    if said:
        items.append(
            Text(
                below,
                said,
                Size.SMALL,
                Weight.BOLD,
                "accent" if acts else "muted",
                Align.CENTRE,
                fit=Fit.ELLIPSIS,
            )
        )
    return ItemGroup(column, tuple(items))


def _links(columns: Sequence[Rect], card_bottom: int, plays: tuple[PlayView, ...]) -> Iterator[Item]:
    """A bracket below the cards of each compound, with a foot at each member."""
    heads = {play.head for play in plays if joined(play)}
    for lane, head in enumerate(play.card for play in plays if play.card in heads):
        members = [at for at, play in enumerate(plays) if play.head == head]
        members.sort(key=lambda at: plays[at].card != head)
        y = card_bottom + 12 - lane * 8
        middles = [columns[at].x + columns[at].w // 2 + 12 * lane for at in members]
        yield Line((min(middles) - 2, y), (max(middles) + 3, y), "text", 5)
        for middle in middles:
            yield Line((middle, card_bottom + 2), (middle, y), "text", 5)


def _waiting(seen: Observation) -> list[int]:
    """Who has a place in the hand and has not played yet."""
    played = [play.seat for play in queries.plays(seen)]
    if played and queries.finished(seen) is None:
        return [seat for seat in seen.to_play if seat not in played]
    return [] if played else [seat for seat in order(seen) if seen.counts[seat]]


def _order(seen: Observation, seats: Sequence[int], voice: Voice) -> Column:
    """Before the first card: what wins, and in which order all play."""
    pieces = [
        piece
        for number, seat in enumerate(seats)
        for piece in ([_ARROW] if number else []) + [_turn(seen, seat, voice)]
    ]
    wins = Paragraph(_opening(seen, voice), (Size.TITLE,), Weight.BOLD, align=Align.CENTRE, lines=2)
    return Column((wins, Flow(pieces, 12, 12, Align.CENTRE)), 20)


def _arrow(area: Rect) -> Iterator[Item]:
    yield Text(area, "→", Size.CLEAR, colour="muted", align=Align.CENTRE)


_ARROW: Final = Piece(52, 76, _arrow)


def _order_said(seen: Observation, voice: Voice) -> str:
    return " " + voice(
        "picture.alt.order", names=voice.all([voice.look.name(seat) for seat in _waiting(seen)])
    )


def _turn(seen: Observation, seat: int, voice: Voice) -> Piece:
    """A player in the order of play, marked where it is their turn."""
    name = voice.drawn(seat)

    def draw(area: Rect) -> Iterator[Item]:
        if seat in seen.to_act:
            yield seat_panel(area, lit=True)
        yield from clear_person(area.inset(16, 4), seat, name)

    return Piece(person_width(name, Size.CLEAR, weight=Weight.BOLD) + 32, 76, draw)


def _battle(seen: Observation, voice: Voice) -> Box:
    """The hand in the middle of the table; before the first card, who plays in which order."""
    plays, waiting = queries.plays(seen), _waiting(seen)
    if not plays and not seen.sealing:
        first = _order(seen, waiting, voice)

        def before(area: Rect) -> Iterator[Item]:
            yield Panel(area, "panel", RADIUS_PANEL)
            yield from first.items(area.inset(24, 24))

        return Box(first.height(INNER - 48) + 48, before)
    count = max(1, len(plays) + len(waiting))
    wide = min(312, (INNER - 32 - 16 * (count - 1)) // count)
    card = min(_CARD[0] if plays else _EMPTY, wide - 24)
    tall = card * _CARD[1] // _CARD[0] + 2 * _EDGE + _NAME + _RULE + _NUMBER + _POWER + 8

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        columns = layout.spread(area.inset(8, 8), count, wide, tall, gap=32)
        for place, play in enumerate(plays):
            yield _play(columns[place], seen, play, voice)
        for seat, column in zip(waiting, columns[len(plays) :], strict=False):
            yield _waits(column, seen, seat, voice)
        yield from _links(columns, _rows(columns[0])[1].bottom, plays)

    return Box(tall + 16, draw)


# below it


def _status(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """Who is ahead, or what happened last."""
    best = next((play for play in queries.plays(seen) if queries.is_best(seen, play)), None)
    if best is not None:
        yield from crown_line(area, called(best.seat, voice), f"{ahead(seen, voice)} · {number(best.value2)}")
    else:
        said = _before(seen, voice) or (_opening(seen, voice) if seen.sealing else "")
        yield Text(area, said, Size.CLEAR, colour="muted", align=Align.RIGHT, fit=Fit.ELLIPSIS)


def _before(seen: Observation, voice: Voice) -> str:
    """What the hand before came to, where the middle of the table does not show it."""
    before = seen.last_hand
    if before is None or queries.plays(seen):
        return ""
    return voice(
        "picture.last",
        hand=before.hand,
        name=voice.drawn(before.winner),
        symbol=symbol(before.card),
        value=number(before.value2),
    )


def _opening(seen: Observation, voice: Voice) -> str:
    """What is said before the first card."""
    if seen.simultaneous:
        return voice("picture.sealed_more")
    return voice("picture.start_more")


def _foot(seen: Observation, voice: Voice) -> Box:
    """At the right what lasts, and who is ahead."""
    foot = Column((lasting(seen, voice), Box(64, partial(_status, seen=seen, voice=voice))), 4)

    def draw(area: Rect) -> Iterator[Item]:
        right = Rect(area.x + CORNER, area.y, area.w - CORNER, foot.height(area.w - CORNER))
        yield from foot.items(right)

    return Box(max(_FOOT, foot.height(INNER - CORNER)), draw)


# all of it


def table(seen: Observation, look: Look) -> Scene:
    """The table picture, 1280 wide, for 2 to 5 seats."""
    voice = Voice(look)
    if seen.over:
        return frozen(game_over(seen, voice), _alt(seen, voice), look, bottom=12)
    block: Block = Column(
        (
            Spaced(Box(56, partial(_header, seen=seen, voice=voice)), 8),
            Spaced(_seats(seen, voice), 12),
            Spaced(_battle(seen, voice), 12),
            Spaced(earlier(seen, voice), 8),
            _foot(seen, voice),
        )
    )
    return frozen(block, _alt(seen, voice), look, bottom=12)


def _seat_said(seen: Observation, seat: int, voice: Voice) -> str:
    held = queries.slots(seen, seat)
    line = voice("picture.alt.seat", name=voice.look.name(seat), points=seen.points[seat], cards=len(held))
    shown = [voice.element(seen.rows[seat][slot]) for slot in held if queries.public(seen, seat, slot)]
    if shown:
        line += f" ({voice.listed(shown)})"
    line += "".join(", " + voice(f"picture.flag.{flag}") for flag in queries.flags(seen, seat))
    if seat in queries.champions(seen):
        line += f", {voice('picture.alt.won')}"
    if seen.sealing:
        line += f", {voice('picture.orders' if seat in seen.to_act else 'picture.ready')}"
    return line + (f", {voice('picture.alt.turn')}." if seat in seen.to_act else ".")


def _alt(seen: Observation, voice: Voice) -> str:
    round_, hand = moment(seen, voice)
    level = voice("picture.level", level=seen.level)
    deck = "" if seen.over else voice("picture.deck", deck=seen.deck)
    title = voice.listed(filter(None, (round_, level, deck, hand)))
    effects = "".join(voice(f"picture.effect.{key}") + ". " for key in queries.effects(seen))
    passed = "".join(
        voice("picture.alt.earlier", hand=one.hand, name=voice.look.name(one.winner), how=how(one, voice))
        + " "
        for one in queries.unseen(seen)
    )
    order = "" if queries.plays(seen) or seen.sealing else _order_said(seen, voice)
    middle = effects + passed + (plays_said(seen, voice) or _before(seen, voice) or _opening(seen, voice))
    middle += order
    seats = " ".join(_seat_said(seen, seat, voice) for seat in range(seen.seats))
    return alt_text(voice("picture.alt.table", title=title, battle=middle, seats=seats))
