"""What can be looked up: the thirteen ranks and the Vampiric 3s and 4s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.presenters.base import Card, Page
from bot.presenters.duel52.queries import before, side_of, spots
from bot.presenters.duel52.words import GROUND, VAMPIRIC, Voice, power_of, printed
from bot.presenters.playing_cards import names_of
from bot.render.blocks import Piece
from bot.render.card_page import Kind, card_page, on_table
from bot.render.parts import MARGIN, alt_text, band
from bot.render.scene import BASE_WIDTH, Item, Look, Panel, Rect, Scene, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_CARD
from engine.duel52.cards import SHEET, VAMPIRES
from engine.duel52.game import GAME
from engine.duel52.observation import Observation
from engine.game import Value
from engine.playing_cards import LABELS, RANK_CODES, RANK_LABELS, RANKS, SPADES, of

FACE: Final = (320, 448)
"""How wide and how high a card is on its page, in pixels."""
ROW: Final = 176
"""Height of a card's line on the sheet, in pixels."""


def is_vampiric(options: Mapping[str, Value] | None) -> bool:
    """Whether 3s and 4s are Vampiric at these options."""
    return options is not None and any(
        option.key == "vampiric" and option.at(options) for option in GAME.options
    )


def cards(locale: str) -> tuple[Card, ...]:
    """All ranks, from 2 to ace."""
    voice = Voice(Look(locale=locale))
    found = []
    for rank in range(RANKS):
        power = voice.power(rank, vampiric=False)
        tags = [voice(f"kind.{SHEET.cards[rank].kind}")]
        if rank in VAMPIRES:
            tags.append(voice("kind.vampiric"))
        aliases = (*voice.list(f"alias.{RANK_CODES[rank]}"), power, *names_of(rank, locale))
        found.append(Card(RANK_CODES[rank], _title(rank, voice, vampiric=False), aliases, tuple(tags)))
    return tuple(found)


def _title(rank: int, voice: Voice, *, vampiric: bool) -> str:
    return voice("page.title", rank=RANK_LABELS[rank], power=voice.power(rank, vampiric=vampiric))


def overview(look: Look, tag: str = "") -> Page:
    """The thirteen ranks with what they do in short, or those of a tag."""
    voice = Voice(look)
    tagged = [card.key for card in cards(look.locale) if not tag or tag in card.tags]
    ranks = [RANK_CODES.index(key) for key in tagged] or range(RANKS)
    return Page(voice("page.sheet"), "", sheet_scene(ranks, look))


def card(key: str, look: Look, options: Mapping[str, Value] | None = None) -> Page:
    """The page of a rank.

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
    """The ranks in the own hand; without one those that lie face-up, the own first."""
    if seen.viewer is None:
        return ()
    found = sorted(seen.hands[seen.viewer])
    if not found and not before(seen):
        side = side_of(seen, seen.viewer)
        lying = sorted(spots(seen).values(), key=lambda spot: (spot.side != side, spot.unit.card))
        found = [spot.unit.card for spot in lying if spot.unit.up]
    return tuple(dict.fromkeys(RANK_CODES[card >> 2] for card in found))


def in_view(seen: Observation) -> tuple[str, ...]:
    """The ranks in the own hand, then those that lie face-up."""
    lying = (spot.unit for spot in spots(seen).values())
    up = (RANK_CODES[unit.card >> 2] for unit in lying if unit.up)
    return tuple(dict.fromkeys((*at_hand(seen), *up)))


def card_scene(card: int, look: Look, *, vampiric: bool) -> Scene:
    """One card, large, with its power in words."""
    voice = Voice(look)
    rank = card >> 2
    key = power_of(rank, vampiric=vampiric)
    title, text = voice(f"power.{key}"), voice(f"text.{key}")
    works = voice(f"picture.kind_{_kind(rank, vampiric=vampiric)}")
    return card_page(
        title,
        Kind(works, "accent"),
        alt_text(voice("alt.card", card=LABELS[card], power=title, text=text), f"{works}."),
        look,
        art=on_table(Piece(*FACE, lambda at: (Sprite("cards.face", printed(card), at),))),
        text=text,
        ground=GROUND,
    )


def sheet_scene(ranks: Sequence[int], look: Look) -> Scene:
    """These ranks below each other: the card, the name of its power, and what that does in a line or two."""
    voice = Voice(look)
    items: list[Item] = []
    said = []
    for number, rank in enumerate(ranks):
        area = band(MARGIN + number * ROW, ROW - 8)
        key = power_of(rank, vampiric=False)
        name, text = voice(f"power.{key}"), voice(f"short.{key}")
        card = of(rank, SPADES)
        top = area.y + 6
        items += [
            Panel(area, "panel", RADIUS_CARD),
            Sprite("cards.face", printed(card), Rect(area.x + 16, top, 112, 156)),
            Text(Rect(area.x + 152, top, 290, 156), name, Size.CLEAR, Weight.BOLD),
            Text(Rect(area.x + 450, top, area.w - 466, 156), text, Size.BODY, max_lines=3),
        ]
        said.append(voice("alt.card", card=RANK_LABELS[rank], power=name, text=text))
    return Scene(BASE_WIDTH, 2 * MARGIN - 8 + len(ranks) * ROW, tuple(items), alt_text(*said), look, GROUND)


def _kind(rank: int, *, vampiric: bool) -> str:
    return "vampiric" if power_of(rank, vampiric=vampiric) == "vampiric" else SHEET.cards[rank].kind
