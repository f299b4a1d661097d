"""What can be looked up: the hands, the ranks with their jokers, and the roles, named in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.presenters.atom.scenes import GROUND
from bot.presenters.atom.sets import laid
from bot.presenters.atom.words import Voice
from bot.presenters.base import CardEntry, Page
from bot.presenters.playing_cards import names_of
from bot.render import layout
from bot.render.blocks import Box, Grid, Piece, frozen
from bot.render.pages.card_page import CardKind, card_page, on_table
from bot.render.parts import MARGIN, alt_text
from bot.render.scene import Align, Item, Look, Panel, Rect, Scene, Size, Text, Weight
from bot.render.theme import RADIUS_PANEL
from engine.atom.cards import ORDER, POINTS
from engine.atom.observation import Observation
from engine.atom.plays import shape
from engine.game import Value
from engine.playing_cards import (
    ACE,
    BLACK_JOKER,
    CLUBS,
    DIAMONDS,
    FIVE,
    HEARTS,
    JOKER,
    KING,
    NINE,
    RANK_LABELS,
    RED_JOKER,
    SEVEN,
    SPADES,
    SUITS,
    TEN,
    TWO,
    of,
)

_NUKE: Final = tuple(of(NINE, suit) for suit in range(SUITS) for _ in range(2))
_HANDS: Final = {
    "single": (of(KING, HEARTS),),
    "pair": (of(NINE, SPADES), of(NINE, DIAMONDS)),
    "triple": (of(TEN, SPADES), of(TEN, HEARTS), RED_JOKER),
    "bomb": (of(FIVE, CLUBS), of(FIVE, HEARTS), of(FIVE, SPADES), BLACK_JOKER),
    "atom": (of(ACE, SPADES),) * 3,
    "nuke": _NUKE,
}
_ROLES: Final = {
    "blade": (of(SEVEN, SPADES), of(SEVEN, HEARTS)),
    "joker": (RED_JOKER, BLACK_JOKER),
    "lead": (of(TWO, SPADES),),
    "points": (of(FIVE, SPADES), of(TEN, HEARTS), of(KING, CLUBS)),
    "upstream": (),
    "downstream": (),
    "caller": (of(ACE, HEARTS),),
    "partner": (of(ACE, HEARTS),) * 2,
}
_EXAMPLES: Final = _HANDS | _ROLES
"""By key: cards that show it."""
WIDE, TALL = 1080, 220
"""The room for these cards on their page, in pixels."""
_OWN_TAG: Final = dict.fromkeys(_HANDS, "hands") | dict.fromkeys(_ROLES, "roles")


def _ranks() -> dict[str, int]:
    return {f"rank-{RANK_LABELS[rank]}": rank for rank in ORDER}


def _title(key: str, voice: Voice) -> str:
    ranks = _ranks()
    if key in ranks:
        label = RANK_LABELS[ranks[key]]
        return voice("term.rank", rank=label, chinese=voice(f"chinese.{label}"))
    return voice(f"term.{key}")


def cards(locale: str) -> tuple[CardEntry, ...]:
    """Everything there is to look up."""
    voice = Voice(Look(locale=locale))
    found = []
    for key in _EXAMPLES:
        aliases = (key, *voice.list(f"alias.{key}"))
        found.append(CardEntry(key, _title(key, voice), aliases, (voice(f"tag.{_OWN_TAG[key]}"),)))
    for key, rank in _ranks().items():
        label = RANK_LABELS[rank]
        aliases = (label, *names_of(rank, locale))
        tags = [voice("tag.ranks")]
        if POINTS[rank]:
            tags.append(voice("tag.points"))
        found.append(CardEntry(key, _title(key, voice), aliases, tuple(tags)))
    return tuple(found)


def in_view(seen: Observation) -> tuple[str, ...]:
    """What stands on the table, the Blade, then the ranks that are held, highest first."""
    order = (seen.blade, *(rank for rank in reversed(ORDER) if rank != seen.blade))
    held = {card >> 2 for card in seen.hand}
    standing = shape(seen.best, seen.packs) if seen.best else None
    ranks = [card >> 2 for card in seen.best] + [rank for rank in order if rank in held]
    return (
        *(("joker",) if JOKER in held else ()),
        *((standing.kind,) if standing and standing.kind in _HANDS else ()),
        "blade",
        *(f"rank-{RANK_LABELS[rank]}" for rank in dict.fromkeys(ranks) if rank != JOKER),
    )


def card(key: str, look: Look, _options: Mapping[str, Value] | None = None) -> Page:
    """The page of a hand, a rank or a role.

    Raises:
        KeyError: there is no such thing.
    """
    voice = Voice(look)
    ranks = _ranks()
    title = _title(key, voice) if key in ranks or key in _EXAMPLES else ""
    if key in ranks:
        rank = ranks[key]
        label = RANK_LABELS[rank]
        parts = [voice("page.rank", place=ORDER.index(rank) + 1)]
        if POINTS[rank]:
            parts.append(voice("page.rank_points", n=POINTS[rank]))
        parts.append(voice("page.rank_suits", rank=label))
        shown = tuple(of(rank, suit) for suit in (SPADES, HEARTS, CLUBS, DIAMONDS))
        return Page(title, "\n\n".join(parts), example(key, shown, look))
    shown = _EXAMPLES[key]
    return Page(title, voice(f"page.{key}"), example(key, shown, look) if shown else None)


def example(key: str, shown: tuple[int, ...], look: Look) -> Scene:
    """A few cards with what they are."""
    voice = Voice(look)
    title = _title(key, voice)
    return card_page(
        title,
        CardKind(voice(f"tag.{_OWN_TAG.get(key, 'ranks')}"), "accent"),
        alt_text(voice("alt.example", title=title, cards=voice.cards(shown))),
        look,
        art=on_table(Piece(WIDE, TALL, lambda at: laid(at, shown, voice, largest=150))),
        ground=GROUND,
    )


def overview(look: Look, tag: str = "") -> Page:
    """All hands with an example each, from weak to strong; those of a tag where it has cards to show."""
    voice = Voice(look)
    shown = dict(_HANDS)
    if tag == voice("tag.roles"):
        shown = {key: held for key, held in _ROLES.items() if held}
    said = [
        voice("alt.example", title=_title(key, voice), cards=voice.cards(held)) for key, held in shown.items()
    ]
    grid = Grid([_named(key, held, voice) for key, held in shown.items()], 2, 16)
    scene = frozen(grid, alt_text(*said), look, top=MARGIN, ground=GROUND)
    return Page(voice("rules.hands_title"), "", scene)


def _named(key: str, held: Sequence[int], voice: Voice) -> Box:
    """Cards on a panel below their name and, in a few words, what they are."""

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_PANEL)
        head, line, room = layout.down(area.inset(20, 10), (56, 48, None), gap=6)
        yield Text(head, _title(key, voice), Size.CLEAR, Weight.BOLD, align=Align.CENTRE)
        yield Text(line, voice(f"picture.sheet_{key}"), Size.CLEAR, colour="muted", align=Align.CENTRE)
        yield from laid(room, held, voice, largest=130)

    return Box(324, draw)
