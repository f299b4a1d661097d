"""What of an observation may be shown, and what lies where."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.atom_duel.knowledge import EVERYBODY, Look, bits, place
from engine.atom_duel.observation import EMPTY, HandView, Observation, PlayView

NAMED: Final = 4
"""Up to so many cards of a hand have room for the names of their powers; of more the question names them."""


def public(seen: Observation, seat: int, slot: int) -> bool:
    """Whether the card in this slot was shown to everybody and has not been shuffled since."""
    return place(seat, slot) in _shown(seen.looks)


@lru_cache(maxsize=512)
def _shown(looks: tuple[Look, ...]) -> frozenset[int]:
    """The places of the cards that were shown to everybody, followed through the public log."""
    shown: set[int] = set()
    for kind, who, where in looks:
        if kind == "see":
            if who == EVERYBODY:
                shown.update(bits(where[0]))
        elif kind == "leave":
            shown.discard(where[0])
        elif kind == "move":
            to = dict(zip(where[::2], where[1::2], strict=True))
            shown = {to.get(at, at) for at in shown}
        else:
            mixed = {at for part in where if len(bits(part)) > 1 for at in bits(part)}
            shown -= mixed
    return frozenset(shown)


def own(seen: Observation, slot: int) -> int:
    """A card of the observer's row that it may look at: 0 for none and for one that lies face down.

    In the last round Germanium hides the row from its owner, who has ordered it and may remember.
    """
    if seen.viewer is None:
        return 0
    card = seen.rows[seen.viewer][slot]
    if seen.hidden and seen.simultaneous and not public(seen, seen.viewer, slot):
        return 0
    return max(card, 0)


def champions(seen: Observation) -> tuple[int, ...]:
    """Who has won the game: nobody as long as it goes on, several where the win is shared."""
    if not seen.over:
        return ()
    keys = list(zip(seen.points, seen.round_points[-1], seen.best2, strict=True))
    return tuple(seat for seat, key in enumerate(keys) if key == max(keys))


def slots(seen: Observation, seat: int) -> list[int]:
    """The slots of a player that hold a card."""
    return [slot for slot, card in enumerate(seen.rows[seat]) if card != EMPTY]


def finished(seen: Observation) -> HandView | None:
    """The hand that is over and not yet followed by a card: it stays on the table to be looked at."""
    return None if seen.plays or seen.sealing else seen.last_hand


def plays(seen: Observation) -> tuple[PlayView, ...]:
    """The cards in the middle of the table."""
    done = finished(seen)
    return done.plays if done else seen.plays


def winner(seen: Observation) -> int:
    """Who has won the hand in the middle of the table, or is ahead in it."""
    done = finished(seen)
    return done.winner if done else seen.winning


def is_best(seen: Observation, play: PlayView) -> bool:
    """Whether this card, alone or in control of its compound, wins the hand or is ahead in it."""
    return play.head == play.card and play.seat == winner(seen)


def unseen(seen: Observation) -> tuple[HandView, ...]:
    """The hands of the last round that the middle of the table does not show: nobody could look at them
    when they ended."""
    last = seen.last_hand
    running = seen.plays and last is not None and seen.simultaneous and last.round == seen.round
    return (*seen.earlier, last) if running and last is not None else seen.earlier


def missed(seen: Observation) -> tuple[HandView, ...]:
    """The hands that were decided since the observer moved and that the middle of the table does not show."""
    if seen.simultaneous and not seen.sealing:
        return unseen(seen)
    moved = bool(seen.sealed) or any(play.seat == seen.viewer for play in seen.plays)
    if seen.last_hand is None or moved or finished(seen) is not None:
        return ()
    return (seen.last_hand,)


def effects(seen: Observation) -> tuple[str, ...]:
    """The keys of what lasts for everybody."""
    if seen.over:
        return ()
    lasting = {
        "germanium": seen.hidden,
        "lanthanum": seen.face_up,
        "germanium_next": seen.face_down and seen.face_up,
        "hydrogen": seen.pass_left,
    }
    return tuple(key for key, lasts in lasting.items() if lasts)


def flags(seen: Observation, seat: int) -> tuple[str, ...]:
    """The keys of what lasts for one player."""
    return ("zinc",) if seat in seen.zinc and not seen.over else ()


def playable(seen: Observation, slot: int) -> bool:
    """Whether this card of the observer's row can be chosen now."""
    if seen.viewer is None or seen.viewer not in seen.to_act:
        return False
    if seen.pending is not None:
        return seen.pending.verb == "give" and slot not in seen.pending.own
    if seen.sealing:
        return seen.rows[seen.viewer][slot] not in [card for card, _ in seen.sealed]
    return True
