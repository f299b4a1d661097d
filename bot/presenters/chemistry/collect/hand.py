"""A hand of Compound Capture and Chemistry Canasta: its cards below what can be captured with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.chemistry.collect.queries import can_still_play, counted, shortages, wilds_for
from bot.presenters.chemistry.collect.scenes import SMALL, in_a_row, points_now, tile
from bot.presenters.chemistry.words import GROUND, Voice
from bot.presenters.new_cards import newly_held
from bot.presenters.telling import Told
from bot.render import layout
from bot.render.blocks import Box, Column, Flow, Paragraph, Piece, Spaced, even, frozen
from bot.render.pages.standings import SeatScore, Standings
from bot.render.parts import CORNER, HEAD, INNER, alt_text, as_new, hand_head, sentence, text_width
from bot.render.scene import Align, Fit, Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.moves import PILE, RUN, Move, runs
from engine.chemistry.observation import Observation
from engine.game import Event, Seat

_HELD: Final = (124, 148)
_TILE: Final = (112, 128)
_MOST_HELD: Final = 18
"""How many kinds of one's own stand in two lines; more of them are a little smaller."""
_WANTED: Final = (196, 160)
_NEED: Final = 104
"""How high it is that says below a compound what it needs."""
_BAR: Final = 14
"""How thick the bar below the cards of a run is."""
_FOOT: Final = 112
"""Least height of the foot of a hand, whose left Discord's ALT badge covers (30 px on a phone)."""


def gained(events: Sequence[Event], seat: Seat) -> tuple[int, ...]:
    """See `bot.presenters.base.Presenter.gained`."""
    found = list[int]()
    for event in events:
        facts: Told = event.facts
        if event.kind == "round":
            found.clear()
        elif event.seat == seat and event.kind in ("draw", "take") and "card" in facts:
            found.append(facts["card"])
        elif event.seat == seat and event.kind == "claim":
            found.append(WILD)
    return tuple(found)


def hand(seen: Observation, look: Look, new: Sequence[int] = ()) -> Scene:
    """The observer's cards, the new ones marked, below the face-up compounds, each with what it still
    needs."""
    voice = Voice(look)
    name = voice.drawn(seen.viewer) if seen.viewer is not None else ""
    # what is short of what no longer counts when all is over
    wanted = [
        partial(_wanted, seen=seen, compound=compound, short=short, atoms=atoms, voice=voice)
        for compound, short, atoms in (() if seen.over else shortages(seen))
    ]
    width, tall = _WANTED
    block = Column(
        (
            Spaced(
                Box(HEAD.h, lambda area: hand_head(seen.viewer, name, _note(seen, voice), area, Size.CLEAR)),
                12,
            ),
            Spaced(in_a_row(wanted, (width, tall + 6 + _NEED), 11), 14),
            Spaced(Paragraph(_runs_line(seen, voice), (Size.CLEAR,), Weight.BOLD, lines=2), 8),
            Spaced(Paragraph(_left_over(seen, voice), (Size.CLEAR,), colour="muted"), 8),
            Spaced(_held_cards(seen, newly_held(seen.hand, new)), 12),
            Paragraph("" if seen.hand else voice("picture.empty"), (Size.CLEAR,), colour="muted"),
            Box(_foot_height(seen, voice), lambda area: _foot(area, seen, voice)),
        )
    )
    return frozen(block, _hand_alt(seen, voice, new), look, top=HEAD.y, bottom=12, ground=GROUND)


def _left_over(seen: Observation, voice: Voice) -> str:
    """What the cards are, where the game is over."""
    return voice("picture.left_over") if seen.over and seen.hand else ""


def _held_cards(seen: Observation, new: Container[int]) -> Flow:
    """The cards of a hand by kind; in Canasta a bar below joins those that make a run."""
    cards = Counter(seen.hand)
    kinds = sorted(cards, key=lambda card: (card == WILD, card))
    large = len(kinds) <= _MOST_HELD
    width, height = _HELD if large else _TILE
    line, gap = even(len(kinds), 9 if large else 10), 14 if large else 12
    bars = _bars(seen, kinds)
    under = 8 + _BAR if bars else 0

    def card_at(place: int, area: Rect) -> Iterator[Item]:
        card, at = kinds[place], area._replace(h=height)
        held = tile(card, at, cards[card])
        yield ItemGroup(at, (as_new(held) if card in new else held,), f"card {card}")
        if card in bars:
            joined = (place + 1) % line and kinds[place + 1 : place + 2] == [card + 1] and card + 1 in bars
            yield Panel(Rect(at.x, at.bottom + 8, at.w + (gap if joined else 0), _BAR), "accent")

    pieces = [Piece(width, height + under, partial(card_at, place)) for place in range(len(kinds))]
    return Flow(pieces, gap, 14, Align.CENTRE, line)


def _bars(seen: Observation, kinds: Sequence[int]) -> frozenset[int]:
    """The elements of a hand that lie in a run without wild cards."""
    if not seen.canasta or not can_still_play(seen):
        return frozenset()
    starts = [card for card in kinds if card != WILD and {card + 1, card + 2} <= set(kinds)]
    return frozenset(start + step for start in starts for step in range(RUN))


def _foot_height(seen: Observation, voice: Voice) -> int:
    scores = _standings(seen, voice).height(INNER - CORNER)
    return max(_FOOT, scores + (0 if seen.over else SMALL))


def _foot(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """The points of all seats, and below them the stock and the top of the discard pile. The left stays free:
    Discord's ALT badge may cover it."""
    standings = _standings(seen, voice)
    beside = Rect(area.x + CORNER, area.y, area.w - CORNER, standings.height(area.w - CORNER))
    yield from standings.items(beside)
    x, second = area.right, Rect(area.x, beside.bottom, area.w, SMALL)
    if seen.discard and not seen.over:
        x -= SMALL
        top = Rect(x, second.y, SMALL, SMALL)
        yield ItemGroup(top, (tile(seen.discard[-1], top),), "pile")
        x -= 16
        label = voice("picture.on_pile")
        wide = text_width(label, Size.CLEAR)
        x -= wide
        yield Text(Rect(x, second.y, wide, second.h), label, Size.CLEAR, colour="muted")
        x -= 32
    if not seen.over:
        left, stock = area.x + CORNER, voice("picture.foot", stock=seen.stock)
        yield Text(second._replace(x=left, w=x - left), stock, Size.CLEAR, colour="muted", align=Align.RIGHT)


def _standings(seen: Observation, voice: Voice) -> Standings:
    """The points of all seats, those of the current round included."""
    return Standings(
        [SeatScore(seat, voice.drawn(seat), str(points_now(seen, seat))) for seat in range(seen.seats)],
        -1 if seen.viewer is None else seen.viewer,
        voice("picture.scores"),
        Align.RIGHT,
    )


def _wanted(
    place: Rect, *, seen: Observation, compound: int, short: int, atoms: Sequence[int], voice: Voice
) -> Iterator[Item]:
    """An open compound, small, and below it what it needs."""
    card, need = layout.down(place, (_WANTED[1], _NEED), gap=6)
    ready = not short and can_still_play(seen)
    below = _ready(need, wilds_for(compound, seen.hand), voice) if ready else _need(need, short, atoms, voice)
    shown = Sprite("chemistry.small_compound", (compound,), card)
    yield ItemGroup(place, (shown, *below), f"compound {compound}")


def spots(_seen: Observation, move: Move) -> tuple[str, ...]:
    """The cards and compounds that a move is about; see `bot.presenters.base.Presenter.spots`."""
    if move.verb == "draw":
        return ("pile",) if move.what == PILE else ()
    if move.verb == "discard":
        return (f"card {move.what}",)
    held = tuple(f"card {card}" for card in sorted(set(move.cards)))
    return (f"compound {move.what}", *held) if move.verb == "capture" else held


def _ready(area: Rect, wilds: int, voice: Voice) -> Iterator[Item]:
    """Below a compound that can be captured: ready, and a star for each wild card that it takes."""
    yield Panel(area, "accent", RADIUS_CARD)
    lines = layout.column(area.inset(0, 4), 2 if wilds else 1, gap=0)
    text = voice("picture.ready")
    wide = text_width(text, Size.CLEAR, Weight.BOLD)
    left, first = area.x + (area.w - wide - 44) // 2, lines[0]
    yield Sprite("chemistry.tick", ("accent_ink",), Rect(left, first.y + (first.h - 36) // 2, 36, 36))
    yield Text(Rect(left + 44, first.y, wide, first.h), text, Size.CLEAR, Weight.BOLD, "accent_ink")
    if wilds:
        stars = voice("picture.ready_for", n=wilds, star=voice("picture.star"))
        yield from Paragraph(stars, (Size.CLEAR,), Weight.BOLD, "accent_ink", Align.CENTRE).items(lines[1])


def _need(area: Rect, short: int, atoms: Sequence[int], voice: Voice) -> Iterator[Item]:
    """Below a compound: the one card that is missing, or how many are.

    Where nothing can be played any more it is still worth knowing what to keep, so it says that all
    cards are there, without the tick.
    """
    if short > 1:
        yield Panel(area, "panel", RADIUS_CARD)
        text = voice("picture.short", n=short)
        yield Text(area, text, Size.CLEAR, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS)
        return
    if not short:
        yield Panel(area, "panel_high", RADIUS_CARD)
        held = Paragraph(voice("picture.held"), (Size.CLEAR,), Weight.BOLD, align=Align.CENTRE, lines=2)
        yield from held.items(area)
        return
    yield Panel(area, "panel_high", RADIUS_CARD, "accent", 3)
    above, below = layout.column(area.inset(8, 4), 2, gap=0)
    yield Text(above, voice("picture.needs"), Size.CLEAR, colour="muted", align=Align.CENTRE)
    needed = voice.all([voice.symbol(card) for card in atoms], "or")
    sizes = (Size.CLEAR, Size.BODY, Size.SMALL)
    yield from Paragraph(needed, sizes, Weight.BOLD, align=Align.CENTRE).items(below)


_MOST_RUNS: Final = 3


def _runs_line(seen: Observation, voice: Voice) -> str:
    """The runs that the hand can lay, those with the fewest wild cards first."""
    if not seen.canasta or seen.viewer is None or not can_still_play(seen):
        return ""
    found = runs(counted(seen.hand))
    if not found:
        return ""
    fewest = found[0].cards.count(WILD)
    shown = [move for move in found if move.cards.count(WILD) == fewest][:_MOST_RUNS]
    told = ["-".join(str(card) if card else voice("picture.star") for card in move.cards) for move in shown]
    more = len(found) - len(shown)
    line = voice("picture.runs", n=len(found), list=voice.listed(told))
    return f"{line} {voice('picture.and_more', n=more)}" if more else line


def _note(seen: Observation, voice: Voice) -> str:
    if seen.viewer not in seen.to_act:
        return ""
    return voice(f"hand.{('first', 'second', 'play', 'after_run', 'after_capture')[seen.phase]}")


def _hand_alt(seen: Observation, voice: Voice, new: Sequence[int] = ()) -> str:
    if seen.viewer is None:
        return voice("alt.row", list=voice.listed(BOOK.compounds[number].formula for number in seen.row))
    cards = voice.counted(seen.hand) or voice("picture.empty")
    said = [voice("alt.hand", name=voice.look.name(seen.viewer), cards=cards)]
    if fresh := newly_held(seen.hand, new):
        said.append(voice("alt.new", cards=voice.counted(tuple(fresh.elements()))))
    said.append(sentence(_note(seen, voice)))
    if line := _runs_line(seen, voice):
        said.append(line + ".")
    top = voice.symbol(seen.discard[-1]) if seen.discard else "–"
    said += [
        voice("alt.score", name=voice.look.name(seat), n=points_now(seen, seat)) for seat in range(seen.seats)
    ]
    said.append(voice("alt.piles", stock=seen.stock, top=top, n=seen.stack))
    for compound, short, atoms in () if seen.over else shortages(seen):
        name = BOOK.compounds[compound].formula
        if not short:
            wilds = wilds_for(compound, seen.hand)
            ready = "alt.ready_for" if wilds else "alt.ready"
            said.append(voice(ready if can_still_play(seen) else "alt.held", formula=name, n=wilds))
        elif short == 1:
            symbols = voice.all([voice.symbol(card) for card in atoms], "or")
            said.append(voice("alt.needs", formula=name, atoms=symbols))
        else:
            said.append(voice("alt.short", formula=name, n=short))
    return alt_text(*said)
