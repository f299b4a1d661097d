"""The pictures of Chemistry Battle: the round on the table, the hand, and how the piles fought it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from bot.presenters.base import Keepsake
from bot.presenters.chemistry.battle import queries
from bot.presenters.chemistry.words import GROUND, Voice
from bot.render import layout
from bot.render.animate import MAX_FRAMES
from bot.render.blocks import (
    Block,
    Box,
    Column,
    Flow,
    Grid,
    Paragraph,
    Piece,
    RightOfCorner,
    Spaced,
    even,
    frozen,
    tagged_piece,
)
from bot.render.pages import curves
from bot.render.pages.standings import SeatScore, Standings
from bot.render.parts import (
    CHIP,
    HEAD,
    INNER,
    alt_text,
    clear_person,
    hand_head,
    header,
    person,
    person_width,
    seat_panel,
    sentence,
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
    SpriteState,
    Text,
    Weight,
)
from bot.render.theme import RADIUS_CARD, RADIUS_PANEL, seat_colour
from engine.chemistry.battle.rounds import HOUSE, ORDERS, Move, Observation
from engine.chemistry.deck import BASIC
from engine.elements import ELEMENTS
from engine.game import Outcome

_RATIO: Final = 208 / 292
_IN_A_ROW: Final = 4
"""More players stand in two rows, each in one line, or their names would be cut."""
_CENTRED: Final = 2
"""The cards of so many players lie in the middle, clear of the corner at the lower left."""
_UNDER: Final = 56
"""How high the line of words below the cards of more players is."""
FIRST_MS, FRAME_MS, LAST_MS = 1200, 420, 4000
"""How long the frames of the animation stay, in milliseconds."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """One moment of a battle: who has put which card, who takes it, and how many cards each hand has."""

    title: str
    plays: tuple[tuple[int, int], ...]
    winner: int
    held: tuple[int, ...]
    piles: tuple[int, ...]
    kitty: int = 0
    turn: int = -1


def hand_name(seen: Observation, hand: int, voice: Voice) -> str:
    """The name of a hand in words: a seat's, or the house."""
    return voice("house") if hand == HOUSE and seen.seats == 1 else voice.look.name(hand)


def _drawn(seen: Observation, hand: int, voice: Voice) -> str:
    """The same as pictures write it."""
    return voice("house") if hand == HOUSE and seen.seats == 1 else voice.drawn(hand)


Named: TypeAlias = Callable[[Observation, int, Voice], str]
"""How a hand is named."""


def _ordered(leader: int, cards: Sequence[int], hands: int) -> tuple[tuple[int, int], ...]:
    return tuple(zip(ORDERS[hands][leader], cards, strict=False))


def _now(seen: Observation, voice: Voice) -> _Shown:
    """The running round; between rounds the one that was just decided."""
    plays, winner = _ordered(seen.leader, seen.plays, seen.hands), -1
    if not plays and seen.last is not None:
        plays = _ordered(seen.last.leader, seen.last.cards, seen.hands)
        winner = seen.last.winner
    number = seen.round if winner >= 0 else seen.round + 1
    # whoever is still to play holds one card for each round that has not been decided
    rounds = max(seen.sizes) + seen.round
    title = voice("battle.round", round=number, rounds=rounds)
    piles = tuple(map(len, seen.piles))
    return _Shown(title, plays, winner, seen.sizes, piles, seen.kitty, seen.turn)


def table(seen: Observation, look: Look) -> Scene:
    """The table as everybody may see it: the round, or when all is over the course of the battle."""
    voice = Voice(look)
    if seen.over and seen.finale:
        return _summary(seen, voice)
    if seen.over:
        title = voice("battle.no_piles", n=seen.round)
        return _scene(replace(_now(seen, voice), title=title, turn=in_front(seen)), seen, voice)
    return _scene(_now(seen, voice), seen, voice)


def in_front(seen: Observation) -> int:
    """The hand that has won: the most cards, then the highest single one."""
    keys = [(len(pile), max(pile, default=0)) for pile in seen.piles]
    return keys.index(max(keys))


def _scene(shown: _Shown, seen: Observation, voice: Voice) -> Scene:
    count = len(shown.held)
    kitty = voice("battle.kitty", n=shown.kitty) if shown.kitty else ""
    order = [hand for hand, _ in shown.plays]
    # cards lie in the order of play, the hands still to come behind them
    order += [hand for hand in ORDERS[count][order[-1] if order else max(shown.turn, 0)] if hand not in order]
    width = min(312, (INNER - 32 - 16 * (count - 1)) // count)
    tall = round((width - 24) / _RATIO) + 52 + 8 + 24
    small = count > _IN_A_ROW

    def battle(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        places = layout.spread(area.inset(16, 16), count, width, tall, gap=32)
        for place, hand in zip(places, order, strict=True):
            yield _play(place, hand, shown, seen, voice, named=not small)

    def foot(area: Rect) -> Iterator[Item]:
        if text := _news(shown, seen, voice):
            colour, sizes = "accent" if seen.plays else "text", (Size.CLEAR, Size.BODY, Size.SMALL)
            yield from Paragraph(text, sizes, Weight.BOLD, colour, Align.RIGHT).items(area)

    head = Box(56, lambda area: header(area, shown.title, kitty, 420 if kitty else 0))
    # the seats stand above, since others may cover the corner at the lower left; where the first card lies
    # there, a line of words lifts its name out of it
    parts: list[Block] = [head, _seats(shown, seen, voice), Box(tall + 32, battle)]
    if _CENTRED < count <= _IN_A_ROW:
        parts.append(Box(_UNDER, foot))
    block = Column(parts, 16)
    return frozen(block, _alt(shown, seen, voice), voice.look, ground=GROUND)


def _news(shown: _Shown, seen: Observation, voice: Voice, named: Named = _drawn) -> str:
    """What is to be beaten in the running round, or who won the last one; nothing before the first."""
    if seen.plays:
        return voice("battle.beat", card=max(seen.plays))
    if shown.winner < 0:
        return ""
    house = shown.winner == HOUSE and seen.seats == 1
    name = named(seen, shown.winner, voice)
    return voice("battle.last_house" if house else "battle.last", name=name, n=len(shown.plays))


def _seats(shown: _Shown, seen: Observation, voice: Voice) -> Grid:
    count = len(shown.held)
    small = count > _IN_A_ROW
    draw, tall = (_line, 76) if small else (_seat, 150)
    panels = (partial(draw, hand=hand, shown=shown, seen=seen, voice=voice) for hand in range(count))
    return Grid([Box(tall, panel) for panel in panels], 2 if small else count)


def _play(area: Rect, hand: int, shown: _Shown, seen: Observation, voice: Voice, *, named: bool) -> ItemGroup:
    """One column of the battle: who, by name or by letter alone, and the card or its empty place."""
    card = dict(shown.plays).get(hand, 0)
    items: list[Item] = []
    wins = hand == shown.winner
    if wins:
        items.append(seat_panel(area, lit=True))
    name, place = layout.down(area.inset(12, 12), (52, None), gap=8)
    label = _drawn(seen, hand, voice) if named else ""
    crown = 52 if wins else 0
    clear = person_width(label, Size.CLEAR, weight=Weight.BOLD) + crown
    wide = min(name.w, clear if clear <= name.w else person_width(label, weight=Weight.BOLD) + crown)
    name = Rect(name.x + (name.w - wide) // 2, name.y, wide, name.h)
    if wins:
        items.append(
            Sprite("elements.sign", ("crown", "accent", "panel_high"), Rect(name.x, name.y + 4, 44, 44))
        )
    items += clear_person(Rect(name.x + crown, name.y, name.w - crown, name.h), hand, label)
    # nobody's card leaves its place when the round is decided: only the frame appears
    size = layout.fitted(place, _RATIO)
    if card:
        states = (
            frozenset({SpriteState.DIMMED}) if shown.winner >= 0 and not wins else frozenset[SpriteState]()
        )
        title = voice.element(card) if size.w >= 240 else ""
        items.append(Sprite("chemistry.battle_card", (card, title), size, states))
    else:
        items.append(Panel(size, None, RADIUS_CARD, "edge", 3))
    return ItemGroup(area, tuple(items), f"card {hand}")


def _seat(area: Rect, hand: int, shown: _Shown, seen: Observation, voice: Voice) -> tuple[ItemGroup]:
    """A player: cards captured, large, and cards still in hand."""
    turn = hand == shown.turn
    items: list[Item] = [seat_panel(area, lit=turn)]
    name, score = layout.down(area.inset(12, 8), (50, None), gap=4)
    items += clear_person(name, hand, _drawn(seen, hand, voice))
    pile = str(shown.piles[hand])
    wide = text_width(pile, Size.LARGE, Weight.DISPLAY)
    items.append(Text(Rect(score.x, score.y, wide, score.h), pile, Size.LARGE, Weight.DISPLAY))
    x = score.right
    if shown.held[hand]:
        held = str(shown.held[hand])
        x -= text_width(held, Size.SMALL, Weight.BOLD)
        items.append(Text(Rect(x, score.y, score.right - x, score.h), held, Size.SMALL, Weight.BOLD))
        x -= 38
        items.append(Sprite("elements.back", ("",), Rect(x, score.y + (score.h - 42) // 2, 30, 42)))
    label = voice("battle.won")
    room = x - 12 - score.x - wide - 12
    if text_width(label, Size.SMALL) <= room:
        items.append(Text(Rect(score.x + wide + 12, score.y + 8, room, score.h - 8), label, colour="muted"))
    return (ItemGroup(area, tuple(items), f"seat {hand}"),)


def _line(area: Rect, hand: int, shown: _Shown, seen: Observation, voice: Voice) -> tuple[ItemGroup]:
    """A player in one line, where there are many."""
    items: list[Item] = [seat_panel(area, lit=hand == shown.turn)]
    inner = area.inset(12, 8)
    pile = str(shown.piles[hand])
    wide = text_width(pile, Size.TITLE, Weight.DISPLAY)
    x = inner.right - wide
    items.append(Text(Rect(x, inner.y, wide, inner.h), pile, Size.TITLE, Weight.DISPLAY))
    if shown.held[hand]:
        held = str(shown.held[hand])
        wide = text_width(held, Size.CLEAR, Weight.BOLD)
        x -= wide + 24
        items.append(Text(Rect(x, inner.y, wide, inner.h), held, Size.CLEAR, Weight.BOLD, "muted"))
        x -= 40
        items.append(Sprite("elements.back", ("",), Rect(x, inner.y + (inner.h - 42) // 2, 30, 42)))
    name = Rect(inner.x, inner.y, x - 12 - inner.x, inner.h)
    items += clear_person(name, hand, _drawn(seen, hand, voice))
    return (ItemGroup(area, tuple(items), f"seat {hand}"),)


def _element(card: int, voice: Voice) -> str:
    return f"{voice.element(card)} {card}"


def _alt(shown: _Shown, seen: Observation, voice: Voice) -> str:
    said = [shown.title + "."]
    for hand, card in shown.plays:
        key = "alt.battle_wins" if hand == shown.winner else "alt.battle_play"
        said.append(voice(key, name=hand_name(seen, hand, voice), card=_element(card, voice)))
    said.append(sentence(_news(shown, seen, voice, hand_name)))
    for hand, pile in enumerate(shown.piles):
        line = voice("alt.battle_seat", name=hand_name(seen, hand, voice), n=pile, held=shown.held[hand])
        said.append(line + (voice("alt.turn") if hand == shown.turn and not seen.over else "") + ".")
    if shown.kitty:
        said.append(voice("battle.kitty", n=shown.kitty) + ".")
    return alt_text(*said)


# when all is over


def _summary(seen: Observation, voice: Voice) -> Scene:
    """Phase 2 in one picture: a curve for each hand, and what each has at the end."""
    count = seen.hands
    title = voice("battle.over", n=seen.round)
    # long battles are thinned out: the picture is narrower than the story is long
    fight = queries.fight(seen)
    series = tuple((fight.before[hand], *(one.sizes[hand] for one in fight.shown)) for hand in range(count))
    most = max(max(line) for line in series)
    colours = tuple(seat_colour(hand) for hand in range(count))
    rounds = voice("battle.rounds", first=seen.round - seen.finale, last=seen.round)

    def chart(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        top, plot = layout.down(area.inset(20, 12), (56, None), gap=4)
        left, right = layout.row(top, 2)
        yield Text(left, voice("battle.cards", n=most), Size.BODY, colour="muted")
        yield Text(right, rounds, Size.BODY, colour="muted", align=Align.RIGHT)
        lines, names = layout.across(plot, (None, _NAMES), gap=12)
        yield Sprite("house.curves", (series, colours, -1), lines)
        for hand, place in enumerate(layout.avoid_overlap(curves.ends(series, lines), _LABEL, names)):
            yield from clear_person(place, hand, _drawn(seen, hand, voice))

    piles = tuple(map(len, seen.piles))
    winner = in_front(seen)
    shown = _Shown(title, (), winner, (0,) * count, piles, turn=winner)
    head = Box(56, lambda area: header(area, title))
    said = [title + "."]
    for hand in range(count):
        key = "alt.battle_first" if hand == winner else "alt.battle_end"
        said.append(voice(key, name=hand_name(seen, hand, voice), before=fight.before[hand], n=piles[hand]))
    block = Column((head, _seats(shown, seen, voice), Box(500, chart)), 16)
    return frozen(block, alt_text(*said), voice.look, ground=GROUND)


_NAMES, _LABEL = 360, 56
"""How wide and how high the name at the end of a curve is."""


def film(seen: Observation, look: Look) -> tuple[tuple[Scene, int], ...]:
    """Phase 2 as an animation: (scene, milliseconds); empty where it did not take place.

    All frames have one size. Of a long battle the first round is shown, the last one, those that brought
    another hand into the lead, and between them some that are evenly spread.
    """
    if not seen.over or not seen.finale:
        return ()
    voice = Voice(look)
    fight, begin = queries.fight(seen, MAX_FRAMES, MAX_FRAMES // 2), seen.round - seen.finale
    frames = []
    for place, (number, one, sizes) in enumerate(fight.shown):
        title = voice("battle.auto", round=begin + number)
        plays = _ordered(one.leader, one.cards, seen.hands)
        shown = _Shown(title, plays, one.winner, (0,) * seen.hands, sizes)
        stay = FIRST_MS if not place else LAST_MS if place == len(fight.shown) - 1 else FRAME_MS
        frames.append((_scene(shown, seen, voice), stay))
    return tuple(frames)


def keepsake(_outcome: Outcome, seen: Observation, look: Look) -> Keepsake | None:
    """The piles' own battle as a moving picture."""
    frames = film(seen, look)
    if not frames:
        return None
    voice = Voice(look)
    return Keepsake(
        label=voice("film.label"),
        name="battle.gif",
        text=voice("film.text"),
        alt=frames[-1][0].alt,
        make="bot.render.animate:from_facts",
        facts={"frames": frames},
        still=frames[-1][0],
    )


# a hand

_FEW: Final = 7
_COLUMNS: Final = 9
_BEAT: Final = (92, 116)
_FOOT: Final = 112
"""How high the foot of a hand is: a badge of 30 px on a phone lies at its left."""


def hand(seen: Observation, look: Look) -> Scene:
    """The observer's cards, ascending, below the cards to beat; in a blind game the top card and how many lie
    below it. Cards that cannot win the round any more are faint."""
    voice = Voice(look)
    viewer = seen.viewer if seen.viewer is not None else 0
    cards = sorted(seen.hand)
    turn = seen.turn == seen.viewer
    note = _note(seen, voice)
    few = len(cards) <= _FEW
    width, height = (160, 208) if few else (124, 128)
    best = max(seen.plays, default=0) if turn and not seen.blind else 0

    def piece(card: int) -> Piece:
        states = frozenset({SpriteState.DIMMED}) if card < best else frozenset[SpriteState]()
        shown = Piece(width, height, lambda at: (Sprite("chemistry.number", (card,), at, states),))
        return tagged_piece(shown, f"held {card}")

    below = _below(seen, voice)
    line = even(len(cards), _FEW if few else _COLUMNS)
    foot = RightOfCorner(_standings(seen, voice))
    block = Column(
        (
            Spaced(
                Box(HEAD.h, lambda area: hand_head(seen.viewer, voice.drawn(viewer), note, area, Size.CLEAR)),
                12,
            ),
            Spaced(Box(_BEAT[1] + 24, lambda area: _to_beat(area, seen, voice)), 20),
            Spaced(Flow(list(map(piece, cards)), 14, 14, Align.CENTRE, line), 8),
            Paragraph(
                "" if cards else voice("picture.empty"), (Size.CLEAR,), colour="muted", align=Align.CENTRE
            ),
            Paragraph(below, (Size.CLEAR,), colour="muted", align=Align.CENTRE),
            Box(max(_FOOT, foot.height(INNER)), foot.items),
        )
    )
    return frozen(block, _hand_alt(seen, cards, voice), look, top=HEAD.y, bottom=8, ground=GROUND)


def spots(seen: Observation, move: Move) -> tuple[str, ...]:
    """The card that a move is about; see `bot.presenters.base.Presenter.spots`. A blind one is not shown."""
    return () if seen.blind else (f"held {move.card}",)


def _standings(seen: Observation, voice: Voice) -> Standings:
    """The number of cards that each hand has won."""
    return Standings(
        [SeatScore(hand, _drawn(seen, hand, voice), str(len(pile))) for hand, pile in enumerate(seen.piles)],
        -1 if seen.viewer is None else seen.viewer,
        voice("battle.scores"),
        Align.RIGHT,
    )


def _note(seen: Observation, voice: Voice) -> str:
    """What is asked of the viewer."""
    if seen.turn != seen.viewer or not seen.hand:
        return ""
    return voice("hand.flip" if seen.blind else "hand.battle")


def _below(seen: Observation, voice: Voice) -> str:
    """In a blind game how many cards lie below the top one."""
    viewer = seen.viewer if seen.viewer is not None else 0
    below = seen.sizes[viewer] - 1
    return voice("battle.below", n=below) if seen.blind and seen.hand and below > 0 else ""


def _asked(shown: _Shown, seen: Observation, voice: Voice, named: Named = _drawn) -> str:
    """What is to be beaten, who won, or that the viewer leads the round."""
    leads = not seen.plays and seen.turn == seen.viewer
    return voice("battle.lead") if leads else _news(shown, seen, voice, named)


def _to_beat(area: Rect, seen: Observation, voice: Voice) -> Iterator[Item]:
    """The cards of the running round in the order of play, or of the one that was just decided; beside them
    what is to be beaten, who won, or that the round is led."""
    yield Panel(area, "panel", RADIUS_CARD)
    shown, inner = _now(seen, voice), area.inset(16, 12)
    x = inner.x
    for hand_, card in shown.plays:
        chip = Rect(x, inner.y + (inner.h - CHIP) // 2, CHIP, CHIP)
        yield from person(chip, hand_, "")
        wins = card == max(card for _, card in shown.plays)
        states = frozenset[SpriteState]() if wins else frozenset({SpriteState.DIMMED})
        yield Sprite("chemistry.number", (card,), Rect(chip.right + 6, inner.y, *_BEAT), states)
        x = chip.right + 6 + _BEAT[0] + 18
    text = _asked(shown, seen, voice)
    rest = Rect(x, inner.y, inner.right - x, inner.h)
    for size in (Size.TITLE, Size.CLEAR, Size.SMALL):
        if text and (text_width(text, size, Weight.BOLD) <= rest.w or size is Size.SMALL):
            yield Text(
                rest,
                text,
                size,
                Weight.BOLD,
                "accent" if seen.plays else "text",
                Align.RIGHT,
                fit=Fit.ELLIPSIS,
            )
            return


def _hand_alt(seen: Observation, cards: Sequence[int], voice: Voice) -> str:
    listed = voice.listed(f"{ELEMENTS[card - 1].symbol} {card}" for card in cards) or voice("picture.empty")
    name = voice.look.name(seen.viewer) if seen.viewer is not None else voice("house")
    said = [voice("alt.hand", name=name, cards=listed)]
    said += [sentence(_below(seen, voice)), sentence(_note(seen, voice))]
    shown = _now(seen, voice)
    for hand_, card in shown.plays:
        key = "alt.battle_wins" if hand_ == shown.winner else "alt.battle_play"
        said.append(voice(key, name=hand_name(seen, hand_, voice), card=_element(card, voice)))
    said.append(sentence(_asked(shown, seen, voice, hand_name)))
    said += [
        voice("alt.won", name=hand_name(seen, h, voice), n=len(seen.piles[h])) for h in range(len(seen.piles))
    ]
    return alt_text(*said)


def unplayed(seen: Observation) -> list[int]:
    """The elements that have not come to the table yet, as far as the viewer can tell."""
    gone = {card for pile in seen.piles for card in pile} | set(seen.plays) | set(seen.hand)
    return [card for card in BASIC if card not in gone]
