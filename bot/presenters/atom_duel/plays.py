"""The cards that were played, for the table and for every hand: what each has become, who is ahead, what
lasts; and the strip with all of it that stands above the own cards in a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.words import Voice, number
from bot.render.blocks import Block, Box, Column, Flow, Grid, Piece, Spaced
from bot.render.parts import CHIP, INNER, clear_person, person, person_width, seat_panel, text_width
from bot.render.scene import Align, Fit, Item, ItemGroup, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL
from engine.atom_duel.observation import HandView, Observation, PlayView
from engine.elements import ELEMENTS

LINE: Final = 52
"""How high a line of what lasts, or of an earlier hand, is drawn."""
_SIGN: Final = 48
_NAME, _SMALL, _WIDEST = 56, 140, 400
"""How high a player's name is drawn in the strip, and the card below it; and how wide they may be."""


def symbol(z: int) -> str:
    """The sign of an element."""
    return ELEMENTS[z - 1].symbol


def joined(play: PlayView) -> bool:
    """Whether another card controls the compound to which this one belongs."""
    return play.head != play.card


def shines(seen: Observation, play: PlayView) -> bool:
    """Whether this card stands out: it wins the hand or is ahead; once the game is over only where its
    player has won that too."""
    return queries.is_best(seen, play) and (not seen.over or play.seat in queries.champions(seen))


def ahead(seen: Observation, voice: Voice) -> str:
    """What the best card does: it is ahead, or wins the hand."""
    return voice("picture.wins" if queries.finished(seen) else "picture.leads")


def called(seat: int, voice: Voice) -> str:
    """A player's name, or the seat's letter where our fonts cannot write it."""
    return voice.drawn(seat)


def champions(seen: Observation, voice: Voice) -> tuple[str, str]:
    """Who has won the game, and with how many points; not before it is over."""
    won = queries.champions(seen)
    points = seen.points[won[0]]
    name = voice("picture.and").join(called(seat, voice) for seat in won)
    said = f"{voice('picture.wins_game', n=len(won))} · {points} {voice('picture.points', n=points)}"
    return name, said


def moment(seen: Observation, voice: Voice) -> tuple[str, str]:
    """Which round the middle of the table shows, and which hand; no hand before the first card."""
    done = queries.finished(seen)
    round_ = voice("picture.round", round=done.round if done else seen.round, rounds=seen.rounds)
    hand = done.hand if done else seen.hand if seen.plays else 0
    return (
        voice("picture.last_round") if seen.simultaneous else round_,
        voice("picture.hand", hand=hand) if hand else "",
    )


def crown_line(area: Rect, name: str, said: str) -> Iterator[Item]:
    """A crown, a name and what is said of it, at the right of an area. A long name makes room for what is
    said, never the other way round."""
    room = area.w - 44 - 12 - 12
    clear = sum(text_width(part, Size.CLEAR, Weight.BOLD) for part in (name, said)) <= room
    size = Size.CLEAR if clear else Size.BODY
    told = min(text_width(said, size, Weight.BOLD), room - 60)
    wide = min(text_width(name, size, Weight.BOLD), room - told)
    x = area.right - told - 12 - wide - 12 - 44
    crown = Rect(x, area.y + (area.h - 44) // 2, 44, 44)
    yield Sprite("elements.sign", ("crown", "accent", "felt"), crown)
    first = Rect(crown.right + 12, area.y, wide, area.h)
    yield Text(first, name, size, Weight.BOLD, "accent", fit=Fit.ELLIPSIS)
    rest = Rect(first.right + 12, area.y, told, area.h)
    yield Text(rest, said, size, Weight.BOLD, "accent", fit=Fit.ELLIPSIS)


# what lasts

_LASTING: Final = {
    "germanium": "face_down",
    "germanium_next": "face_down",
    "lanthanum": "face_up",
    "hydrogen": "pass_left",
    "zinc": "plus_5",
}


def _effect(area: Rect, key: str, label: str) -> Iterator[Item]:
    box = Rect(area.x, area.y + (area.h - _SIGN) // 2, _SIGN, _SIGN)
    yield Sprite("atom_duel.power", (_LASTING[key],), box)
    yield Text(Rect(box.right + 12, area.y, area.right - box.right - 12, area.h), label, colour="text")


def lasting(seen: Observation, voice: Voice, seat: int | None = None) -> Flow:
    """What lasts for everybody, and for the owner of a hand; each with its sign."""
    keys = [(key, voice(f"picture.effect.{key}")) for key in queries.effects(seen)]
    if seat is not None:
        keys += [(flag, voice(f"picture.lasts.{flag}")) for flag in queries.flags(seen, seat)]
    pieces = [
        Piece(_SIGN + 12 + text_width(label, Size.SMALL), LINE, partial(_effect, key=key, label=label))
        for key, label in keys
    ]
    return Flow(pieces, 28, align=Align.RIGHT)


# the strip


def order(seen: Observation) -> list[int]:
    """All seats in the order in which they play into the hand that the table shows."""
    done = queries.finished(seen)
    leader = done.leader if done else seen.leader
    return [(leader + step) % seen.seats for step in range(seen.seats)]


def strip(seen: Observation, voice: Voice) -> Block:
    """What is to beat, and below it the middle of the table."""
    return Column((Spaced(Box(64, partial(_stake, seen=seen, voice=voice)), 4), middle(seen, voice)))


def middle(seen: Observation, voice: Voice) -> Block:
    """What all have played, and below it the hands that were decided since the owner moved."""
    before = [Box(LINE, partial(_passed, seen=seen, hand=hand, voice=voice)) for hand in queries.missed(seen)]
    return Column((Spaced(cells(seen, voice), 12 if before else 0), Column(before)))


def cells(seen: Observation, voice: Voice) -> Flow:
    """Every player in order of play, with their points and with what they have played; at the end only those
    who had a card left for the last hand."""
    played = {play.seat for play in queries.plays(seen)}
    shown = [seat for seat in order(seen) if not seen.over or seat in played]
    wide = min(_WIDEST, (INNER - 12 * (seen.seats - 1)) // seen.seats)
    pieces = [
        Piece(wide, _NAME + _SMALL + 16, partial(_cell, seen=seen, seat=seat, voice=voice)) for seat in shown
    ]
    return Flow(pieces, 12)


def stake(seen: Observation, voice: Voice) -> tuple[str, str]:
    """What is to beat, and who holds it; or what else there is to say of the hand, and nobody."""
    best = next((play for play in queries.plays(seen) if queries.is_best(seen, play)), None)
    if seen.over:
        return " ".join(champions(seen, voice)), ""
    if best is None:
        if seen.sealing:
            return voice("hand.row"), ""
        return voice("hand.lead" if seen.viewer == seen.leader else "hand.highest"), ""
    value = number(best.value2)
    if queries.finished(seen) is not None:
        return voice("hand.won", value=value), called(best.seat, voice)
    if best.seat == seen.viewer:
        return voice("hand.ahead", value=value), ""
    done = any(play.seat == seen.viewer for play in seen.plays)
    return voice("hand.leads" if done else "hand.to_beat", value=value), called(best.seat, voice)


def _stake(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    said, name = stake(seen, voice)
    size = Size.TITLE if name or text_width(said, Size.TITLE, Weight.BOLD) <= area.w else Size.BODY
    wide = min(area.w, text_width(said, size, Weight.BOLD))
    bright = "accent" if queries.plays(seen) else "text"
    yield Text(area._replace(w=wide), said, size, Weight.BOLD, bright, fit=Fit.ELLIPSIS)
    room = Rect(area.x + wide + 20, area.y, area.w - wide - 20, area.h)
    if name and room.w > CHIP:
        yield Text(room, name, Size.BODY, Weight.MEDIUM, "muted", fit=Fit.ELLIPSIS)


def _cell(area: Rect, seen: Observation, seat: int, voice: Voice) -> Iterator[Item]:
    play = next((play for play in queries.plays(seen) if play.seat == seat), None)
    acts = seat in seen.to_act
    if play and shines(seen, play):
        yield seat_panel(area, lit=True)
    else:
        yield Panel(area, "panel_high" if acts else "panel", RADIUS_CARD)
    inner = area.inset(12, 8)
    points = str(seen.points[seat])
    wide = text_width(points, Size.CLEAR, Weight.DISPLAY)
    name = inner._replace(w=inner.w - wide - 8, h=_NAME - 8)
    yield from clear_person(name, seat, voice.drawn(seat))
    score = Rect(inner.right - wide, inner.y, wide, _NAME - 8)
    yield Text(score, points, Size.CLEAR, Weight.DISPLAY)
    place = Rect(inner.x, inner.y + _NAME, inner.w, _SMALL)
    if play:
        yield _small(place, play, voice)
    elif seat in seen.to_play or acts:
        yield Panel(place, None, RADIUS_SMALL, "text" if acts else "edge", 3)


def _small(area: Rect, play: PlayView, voice: Voice) -> ItemGroup:
    """A played card, small: the number that it counts, its power, its element and what it was."""
    ground, ink = ("paper_low", "ink_soft") if play.beaten or joined(play) else ("paper", "ink")
    items: list[Item] = [Panel(area, ground, RADIUS_CARD)]
    value, printed = number(play.value2), str(play.card)
    inner = area.inset(12, 4)
    if joined(play):
        value, said = voice("picture.joined", symbol=symbol(play.head)), f"{symbol(play.card)} {printed}"
    elif play.beaten:
        value, said = printed, voice("picture.beaten")
    else:
        said = symbol(play.card) if value == printed else f"{symbol(play.card)} {printed}"
    fits = text_width(value, Size.LARGE, Weight.DISPLAY) <= inner.w
    upper = inner._replace(h=80)
    size = Size.LARGE if fits else Size.TITLE
    items.append(Text(upper, value, size, Weight.DISPLAY, ink, fit=Fit.ELLIPSIS))
    chip = Rect(inner.right - _SIGN + 4, inner.bottom - _SIGN - 4, _SIGN, _SIGN)
    lower = Rect(inner.x, chip.y, inner.w - (_SIGN + 4 if play.power else 0), _SIGN)
    items.append(Text(lower, said, Size.SMALL, Weight.MEDIUM, "ink_soft", fit=Fit.ELLIPSIS))
    if play.power:
        items.append(Sprite("atom_duel.power", (play.power,), chip))
    return ItemGroup(area, tuple(items))


def _counted(play: PlayView) -> str:
    """Return the value of a card in a decided hand; inside another player's compound, its printed number."""
    return str(play.card) if joined(play) else number(play.value2)


def _passed(area: Rect, seen: Observation, hand: HandView, voice: Voice) -> Iterator[Item]:
    """A hand that was decided: every card with whose it was, the winner's on the accent."""
    label = voice("picture.hand", hand=hand.hand)
    wide = text_width(label, Size.SMALL)
    yield Text(area._replace(w=wide), label, colour="muted")
    step = (area.w - wide - 16) // seen.seats
    for place, play in enumerate(hand.plays):
        x = area.x + wide + 16 + place * step
        chip = Rect(x, area.y, CHIP, area.h)
        yield from person(chip, play.seat, "")
        won = play.card == hand.card
        said = f"{symbol(play.card)} {_counted(play)}"
        box = Rect(chip.right + 8, area.y, step - CHIP - 16, area.h)
        weight, colour = (Weight.BOLD, "accent") if won else (Weight.MEDIUM, "text")
        yield Text(box, said, Size.SMALL, weight, colour, fit=Fit.ELLIPSIS)


def how(hand: HandView, voice: Voice, *, brief: bool = False) -> str:
    """With what a hand was won."""
    compound = sum(play.head == hand.card for play in hand.plays) > 1
    key = "picture.how_compound" if compound and not brief else "picture.how"
    return voice(key, symbol=symbol(hand.card), value=number(hand.value2))


def earlier(seen: Observation, voice: Voice) -> Grid:
    """The hands that passed without a decision, side by side: which, whose, and with what."""
    hands = queries.unseen(seen)
    columns = 2 if len(hands) <= 4 else 3
    return Grid(
        [Box(LINE, partial(_won, hand=hand, voice=voice, brief=columns > 2)) for hand in hands], columns, 8
    )


def _won(area: Rect, hand: HandView, voice: Voice, *, brief: bool) -> Iterator[Item]:
    label = str(hand.hand) if brief else voice("picture.hand", hand=hand.hand)
    told = how(hand, voice, brief=brief)
    wide, tail = text_width(label, Size.SMALL), text_width(told, Size.SMALL, Weight.BOLD)
    yield Text(area._replace(w=wide), label, colour="muted")
    left = area.x + wide + 14
    player = voice.drawn(hand.winner)
    name, room = person_width(player), area.right - left - tail - 14
    if name > room:  # a few letters of a name tell nothing: then the seat's own must do
        name = room if room > 160 else CHIP
    yield from person(Rect(left, area.y, name, area.h), hand.winner, player)
    yield Text(Rect(left + name + 14, area.y, tail, area.h), told, Size.SMALL, Weight.BOLD)


# in words


def _play_said(play: PlayView, voice: Voice, best: str) -> str:
    named = {"name": voice.look.name(play.seat), "element": voice.element(play.card)}
    parts = [voice("picture.alt.play", **named, printed=play.card)]
    if play.power:
        parts.append(voice.power(play.power))
    value = number(play.value2)
    if joined(play):
        parts.append(voice("picture.joined", symbol=symbol(play.head)))
    elif value != str(play.card):
        parts.append(voice("picture.alt.value", value=value))
    if play.beaten:
        parts.append(voice("picture.beaten"))
    if best:
        parts.append(best)
    return voice.listed(parts) + "."


def plays_said(seen: Observation, voice: Voice) -> str:
    """The cards in the middle of the table in words, "" for none."""
    said = ahead(seen, voice)
    return " ".join(
        _play_said(play, voice, said if queries.is_best(seen, play) else "") for play in queries.plays(seen)
    )


def missed_said(seen: Observation, voice: Voice) -> Iterable[str]:
    """The hands that were decided since the owner moved and that the middle does not show, in words."""
    for hand in queries.missed(seen):
        cards = voice.listed(
            f"{voice.look.name(play.seat)} {voice.element(play.card)} {_counted(play)}" for play in hand.plays
        )
        yield voice("picture.alt.missed", hand=hand.hand, cards=cards, name=voice.look.name(hand.winner))
