"""The table of Atom: the trick in the middle, partners opposite, what everybody holds and took.

Everything here is public. Play goes counterclockwise, so the next seat sits to the right of the one before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.presenters.atom.words import Voice, best_first
from bot.render import layout
from bot.render import text as letters
from bot.render.parts import MARGIN, alt_text, band, header, person, person_width, seat_panel, text_width
from bot.render.playing_cards import RATIO
from bot.render.scene import (
    BASE_WIDTH,
    Align,
    Fit,
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
from bot.render.theme import RADIUS_PANEL, RADIUS_SMALL, seat_colour, seat_letter
from engine.atom import scoring
from engine.atom.observation import Observation
from engine.atom.plays import Play, shape
from engine.game import Outcome
from engine.playing_cards import BLACK_JOKER, JOKER, RANK_LABELS, RED_JOKER, SUIT_NAMES

GROUND: Final = "plum"
"""The table that all pictures of Atom lie on."""
WIDTH, HEIGHT = BASE_WIDTH, 900
_SIDE: Final = 300
_TALL: Final = 168
_TOP: Final = 84
_MIDDLE: Final = Rect(MARGIN + _SIDE + 16, _TOP + _TALL + 16, WIDTH - 2 * (MARGIN + _SIDE + 16), 432)
_FOOT: Final = _MIDDLE.bottom + 16
_NARROW: Final = 156
"""The corners beside two seats in one row."""
_INDIVIDUAL: Final = 4
"""Up to so many cards are shown one by one; more as one of each with its number."""

_ROOMY: Final = 400
"""From here on a level seat shows what was played beside the name."""
_ACT: Final = 240
"""The most room for that."""
_DOT: Final = " · "

_LEFT: Final = Rect(MARGIN, _MIDDLE.y, _SIDE, _MIDDLE.h)
_RIGHT: Final = Rect(WIDTH - MARGIN - _SIDE, _MIDDLE.y, _SIDE, _MIDDLE.h)
_BELOW: Final = Rect(_MIDDLE.x, _FOOT, _MIDDLE.w, _TALL)
_SEATS: Final = {
    4: (_BELOW, _RIGHT, Rect(_MIDDLE.x, _TOP, _MIDDLE.w, _TALL), _LEFT),
    5: (_BELOW, _RIGHT, Rect(648, _TOP, 436, _TALL), Rect(196, _TOP, 436, _TALL), _LEFT),
}
"""By number of seats: where each sits, counterclockwise from below."""


Font = tuple[Size, Weight]
_SMALL: Final = (Size.SMALL, Weight.MEDIUM)
_BODY: Final = (Size.BODY, Weight.BOLD)


def face(card: int) -> tuple[str, str]:
    """The arguments of the painter of card faces."""
    if card >= BLACK_JOKER:
        return RANK_LABELS[JOKER], "red" if card == RED_JOKER else "black"
    return RANK_LABELS[card >> 2], SUIT_NAMES[card & 3]


def card_sprite(card: int, rect: Rect, *states: State) -> Sprite:
    """One card at a place."""
    return Sprite("cards.face", face(card), rect, frozenset(states))


def spread(area: Rect, cards: Sequence[int], voice: Voice, *states: State, largest: int = 150) -> list[Item]:
    """A set of cards: one by one, or one of each kind with its number below."""
    found = Counter(cards)
    order = sorted(found, key=lambda card: (card >= BLACK_JOKER, card))
    shown = sorted(cards, key=order.index) if len(cards) <= _INDIVIDUAL else order
    foot = 0 if len(cards) <= _INDIVIDUAL else 52
    gap = 8 if len(shown) > 3 else 12
    width = min(largest, (area.w - gap * (len(shown) - 1)) // len(shown), int((area.h - foot) * RATIO))
    height = round(width / RATIO)
    room = Rect(area.x, area.y + (area.h - height - foot) // 2, area.w, height)
    items: list[Item] = []
    for card, place in zip(shown, layout.spread(room, len(shown), width, height, gap), strict=True):
        items.append(card_sprite(card, place, *states))
        if foot and found[card] > 1:
            below = Rect(place.x, place.bottom + 4, place.w, 48)
            many = voice("picture.multiple", n=found[card])
            items.append(Text(below, many, Size.BODY, Weight.BOLD, align=Align.CENTRE))
    return items


def act_label(play: Play, cards: Sequence[int], voice: Voice) -> str:
    """A set in few signs: 10♠, 3 × 10, Bomb 5 × 9."""
    if play.kind == "single":
        return voice.card(cards[0])
    rank = voice.card(cards[0]) if play.kind == "atom" else voice.rank(play.rank)
    kind = play.kind if play.kind in ("bomb", "atom", "nuke") else "few"
    return voice(f"picture.act_{kind}", n=play.size, rank=rank)


def _named(key: str, seat: int, voice: Voice, room: int, font: Font = _SMALL, **facts: object) -> str:
    """A sentence with a name in it, the name shortened so that the rest is never cut.

    Without the name where our fonts lack it, or where not even two letters of it fit.
    """
    name = letters.written(voice.look.name(seat))
    rest = text_width(voice(f"picture.{key}", name="", **facts), *font)
    short = letters.ellipsis(name, *font, room - rest)
    if name and (short == name or len(short) > len("ab")):
        return voice(f"picture.{key}", name=short, **facts)
    return voice(f"picture.{key}_nobody", **facts)


class _Table:
    """One table, seen by anybody."""

    def __init__(self, seen: Observation, look: Look) -> None:
        self.seen = seen
        self.look = look
        self.voice = Voice(look)
        self.result = seen.results[-1] if seen.phase == "over" else None
        self.sides = self.result.teams if self.result else seen.sides if seen.seats == 4 else ()
        acts = seen.trick
        self.acts: dict[int, tuple[int, ...]] = dict(acts)

    def scene(self) -> Scene:
        seats = _SEATS[self.seen.seats]
        items: list[Item] = [*self._header(), *self._corners(), Panel(_MIDDLE, "panel", RADIUS_PANEL)]
        items += self._middle(_MIDDLE.inset(20, 12))
        items += [self._seat(seat, area) for seat, area in enumerate(seats)]
        return Scene(WIDTH, HEIGHT, tuple(items), self._alt(), self.look, GROUND)

    # the frame

    def _head(self) -> str:
        seen = self.seen
        key = "picture.header" if seen.seats == 4 else "picture.header_five"
        return self.voice(key, game=seen.game, blade=self.voice.rank(seen.blade))

    def _header(self) -> list[Item]:
        playing = self.seen.phase == "play"
        trick = self.voice("picture.trick", trick=self.seen.tricks + 1) if playing else ""
        return header(band(14, 60), self._head(), trick, 300)

    def _corners(self) -> list[Item]:
        """The card turned up, the card called, the points of both teams."""
        seen, voice = self.seen, self.voice
        if seen.seats == 5:
            items = self._corner(seen.turned, MARGIN, voice("picture.blade"))
            if seen.called >= 0:
                items += self._corner(seen.called, WIDTH - MARGIN - _NARROW, voice("picture.called"))
            return items
        turned = Rect(MARGIN + 8, _TOP + 6, 112, 157)
        items = [card_sprite(seen.turned, turned)]
        room = Rect(turned.right + 16, turned.y, _SIDE - turned.w - 24, turned.h)
        upper, lower = layout.down(room, (56, 90), gap=8)
        items.append(Text(upper, voice("picture.blade"), colour="muted"))
        items.append(Text(lower, voice.rank(seen.blade), Size.LARGE, Weight.DISPLAY, "accent"))
        totals = [sum(n for seat, n in enumerate(seen.captured) if seat % 2 == side) for side in (0, 1)]
        if self.result is not None:  # what counts in the end is what the settlement left
            totals = list(self.result.totals)
        corner = Rect(WIDTH - MARGIN - _SIDE, _TOP + 8, _SIDE, 152)
        for side, line in enumerate(layout.column(corner, 2, gap=8)):
            items += self._side(line, side, totals[side])
        trick = seen.last_trick
        if trick is not None and seen.best:
            points = voice("picture.pot", n=trick.points) if trick.points else voice("picture.no_pot")
            told = Text(
                Rect(MARGIN, _FOOT + 8, _SIDE, 144),
                self._before(trick.winner, points),
                colour="muted",
                max_lines=3,
                fit=Fit.ELLIPSIS,
            )
            items.append(told)
        if seen.game > 1:
            first = seen.results[0].totals
            foot = Rect(WIDTH - MARGIN - _SIDE, _FOOT, _SIDE, _TALL)
            head, *lines = layout.down(foot, (46, 56, 56), gap=5)
            items.append(Text(head, voice("picture.first_game"), colour="muted"))
            for side, line in enumerate(lines):
                items += self._side(line, side, first[side])
        return items

    def _before(self, seat: int, points: str) -> str:
        """Who took the last trick, in three lines at most: a name alone fills no more than one of them."""
        voice = self.voice
        name = letters.ellipsis(letters.written(self.look.name(seat)), *_SMALL, _SIDE)
        if name:
            return voice("picture.before", name=name, points=points)
        return voice("picture.before_nobody", points=points)

    def _corner(self, card: int, x: int, label: str) -> list[Item]:
        """Five players: a card in the corner with a word below."""
        place = Rect(x + (_NARROW - 90) // 2, _TOP, 90, 126)
        below = Rect(x, place.bottom, _NARROW, 42)
        return [card_sprite(card, place), Text(below, label, colour="muted", align=Align.CENTRE)]

    def _side(self, line: Rect, side: int, points: int) -> list[Item]:
        """A team: the letters of its members and its points."""
        items: list[Item] = []
        for number, seat in enumerate((side, side + 2)):
            chip = Rect(line.x + 52 * number, line.y + (line.h - 44) // 2, 44, 44)
            items.append(Panel(chip, seat_colour(seat), RADIUS_SMALL))
            items.append(Text(chip, seat_letter(seat), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE))
        room = Rect(line.x + 112, line.y, line.w - 112, line.h)
        items.append(Text(room, self.voice("picture.points", points=points), Size.BODY, Weight.BOLD))
        return items

    # the middle

    def _middle(self, area: Rect) -> list[Item]:
        seen, voice = self.seen, self.voice
        head, cards, foot = layout.down(area, (56, None, 64), gap=8)
        title = Text(head, self._title(head.w), Size.BODY, Weight.BOLD, align=Align.CENTRE, fit=Fit.ELLIPSIS)
        if self.result is not None:
            return [title, *self._end(cards, foot)]
        if seen.best:
            pot = voice("picture.pot", n=seen.pot) if seen.pot else voice("picture.no_pot")
            colour = "accent" if seen.pot else "muted"
            weight, size = (Weight.BOLD, Size.TITLE) if seen.pot else (Weight.MEDIUM, Size.SMALL)
            return [
                title,
                *spread(cards, seen.best, voice),
                Text(foot, pot, size, weight, colour, Align.CENTRE),
            ]
        items: list[Item] = [title]
        trick = seen.last_trick
        if trick is None:
            items += spread(cards, (seen.turned,), voice)
            return items
        last = next(held for seat, held in reversed(trick.acts) if held)
        points = voice("picture.pot", n=trick.points)
        items += spread(cards, last, voice, State.DIMMED)
        took = _named("last", trick.winner, voice, foot.w, points=points)
        items.append(Text(foot, took, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS))
        return items

    def _title(self, room: int) -> str:
        seen, voice = self.seen, self.voice
        if self.result is not None:
            outcome = scoring.outcome(seen.results)
            return voice(f"picture.win_{outcome.facts['score']}")
        if seen.phase == "call":
            return _named("to_call", seen.caller, voice, room, _BODY)
        if not seen.best:
            return _named("leads", seen.leader, voice, room, _BODY)
        play = shape(seen.best, seen.packs)
        return _named("best", seen.best_seat, voice, room, _BODY, kind=voice.kind(play)) if play else ""

    def _end(self, area: Rect, foot: Rect) -> list[Item]:
        """Who won, and the points of both sides."""
        outcome = scoring.outcome(self.seen.results)
        winners = outcome.winners()
        rows = layout.spread(area, 1, area.w, min(area.h, 64 * len(winners)))[0]
        items: list[Item] = []
        for seat, line in zip(winners, layout.column(rows, len(winners), gap=4), strict=True):
            wide = min(area.w, person_width(self.look.name(seat), Size.BODY, weight=Weight.BOLD))
            place = Rect(line.x + (line.w - wide) // 2, line.y, wide, line.h)
            items += person(place, seat, self.look.name(seat), Size.BODY, weight=Weight.BOLD)
        score = self._score(outcome)
        items.append(Text(foot, score, Size.TITLE, Weight.BOLD, "accent", Align.CENTRE))
        return items

    def _score(self, outcome: Outcome) -> str:
        won, lost = best_first(outcome)
        return self.voice("picture.versus", won=won, lost=lost)

    # the seats

    def _role(self, seat: int) -> tuple[str, str]:
        """What is known of a player, and its colour."""
        seen, voice = self.seen, self.voice
        if seat in seen.out:
            place = seen.out.index(seat) + 1
            return voice(f"picture.place_{place}"), "accent" if place == 1 else "text"
        if self.result is not None and seat in self.result.downstream:
            return voice("picture.downstream"), "bad"
        return "", "text"

    def _team(self, seat: int) -> str:
        """Five players: what everybody knows of a side."""
        seen = self.seen
        if seen.seats == 4 or seen.phase == "call":
            return ""
        if seat == seen.caller:
            return self.voice("picture.caller")
        partner = seat in seen.revealed or (self.sides and self.sides[seat] == 0)
        return self.voice("picture.partner") if partner else ""

    def _act(self, seat: int) -> tuple[str, str, Weight]:
        """What a player did last in this trick."""
        seen, voice = self.seen, self.voice
        if seat not in self.acts:
            return "", "text", Weight.MEDIUM
        cards = self.acts[seat]
        play = shape(cards, seen.packs) if cards else None
        if play is None:
            return voice("picture.passes"), "muted", Weight.MEDIUM
        best = seat == seen.best_seat
        return act_label(play, cards, voice), "accent" if best else "text", Weight.BOLD

    def _seat(self, seat: int, area: Rect) -> Group:
        seen = self.seen
        turn = seat in seen.to_act
        items: list[Item] = [seat_panel(area, lit=turn)]
        inner = area.inset(14, 10)
        items += self._upright(seat, inner) if area.h > _TALL else self._level(seat, inner)
        return Group(area, tuple(items))

    def _pile(self, seat: int, place: Rect) -> Item:
        """The cards still held: a back with their number, or an empty place."""
        left = self.seen.left[seat]
        return (
            Sprite("cards.back", (str(left),), place) if left else Panel(place, None, RADIUS_SMALL, "edge", 3)
        )

    def _upright(self, seat: int, inner: Rect) -> list[Item]:
        """A seat at the side: name, cards held with points and role, and below what it played."""
        width = 112
        name, middle, act = layout.down(inner, (56, round(width / RATIO), None), gap=14)
        pile = Rect(middle.x, middle.y, width, middle.h)
        items = [self._pile(seat, pile), *person(name, seat, self.look.name(seat), weight=Weight.BOLD)]
        room = Rect(pile.right + 14, pile.y, inner.right - pile.right - 14, pile.h)
        for line, (text, colour) in zip(
            layout.down(room, (48, 48, 48), gap=4), self._said(seat), strict=False
        ):
            items.append(Text(line, text, colour=colour, fit=Fit.ELLIPSIS))
        return [*items, *self._shown(seat, act)]

    def _level(self, seat: int, inner: Rect) -> list[Item]:
        """A seat above or below: cards held, name with points and role, and what it played."""
        seen, width = self.seen, 100
        height = round(width / RATIO)
        pile = Rect(inner.x, inner.y + (inner.h - height) // 2, width, height)
        right = Rect(pile.right + 16, inner.y, inner.right - pile.right - 16, inner.h)
        items: list[Item] = [self._pile(seat, pile)]
        name, *rest = layout.down(right, (48, 46, 46), gap=4)
        said, acted = self._said(seat), self._act(seat)
        shown = self._shown(seat, Rect(right.right - _ACT, pile.y, _ACT, height))
        if right.w >= _ROOMY and any(isinstance(item, Sprite) for item in shown):
            # a card or two need less: the name gets what is left
            wide = max(item.rect.right for item in shown) - min(item.rect.x for item in shown)
            items += self._shown(seat, Rect(right.right - wide, pile.y, wide, height))
            free = right.right - wide - 16
            name, *rest = (Rect(line.x, line.y, free - line.x, line.h) for line in (name, *rest))
            acted = ("", "", Weight.MEDIUM)
        items += person(name, seat, self.look.name(seat), weight=Weight.BOLD)
        pieces = [(text, colour, Weight.MEDIUM) for text, colour in said]
        if not acted[0]:
            return [*items, *_lines(rest, pieces)]
        if right.w >= _ROOMY:
            # at the right, where it is seen at once, if what is said of the player leaves the room
            wide = text_width(acted[0], Size.SMALL, acted[2])
            lines = [Rect(line.x, line.y, line.w - wide - 16, line.h) for line in rest]
            if not _over(lines, pieces, _cut(lines, pieces)):
                place = Rect(right.right - wide, rest[0].y, wide, rest[1].bottom - rest[0].y)
                told = Text(place, acted[0], Size.SMALL, acted[2], acted[1])
                return [*items, *_lines(lines, pieces), told]
        both = [*pieces, acted]
        if _over(rest, both, _cut(rest, both)) and seat in seen.out:
            # the last cards of a player lie in the middle, or those that beat them: the rest is told
            both = pieces
        return [*items, *_lines(rest, both)]

    def _said(self, seat: int) -> list[tuple[str, str]]:
        """Points, side and place, each with its colour, as far as there is something to say."""
        points = self.voice("picture.points", points=self.seen.captured[seat])
        return [one for one in ((points, "text"), (self._team(seat), "muted"), self._role(seat)) if one[0]]

    def _shown(self, seat: int, area: Rect) -> list[Item]:
        """What a player did last in this trick: the cards, unless they lie in the middle, or a word."""
        if seat not in self.acts:
            return []
        said, colour, weight = self._act(seat)
        cards = self.acts[seat]
        distinct = len(set(cards)) if len(cards) > _INDIVIDUAL else len(cards)
        if cards and seat != self.seen.best_seat and distinct * 68 <= area.w:
            return spread(area, cards, self.voice, largest=96)
        return [Text(area, said, Size.SMALL, weight, colour, Align.CENTRE, fit=Fit.ELLIPSIS)]

    # the same in words

    def _alt(self) -> str:
        seen, voice, look = self.seen, self.voice, self.look
        middle = self._title(WIDTH)
        if seen.best:
            pot = voice("picture.pot", n=seen.pot)
            name, best = look.name(seen.best_seat), voice.set(seen.best, seen.seats)
            middle = voice("alt.best", name=name, set=best, pot=pot)
        elif self.result is not None:
            outcome = scoring.outcome(seen.results)
            names = voice.all([look.name(seat) for seat in outcome.winners()])
            middle = voice("alt.ended", names=names, win=middle, score=self._score(outcome))
        said = [voice("alt.table", header=self._head(), middle=middle)]
        for seat in range(seen.seats):
            line = voice("alt.seat", name=look.name(seat), n=seen.left[seat], points=seen.captured[seat])
            more = [self._team(seat), self._role(seat)[0], self._act(seat)[0]]
            if seat in seen.to_act:
                more.append(voice("alt.turn"))
            text = voice("alt.comma").join([line, *(part for part in more if part)])
            said.append(voice("alt.said", text=text))
        if seen.called >= 0:
            said.append(voice("alt.called", card=voice.card(seen.called)))
        return alt_text(*said)


Piece = tuple[str, str, Weight]
"""A few words, their colour and their weight."""


def _over(lines: Sequence[Rect], pieces: Sequence[Piece], cut: int) -> int:
    """How much of the pieces is cut off when the second line begins at `cut`."""
    parts = pieces[:cut], pieces[cut:]
    return sum(max(0, _wide(part) - line.w) for line, part in zip(lines, parts, strict=True))


def _cut(lines: Sequence[Rect], pieces: Sequence[Piece]) -> int:
    """Where the second of two lines begins, so that as little as possible is cut off; rather early."""
    return min(range(1, len(pieces) + 1), key=lambda cut: (_over(lines, pieces, cut), cut))


def _lines(lines: Sequence[Rect], pieces: Sequence[Piece]) -> list[Item]:
    """What is known of a player, in two lines."""
    best = _cut(lines, pieces)
    items: list[Item] = []
    for line, some in zip(lines, (pieces[:best], pieces[best:]), strict=True):
        x = line.x
        for number, (text, colour, weight) in enumerate(some):
            if number:
                dot = Rect(x, line.y, text_width(_DOT, *_SMALL), line.h)
                if dot.right >= line.right:
                    break
                items.append(Text(dot, _DOT, colour="muted", fit=Fit.ELLIPSIS))
                x = dot.right
            wide = min(text_width(text, Size.SMALL, weight), line.right - x)
            items.append(
                Text(Rect(x, line.y, wide, line.h), text, Size.SMALL, weight, colour, fit=Fit.ELLIPSIS)
            )
            x += wide
    return items


def _wide(pieces: Sequence[Piece]) -> int:
    """How wide these are in one line."""
    dots = max(0, len(pieces) - 1) * text_width(_DOT, *_SMALL)
    return dots + sum(text_width(text, Size.SMALL, weight) for text, _, weight in pieces)


def table(seen: Observation, look: Look) -> Scene:
    """The table picture, 1280x900."""
    return _Table(seen, look).scene()
