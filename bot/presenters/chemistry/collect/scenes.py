"""The pictures of Compound Capture and Chemistry Canasta: the table, and a hand with what it can capture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.chemistry.collect.made import last_fact
from bot.presenters.chemistry.collect.queries import can_still_play, counted, open_claims, shortages
from bot.presenters.chemistry.words import Voice, formula
from bot.presenters.elements.painters import Face
from bot.render import layout
from bot.render.blocks import Box, Column, Draw, Flow, Grid, Piece, even, frozen
from bot.render.parts import HEAD, INNER, alt_text, band, hand_head, header, person, seat_panel, text_width
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
from bot.render.sprites import LIFT
from bot.render.theme import RADIUS_CARD, RADIUS_SMALL, seat_letter
from engine.chemistry import observation as engine
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.moves import RUN, runs
from engine.chemistry.observation import Observation, RunView
from engine.chemistry.scoring import COMPOUND, RUN_CARD, TARGET
from engine.elements import ELEMENTS

_COMPOUND: Final = (192, 264)
_CARD: Final = (160, 224)
_TILE: Final = (112, 128)
_SMALL: Final = 60
_MOST_CARDS: Final = 14
"""So many kinds are shown as full cards; more of them as tiles."""
_CHIP: Final = 44
_LEAD: Final = 4
"""More room before the words that follow chips."""
_IN_A_ROW: Final = 4
"""More seats stand in two rows, or their panels would be too narrow to read."""


def element(card: int, voice: Voice, place: Rect) -> Sprite:
    """A card of the draw pile, face up."""
    if card == WILD:
        return Sprite("chemistry.wild", (voice("wild_title"),), place)
    return Sprite("elements.card", (Face(card),), place)


def tile(card: int, place: Rect) -> Sprite:
    """A card of the draw pile, small."""
    return Sprite("chemistry.tile", (card, ELEMENTS[card - 1].symbol if card else ""), place)


def _row(draws: Iterable[Draw], below: int = 0) -> Flow:
    """The open compounds side by side, each with so much room below it."""
    width, tall = _COMPOUND
    return Flow([Piece(width, tall + below, draw) for draw in draws], 16, align=Align.CENTRE)


def _places(top: int) -> tuple[Rect, ...]:
    width, height = _COMPOUND
    return layout.spread(band(top, height), engine.ROW, width, height, gap=16)


# the table


def table(seen: Observation, look: Look) -> Scene:
    """The table as everybody may see it, 1280x900; with more than four seats a little taller."""
    voice = Voice(look)
    wide = seen.seats > _IN_A_ROW
    panel = 168 if wide else 280
    seats = [Box(panel, partial(_seat, seen=seen, seat=seat, voice=voice)) for seat in range(seen.seats)]
    row = [*seen.row, *(None,) * (engine.ROW - len(seen.row))]
    block = Column(
        (
            Column(
                (Box(56, partial(_header, seen=seen, voice=voice)), _row(partial(_open, one) for one in row)),
                12,
            ),
            Box(_CARD[1], partial(_middle, seen=seen, voice=voice)),
            Grid(seats, 3 if wide else seen.seats),
        ),
        16,
    )
    return frozen(block, _table_alt(seen, voice), look, bottom=16)


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
    width, _ = _CARD
    stock, pile, rest = layout.across(area, (width, width, None), gap=16)
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
    lines = layout.column(inner, 4, gap=2)
    yield Text(lines[0], _progress(seen, voice), Size.SMALL, Weight.BOLD, fit=Fit.ELLIPSIS)
    told = last_fact(seen, voice) if seen.over else ""
    yield Text(
        Rect(inner.x, lines[1].y, inner.w, lines[3].bottom - lines[1].y),
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
    width = 44 + 8 + 3 * _SMALL + 8
    per_line = (area.w + 28) // (width + 28)
    hidden = len(runs) - 2 * per_line
    more = voice("picture.more_runs", n=hidden) if hidden > 0 else ""
    left, right = layout.across(title, (None, text_width(more, Size.SMALL) if more else 0))
    yield Text(left, voice("picture.claims"), Size.SMALL, Weight.BOLD, fit=Fit.ELLIPSIS)
    if more:
        yield Text(right, more, colour="muted")
    for number, (seat, place) in enumerate(runs[: 2 * per_line]):
        line = first if number < per_line else second
        x = line.x + number % per_line * (width + 28)
        yield from person(Rect(x, line.y, 44, _SMALL), seat, "")
        for step, card in enumerate(_numbers(seen.runs[seat][place])):
            spot = Rect(x + 52 + step * (_SMALL + 4), line.y, _SMALL, _SMALL)
            number_, wild = card
            if wild:
                yield Panel(spot, "good", 10)
                yield Text(spot, str(number_), Size.SMALL, Weight.BOLD, "ink", Align.CENTRE)
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
    wide_panel = seen.seats > _IN_A_ROW
    size = Size.BODY if wide_panel else Size.TITLE
    total = str(seen.totals[seat])
    wide = text_width(total, size, Weight.DISPLAY)
    gain = "" if seen.over else _gain(seen, seat)
    inner = area.inset(12, 8)
    if wide_panel:
        head, rest = layout.down(inner, (48, None), gap=4)
        items.append(Text(Rect(head.right - wide, head.y, wide, head.h), total, size, Weight.DISPLAY))
        left = _held(head, head.right - wide - 16, seen, seat, items)
        items += person(
            Rect(head.x, head.y, left - 12 - head.x, head.h), seat, voice.look.name(seat), weight=Weight.BOLD
        )
    else:
        head, score, rest = layout.down(inner, (48, 56, None), gap=4)
        items += person(head, seat, voice.look.name(seat), weight=Weight.BOLD)
        items.append(Text(Rect(score.x, score.y, wide, score.h), total, size, Weight.DISPLAY))
        left = _held(score, score.right, seen, seat, items)
        room = Rect(score.x + wide + 8, score.y + 4, left - 8 - score.x - wide - 8, score.h - 4)
        if gain and text_width(gain, Size.SMALL, Weight.BOLD) <= room.w:
            items.append(Text(room, gain, Size.SMALL, Weight.BOLD, "accent"))
            gain = ""
    items += _chips(rest, seen, seat, gain, voice)
    return (Group(area, tuple(items)),)


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
    wide = text_width(held, Size.SMALL, Weight.BOLD)
    items.append(Text(Rect(right - wide, area.y, wide, area.h), held, Size.SMALL, Weight.BOLD))
    items.append(Sprite("elements.back", ("",), Rect(right - wide - 38, area.y + (area.h - 42) // 2, 30, 42)))
    return right - wide - 38


def _chips(area: Rect, seen: Observation, seat: int, gain: str, voice: Voice) -> Iterator[Item]:
    """What a player has made in this round: compounds, then runs, as far as there is room; before them
    its worth, if that has found no better place."""
    chips = [
        (formula(BOOK.compounds[number].formula), BOOK.compounds[number].deck)
        for number in reversed(seen.captured[seat])
    ]
    chips += [(f"{start}–{start + 2}", "run") for start, _ in reversed(seen.runs[seat])]
    gap, worth = 6, text_width(gain, Size.SMALL, Weight.BOLD) + 10 if gain else 0
    lines: list[list[tuple[str, str, int]]] = [[]]
    used = worth
    for text, kind in chips:
        wide = min(text_width(text, Size.SMALL, Weight.BOLD) + 30, area.w)
        if used + wide > area.w and used:
            lines.append([])
            used = 0
        lines[-1].append((text, kind, wide))
        used += wide + gap
    most = (area.h - 2 + gap) // (_CHIP + gap)
    shown, more = lines[:most], ""
    hidden = len(chips) - sum(map(len, shown))
    while hidden:
        # the end of the last line tells how many are not shown
        more = voice("picture.more", n=hidden)
        used = sum(chip[2] + gap for chip in shown[-1]) + (worth if len(shown) == 1 else 0)
        if used + _LEAD + text_width(more, Size.SMALL, Weight.BOLD) <= area.w or not shown[-1]:
            break
        shown[-1].pop()
        hidden += 1
    y = area.y + 2
    if gain:
        yield Text(Rect(area.x, y, worth - 10, _CHIP), gain, Size.SMALL, Weight.BOLD, "accent")
    for number, line in enumerate(shown):
        x = area.x + (0 if number else worth)
        for text, kind, wide in line:
            yield Sprite("chemistry.chip", (text, kind), Rect(x, y, wide, _CHIP))
            x += wide + gap
        if more and line is shown[-1]:
            yield Text(
                Rect(x + _LEAD, y, area.right - x - _LEAD, _CHIP), more, Size.SMALL, Weight.BOLD, "muted"
            )
        y += _CHIP + gap


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
    items = hand_head(seen.viewer, name, _note(seen, voice))
    top = HEAD.bottom + 8 + LIFT
    found, play = shortages(seen), can_still_play(seen)
    for place, (compound, short, atoms) in zip(_places(top), found, strict=False):
        states = frozenset({State.RAISED}) if play and not short else frozenset[State]()
        items.append(Sprite("chemistry.compound", (compound,), place, states))
        items += _need(Rect(place.x, place.bottom + 8, place.w, 52), short, atoms, voice, play=play)
    bottom = top + _COMPOUND[1] + 8 + 52
    if told := _runs_line(seen, voice):
        items.append(Text(band(bottom + 12, 52), told, fit=Fit.ELLIPSIS))
        bottom += 60
    cards = Counter(seen.hand)
    kinds = sorted(cards, key=lambda card: (card == WILD, card))
    width, height = _CARD if len(kinds) <= _MOST_CARDS else _TILE
    line = even(len(kinds), 7 if len(kinds) <= _MOST_CARDS else 10)

    def held(card: int, area: Rect) -> Iterator[Item]:
        place = area._replace(h=height)
        yield element(card, voice, place) if width == _CARD[0] else tile(card, place)
        if cards[card] > 1:
            box = Rect(place.x + place.w // 2 - 44, place.bottom + 6, 88, 46)
            yield Panel(box, "panel_high", RADIUS_SMALL)
            yield Text(box, f"×{cards[card]}", Size.SMALL, Weight.BOLD, align=Align.CENTRE)

    pieces = [Piece(width, height + 6 + 46, partial(held, card)) for card in kinds]
    flow = Flow(pieces, 16 if line < 10 else 12, 14, Align.CENTRE, line)
    area = band(bottom + 24, flow.height(INNER))
    items += flow.items(area)
    y = area.bottom + (14 if kinds else 0)
    if not kinds:
        empty = band(y, 80)
        items.append(Text(empty, voice("picture.empty"), Size.BODY, colour="muted", align=Align.CENTRE))
        y += 96
    return Scene(BASE_WIDTH, y + 4, tuple(items), _hand_alt(seen, voice), look)


def _need(area: Rect, short: int, atoms: Sequence[int], voice: Voice, *, play: bool) -> Iterator[Item]:
    """Below a compound: ready, the one card that is missing, or how many are.

    Where nothing can be played any more it is still worth knowing what to keep, so it says that all
    cards are there, without the tick.
    """
    if not short and not play:
        yield Panel(area, "panel_high", RADIUS_CARD)
        yield Text(area, voice("picture.held"), Size.SMALL, Weight.BOLD, align=Align.CENTRE)
        return
    if not short:
        yield Panel(area, "accent", RADIUS_CARD)
        text = voice("picture.ready")
        wide = text_width(text, Size.SMALL, Weight.BOLD)
        left = area.x + (area.w - wide - 46) // 2
        yield Sprite("chemistry.tick", ("accent_ink",), Rect(left, area.y + 9, 34, 34))
        yield Text(Rect(left + 46, area.y, wide, area.h), text, Size.SMALL, Weight.BOLD, "accent_ink")
        return
    if short > 1:
        yield Panel(area, "panel", RADIUS_CARD)
        text = voice("picture.short", n=short)
        yield Text(area, text, colour="muted", align=Align.CENTRE, fit=Fit.ELLIPSIS)
        return
    yield Panel(area, "panel_high", RADIUS_CARD)
    symbols = voice("picture.slash").join(voice.symbol(card) for card in atoms)
    text = voice("picture.needs", atoms=symbols)
    if text_width(text, Size.SMALL, Weight.BOLD) > area.w - 16:
        text = symbols
    yield Text(area, text, Size.SMALL, Weight.BOLD, align=Align.CENTRE, fit=Fit.ELLIPSIS)


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
    for compound, short, atoms in shortages(seen):
        name = BOOK.compounds[compound].formula
        if not short:
            said.append(voice("alt.ready" if can_still_play(seen) else "alt.held", formula=name))
        elif short == 1:
            symbols = voice.all([voice.symbol(card) for card in atoms], "or")
            said.append(voice("alt.needs", formula=name, atoms=symbols))
        else:
            said.append(voice("alt.short", formula=name, n=short))
    return alt_text(*said)
