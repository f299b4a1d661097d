"""The pictures of Compound Capture and Chemistry Canasta: the table, and a hand with what it can capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.chemistry.collect.made import last_fact
from bot.presenters.chemistry.collect.queries import can_still_play, counted, open_claims, shortages
from bot.presenters.chemistry.words import GROUND, Voice, formula
from bot.render import layout
from bot.render.blocks import Box, Column, Draw, Flow, Grid, Piece, Spaced, Words, even, frozen
from bot.render.parts import (
    CHIP,
    CORNER,
    HEAD,
    alt_text,
    clear_person,
    hand_head,
    header,
    person,
    person_width,
    seat_panel,
    text_width,
)
from bot.render.scene import (
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
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD, seat_letter
from engine.chemistry import observation as engine
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.moves import RUN, runs
from engine.chemistry.observation import Observation, RunView
from engine.chemistry.scoring import COMPOUND, RUN_CARD, TARGET

_COMPOUND: Final = (192, 264)
_CARD: Final = (160, 224)
_TILE: Final = (112, 128)
_SMALL: Final = 64
_HELD: Final = (124, 148)
_MOST_HELD: Final = 18
"""How many kinds of one's own stand in two lines; more of them are a little smaller."""
_CHIP: Final = 44
_LARGE_CHIP, _WIDE = 60, 560
"""How high a chip is in a panel that is so wide, with type to match."""
_WANTED: Final = (196, 160)
_NEED: Final = 104
"""How high it is that says below a compound what it needs."""
_BAR: Final = 14
"""How thick the bar below the cards of a run is."""
_FOOT: Final = 112
"""How high the foot of a hand is: a badge of 30 px on a phone lies at its left."""
_MIDDLE: Final = 280
"""How high the piles are with what stands beside them."""
_LEAD: Final = 4
"""More room before the words that follow chips."""
_IN_A_ROW: Final = 4
"""More seats stand two to a row, or their panels would be too narrow to read."""
_LINE: Final = 136
"""How high a panel is then: a line for the name, and one for what was made."""


def element(card: int, voice: Voice, place: Rect, count: int = 1) -> Sprite:
    """A card of the draw pile, face up; with `count`, so many of them."""
    if card == WILD:
        return Sprite("chemistry.wild", (voice("wild_title"), count), place)
    return Sprite("chemistry.element", (card, count), place)


def tile(card: int, place: Rect, count: int = 1) -> Sprite:
    """A card of the draw pile, small."""
    return Sprite("chemistry.tile", (card, count), place)


def _row(draws: Iterable[Draw], size: tuple[int, int] = _COMPOUND, gap: int = 16) -> Flow:
    """The open compounds side by side."""
    return Flow([Piece(*size, draw) for draw in draws], gap, align=Align.CENTRE)


# the table


def table(seen: Observation, look: Look) -> Scene:
    """The table as everybody may see it, 1280x900; with more than four seats a little taller."""
    voice = Voice(look)
    wide = seen.seats > _IN_A_ROW
    panel = _LINE if wide else 290
    seats = [Box(panel, partial(_seat, seen=seen, seat=seat, voice=voice)) for seat in range(seen.seats)]
    row = [*seen.row, *(None,) * (engine.ROW - len(seen.row))]
    block = Column(
        (
            Column(
                (Box(56, partial(_header, seen=seen, voice=voice)), _row(partial(_open, one) for one in row)),
                12,
            ),
            Grid(seats, 2 if wide else seen.seats),
            # last, since the corner that others may cover is the back of a card there
            Box(_MIDDLE, partial(_middle, seen=seen, voice=voice)),
        ),
        16,
    )
    return frozen(block, _table_alt(seen, voice), look, bottom=16, ground=GROUND)


def _open(compound: int | None, place: Rect) -> Iterator[Item]:
    """An open compound, or the place of one that nobody has turned up."""
    if compound is None:
        yield Panel(place, None, RADIUS_CARD, "edge", 3)
    else:
        yield Sprite("chemistry.compound", (compound,), place)


def _header(area: Rect, seen: Observation, voice: Voice) -> list[Item]:
    title = voice("picture.round", round=seen.round, rounds=seen.rounds)
    return header(area, title, voice("picture.left", n=seen.stack), 620)


def _middle(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """Stock and discard pile, and beside them what is worth knowing now."""
    width, tall = _CARD
    stock, pile, rest = layout.across(area, (width, width, None), gap=16)
    stock, pile = layout.centred(stock, width, tall), layout.centred(pile, width, tall)
    if seen.stock:
        yield Sprite("chemistry.pile", (str(seen.stock),), stock)
    else:
        yield Panel(stock, None, RADIUS_CARD, "edge", 3)
    if seen.discard:
        yield element(seen.discard[-1], voice, pile)
    else:
        yield Panel(pile, None, RADIUS_CARD, "edge", 3)
    yield Panel(rest, "panel", RADIUS_CARD)
    inner = rest.inset(20, 12)
    claims = open_claims(seen)
    if claims:
        yield from _claims(inner, seen, claims, voice)
        return
    progress = Words(_progress(seen, voice), (Size.CLEAR,), Weight.BOLD, lines=2)
    first, second = layout.down(inner, (progress.height(inner.w), None), gap=6)
    yield from progress.items(first)
    told = last_fact(seen, voice) if seen.over else ""
    yield Text(
        second,
        told or voice.law(seen.decks, seen.round),
        colour="muted",
        max_lines=3,
        fit=Fit.ELLIPSIS,
    )


def _progress(seen: Observation, voice: Voice) -> str:
    """What brings the round to its end."""
    if seen.over:
        return voice("picture.over")
    if seen.canasta:
        return voice("picture.until_stock")
    limit = seen.seats if seen.seats > 1 else engine.SOLO_DRY
    left = limit - seen.dry
    return voice("picture.dry", n=left) if seen.dry else voice("picture.fresh", n=limit)


def _claims(
    area: Rect, seen: Observation, claims: Sequence[tuple[int, int, int]], voice: Voice
) -> Iterator[Item]:
    """Runs with wild cards: whoever holds the element may take the wild."""
    title, first, second = layout.column(area, 3, gap=6)
    runs = list(dict.fromkeys((seat, place) for _, seat, place in claims))
    width = CHIP + 4 + 3 * _SMALL + 8
    gap = 22
    per_line = (area.w + gap) // (width + gap)
    hidden = len(runs) - 2 * per_line
    more = voice("picture.more_runs", n=hidden) if hidden > 0 else ""
    left, right = layout.across(title, (None, text_width(more, Size.SMALL) if more else 0))
    yield Text(left, voice("picture.claims"), Size.CLEAR, Weight.BOLD, fit=Fit.ELLIPSIS)
    if more:
        yield Text(right, more, colour="muted")
    for number, (seat, place) in enumerate(runs[: 2 * per_line]):
        line = first if number < per_line else second
        x = line.x + number % per_line * (width + gap)
        yield from person(Rect(x, line.y, CHIP, _SMALL), seat, "")
        for step, (number_, wild) in enumerate(_numbers(seen.runs[seat][place])):
            spot = Rect(x + CHIP + 4 + step * (_SMALL + 4), line.y, _SMALL, _SMALL)
            if wild:
                yield Panel(spot, "good", 10)
                yield Text(spot, str(number_), Size.CLEAR, Weight.BOLD, "ink", Align.CENTRE)
            else:
                yield tile(number_, spot)


def _numbers(run: RunView) -> list[tuple[int, bool]]:
    """The three numbers of a run, and whether a wild card stands for each."""
    start, cards = run
    return [(start + step, card == WILD) for step, card in enumerate(cards)]


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice) -> tuple[Group]:
    """A player: name, total, what this round has given, cards held, compounds and runs."""
    turn = _won(seen, seat) if seen.over else seat in seen.to_act
    items: list[Item] = [seat_panel(area, lit=turn)]
    wide_panel, taken = seen.seats > _IN_A_ROW, 0
    total = str(seen.totals[seat])
    wide = text_width(total, Size.TITLE, Weight.DISPLAY)
    gain = "" if seen.over else _gain(seen, seat)
    inner = area.inset(12, 8)
    if wide_panel:
        head, rest = layout.down(inner, (52, None), gap=4)
        items.append(Text(Rect(head.right - wide, head.y, wide, head.h), total, Size.TITLE, Weight.DISPLAY))
        name = Rect(head.x, head.y, head.w - wide - 16, head.h)
        worth = text_width(gain, Size.CLEAR, Weight.BOLD) if gain else 0
        if gain and person_width(voice.look.name(seat), weight=Weight.BOLD) + 16 + worth <= name.w:
            room = Rect(name.right - worth, name.y, worth, name.h)
            items.append(Text(room, gain, Size.CLEAR, Weight.BOLD, "accent"))
            name, gain = name._replace(w=name.w - worth - 16), ""
        items += clear_person(name, seat, voice.look.name(seat))
        taken = rest.right - _held(rest._replace(y=rest.y + 2, h=_LARGE_CHIP), rest.right, seen, seat, items)
    else:
        head, score, rest = layout.down(inner, (52, 60, None), gap=4)
        items += clear_person(head, seat, voice.look.name(seat))
        items.append(Text(Rect(score.x, score.y, wide, score.h), total, Size.TITLE, Weight.DISPLAY))
        left = _held(score, score.right, seen, seat, items)
        room = Rect(score.x + wide + 8, score.y + 4, left - 8 - score.x - wide - 8, score.h - 4)
        if gain and text_width(gain, Size.CLEAR, Weight.BOLD) <= room.w:
            items.append(Text(room, gain, Size.CLEAR, Weight.BOLD, "accent"))
            gain = ""
    items += _chips(rest, seen, seat, gain, voice, taken=taken)
    return (Group(area, tuple(items), f"seat {seat}"),)


def _won(seen: Observation, seat: int) -> bool:
    """Whether the finished game is won by a seat; alone it can be lost (decision 10)."""
    if seen.seats == 1 and seen.rounds > 1:
        return seen.totals[0] >= TARGET
    return seen.totals[seat] == max(seen.totals)


def _gain(seen: Observation, seat: int) -> str:
    """What the round has given so far, cards held left out of account."""
    made = COMPOUND * len(seen.captured[seat]) + RUN * RUN_CARD * len(seen.runs[seat])
    return f"+{made}" if made else ""


def _held(area: Rect, right: int, seen: Observation, seat: int, items: list[Item]) -> int:
    """How many cards a player holds, ending at `right`, while the game goes on: where it begins."""
    if seen.over:
        return right
    held = str(seen.sizes[seat])
    wide = text_width(held, Size.CLEAR, Weight.BOLD)
    items.append(Text(Rect(right - wide, area.y, wide, area.h), held, Size.CLEAR, Weight.BOLD))
    items.append(Sprite("elements.back", ("",), Rect(right - wide - 38, area.y + (area.h - 42) // 2, 30, 42)))
    return right - wide - 38


def _chips(
    area: Rect, seen: Observation, seat: int, gain: str, voice: Voice, *, taken: int = 0
) -> Iterator[Item]:
    """What a player has made in this round: compounds, then runs, as far as there is room; before them
    its worth, if that has found no better place. So many pixels of the first line are `taken` at its end."""
    tall, size = (_LARGE_CHIP, Size.CLEAR) if area.w >= _WIDE else (_CHIP, Size.SMALL)
    chips = [
        (formula(BOOK.compounds[number].formula), BOOK.compounds[number].deck)
        for number in reversed(seen.captured[seat])
    ]
    chips += [(f"{start}–{start + 2}", "run") for start, _ in reversed(seen.runs[seat])]
    gap, worth = 6, text_width(gain, size, Weight.BOLD) + 10 if gain else 0
    lines: list[list[tuple[str, str, int]]] = [[]]
    used = worth + taken
    for text, kind in chips:
        wide = min(text_width(text, size, Weight.BOLD) + 30, area.w)
        if used + wide > area.w and used:
            lines.append([])
            used = 0
        lines[-1].append((text, kind, wide))
        used += wide + gap
    most = (area.h - 2 + gap) // (tall + gap)
    shown, more = lines[:most], ""
    hidden = len(chips) - sum(map(len, shown))
    while hidden:
        # the end of the last line tells how many are not shown
        more = voice("picture.more", n=hidden)
        used = sum(chip[2] + gap for chip in shown[-1]) + (worth + taken if len(shown) == 1 else 0)
        if used + _LEAD + text_width(more, size, Weight.BOLD) <= area.w or not shown[-1]:
            break
        shown[-1].pop()
        hidden += 1
    y = area.y + 2
    if gain:
        yield Text(Rect(area.x, y, worth - 10, tall), gain, size, Weight.BOLD, "accent")
    for number, line in enumerate(shown):
        x = area.x + (0 if number else worth)
        for text, kind, wide in line:
            yield Sprite("chemistry.chip", (text, kind), Rect(x, y, wide, tall))
            x += wide + gap
        if more and line is shown[-1]:
            right = area.right - (0 if number else taken)
            yield Text(Rect(x + _LEAD, y, right - x - _LEAD, tall), more, size, Weight.BOLD, "muted")
        y += tall + gap


def _table_alt(seen: Observation, voice: Voice) -> str:
    said = [voice("picture.round", round=seen.round, rounds=seen.rounds) + "."]
    if seen.over:
        said += [voice("picture.over") + ".", last_fact(seen, voice)]
    said.append(voice("alt.row", list=", ".join(BOOK.compounds[number].formula for number in seen.row)))
    top = voice.symbol(seen.discard[-1]) if seen.discard else "–"
    said.append(voice("alt.piles", stock=seen.stock, top=top, stack=seen.stack))
    for seat in range(seen.seats):
        made = ", ".join(BOOK.compounds[number].formula for number in seen.captured[seat][-6:])
        runs = ", ".join(f"{start}–{start + 2}" for start, _ in seen.runs[seat][-4:])
        line = voice("alt.seat", name=voice.look.name(seat), total=seen.totals[seat], n=seen.sizes[seat])
        if made:
            line += voice("alt.made", n=len(seen.captured[seat]), list=made)
        if runs:
            line += voice("alt.runs", n=len(seen.runs[seat]), list=runs)
        if seat in seen.to_act:
            line += voice("alt.turn")
        said.append(line + ".")
    if claims := open_claims(seen):
        told = ", ".join(f"{seat_letter(seat)} {number}" for number, seat, _ in claims)
        said.insert(3, voice("alt.claims", list=told))
    return alt_text(*said)


# a hand


def hand(seen: Observation, look: Look) -> Scene:
    """The observer's cards below the face-up compounds, each marked with what it still needs."""
    voice = Voice(look)
    name = look.name(seen.viewer) if seen.viewer is not None else ""
    play = can_still_play(seen)
    # what is short of what no longer counts when all is over
    wanted = [
        partial(_wanted, compound=compound, short=short, atoms=atoms, voice=voice, play=play)
        for compound, short, atoms in (() if seen.over else shortages(seen))
    ]
    width, tall = _WANTED
    block = Column(
        (
            Spaced(
                Box(HEAD.h, lambda area: hand_head(seen.viewer, name, _note(seen, voice), area, Size.CLEAR)),
                12,
            ),
            Spaced(_row(wanted, (width, tall + 6 + _NEED), 11), 14),
            Spaced(Words(_runs_line(seen, voice), (Size.CLEAR,), Weight.BOLD, lines=2), 8),
            Spaced(_held_cards(seen), 12),
            Words("" if seen.hand else voice("picture.empty"), (Size.CLEAR,), colour="muted"),
            Box(0 if seen.over else _FOOT, lambda area: _foot(area, seen, voice)),
        )
    )
    return frozen(block, _hand_alt(seen, voice), look, top=HEAD.y, bottom=12, ground=GROUND)


def _held_cards(seen: Observation) -> Flow:
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
        yield tile(card, at, cards[card])
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


def _foot(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """What else a decision wants to know: the points, the stock, and what lies on the discard pile. The left
    stays free: something of Discord's may lie there."""
    viewer = seen.viewer if seen.viewer is not None else 0
    x = area.right
    if seen.discard:
        x -= _SMALL
        yield tile(seen.discard[-1], Rect(x, area.y + (area.h - _SMALL) // 2, _SMALL, _SMALL))
        x -= 16
        label = voice("picture.on_pile")
        wide = text_width(label, Size.CLEAR)
        x -= wide
        yield Text(Rect(x, area.y, wide, area.h), label, Size.CLEAR, colour="muted")
        x -= 32
    gain = _gain(seen, viewer)
    key = "picture.foot_gain" if gain else "picture.foot"
    told = voice(key, points=voice("points", n=seen.totals[viewer]), stock=seen.stock, gain=gain)
    left = area.x + CORNER
    sizes = (Size.CLEAR, Size.BODY, Size.SMALL)
    yield from Words(told, sizes, Weight.BOLD, align=Align.RIGHT).items(Rect(left, area.y, x - left, area.h))


def _wanted(
    place: Rect, *, compound: int, short: int, atoms: Sequence[int], voice: Voice, play: bool
) -> Iterator[Item]:
    """An open compound, small, and below it what it needs."""
    card, need = layout.down(place, (_WANTED[1], _NEED), gap=6)
    yield Sprite("chemistry.small_compound", (compound,), card)
    yield from _need(need, short, atoms, voice, play=play)


def _need(area: Rect, short: int, atoms: Sequence[int], voice: Voice, *, play: bool) -> Iterator[Item]:
    """Below a compound: ready, the one card that is missing, or how many are.

    Where nothing can be played any more it is still worth knowing what to keep, so it says that all
    cards are there, without the tick.
    """
    if not short and play:
        yield Panel(area, "accent", RADIUS_CARD)
        text = voice("picture.ready")
        wide = text_width(text, Size.CLEAR, Weight.BOLD)
        left = area.x + (area.w - wide - 44) // 2
        yield Sprite("chemistry.tick", ("accent_ink",), Rect(left, area.y + (area.h - 36) // 2, 36, 36))
        yield Text(Rect(left + 44, area.y, wide, area.h), text, Size.CLEAR, Weight.BOLD, "accent_ink")
        return
    if short > 1:
        yield Panel(area, "panel", RADIUS_CARD)
        text = voice("picture.short", n=short)
        yield Text(area, text, Size.CLEAR, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS)
        return
    if not short:
        yield Panel(area, "panel_high", RADIUS_CARD)
        held = Words(voice("picture.held"), (Size.CLEAR,), Weight.BOLD, align=Align.CENTRE, lines=2)
        yield from held.items(area)
        return
    yield Panel(area, "panel_high", RADIUS_CARD, "accent", 3)
    above, below = layout.column(area.inset(0, 4), 2, gap=0)
    yield Text(above, voice("picture.needs"), Size.CLEAR, colour="muted", align=Align.CENTRE)
    needed = voice.all([voice.symbol(card) for card in atoms], "or")
    sizes = (Size.CLEAR, Size.BODY, Size.SMALL)
    yield from Words(needed, sizes, Weight.BOLD, align=Align.CENTRE).items(below)


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
    line = voice("picture.runs", n=len(found), list=", ".join(told))
    return f"{line} {voice('picture.and_more', n=more)}" if more else line


def _note(seen: Observation, voice: Voice) -> str:
    if seen.viewer not in seen.to_act:
        return ""
    return voice(f"hand.{('first', 'second', 'play', 'after_run', 'after_capture')[seen.phase]}")


def _hand_alt(seen: Observation, voice: Voice) -> str:
    if seen.viewer is None:
        return voice("alt.row", list=", ".join(BOOK.compounds[number].formula for number in seen.row))
    cards = voice.counted(seen.hand) or voice("picture.empty")
    said = [voice("alt.hand", name=voice.look.name(seen.viewer), cards=cards)]
    if line := _runs_line(seen, voice):
        said.append(line + ".")
    top = voice.symbol(seen.discard[-1]) if seen.discard else "–"
    said.append(voice("alt.piles", stock=seen.stock, top=top, stack=seen.stack))
    for compound, short, atoms in () if seen.over else shortages(seen):
        name = BOOK.compounds[compound].formula
        if not short:
            said.append(voice("alt.ready" if can_still_play(seen) else "alt.held", formula=name))
        elif short == 1:
            symbols = voice.all([voice.symbol(card) for card in atoms], "or")
            said.append(voice("alt.needs", formula=name, atoms=symbols))
        else:
            said.append(voice("alt.short", formula=name, n=short))
    return alt_text(*said)
