"""The pictures of Duel 52: the table, a hand above the table as its owner knows it, one card large."""

from __future__ import annotations

from typing import Final

from bot.presenters.duel52 import board
from bot.presenters.duel52.queries import before, side_of
from bot.presenters.duel52.words import GROUND, Voice, printed
from bot.render import layout
from bot.render import text as letters
from bot.render.blocks import Column, Words
from bot.render.parts import (
    CHIP,
    CORNER,
    INNER,
    MARGIN,
    alt_text,
    band,
    clear_person,
    hand_head,
    off_corner,
    person,
    text_width,
)
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Group,
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
from bot.render.theme import RADIUS_CARD, seat_letter
from engine.duel52.marks import SHOWN
from engine.duel52.observation import HIDDEN, Observation
from engine.playing_cards import LABELS

STRIP: Final = 80
"""Height of a player's strip."""
ROOM: Final = 1100
"""How high the cards may lie on the table, all rows together."""
LEAST_ROOM, HIGHEST = 840, 1640
"""The same below a hand: at least, and as far down as they may."""
FOOT: Final = 72
"""Height of the line of piles below a hand."""


def _head(seen: Observation, voice: Voice) -> list[Item]:
    """Turn and actions at the left, the draw pile at the right."""
    area = band(16, 72)
    pile = Rect(area.right - 60, area.y - 4, 60, 80)
    number = Sprite("duel52.pile", (str(seen.pile),), pile)
    label = voice("picture.pile")
    wide = text_width(label, Size.SMALL)
    label_box = Rect(pile.x - 12 - wide, area.y, wide, area.h)
    gone = voice("picture.gone", n=len(seen.gone))
    room = text_width(gone, Size.SMALL)
    top = Rect(label_box.x - 36 - 56, area.y - 3, 56, 78)
    edge = top.x - 12 if seen.gone else top.right
    gone_box = Rect(edge - room, area.y, room, area.h)
    title = Rect(area.x, area.y, gone_box.x - area.x - 16, area.h)
    if seen.over:
        said = voice("picture.over")
    elif before(seen):
        said = voice("picture.bet")
    else:
        said = voice("picture.turn", turn=seen.turns, n=seen.actions)
    items: list[Item] = []
    if seen.gone:
        last = seen.gone[-1]
        up = last.way == SHOWN
        args = printed(last.card) if up else ("",)
        items.append(Sprite("cards.face" if up else "cards.back", args, top))
    return [
        *items,
        *Words(said, (Size.CLEAR, Size.BODY), Weight.BOLD).items(title),
        Text(gone_box, gone, colour="muted"),
        Text(label_box, label, colour="muted"),
        number,
    ]


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice, *, indent: int = 0) -> Group:
    """A player: name, whether it is their turn, and the backs of their hand; `indent` keeps the left free."""
    turn = seat in seen.to_act
    won = seen.over and seen.ranks[seat] == 1
    lit = turn or won
    items: list[Item] = [
        Panel(area, "panel_high" if lit else "panel", RADIUS_CARD, "accent" if lit else None, 4)
    ]
    count = seen.counts[seat]
    inner = area.inset(14, 6)
    inner = Rect(inner.x + indent, inner.y, inner.w - indent, inner.h)
    number = voice("picture.cards", n=count)
    wide = text_width(number, Size.BODY, Weight.BOLD)
    label = Rect(inner.right - wide, inner.y, wide, inner.h)
    items.append(Text(label, number, Size.BODY, Weight.BOLD, "text", Align.RIGHT))
    fan = Rect(label.x - 12 - 44 * count, inner.y + 4, 44 * count - 4, inner.h - 8)
    if count and fan.x >= inner.x + 400:
        items += [Sprite("cards.back", ("",), place) for place in layout.spread(fan, count, 40, 56, gap=4)]
        edge = fan.x
    else:
        edge = label.x
    name = Rect(inner.x, inner.y, edge - inner.x - 16, inner.h)
    items += clear_person(name, seat, voice.look.name(seat))
    return Group(area, tuple(items))


def _strip(y: int, seats: range, seen: Observation, voice: Voice, *, foot: bool = False) -> list[Item]:
    """A line of players; at the foot of a picture its left corner stays free (see `CORNER`)."""
    boxes = layout.row(band(y, STRIP), len(seats), gap=16)
    indents = [CORNER if foot and not place else 0 for place in range(len(boxes))]
    return [
        _seat(box, seen, seat, voice, indent=indent)
        for box, seat, indent in zip(boxes, seats, indents, strict=True)
    ]


def table(seen: Observation, look: Look) -> Scene:
    """The table as everybody may see it, whoever observes."""
    voice, setup = Voice(look), seen.setup
    items = _head(seen, voice)
    end = Column([Words(said, (Size.CLEAR,), Weight.BOLD, "accent", lines=2) for said in _end(seen, voice)])
    top = 104 + end.height(INNER)
    items += end.items(band(96, top - 104))
    if setup.sides > 2:
        items += _strip(top, range(setup.seats), seen, voice)
        board_items, y = board.triangles(seen, top + STRIP + 16, voice, room=ROOM, private=False)
        items += board_items
        total = y + MARGIN
    else:
        items += _strip(top, range(1, setup.seats, 2), seen, voice)
        board_items, y = board.lanes(seen, top + STRIP + 16, voice, below=0, room=ROOM, private=False)
        items += board_items
        items += _strip(y + 16, range(0, setup.seats, 2), seen, voice, foot=True)
        total = y + 16 + STRIP + MARGIN
    total = off_corner(items, total)
    return Scene(BASE_WIDTH, total, tuple(items), _table_alt(seen, voice), look, GROUND)


def _end(seen: Observation, voice: Voice) -> list[str]:
    """How the duel ended: the last blow, and who is left with how many cards; nothing before."""
    if not seen.over:
        return []
    said = []
    if blow := seen.last:
        by, hit = (
            voice.all([LABELS[one.card] if one.card != HIDDEN else voice("a_back") for one in hits])
            for hits in (blow.attackers, blow.targets)
        )
        place = voice.inside(blow.lane, triangles=seen.setup.sides > 2)
        name = letters.written(voice.look.name(blow.seat)) or seat_letter(blow.seat)
        said.append(voice("picture.blow", name=name, by=by, hit=hit, lane=place))
    rows = [[seen.row(side, lane) for lane in range(seen.setup.lanes)] for side in range(seen.setup.sides)]
    left = [f"{seat_letter(side)}\u00a0{sum(map(len, row))}" for side, row in enumerate(rows)]
    said.append(voice("picture.left_over", cards=", ".join(left)))
    return said


def _table_alt(seen: Observation, voice: Voice) -> str:
    turn = voice("alt.turn", turn=seen.turns, n=seen.actions)
    if seen.over or before(seen):
        turn = voice("alt.over" if seen.over else "alt.before")
    seats = [
        voice("alt.seat", letter=seat_letter(seat), name=voice.look.name(seat), n=count)
        + (voice("alt.acts") if seat in seen.to_act else ".")
        for seat, count in enumerate(seen.counts)
    ]
    open_ = [LABELS[one.card] for one in seen.gone if one.way == SHOWN]
    gone = voice("alt.gone", n=len(seen.gone), cards=", ".join(open_) or voice("alt.none"))
    pile = voice("alt.pile", n=seen.pile)
    return alt_text(turn, *_end(seen, voice), pile, *seats, *board.told(seen, voice, private=False), gone)


def _playable(seen: Observation) -> bool:
    """Whether a card of the hand can be chosen now."""
    if seen.viewer not in seen.to_act:
        return False
    return seen.ask is None or seen.ask.verb == "discard"


def _note(seen: Observation, voice: Voice) -> str:
    """What stands above a hand: the bet, once it is made, and what is asked."""
    said = [voice("hand.bet", side=seat_letter(seen.bet))] if seen.bet >= 0 else []
    if seen.over:
        pass
    elif seen.viewer not in seen.to_act:
        said.append(voice("hand.wait"))
    elif seen.ask is not None:
        said.append(voice(f"hand.ask_{seen.ask.verb}"))
    else:
        said.append(voice("hand.turn", n=seen.actions))
    return " · ".join(said)


def _hand_row(seen: Observation, seat: int, top: int, voice: Voice) -> tuple[list[Item], int]:
    """The cards of a hand with the names of their powers; the items and where they end."""
    held = seen.hands[seat]
    area = band(top, 60)
    if not held:
        return [Text(area, voice("hand.empty"), Size.CLEAR, colour="muted", align=Align.CENTRE)], top + 60
    count = len(held)
    wide = min(230, (area.w - 16 * (count - 1)) // count)
    tall = wide * 7 // 5
    names = [voice.power(card >> 2, vampiric=seen.vampiric) for card in held]
    fits = (
        size
        for size in (Size.CLEAR, Size.BODY, Size.SMALL)
        if max(text_width(name, size) for name in names) <= wide + 12
    )
    size = next(fits, None)
    label = 60 if size else 0
    playable = _playable(seen) and seat == seen.viewer
    items: list[Item] = []
    places = layout.spread(Rect(MARGIN, top + LIFT, area.w, tall), count, wide, tall, gap=16)
    for card, name, place in zip(held, names, places, strict=True):
        states = frozenset({State.RAISED}) if playable else frozenset[State]()
        items.append(Sprite("cards.face", printed(card), place, states))
        if size:
            below = Rect(place.x - 6, place.bottom + 6, place.w + 12, label)
            items.append(Text(below, name, size, Weight.MEDIUM, "text", Align.CENTRE))
    return items, top + LIFT + tall + 6 + label


def hand(seen: Observation, look: Look) -> Scene:
    """The observer's cards, and below them the table with the backs that the observer knows."""
    voice = Voice(look)
    seat = seen.viewer
    if seat is None:
        nobody = voice("hand.empty")
        return Scene(BASE_WIDTH, 96, (Text(band(16, 60), nobody, colour="muted"),), nobody, look, GROUND)
    head = band(16, 60)
    items = hand_head(seat, voice.look.name(seat), _note(seen, voice), head, Size.CLEAR)
    y = head.bottom
    seats = [seat] + [other for other, held in enumerate(seen.hands) if held and other != seat]
    for one in seats:
        if one != seat:  # the first stands below its own name
            items += person(Rect(MARGIN, y + 8, head.w, CHIP), one, voice.look.name(one), weight=Weight.BOLD)
            y += CHIP + 12
        found, y = _hand_row(seen, one, y, voice)
        items += found
    y += 16
    if seen.setup.sides > 2:
        found, y = board.triangles(seen, y, voice, room=max(LEAST_ROOM, HIGHEST - y), private=True)
    else:
        room = max(LEAST_ROOM, HIGHEST - y)
        found, y = board.lanes(seen, y, voice, below=side_of(seen, seat), room=room, private=True)
    items += found
    foot = band(y + 12, FOOT)
    said = Rect(foot.x + CORNER, foot.y, foot.w - CORNER, foot.h)
    items += Words(_piles(seen, voice), (Size.BODY, Size.SMALL), colour="muted", align=Align.RIGHT).items(
        said
    )
    total = off_corner(items, foot.bottom + 12)
    return Scene(BASE_WIDTH, total, tuple(items), _hand_alt(seen, seat, voice), look, GROUND)


def _piles(seen: Observation, voice: Voice) -> str:
    """Both piles, for the foot of a hand."""
    gone = voice("picture.gone", n=len(seen.gone))
    return " · ".join(
        (voice("picture.left", n=seen.pile), gone) if seen.gone else (voice("picture.left", n=seen.pile),)
    )


def _hand_alt(seen: Observation, seat: int, voice: Voice) -> str:
    said = []
    for one, held in enumerate(seen.hands):
        if held or one == seat:
            cards = ", ".join(LABELS[card] for card in held) or voice("alt.none")
            said.append(voice("alt.hand", name=voice.look.name(one) or seat_letter(one), cards=cards))
    note = _note(seen, voice)
    if note:
        said.append(voice("alt.note", note=note))
    return alt_text(*said, *board.told(seen, voice, private=True))
