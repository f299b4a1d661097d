"""What works when a card is played: a table of plain functions, and the answers to their choices.

Source: docs/rules/atom_duel.md, sections 4.1 and 5. A function either does its work at once or sets
`state.pending`; the moves that answer a choice are in `ANSWERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress, islice

from msgspec.structs import replace

from engine.atom_duel.knowledge import EVERYBODY, closed_up, front_mask, place
from engine.atom_duel.moves import (
    ANNOUNCES,
    AT_SLOTS,
    CLOCKWISE,
    GIVE_SLOTS,
    GIVES,
    KEEP,
    TAKES,
    TRADES,
    Move,
)
from engine.atom_duel.position import Pending, Position
from engine.game import Event, Seat

PEEKS = 3
TRADED = 2


def _others(state: Position, seat: Seat) -> list[Seat]:
    """The other players with cards, clockwise from the seat's left."""
    counts = state.counts
    return [other for other in CLOCKWISE[state.seats][seat][1:] if counts[other]]


def _alone(state: Position, seat: Seat) -> bool:
    """Whether nobody else has cards."""
    return sum(state.counts) == state.counts[seat]


def traders(state: Position, seat: Seat) -> list[Seat]:
    """The players with whom `seat` can trade two cards: both sides need two."""
    if state.counts[seat] < TRADED:
        return []
    return [other for other in range(state.seats) if other != seat and state.counts[other] >= TRADED]


def _no_target(state: Position, seat: Seat, power: str) -> None:
    """Say that a power finds nobody with the cards that it needs."""
    state.tell("no_target", seat, card=state.card_of(seat), power=power)


def _laser(state: Position, seat: Seat) -> None:
    if _alone(state, seat):
        _no_target(state, seat, "laser")
    else:
        state.pending = Pending("aim", state.card_of(seat))


def _hydrogen(state: Position, seat: Seat) -> None:
    state.pass_left = True
    state.tell("hydrogen", seat)


def _chlorine(state: Position, seat: Seat) -> None:
    cards = [card for row in state.rows for card in row if card]
    if not cards:
        _no_target(state, seat, "redeal")
        return
    knowledge = state.know()
    to: dict[int, int] = {}
    everywhere = 0
    for owner, row in enumerate(state.rows):
        to.update(closed_up(owner, row, owner))
        everywhere |= front_mask(owner, state.counts[owner])
    knowledge.move(to)
    mixed = iter(state.shuffle(cards))
    state.lay([list(islice(mixed, count)) for count in state.counts])
    knowledge.shuffle([everywhere])
    state.look()
    if state.events is not None:
        state.tell("redeal", seat, counts=state.counts.copy())
        _tell_rows(state, "dealt")


def _tell_rows(state: Position, kind: str) -> None:
    """New rows: the owners learn their cards, all do under Lanthanum, nobody under Germanium."""
    for owner, row in enumerate(state.rows):
        cards = [card for card in row if card]
        if not cards or state.events is None:
            continue
        facts: dict[str, object] = {"count": len(cards)}
        secret: dict[str, object] = {}
        if state.face_up:
            facts["cards"] = cards
        elif not state.face_down:
            secret["cards"] = cards
        state.events.append(Event(kind, owner, facts, secret, (owner,) if secret else ()))


def _zinc(state: Position, seat: Seat) -> None:
    state.zinc |= 1 << seat
    state.tell("zinc", seat)


def _germanium(state: Position, seat: Seat) -> None:
    """The last round only hides the rows; under Lanthanum the shuffle waits for the end of the hand."""
    state.face_down = True
    state.know()
    shuffles = not state.simultaneous and not state.face_up
    if shuffles:
        state.shuffle_rows()
    state.tell("germanium", seat, shuffled=shuffles, shown=state.face_up, sealed=state.simultaneous)


def _strontium(state: Position, seat: Seat) -> None:
    others = _others(state, seat)
    if others:
        state.pending = Pending("reveal", state.card_of(seat), others[0])
    else:
        _no_target(state, seat, "reveal_one_each")


def _thallium(state: Position, seat: Seat) -> None:
    if _alone(state, seat):
        _no_target(state, seat, "peek_three")
    else:
        state.pending = Pending("peek", state.card_of(seat))


def _mercury(state: Position, seat: Seat) -> None:
    if traders(state, seat):
        state.pending = Pending("trade", state.card_of(seat))
    else:
        _no_target(state, seat, "trade_two")


def _lanthanum(state: Position, seat: Seat) -> None:
    state.face_up = True
    state.look()
    if state.events is not None:
        rows = [
            [owner, slot, card]
            for owner, row in enumerate(state.rows)
            for slot, card in enumerate(row)
            if card
        ]
        state.tell("lanthanum", seat, rows=rows)


INSTANT: Mapping[str, Callable[[Position, Seat], None]] = {
    "laser": _laser,
    "pass_left": _hydrogen,
    "redeal": _chlorine,
    "plus_5": _zinc,
    "face_down": _germanium,
    "reveal_one_each": _strontium,
    "peek_three": _thallium,
    "trade_two": _mercury,
    "face_up": _lanthanum,
}
"""By power: what it does as the card is played."""


def end_hand(state: Position) -> None:
    """What Lanthanum and Hydrogen leave to the end of a hand."""
    shown, state.face_up = state.face_up, False
    if state.pass_left:
        state.pass_left = False
        _pass_left(state)
    if shown:
        # Germanium holds until the round ends: what was shown is shuffled face down again
        shuffles = state.face_down and not state.simultaneous and any(state.counts)
        if shuffles:
            state.shuffle_rows()
        state.tell("lanthanum_over", -1, shuffled=shuffles, hidden=state.face_down and any(state.counts))


def _pass_left(state: Position) -> None:
    seats = state.seats
    if not any(state.counts):
        return
    knowledge = state.know()
    to: dict[int, int] = {}
    rows: list[list[int]] = [[] for _ in range(seats)]
    for seat, row in enumerate(state.rows):
        left = (seat + 1) % seats
        rows[left] = [card for card in row if card]
        to.update(closed_up(seat, row, left))
    knowledge.move(to)
    state.lay(rows)
    state.look()
    if state.events is None:
        return
    state.tell("pass_left", -1, counts=state.counts.copy())
    _tell_rows(state, "received")


def _aim(state: Position, seat: Seat, move: Move) -> None:
    state.pending = None
    target, slot = move.seat, move.slot
    row = state.rows[target]
    card = row[slot]
    if card in state.table.immune_to_laser:
        state.know().see(EVERYBODY, {card: place(target, slot)})
        state.tell("laser_wasted", seat, target=target, slot=slot, card=card)
        return
    state.draw(target, slot, card)
    power = state.announced.pop(card, "")
    if state.events is not None:
        state.tell("vaporised", seat, target=target, slot=slot, card=card, power=power)
    if state.simultaneous:
        _close_gap(state, target, slot)


def _close_gap(state: Position, seat: Seat, slot: int) -> None:
    row = state.rows[seat]
    if state.knowledge is not None:
        later = range(slot + 1, len(row))
        to = {place(seat, old): place(seat, old - 1) for old in later if row[old]}
        if to:
            state.knowledge.move(to)
    del row[slot]
    row.append(0)


def _reveal(state: Position, seat: Seat, move: Move) -> None:
    target, slot = move.seat, move.slot
    card = state.rows[target][slot]
    state.know().see(EVERYBODY, {card: place(target, slot)})
    state.tell("reveal", seat, target=target, slot=slot, card=card)
    others = _others(state, seat)
    rest = others[others.index(target) + 1 :]
    pending = state.pending
    state.pending = replace(pending, target=rest[0]) if pending and rest else None


def _peek(state: Position, seat: Seat, move: Move) -> None:
    pending = state.pending
    if pending is None:
        return
    target, slots = move.seat, (*pending.slots, move.slot)
    if len(slots) < min(PEEKS, state.counts[target]):
        state.pending = replace(pending, target=target, slots=slots)
        return
    state.pending = None
    row = state.rows[target]
    state.know().see(seat, {row[slot]: place(target, slot) for slot in slots})
    if state.events is not None:
        facts = {"target": target, "slots": list(slots)}
        secret = {"cards": [row[slot] for slot in slots]}
        state.events.append(Event("peek", seat, facts, secret, (seat,)))


def _trade(state: Position, _seat: Seat, move: Move) -> None:
    if state.pending is not None:
        state.pending = replace(state.pending, verb="give", target=move.seat)


def _keep(state: Position, seat: Seat, _move: Move) -> None:
    state.pending = None
    state.tell("no_trade", seat)


def _give(state: Position, seat: Seat, move: Move) -> None:
    pending = state.pending
    if pending is None:
        return
    slot = move.slot if move.slot >= 0 else state.rows[seat].index(move.card)
    own = (*pending.own, slot)
    state.pending = replace(pending, verb="give" if len(own) < TRADED else "take", own=own)


def _take(state: Position, seat: Seat, move: Move) -> None:
    pending = state.pending
    if pending is None:
        return
    slots = (*pending.slots, move.slot)
    if len(slots) < TRADED:
        state.pending = replace(pending, slots=slots)
        return
    state.pending = None
    target = pending.target
    knowledge = state.know()
    mine, theirs = state.rows[seat], state.rows[target]
    to: dict[int, int] = {}
    given, taken = [], []
    for own, slot in zip(pending.own, slots, strict=True):
        given.append(mine[own])
        taken.append(theirs[slot])
        mine[own], theirs[slot] = theirs[slot], mine[own]
        to[place(seat, own)] = place(target, slot)
        to[place(target, slot)] = place(seat, own)
    knowledge.move(to)
    state.look()
    if state.events is None:
        return
    facts: dict[str, object] = {"target": target, "own": list(pending.own), "slots": list(slots)}
    secret: dict[str, object] = {}
    if not state.hidden:
        (facts if state.face_up else secret).update(given=given, taken=taken)
    state.events.append(Event("trade", seat, facts, secret, (seat, target) if secret else ()))


def answers(state: Position, pending: Pending) -> Sequence[Move]:
    """The moves that answer the choice of a power."""
    verb, rows = pending.verb, state.rows
    if verb in AT_SLOTS:
        return _pointings(state, pending, AT_SLOTS[verb])
    if verb == "announce":
        return [ANNOUNCES[power] for power in state.table.choices[pending.card]]
    if verb == "trade":
        return [*(TRADES[seat] for seat in traders(state, state.turn)), KEEP]
    if verb == "give":
        free = [
            (slot, card) for slot, card in enumerate(rows[state.turn]) if card and slot not in pending.own
        ]
        return [GIVE_SLOTS[slot] for slot, _ in free] if state.hidden else [GIVES[card] for _, card in free]
    return [
        TAKES[slot] for slot, card in enumerate(rows[pending.target]) if card and slot not in pending.slots
    ]


def _pointings(state: Position, pending: Pending, moves: Sequence[Sequence[Move]]) -> list[Move]:
    """The cards of other players at which one may point."""
    rows, target = state.rows, pending.target
    if target >= 0:
        known = compress(moves[target], rows[target])
        return [move for move in known if move.slot not in pending.slots]
    turn = state.turn
    found: list[Move] = []
    for other, row in enumerate(rows):
        if other != turn:
            found += compress(moves[other], row)
    return found


ANSWERS: Mapping[str, Callable[[Position, Seat, Move], None]] = {
    "aim": _aim,
    "reveal": _reveal,
    "peek": _peek,
    "trade": _trade,
    "keep": _keep,
    "give": _give,
    "take": _take,
}
"""By verb: the answers to a power's choice; one that needs no more leaves nothing pending."""
