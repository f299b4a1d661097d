"""Rounds, hands and turns: what follows when a card is played and its power has worked.

Source: docs/rules/atom_duel.md, section 3.
"""

from __future__ import annotations

from engine.atom_duel import last_round, powers
from engine.atom_duel.evaluate import explain
from engine.atom_duel.position import OVER, SEALING, LastHand, Position
from engine.atom_duel.powers import INSTANT
from engine.atom_duel.winning import winner
from engine.game import Event, Seat


def deal_round(state: Position) -> None:
    """Deal the next round; its first leader follows from the start seat (section 3.3)."""
    seats, size = state.seats, state.hand_size
    deck = state.deck
    if state.unshuffled and len(deck) - state.unshuffled < seats * size:
        at = len(deck) - state.unshuffled
        deck = [*deck[:at], *state.shuffle(deck[at:])]
        state.unshuffled = 0
    dealt = seats * size
    state.leader = state.turn = (state.start + state.round) % seats
    state.round += 1
    state.hand = 1
    state.rows = [[*deck[at : at + size]] for at in range(0, dealt, size)]
    state.deck = deck[dealt:]
    state.counts = [size] * seats
    state.round_points.append([0] * seats)
    state.zinc = 0
    state.face_down = False
    state.knowledge = None
    state.simultaneous = state.is_sealed_round()
    if state.simultaneous:
        state.phase = SEALING
        state.sealed = [[] for _ in range(seats)]
    if state.events is not None:
        state.tell(
            "round",
            -1,
            round=state.round,
            rounds=state.rounds,
            leader=state.leader,
            deck=len(state.deck),
            simultaneous=state.simultaneous,
        )
        for seat, row in enumerate(state.rows):
            state.events.append(Event("dealt", seat, {"count": size}, {"cards": row.copy()}, (seat,)))


def play(state: Position, seat: Seat, card: int, power: str, slot: int = -1) -> None:
    """Lay a card into the hand, from this slot if it was not drawn before, and let its power work."""
    used = state.put(seat, card, power, slot)
    if state.events is not None:
        state.tell("play", seat, card=card, power=used)
    if used in INSTANT:
        INSTANT[used](state, seat)
        if state.pending is not None:
            return
    _advance(state)


def proceed(state: Position) -> None:
    """A power's choices are made: go on with the hand."""
    if state.simultaneous:
        _work_off(state)
    else:
        _advance(state)


def flip(state: Position) -> None:
    """The leftmost cards of sealed rows flip together, and their powers work."""
    last_round.flip_all(state)
    if state.queue:
        _work_off(state)
    else:
        finish_hand(state)


def _work_off(state: Position) -> None:
    if last_round.work_off(state):
        finish_hand(state)


def _advance(state: Position) -> None:
    """The next seat with cards plays, or the hand is over."""
    seats, counts, leader = state.seats, state.counts, state.leader
    seat = state.turn + 1
    while True:
        if seat == seats:
            seat = 0
        if seat == leader:
            break
        if counts[seat]:
            state.turn = seat
            return
        seat += 1
    finish_hand(state)


def finish_hand(state: Position) -> None:
    """The hand is decided (section 4): a point, then the next hand or the end of the round."""
    plays = state.plays
    index, value2 = winner(plays, state.kinds, state.seats)
    seat = plays[index][2]
    state.points[seat] += 1
    state.round_points[-1][seat] += 1
    best2 = state.best2
    if value2 > best2[seat]:  # noqa: PLR1730 - the call of `max` would be felt
        best2[seat] = value2
    simultaneous = state.simultaneous
    if simultaneous and (last := state.last) is not None and last.round == state.round:
        state.earlier = (*state.earlier, last)
    state.last = LastHand(state.round, state.hand, state.leader, tuple(plays))
    if state.events is not None:
        state.tell(
            "hand_won",
            seat,
            round=state.round,
            hand=state.hand,
            card=plays[index][1],
            value2=value2,
            plays=[[play[2], play[1], play[4]] for play in plays],
            trace=[{"kind": line.kind, **line.facts} for line in explain(plays, state.seats)],
            points=state.points.copy(),
        )
    state.plays = []
    state.kinds = 0
    if state.pass_left or state.face_up:
        powers.end_hand(state)
    state.hand += 1
    counts = state.counts
    if state.seats - counts.count(0) < 2:
        finish_round(state)
        return
    while not counts[seat]:
        seat = (seat + 1) % state.seats
    state.leader = state.turn = seat
    if simultaneous:
        flip(state)


def finish_round(state: Position) -> None:
    """Cards left over score nothing; they are laid open and leave the game."""
    if any(state.counts):
        for seat, row in enumerate(state.rows):
            left = [card for card in row if card]
            if left:
                state.gone += left
                if state.events is not None:
                    state.tell("leftover", seat, cards=left)
        state.rows = [[0] * state.hand_size for _ in range(state.seats)]
        state.counts = [0] * state.seats
    state.announced.clear()
    state.knowledge = None
    if state.events is not None:
        state.tell(
            "round_over",
            -1,
            round=state.round,
            won=state.round_points[-1].copy(),
            points=state.points.copy(),
        )
    if state.round < state.rounds:
        deal_round(state)
        return
    state.phase = OVER
    if state.events is not None and (outcome := state.outcome()) is not None:
        ranks = [standing.rank for standing in outcome.standings]
        state.tell("game_over", -1, ranks=ranks, reason=outcome.reason, **outcome.facts)
