"""From a position to what a viewer may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.atom_duel.cards import DEAD, PLUS_FIVE
from engine.atom_duel.evaluate import Played, evaluate, explain
from engine.atom_duel.knowledge import place, places, places_by_card
from engine.atom_duel.observation import (
    EMPTY,
    HIDDEN,
    Group,
    HandView,
    Observation,
    PendingView,
    PlayView,
)
from engine.atom_duel.position import LastHand, Position
from engine.game import Viewer


def observe(state: Position, viewer: Viewer) -> Observation:
    """All that `viewer` may know; None is a spectator."""
    known = _known(state, viewer)
    exact: dict[int, int] = {}
    vague: dict[int, list[int]] = {}
    for card, mask in known.items():
        if mask & (mask - 1):
            vague.setdefault(mask, []).append(card)
        else:
            exact[mask] = card
    knowledge = state.knowledge
    index = state.seats if viewer is None else viewer
    to_play = state.to_play()
    winning, plays = view_plays(state.plays, state.seats, len(state.plays) + len(to_play))
    pending = state.pending
    return state.public_view(
        viewer=viewer,
        to_act=state.to_act(),
        over=state.over,
        deck=len(state.deck),
        rows=tuple(
            tuple(exact.get(place(seat, slot), HIDDEN) if card else EMPTY for slot, card in enumerate(row))
            for seat, row in enumerate(state.rows)
        ),
        groups=tuple(Group(tuple(sorted(vague[mask])), tuple(places(mask))) for mask in sorted(vague)),
        looks=tuple(knowledge.log) if knowledge else (),
        memories=tuple(memory[index] for memory in knowledge.memories) if knowledge else (),
        plays=plays,
        winning=winning,
        to_play=tuple(to_play),
        pending=None
        if pending is None
        else PendingView(pending.verb, state.turn, pending.card, pending.target, pending.own, pending.slots),
        zinc=tuple(seat for seat in range(state.seats) if state.zinc >> seat & 1),
        last_round=state.last_round,
        simultaneous=state.simultaneous,
        sealing=state.sealing,
        sealed=tuple(state.sealed[viewer]) if state.sealing and viewer is not None else (),
        announced=tuple(sorted((card, power) for card, power in state.announced.items() if card in known)),
        last_hand=None if state.last is None else _view_hand(state.last, state.seats),
        earlier=tuple(_view_hand(hand, state.seats) for hand in state.earlier),
    )


def _known(state: Position, viewer: Viewer) -> dict[int, int]:
    """The cards that the viewer knows to lie in the rows, and where they can be."""
    if state.knowledge is not None:
        return state.knowledge.known[state.seats if viewer is None else viewer]
    if viewer is None:
        return {}
    return places_by_card(viewer, state.rows[viewer])


def view_plays(plays: Sequence[Played], seats: int, cards_of_hand: int) -> tuple[int, tuple[PlayView, ...]]:
    """The seat that wins as the hand stands (-1 before the first card), and each play."""
    if not plays:
        return -1, ()
    result = evaluate(plays, seats, cards_of_hand)
    views = tuple(
        PlayView(
            seat=seat,
            card=card,
            power=power,
            number2=number2,
            value2=result.values[i],
            head=plays[result.heads[i]][1],
            beaten=result.beaten[i],
            plus_five=bool(bits & PLUS_FIVE),
            dead=bool(bits & DEAD),
        )
        for i, (number2, card, seat, bits, power) in enumerate(plays)
    )
    return plays[result.winner][2], views


@lru_cache(maxsize=256)
def _view_hand(last: LastHand, seats: int) -> HandView:
    winner, plays = view_plays(last.plays, seats, len(last.plays))
    head = next(play.head for play in plays if play.seat == winner)
    value2 = next(play.value2 for play in plays if play.card == head)
    return HandView(
        round=last.round,
        hand=last.hand,
        leader=last.leader,
        winner=winner,
        card=head,
        value2=value2,
        plays=plays,
        trace=tuple(explain(last.plays, seats)),
    )
