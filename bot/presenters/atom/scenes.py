"""The table of Atom: what everybody holds, took and played last, and large below it what is to be beaten.

Everything here is public. The seats stand in the order of play; with four, partners stand below each other,
and the points of their team above them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from bot.presenters.atom.sets import SMALL, TALL, laid
from bot.presenters.atom.words import Voice, best_first
from bot.render import layout
from bot.render.blocks import Box, Column, Grid, Tagged, frozen
from bot.render.parts import CHIP, alt_text, header, person, seat_panel, sentence, text_width
from bot.render.playing_cards import RATIO
from bot.render.scene import (
    Align,
    Fit,
    Item,
    ItemGroup,
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
from bot.render.theme import RADIUS_PANEL, RADIUS_SMALL, seat_letter
from engine.atom import scoring
from engine.atom.observation import Observation
from engine.atom.plays import shape
from engine.game import Outcome

GROUND: Final = "plum"
"""The table that all pictures of Atom lie on."""
_TEAM: Final = 64
_SEAT: Final = 12 + 52 + 4 + TALL + 16
_LARGE: Final = 182
"""The width of the cards that are to be beaten, in pixels."""
_MIDDLE: Final = 20 + round(_LARGE / RATIO) + 20
_HELD: Final = 164
"""Room for what a player holds and took, at the left of what was played."""
_TOLD: Final = 400
"""Room for what is said of the cards in the middle."""
_WORDS: Final = 170
"""How high that is: below it lies the corner that others may cover."""
_SCORE: Final = 700
"""Room for the points of both sides at the end."""


class _Table:
    """One table, seen by anybody."""

    def __init__(self, seen: Observation, look: Look) -> None:
        self.seen = seen
        self.look = look
        self.voice = Voice(look)
        self.result = seen.results[-1] if seen.phase == "over" else None
        self.sides = self.result.teams if self.result else seen.sides if seen.seats == 4 else ()
        self.winners = scoring.outcome(seen.results).winners() if self.result else ()
        self.acts: dict[int, tuple[int, ...]] = dict(seen.trick)

    def scene(self) -> Scene:
        cells = [Box(_SEAT, partial(self._seat, seat)) for seat in range(self.seen.seats)]
        if self.seen.seats == 4:
            cells = [*(Box(_TEAM, partial(self._team, side)) for side in (0, 1)), *cells]
        else:
            cells.append(Box(_SEAT, self._called))
        middle = Tagged(Box(_MIDDLE, self._middle), "middle")
        block = Column((Box(56, self._head), Grid(cells, 2), middle), 14)
        return frozen(block, self._alt(), self.look, ground=GROUND)

    # the frame

    def _title(self) -> str:
        seen, voice = self.seen, self.voice
        key = "header" if seen.seats == 4 else "header_five"
        if seen.seats == 4 and seen.phase == "over" and seen.game == 1:
            key = "header_alone"
        trick = voice("picture.trick", trick=seen.tricks + 1) if seen.phase == "play" else ""
        return voice.dotted((voice(f"picture.{key}", game=seen.game), trick))

    def _head(self, area: Rect) -> Iterator[Item]:
        """Game and trick, and the Blade."""
        room = blade_width(self.seen, self.voice)
        yield from header(area, self._title(), room=room)
        yield from blade_pill(area._replace(x=area.right - room, w=room), self.seen, self.voice)

    def _team(self, side: int, area: Rect) -> Iterator[Item]:
        """A team: the letters of its members, its points, and those of the first game."""
        seen, voice = self.seen, self.voice
        x = area.x + 12
        for seat in (side, side + 2):
            yield from _chip(seat, Rect(x, area.y, CHIP, area.h))
            x += CHIP + 8
        first = voice("picture.first_game", points=seen.results[0].totals[side]) if seen.game > 1 else ""
        room = Rect(x + 8, area.y, area.right - 12 - x - 8, area.h)
        now, before = layout.across(room, (None, text_width(first, Size.SMALL)), gap=0)
        yield from _points(now, team_points(seen)[side], voice, Size.TITLE)
        if first:
            yield Text(before, first, colour="muted")

    def _called(self, area: Rect) -> Iterator[Item]:
        """Five players: the card that was called, before that the one that was turned up."""
        seen, voice = self.seen, self.voice
        key, card = ("called", seen.called) if seen.called >= 0 else ("turned", seen.turned)
        place = Rect(area.x + 16, area.y + (area.h - TALL) // 2, SMALL, TALL)
        yield from laid(place, (card,), voice)
        room = Rect(place.right + 20, place.y, area.right - place.right - 36, place.h)
        upper, lower = layout.down(room, (48, 84), gap=2)
        yield Text(upper, voice(f"picture.{key}"), Size.CLEAR, Weight.BOLD)
        yield Text(lower, voice(f"picture.{key}_note"), colour="muted", max_lines=2)

    # the seats

    def _seat(self, seat: int, area: Rect) -> tuple[ItemGroup]:
        """A player: name and side; below it cards held and points, and at the right what was played last."""
        line, below = layout.down(area.inset(12), (52, TALL), gap=4)
        side = self._side(seat)
        name, place = layout.across(line, (None, text_width(side, Size.CLEAR)), gap=12 if side else 0)
        lit = seat in self.seen.to_act or seat in self.winners
        items: list[Item] = [seat_panel(area, lit=lit)]
        items += person(name, seat, self.voice.drawn(seat), Size.CLEAR, weight=Weight.BOLD)
        if side:
            items.append(Text(place, side, Size.CLEAR, colour="muted"))
        left, right = layout.across(below, (_HELD, None), gap=12)
        upper, lower = layout.column(left, 2, gap=2)
        items += self._left(seat, upper)
        items += _points(lower, self.seen.captured[seat], self.voice, Size.CLEAR)
        return (ItemGroup(area, (*items, *self._played(seat, right)), f"seat {seat}"),)

    def _left(self, seat: int, area: Rect) -> Iterator[Item]:
        """How many cards a player still holds; after that the place."""
        seen, voice = self.seen, self.voice
        if self.result is not None and seat in self.result.downstream:
            yield Text(area, voice("picture.downstream"), Size.CLEAR, Weight.BOLD, "bad")
        elif seat in seen.out:
            place = seen.out.index(seat) + 1
            colour = "accent" if place == 1 else "text"
            yield Text(area, voice(f"picture.place_{place}"), Size.BODY, Weight.BOLD, colour)
        else:
            back = Rect(area.x, area.y + (area.h - 56) // 2, 40, 56)
            yield Sprite("cards.back", ("",), back)
            room = Rect(back.right + 14, area.y, area.right - back.right - 14, area.h)
            yield Text(room, str(seen.left[seat]), Size.TITLE, Weight.DISPLAY)

    def _side(self, seat: int) -> str:
        """Five players: what everybody knows of a side."""
        seen = self.seen
        if seen.seats == 4 or seen.phase == "call":
            return ""
        if seat == seen.caller:
            return self.voice("picture.caller")
        partner = seat in seen.revealed or (self.sides and self.sides[seat] == 0)
        return self.voice("picture.partner") if partner else ""

    def _played(self, seat: int, area: Rect) -> Iterator[Item]:
        """What a player did last in this trick: the cards, or a word."""
        cards = self.acts.get(seat)
        if cards is None:
            return
        if cards:
            shown = list(laid(area, cards, self.voice, align=Align.RIGHT))
            yield from shown
            if seat == self.seen.best_seat:
                x = shown[0].rect.x
                yield Panel(Rect(x, area.bottom + 3, shown[-1].rect.right - x, 6), "accent", 3)
        else:
            yield Text(area, self.voice("picture.passes"), Size.CLEAR, colour="muted", align=Align.RIGHT)

    # the middle

    def _middle(self, area: Rect) -> Iterator[Item]:
        """What is to be beaten: who played it, what it is, the points in the trick, and the cards. The corner
        at the lower left stays free, since others may cover it."""
        seen, voice = self.seen, self.voice
        yield Panel(area, "panel", RADIUS_PANEL)
        area = area.inset(20, 16)
        if self.result is not None:
            yield from self._end(area)
            return
        left, right = layout.across(area, (_TOLD, None), gap=20)
        name, what, points = layout.down(left._replace(h=_WORDS), (58, 50, 60), gap=0)
        seat, said, pot = self._now()
        yield from person(name, seat, self.voice.drawn(seat), Size.TITLE, weight=Weight.BOLD)
        yield Text(what, said, Size.CLEAR, fit=Fit.ELLIPSIS)
        trick = seen.last_trick
        if seen.best:
            yield Text(points, pot, Size.TITLE, Weight.BOLD, "accent" if seen.pot else "muted")
            yield from laid(right, seen.best, voice, largest=_LARGE)
        elif trick is None:
            yield Text(points, pot, colour="muted")
            yield from laid(right, (seen.turned,), voice, largest=_LARGE)
        else:
            last = next(held for _, held in reversed(trick.acts) if held)
            yield Text(points, pot, colour="muted")
            yield from laid(right, last, voice, SpriteState.DIMMED, largest=_LARGE)

    def _now(self) -> tuple[int, str, str]:
        """Who is to be told of, what they do, and the points that are in it."""
        seen, voice = self.seen, self.voice
        if seen.best:
            play = shape(seen.best, seen.packs)
            pot = voice("picture.pot", n=seen.pot) if seen.pot else voice("picture.no_pot")
            return seen.best_seat, voice.kind(play) if play else "", pot
        if seen.last_trick is None:
            turned = voice("picture.turned_up", card=voice.card(seen.turned))
            if seen.phase == "call":
                return seen.caller, voice("picture.to_call"), turned
            return seen.leader, voice("picture.leads"), turned
        trick = seen.last_trick
        key = "picture.last" if trick.points else "picture.last_empty"
        took = voice(key, letter=seat_letter(trick.winner), n=trick.points)
        return seen.leader, voice("picture.leads"), took

    def _end(self, area: Rect) -> Iterator[Item]:
        """Who won, and the points of both sides."""
        outcome = scoring.outcome(self.seen.results)
        left, right = layout.across(area, (_SCORE, None), gap=20)
        title, score = layout.down(left._replace(h=_WORDS), (52, 118), gap=0)
        yield Text(title, self._win(outcome), Size.TITLE, Weight.BOLD)
        yield Text(score, self._score(outcome), Size.HUGE, Weight.DISPLAY, "accent")
        lines = layout.spread(right, 1, right.w, 64 * len(self.winners))[0]
        for seat, line in zip(self.winners, layout.column(lines, len(self.winners), gap=0), strict=True):
            yield from person(line, seat, self.voice.drawn(seat), Size.TITLE, weight=Weight.BOLD)

    def _win(self, outcome: Outcome) -> str:
        return self.voice(f"picture.win_{outcome.facts['score']}")

    def _score(self, outcome: Outcome) -> str:
        won, lost = best_first(outcome)
        return self.voice("picture.versus", won=won, lost=lost)

    # the same in words

    def _alt(self) -> str:
        seen, voice, look = self.seen, self.voice, self.look
        if self.result is not None:
            outcome = scoring.outcome(seen.results)
            names = voice.all([look.name(seat) for seat in outcome.winners()])
            middle = voice("alt.ended", names=names, win=self._win(outcome), score=self._score(outcome))
        else:
            seat, said, pot = self._now()
            said = voice.set(seen.best, seen.seats) if seen.best else said
            middle = voice("alt.now", name=look.name(seat), said=said, pot=pot)
        header = voice.dotted((self._title(), blade_name(seen, voice)))
        told = [voice("alt.table", header=header, middle=middle)]
        if seen.seats == 4:
            told += [self._team_said(side) for side in (0, 1)]
        told += [self._said(seat) for seat in range(seen.seats)]
        if seen.called >= 0:
            told.append(voice("alt.called", card=voice.card(seen.called)))
        if seen.seats != 4 and self.result is None:
            told.append(sentence(voice(f"picture.{'called' if seen.called >= 0 else 'turned'}_note")))
        return alt_text(*told)

    def _team_said(self, side: int) -> str:
        """A team in words: its points, and those of the first game."""
        seen, voice = self.seen, self.voice
        names = voice.all([self.look.name(seat) for seat in (side, side + 2)])
        parts = [voice("alt.team", names=names, n=team_points(seen)[side])]
        if seen.game > 1:
            parts.append(voice("picture.first_game", points=seen.results[0].totals[side]))
        return sentence(voice("alt.comma").join(parts))

    def _said(self, seat: int) -> str:
        """A player in words."""
        seen, voice = self.seen, self.voice
        parts = [
            voice("alt.seat", name=self.look.name(seat), n=seen.left[seat], points=seen.captured[seat]),
            self._side(seat),
        ]
        if self.result is not None and seat in self.result.downstream:
            parts.append(voice("picture.downstream"))
        elif seat in seen.out:
            parts.append(voice(f"picture.place_{seen.out.index(seat) + 1}"))
        if seat in self.acts:
            cards = self.acts[seat]
            parts.append(voice.set(cards, seen.seats) if cards else voice("picture.passes"))
        if seat in seen.to_act:
            parts.append(voice("alt.turn"))
        return voice("alt.said", text=voice("alt.comma").join(part for part in parts if part))


def blade_name(seen: Observation, voice: Voice) -> str:
    """The Blade in words."""
    return voice("picture.blade_rank", blade=voice.rank(seen.blade))


def blade_width(seen: Observation, voice: Voice) -> int:
    """How wide the name of the Blade is."""
    return text_width(blade_name(seen, voice), Size.CLEAR, Weight.BOLD) + 32


def blade_pill(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """The Blade by name, on the accent as where it is held."""
    yield Panel(area, "accent", RADIUS_SMALL)
    yield Text(area, blade_name(seen, voice), Size.CLEAR, Weight.BOLD, "accent_ink", Align.CENTRE)


def _chip(seat: int, area: Rect) -> list[Item]:
    """The letter of a seat alone."""
    return person(area, seat, "")


def team_points(seen: Observation) -> tuple[int, int]:
    """Four players: the points of both teams in this game, as they were settled when it is over."""
    if seen.phase == "over":
        return seen.results[-1].totals
    return seen.captured[0] + seen.captured[2], seen.captured[1] + seen.captured[3]


def _points(area: Rect, points: int, voice: Voice, size: Size) -> Iterator[Item]:
    """A number of points, the word for them small."""
    number = str(points)
    first, rest = layout.across(area, (text_width(number, size, Weight.BOLD), None), gap=8)
    yield Text(first, number, size, Weight.BOLD)
    unit = voice("picture.points")
    yield Text(rest._replace(w=text_width(unit, Size.SMALL)), unit, colour="muted")


def table(seen: Observation, look: Look) -> Scene:
    """The table picture, 1280 pixels wide."""
    return _Table(seen, look).scene()
