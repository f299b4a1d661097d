"""From an observation to pictures: the view models of the table and of a hand, filled."""

from __future__ import annotations

from typing import Any

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.pictures import hand_scene, table_scene
from bot.presenters.atom_duel.signs import POWER_SIGNS
from bot.presenters.atom_duel.views import (
    CardView,
    EarlierView,
    HandView,
    PlayView,
    SeatView,
    TableView,
    Words,
)
from bot.presenters.atom_duel.words import Voice, number
from bot.presenters.atom_duel.words import slot as letter
from bot.render.scene import Look, Scene
from engine.atom_duel import observation as engine
from engine.elements import ELEMENTS

MOST_MAYBE = 5
"""So many cards that may lie in a hidden row find room in the note above it."""


_SIMULTANEOUS = {
    "round": "last_round",
    "start": "last_round",
    "start_more": "sealed_more",
    "start_more_nobody": "sealed_more",
}


def picture_words(look: Look, *, simultaneous: bool = False) -> Words:
    """The words on pictures, as `pictures` asks for them; the simultaneous round has some of its own."""
    voice = Voice(look)

    def say(key: str, **facts: Any) -> str:
        kind, _, rest = key.partition(".")
        if kind == "element":
            return voice.element(int(rest))
        if kind == "hyphenated":
            key = f"picture.hyphenated.{ELEMENTS[int(rest) - 1].symbol}"
            return voice(key) if key in voice else voice.element(int(rest))
        if kind == "category":
            return voice.family(rest)
        if kind == "kind":
            return voice(f"picture.kind.{rest.replace(' ', '_')}")
        if simultaneous:
            key = _SIMULTANEOUS.get(key, key)
        return voice(f"picture.{key}", **{"n": facts.get("points", 0), **facts})

    return say


def _effects(seen: engine.Observation) -> tuple[str, ...]:
    if seen.over:
        return ()
    lasting = {
        "germanium": seen.hidden,
        "lanthanum": seen.face_up,
        "germanium_next": seen.face_down and seen.face_up,
        "hydrogen": seen.pass_left,
    }
    return tuple(key for key, lasts in lasting.items() if lasts)


def _flags(seen: engine.Observation, seat: int) -> tuple[str, ...]:
    return ("zinc",) if seat in seen.zinc else ()


def _icon(power: str) -> str:
    return power if power in POWER_SIGNS else "unique" if power else ""


def _play(play: engine.PlayView, cards: list[int], winner: int, look: Look) -> PlayView:
    alone = play.head == play.card
    return PlayView(
        seat=play.seat,
        name=look.name(play.seat),
        z=play.card,
        printed=str(play.card),
        value=number(play.value2),
        power=_icon(play.power),
        joined=None if alone else cards.index(play.head),
        beaten=play.beaten,
        winning=alone and play.seat == winner,
    )


def _seat(seen: engine.Observation, seat: int, look: Look) -> SeatView:
    cards = tuple(
        CardView(
            slot=letter(slot),
            z=seen.rows[seat][slot] if queries.public(seen, seat, slot) else 0,
        )
        for slot in queries.slots(seen, seat)
    )
    return SeatView(
        seat=seat,
        name=look.name(seat),
        points=seen.points[seat],
        cards=cards,
        turn=seat in seen.to_act,
        leads=seat == seen.leader and not seen.over,
        flags=() if seen.over else _flags(seen, seat),
        won=seat in queries.champions(seen),
    )


def _earlier(hand: engine.HandView, look: Look) -> EarlierView:
    """A finished hand in brief."""
    members = sum(play.head == hand.card for play in hand.plays)
    name, value = look.name(hand.winner), number(hand.value2)
    return EarlierView(hand.hand, hand.winner, name, hand.card, value, members > 1)


def table_view(seen: engine.Observation, look: Look) -> TableView:
    """The table as everybody may see it, whoever observes."""
    done = queries.finished(seen)
    winner = done.winner if done else seen.winning
    plays = queries.plays(seen)
    cards = [play.card for play in plays]
    last = ""
    if not plays and seen.last_hand is not None:
        before = seen.last_hand
        last = Voice(look)(
            "picture.last",
            hand=before.hand,
            name=look.name(before.winner),
            symbol=ELEMENTS[before.card - 1].symbol,
            value=number(before.value2),
        )
    return TableView(
        level=seen.level,
        round=done.round if done else seen.round,
        rounds=seen.rounds,
        hand=done.hand if done else seen.hand if plays else 0,
        deck=seen.deck,
        seats=tuple(_seat(seen, seat, look) for seat in range(seen.seats)),
        plays=tuple(_play(play, cards, winner, look) for play in plays),
        effects=_effects(seen),
        last=last,
        finished=done is not None,
        earlier=tuple(_earlier(hand, look) for hand in _unseen(seen)),
    )


def _unseen(seen: engine.Observation) -> tuple[engine.HandView, ...]:
    """The hands of the last round that the middle of the table does not show."""
    last = seen.last_hand
    running = seen.plays and last is not None and seen.simultaneous and last.round == seen.round
    return (*seen.earlier, last) if running and last is not None else seen.earlier


def table(seen: engine.Observation, look: Look) -> Scene:
    """The table picture."""
    return table_scene(table_view(seen, look), look, picture_words(look, simultaneous=seen.simultaneous))


def _playable(seen: engine.Observation, slot: int) -> bool:
    """Whether this card of the observer's row can be chosen now."""
    if seen.viewer not in seen.to_act:
        return False
    if seen.pending is not None:
        return seen.pending.verb == "give" and slot not in seen.pending.own
    if seen.sealing:
        return seen.rows[seen.viewer][slot] not in [card for card, _ in seen.sealed]
    return True


def _note(seen: engine.Observation, seat: int, voice: Voice) -> str:
    """The line above the hand: what is asked, or what may lie in it."""
    if seen.over:
        return ""
    turn = seat in seen.to_act
    if seen.pending is not None and turn:
        return voice("hand.choose", symbol=voice.short(seen.pending.card))
    if seen.sealing:
        return voice("hand.order" if turn else "hand.ordered")
    if not seen.counts[seat]:
        return voice("hand.empty")
    inside = [z for group in seen.groups for z in group.cards if all(at == seat for at, _ in group.places)]
    if seen.hidden and not seen.simultaneous and 0 < len(inside) <= MOST_MAYBE:
        return voice("hand.maybe", symbols=", ".join(ELEMENTS[z - 1].symbol for z in inside))
    return voice("hand.turn") if turn else ""


def hand_view(seen: engine.Observation, look: Look) -> HandView:
    """The observer's cards; a spectator, who has none, gets an empty hand."""
    seat = seen.viewer
    if seat is None:
        return HandView(0, "", seen.level, ())
    places = {card: place for place, (card, _) in enumerate(seen.sealed, 1)}
    powers = {**dict(seen.announced), **dict(seen.sealed)}
    cards = tuple(
        CardView(
            slot=letter(slot),
            z=queries.own(seen, slot),
            power=powers.get(queries.own(seen, slot), ""),
            playable=_playable(seen, slot),
            known=queries.public(seen, seat, slot),
            place=places.get(seen.rows[seat][slot], 0),
        )
        for slot in queries.slots(seen, seat)
    )
    note = _note(seen, seat, Voice(look))
    return HandView(seat, look.name(seat), seen.level, cards, note, _effects(seen), _flags(seen, seat))


def hand(seen: engine.Observation, look: Look) -> Scene:
    """The picture of the observer's hand."""
    return hand_scene(hand_view(seen, look), look, picture_words(look))
