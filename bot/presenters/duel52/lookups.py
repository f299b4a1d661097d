"""Pages that can be looked up: the thirteen ranks and the Vampiric 3s and 4s."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.presenters.base import CardEntry, Page
from bot.presenters.duel52.queries import before, side_of, spots
from bot.presenters.duel52.words import GROUND, VAMPIRIC, Voice, power_of, printed
from bot.presenters.playing_cards import names_of
from bot.render import layout
from bot.render.blocks import Box, Column, Paragraph, Piece, frozen
from bot.render.pages.card_page import CardKind, card_page, on_table
from bot.render.parts import INNER, MARGIN, alt_text
from bot.render.scene import Item, Look, Panel, Rect, Scene, Size, Sprite, Weight
from bot.render.theme import GRID, RADIUS_CARD
from engine.duel52.cards import SHEET, VAMPIRES
from engine.duel52.game import GAME
from engine.duel52.observation import Observation
from engine.game import Value
from engine.playing_cards import LABELS, RANK_CODES, RANK_LABELS, RANKS, SPADES, of

FACE: Final = (320, 448)
"""Width and height of a card on its page, in pixels."""
CARD: Final = (88, 123)
"""Width and height of a card on the sheet, in pixels."""
NAME: Final = 280
"""Width of a power's name on the sheet, in pixels."""


def is_vampiric(options: Mapping[str, Value] | None) -> bool:
    """Return whether 3s and 4s are Vampiric with these options."""
    return options is not None and any(
        option.key == "vampiric" and option.at(options) for option in GAME.options
    )


def cards(locale: str) -> tuple[CardEntry, ...]:
    """Return all ranks, from 2 to ace."""
    voice = Voice(Look(locale=locale))
    found = []
    for rank in range(RANKS):
        power = voice.power(rank, vampiric=False)
        tags = [voice(f"kind.{SHEET.cards[rank].kind}")]
        if rank in VAMPIRES:
            tags.append(voice("kind.vampiric"))
        aliases = (*voice.list(f"alias.{RANK_CODES[rank]}"), power, *names_of(rank, locale))
        found.append(CardEntry(RANK_CODES[rank], _title(rank, voice, vampiric=False), aliases, tuple(tags)))
    return tuple(found)


def _title(rank: int, voice: Voice, *, vampiric: bool) -> str:
    return voice("page.title", rank=RANK_LABELS[rank], power=voice.power(rank, vampiric=vampiric))


def overview(look: Look, tag: str = "") -> Page:
    """Return the thirteen ranks, or those of a tag, each with a summary of its power."""
    voice = Voice(look)
    tagged = [card.key for card in cards(look.locale) if not tag or tag in card.tags]
    ranks = [RANK_CODES.index(key) for key in tagged] or range(RANKS)
    return Page(voice("page.sheet"), "", sheet_scene(ranks, look))


def card(key: str, look: Look, options: Mapping[str, Value] | None = None) -> Page:
    """Return the page of a rank.

    Raises:
        KeyError: there is no such rank.
    """
    if key not in RANK_CODES[:RANKS] or len(key) != 1:
        raise KeyError(key)
    rank, voice = RANK_CODES.index(key), Voice(look)
    vampiric = is_vampiric(options)
    power = power_of(rank, vampiric=vampiric)
    parts = [voice("page.strategy", text=voice(f"strategy.{power}"))]
    if f"pairs.{power}" in voice:
        parts.append(voice("page.paired", text=voice(f"pairs.{power}")))
    if f"more.{power}" in voice:
        parts.append(voice("page.more", text=voice(f"more.{power}")))
    if rank in VAMPIRES and power != VAMPIRIC:
        parts.append(voice("page.vampiric", text=voice(f"text.{VAMPIRIC}")))
    scene = card_scene(of(rank, SPADES), look, vampiric=vampiric)
    return Page(_title(rank, voice, vampiric=vampiric), "\n\n".join(parts), scene)


def at_hand(seen: Observation) -> tuple[str, ...]:
    """Return the ranks in the observer's hand, or without any the face-up ranks, the observer's own first."""
    if seen.viewer is None:
        return ()
    found = sorted(seen.hands[seen.viewer])
    if not found and not before(seen):
        side = side_of(seen, seen.viewer)
        lying = sorted(spots(seen).values(), key=lambda spot: (spot.side != side, spot.unit.card))
        found = [spot.unit.card for spot in lying if spot.unit.up]
    return tuple(dict.fromkeys(RANK_CODES[card >> 2] for card in found))


def in_view(seen: Observation) -> tuple[str, ...]:
    """Return the ranks in the observer's hand, then the face-up ones."""
    lying = (spot.unit for spot in spots(seen).values())
    up = (RANK_CODES[unit.card >> 2] for unit in lying if unit.up)
    return tuple(dict.fromkeys((*at_hand(seen), *up)))


def card_scene(card: int, look: Look, *, vampiric: bool) -> Scene:
    """Return one large card with its power in words."""
    voice = Voice(look)
    rank = card >> 2
    key = power_of(rank, vampiric=vampiric)
    title, text = voice(f"power.{key}"), voice(f"text.{key}")
    works = voice(f"picture.kind_{_kind(rank, vampiric=vampiric)}")
    return card_page(
        title,
        CardKind(works, "accent"),
        alt_text(voice("alt.card", card=LABELS[card], power=title, text=text), f"{works}."),
        look,
        art=on_table(Piece(*FACE, lambda at: (Sprite("cards.face", printed(card), at),))),
        text=text,
        ground=GROUND,
    )


def sheet_scene(ranks: Sequence[int], look: Look) -> Scene:
    """Return these ranks one below another: the card, the name of its power, and the power in a
    line or two."""
    voice = Voice(look)
    said = []
    for rank in ranks:
        key = power_of(rank, vampiric=False)
        name, text = voice(f"power.{key}"), voice(f"short.{key}")
        said.append(voice("alt.card", card=RANK_LABELS[rank], power=name, text=text))
    rows = Column([_line(rank, voice) for rank in ranks], GRID)
    return frozen(rows, alt_text(*said), look, top=MARGIN, ground=GROUND)


def _line(rank: int, voice: Voice) -> Box:
    key = power_of(rank, vampiric=False)
    name = Paragraph(voice(f"power.{key}"), (Size.CLEAR,), Weight.BOLD)
    text = Paragraph(voice(f"short.{key}"), (Size.CLEAR,), lines=3)
    widths = (CARD[0], NAME, None)

    def draw(area: Rect) -> Iterator[Item]:
        yield Panel(area, "panel", RADIUS_CARD)
        card, left, right = layout.across(area.inset(2 * GRID, GRID), widths)
        yield Sprite("cards.face", printed(of(rank, SPADES)), layout.centred(card, *CARD))
        yield from name.items(left)
        yield from text.items(right)

    room = layout.across(Rect(0, 0, INNER - 4 * GRID, 0), widths)[-1].w
    return Box(2 * GRID + max(CARD[1], text.height(room)), draw)


def _kind(rank: int, *, vampiric: bool) -> str:
    return "vampiric" if power_of(rank, vampiric=vampiric) == "vampiric" else SHEET.cards[rank].kind
