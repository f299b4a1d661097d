"""What can be looked up: the thirteen ranks, and the Vampiric 3s and 4s."""

from __future__ import annotations

from collections.abc import Mapping

from bot.presenters.base import Card, Page
from bot.presenters.duel52.scenes import card_scene, sheet_scene
from bot.presenters.duel52.words import VAMPIRIC, Voice, power_of
from bot.render.scene import Look
from engine.duel52.cards import SHEET, VAMPIRES
from engine.duel52.game import GAME
from engine.game import Value
from engine.playing_cards import RANK_CODES, RANK_LABELS, RANKS, SPADES, of


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
        aliases = (*voice.list(f"alias.{RANK_CODES[rank]}"), power)
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
    parts = [voice(f"text.{power}"), voice("page.strategy", text=voice(f"strategy.{power}"))]
    if f"pairs.{power}" in voice:
        parts.append(voice("page.paired", text=voice(f"pairs.{power}")))
    if f"more.{power}" in voice:
        parts.append(voice("page.more", text=voice(f"more.{power}")))
    if rank in VAMPIRES and power != VAMPIRIC:
        parts.append(voice("page.vampiric", text=voice(f"text.{VAMPIRIC}")))
    scene = card_scene(of(rank, SPADES), look, vampiric=vampiric)
    return Page(_title(rank, voice, vampiric=vampiric), "\n\n".join(parts), scene)
