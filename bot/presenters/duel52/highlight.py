"""A move of Duel 52, drawn large for the end-of-game picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.presenters.duel52.board import face
from bot.presenters.duel52.painters import Face
from bot.presenters.duel52.words import Voice, printed
from bot.presenters.highlight import HighlightCard, side_by_side
from bot.presenters.telling import Told
from bot.render.blocks import Block
from bot.render.scene import Item, Look, Rect, Sprite
from engine.duel52.observation import BlowView, HitView, LaneUnit, Observation
from engine.game import Event

FEATS: Final = ("attack", "sprung", "flip", "pair")
_RATIO: Final = 180 / 252
_DUEL: Final = 2


def highlight(events: Sequence[Event], seen: Observation, look: Look) -> Block | None:
    """Return the attackers and targets with their losses, a card just revealed, or the lane of a card just
    played or moved."""
    for event in events:
        if event.kind == "attack" and seen.last is not None:
            return side_by_side(_blow(seen.last, seen, Voice(look)), look)
        facts: Told = event.facts
        card = facts.get("card", -1)
        if event.kind in ("flip", "sprung") and card >= 0:
            return side_by_side([_card(card)], look)
    for event in events:
        if event.kind in ("play", "move"):
            laid: Told = event.facts
            lane = laid.get("to", laid["lane"])
            row = seen.row(event.seat % seen.setup.sides, lane)
            return side_by_side(_lane(row, laid["unit"], Voice(look).place(seen, lane)), look)
    return None


def _lane(row: Sequence[LaneUnit], laid: int, lane: str) -> list[HighlightCard]:
    """Return the cards of a side in a lane, with the lane's name below the card just played."""
    found = []
    for place, unit in enumerate(row, 1):
        ratio = 1 / _RATIO if unit.damage else _RATIO
        caption = lane if unit.unit == laid else ""
        drawn = partial(_drawn, face(unit, place, private=False))
        found.append(HighlightCard(drawn, ratio, caption=caption, best=unit.unit == laid))
    return found


def _card(card: int, caption: str = "", seat: int = -1, *, best: bool = False) -> HighlightCard:
    """Return a card, or a back if the card is hidden."""
    shown = Face(back=True)
    if card >= 0:
        rank, suit = printed(card)
        shown = replace(shown, rank=rank, suit=suit, back=False)
    return HighlightCard(partial(_drawn, shown), _RATIO, seat, caption, best)


def _blow(blow: BlowView, seen: Observation, voice: Voice) -> list[HighlightCard]:
    # with more than two players the cards of a side may belong to any of its players
    duel = len(seen.counts) == len(seen.hands) == _DUEL
    hitter, hit = (blow.seat, 1 - blow.seat) if duel else (-1, -1)
    return [
        *(_card(one.card, _cost(one, voice), hitter, best=True) for one in blow.attackers),
        *(_card(one.card, _cost(one, voice), hit) for one in blow.targets),
    ]


def _cost(hit: HitView, voice: Voice) -> str:
    """Return what an attack did to a card."""
    if hit.fate:
        return voice("picture.killed")
    return voice("picture.lost", n=hit.damage) if hit.damage else ""


def _drawn(shown: Face, place: Rect) -> Iterator[Item]:
    yield Sprite("duel52.unit", (shown,), place)
