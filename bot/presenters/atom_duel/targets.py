"""Whose cards are to be chosen, when a power reaches into the rows of others: their backs in the place of the
own cards, each with its number, and what the chooser has lawfully seen of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.painters import face_in
from bot.presenters.atom_duel.plays import symbol
from bot.presenters.atom_duel.words import Voice
from bot.presenters.atom_duel.words import slot as slot_number
from bot.render.blocks import Block, Column, Flow, Piece, tagged_piece
from bot.render.parts import person, text_width
from bot.render.scene import Align, Item, Panel, Rect, Size, Sprite, Text, Weight
from bot.render.theme import RADIUS_SMALL
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation

REACHING: Final = frozenset({"aim", "peek", "reveal", "take", "trade"})
"""Choices of powers among the cards, or the players, at the other places of the table."""
_NAME, _BACK, _TALL, _NUMBER = 300, 64, 88, 52


def chosen_among(seen: Observation, way: Sequence[str] = ()) -> tuple[int, ...]:
    """The seats among whose cards the observer chooses now, on this way (keys) through the choices; none
    where it is about the own cards."""
    asked = seen.pending
    if asked is None or seen.viewer not in seen.to_act or asked.verb not in REACHING:
        return ()
    if asked.target >= 0:
        return (asked.target,)
    others = tuple(seat for seat in range(seen.seats) if seat != seen.viewer)
    named = [seat for seat in others if f"s{seat}" in way]
    return tuple(named) if named and asked.verb != "trade" else others


def able(seen: Observation, slot: int) -> bool:
    """Whether this card of the player chosen may be named now."""
    asked = seen.pending
    return asked is not None and asked.verb != "trade" and slot not in asked.slots


def seen_there(seen: Observation, seat: int, slot: int) -> int:
    """The card that the observer knows to lie there, 0 for none."""
    card = queries.own(seen, slot) if seat == seen.viewer else seen.rows[seat][slot]
    return max(card, 0)


def tag(seat: int, slot: int) -> str:
    """The tag of a card of a row in the picture of a hand."""
    return f"slot {seat} {slot}"


def spots(seen: Observation, move: Move) -> tuple[str, ...]:
    """The cards that a move is about; see `bot.presenters.base.Presenter.spots`."""
    viewer, pending = seen.viewer or 0, seen.pending
    if move.card:
        row = seen.rows[viewer]
        return (tag(viewer, row.index(move.card)),) if move.card in row else ()
    if move.slot < 0:
        return ()
    seat = pending.target if move.verb == "take" and pending is not None else move.seat
    return (tag(seat if seat >= 0 else viewer, move.slot),)


def rows(seen: Observation, seats: Sequence[int], voice: Voice) -> Block:
    """The rows of several players, small, each beside its name."""
    return Column([_named_row(seen, seat, voice) for seat in seats], 16)


def _named_row(seen: Observation, seat: int, voice: Voice) -> Flow:
    slots = queries.slots(seen, seat)
    cards = [tagged_piece(_piece(seen, seat, slot), tag(seat, slot)) for slot in slots]
    if not cards:
        cards.append(Piece(_NAME, _TALL, partial(_none, voice=voice)))
    return Flow([Piece(_NAME, _TALL, partial(_name, seat=seat, voice=voice)), *cards], 12)


def _name(area: Rect, seat: int, voice: Voice) -> Iterator[Item]:
    yield from person(area, seat, voice.drawn(seat), Size.BODY, weight=Weight.BOLD)


def _none(area: Rect, voice: Voice) -> Iterator[Item]:
    yield Text(area, voice("hand.empty"), colour="muted")


def _piece(seen: Observation, seat: int, slot: int) -> Piece:
    """A back with its number, or a card that is known, with its number before it."""
    card = seen_there(seen, seat, slot)
    if not card:
        return Piece(_BACK, _TALL, partial(_back, slot=slot))
    said = f"{symbol(card)} {card}"
    powers = face_in(seen, card).icons
    wide = _NUMBER + 16 + text_width(said, Size.CLEAR, Weight.BOLD) + 12 + 56 * len(powers) + 4
    return Piece(wide, _TALL, partial(_known, slot=slot, said=said, powers=powers))


def _back(area: Rect, slot: int) -> Iterator[Item]:
    yield Panel(area, "back", RADIUS_SMALL, "back_line", 3)
    yield Text(area, slot_number(slot), Size.CLEAR, Weight.BOLD, align=Align.CENTRE)


def _known(area: Rect, slot: int, said: str, powers: tuple[str, ...]) -> Iterator[Item]:
    yield Panel(area, "back", RADIUS_SMALL)
    number = area._replace(w=_NUMBER)
    yield Text(number, slot_number(slot), Size.CLEAR, Weight.BOLD, align=Align.CENTRE)
    face_ = Rect(area.x + _NUMBER, area.y, area.w - _NUMBER, area.h)
    yield Panel(face_, "paper", RADIUS_SMALL)
    wide = text_width(said, Size.CLEAR, Weight.BOLD)
    yield Text(Rect(face_.x + 12, face_.y, wide, face_.h), said, Size.CLEAR, Weight.BOLD, "ink")
    for place, power in enumerate(powers):
        x = face_.x + 12 + wide + 8 + 56 * place
        yield Sprite("atom_duel.power", (power,), Rect(x, area.y + (area.h - 48) // 2, 48, 48))
