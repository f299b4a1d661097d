"""The table of Compound Capture and Chemistry Canasta: what is open, and what everybody has made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.chemistry.collect.queries import (
    open_claims,
)
from bot.presenters.chemistry.collect.round_summary import last_fact
from bot.presenters.chemistry.words import GROUND, Voice, formula
from bot.render import layout
from bot.render.blocks import Box, Column, Draw, Flow, Grid, Paragraph, Piece, frozen
from bot.render.parts import (
    ALT,
    CHIP,
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
from engine.chemistry.moves import RUN
from engine.chemistry.observation import Observation, RunView
from engine.chemistry.scoring import COMPOUND, RUN_CARD, TARGET

_COMPOUND: Final = (192, 264)
_CARD: Final = (160, 224)
SMALL: Final = 64
"""How wide and high the smallest cards are, in pixels."""
_CHIP: Final = 44
_LARGE_CHIP, _WIDE = 60, 560
"""How high a chip is in a panel that is so wide, with type to match."""
_MIDDLE: Final = 280
"""How high the piles are with what stands beside them."""
_LEAD: Final = 4
"""More room before the words that follow chips."""
_IN_A_ROW: Final = 4
"""More seats stand two to a row, or their panels would be too narrow to read."""
_NAMED: Final = (6, 4, 2)
"""So many of the compounds and runs of each seat the alt text names, tried in turn."""
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


def in_a_row(draws: Iterable[Draw], size: tuple[int, int] = _COMPOUND, gap: int = 16) -> Flow:
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
                (
                    Box(56, partial(_header, seen=seen, voice=voice)),
                    in_a_row(partial(_open, one) for one in row),
                ),
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
    progress = Paragraph(_progress(seen, voice), (Size.CLEAR,), Weight.BOLD, lines=2)
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
    width = CHIP + 4 + 3 * SMALL + 8
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
        yield from person(Rect(x, line.y, CHIP, SMALL), seat, "")
        for step, (number_, wild) in enumerate(_numbers(seen.runs[seat][place])):
            spot = Rect(x + CHIP + 4 + step * (SMALL + 4), line.y, SMALL, SMALL)
            if wild:
                yield Panel(spot, "good", 10)
                yield Text(spot, str(number_), Size.CLEAR, Weight.BOLD, "ink", Align.CENTRE)
            else:
                yield tile(number_, spot)


def _numbers(run: RunView) -> list[tuple[int, bool]]:
    """The three numbers of a run, and whether a wild card stands for each."""
    start, cards = run
    return [(start + step, card == WILD) for step, card in enumerate(cards)]


def _seat(area: Rect, seen: Observation, seat: int, voice: Voice) -> tuple[ItemGroup]:
    """A player: name, total, what this round has given, cards held, compounds and runs."""
    turn = _won(seen, seat) if seen.over else seat in seen.to_act
    items: list[Item] = [seat_panel(area, lit=turn)]
    wide_panel, taken = seen.seats > _IN_A_ROW, 0
    total = str(seen.totals[seat])
    wide = text_width(total, Size.TITLE, Weight.DISPLAY)
    won = "" if seen.over else gain_of(seen, seat)
    inner = area.inset(12, 8)
    if wide_panel:
        head, rest = layout.down(inner, (52, None), gap=4)
        items.append(Text(Rect(head.right - wide, head.y, wide, head.h), total, Size.TITLE, Weight.DISPLAY))
        name = Rect(head.x, head.y, head.w - wide - 16, head.h)
        worth = text_width(won, Size.CLEAR, Weight.BOLD) if won else 0
        if won and person_width(voice.drawn(seat), weight=Weight.BOLD) + 16 + worth <= name.w:
            room = Rect(name.right - worth, name.y, worth, name.h)
            items.append(Text(room, won, Size.CLEAR, Weight.BOLD, "accent"))
            name, won = name._replace(w=name.w - worth - 16), ""
        items += clear_person(name, seat, voice.drawn(seat))
        taken = rest.right - _held(rest._replace(y=rest.y + 2, h=_LARGE_CHIP), rest.right, seen, seat, items)
    else:
        head, score, rest = layout.down(inner, (52, 60, None), gap=4)
        items += clear_person(head, seat, voice.drawn(seat))
        items.append(Text(Rect(score.x, score.y, wide, score.h), total, Size.TITLE, Weight.DISPLAY))
        left = _held(score, score.right, seen, seat, items)
        room = Rect(score.x + wide + 8, score.y + 4, left - 8 - score.x - wide - 8, score.h - 4)
        if won and text_width(won, Size.CLEAR, Weight.BOLD) <= room.w:
            items.append(Text(room, won, Size.CLEAR, Weight.BOLD, "accent"))
            won = ""
    items += _chips(rest, seen, seat, won, voice, taken=taken)
    return (ItemGroup(area, tuple(items), f"seat {seat}"),)


def _won(seen: Observation, seat: int) -> bool:
    """Whether the finished game is won by a seat; alone it can be lost (decision 10)."""
    if seen.seats == 1 and seen.rounds > 1:
        return seen.totals[0] >= TARGET
    return seen.totals[seat] == max(seen.totals)


def _made(seen: Observation, seat: int) -> int:
    """Return the points of the round so far, without those for cards still held."""
    return COMPOUND * len(seen.captured[seat]) + RUN * RUN_CARD * len(seen.runs[seat])


def gain_of(seen: Observation, seat: int) -> str:
    """Return the gain of the round as text, "" for none."""
    made = _made(seen, seat)
    return f"+{made}" if made else ""


def points_now(seen: Observation, seat: int) -> int:
    """Return the points of a seat, including the current round."""
    return seen.totals[seat] + (0 if seen.over else _made(seen, seat))


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
    """The table in sentences; where many have made much, fewer of the latest are named, the numbers stay."""
    told = ""
    for most in _NAMED:
        told = " ".join(_table_said(seen, voice, most))
        if len(told) <= ALT:
            break
    return alt_text(told)


def _table_said(seen: Observation, voice: Voice, most: int) -> list[str]:
    said = [voice("picture.round", round=seen.round, rounds=seen.rounds) + "."]
    if seen.over:
        said += [voice("picture.over") + ".", last_fact(seen, voice)]
    else:
        said.append(_progress(seen, voice))
    said.append(voice("alt.row", list=voice.listed(BOOK.compounds[number].formula for number in seen.row)))
    top = voice.symbol(seen.discard[-1]) if seen.discard else "–"
    said.append(voice("alt.piles", stock=seen.stock, top=top, n=seen.stack))
    for seat in range(seen.seats):
        made = voice.listed(BOOK.compounds[number].formula for number in seen.captured[seat][-most:])
        runs = voice.listed(f"{start}–{start + 2}" for start, _ in seen.runs[seat][-min(most, 4) :])
        gain = "" if seen.over else gain_of(seen, seat)
        total = voice("alt.gain", points=seen.totals[seat], gain=gain) if gain else seen.totals[seat]
        line = voice("alt.seat", name=voice.look.name(seat), total=total, n=seen.sizes[seat])
        if made:
            line += voice("alt.made", n=len(seen.captured[seat]), list=made)
        if runs:
            line += voice("alt.runs", n=len(seen.runs[seat]), list=runs)
        if seat in seen.to_act:
            line += voice("alt.turn")
        said.append(line + ".")
    if claims := open_claims(seen):
        told = voice.listed(f"{seat_letter(seat)} {number}" for number, seat, _ in claims)
        said.insert(4, voice("alt.claims", list=told))
    return [one for one in said if one]
