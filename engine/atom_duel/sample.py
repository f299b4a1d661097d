"""From what a seat knows back to whole positions: random worlds that fit.

Known cards go where they can be, smallest sets first: the sets are nested or apart (`knowledge`), so
that makes every arrangement equally likely. All other slots and the deck share the unseen cards. What
all worlds of an observation share is read once, the deck beyond the next round is not shuffled, and who
has looked at which card is found out when somebody asks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from engine.atom_duel import position as positions
from engine.atom_duel.cards import CARDS, DEAD, PLUS_FIVE, CardTable
from engine.atom_duel.evaluate import Played
from engine.atom_duel.knowledge import Recalled
from engine.atom_duel.observation import HIDDEN, HandView, Observation, Place, PlayView
from engine.atom_duel.position import LastHand, Pending
from engine.atom_duel.state import AtomDuelState
from engine.game import Event, Viewer


def sampler(seen: Observation) -> Callable[[random.Random], AtomDuelState]:
    """Draws worlds that the observer cannot tell from the real one, each with a deal key of its own."""
    return _Worlds(seen).draw


def sample(seen: Observation, rng: random.Random) -> AtomDuelState:
    """One such world."""
    return _Worlds(seen).draw(rng)


def conditioned_on(world: AtomDuelState, told: Event, viewer: Viewer) -> AtomDuelState:
    """The world with the card that was played, or turned over, where it must have lain: it changes places
    with one that was made up for that row. As it was where the viewer knows either of them, or rows are
    sealed."""
    if told.kind not in ("play", "flip") or told.seat < 0 or world.simultaneous or world.sealed:
        return world
    facts: Mapping[str, Any] = told.facts
    row, card = world.rows[told.seat], facts["card"]
    slots = [facts["slot"]] if told.kind == "flip" else range(len(row))
    known = _known(world, viewer)
    free = [row[slot] for slot in slots if row[slot] and row[slot] not in known]
    if card in known or not free or any(row[slot] == card for slot in slots):
        return world
    other = free[card % len(free)]
    if any(card in row for row in world.rows) or card in world.deck:
        _rename(world, {card: other, other: card})
    return world


def _known(world: AtomDuelState, viewer: Viewer) -> set[int]:
    """The cards of which a viewer knows anything, or ever has."""
    if world.knowledge is None:
        return set() if viewer is None else set(world.rows[viewer])
    at = world.seats if viewer is None else viewer
    found = set(world.knowledge.known[at])
    for memory in world.knowledge.memories:
        found.update(card for card, _ in memory[at])
    return found


def _rename(world: AtomDuelState, names: Mapping[int, int]) -> None:
    """Exchange cards wherever they lie or are known; nothing that is open may name them."""
    world.rows = [[names.get(card, card) for card in row] for row in world.rows]
    world.deck = [names.get(card, card) for card in world.deck]
    if world.knowledge is not None:
        world.knowledge = world.knowledge.renamed(names)
    world.derive()


class _Worlds:
    """An observation, read and ready to be filled in."""

    __slots__ = ("hidden", "next", "seen", "table", "unseen")

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.table = _table(seen)
        self.hidden = [
            (seat, slot)
            for seat, row in enumerate(seen.rows)
            for slot, card in enumerate(row)
            if card == HIDDEN
        ]
        shown = {*seen.gone, *(card for row in seen.rows for card in row)}
        shown.update(card for group in seen.groups for card in group.cards)
        self.unseen = [card for card in CARDS if card not in shown]
        self.next = seen.seats * seen.hand_size if seen.round < seen.rounds else 0
        """How many cards are dealt in the next round: search goes no further."""

    def draw(self, rng: random.Random) -> AtomDuelState:
        """One world."""
        seen, state = self.seen, self.table.clone()
        state.key = rng.randbytes(32)
        rows, hidden = state.rows, self.hidden
        if seen.groups:
            hidden = self._lay_groups(rows, rng)
        # a shuffle of all that is unseen would take longer than everything else
        chance, pool, left = rng.random, self.unseen.copy(), len(self.unseen)
        for seat, slot in hidden:
            at = int(chance() * left)
            left -= 1
            rows[seat][slot] = pool[at]
            pool[at] = pool[left]
        del pool[left:]
        for next_ in range(self.next):
            at = next_ + int(chance() * (left - next_))
            pool[next_], pool[at] = pool[at], pool[next_]
        state.deck, state.unshuffled = pool, left - self.next
        if seen.sealing:
            _seal(state, seen, rng)
        elif seen.simultaneous:
            _announce(state, seen, rng)
        if seen.looks:
            state.knowledge = Recalled(rows, seen.looks, seen.memories, state.key)
        return state

    def _lay_groups(self, rows: list[list[int]], rng: random.Random) -> list[Place]:
        """Lay the cards that are known up to a shuffle; the places that are left for any card."""
        hidden = self.hidden.copy()
        for group in self.seen.groups:  # they ascend by places: a set comes after all that lie within it
            free = [at for at in group.places if at in hidden]
            for card, (seat, slot) in zip(group.cards, rng.sample(free, len(group.cards)), strict=True):
                rows[seat][slot] = card
                hidden.remove((seat, slot))
        return hidden


def _table(seen: Observation) -> AtomDuelState:
    """The position as far as the observer knows it, HIDDEN in the slots that it does not know."""
    setting = seen.level, seen.seats, seen.hand_size, seen.rounds
    state = AtomDuelState(*setting, bytes(32), gold_immune_from=seen.gold_immune_from)
    state.restore(seen)
    state.turn = seen.to_act[0] if seen.to_act else 0
    state.phase = positions.OVER if seen.over else positions.SEALING if seen.sealing else positions.PLAYING
    state.plays = [played(play, state.table) for play in seen.plays]
    for seat in seen.zinc:
        state.zinc |= 1 << seat
    state.last = _last(seen.last_hand, state.table) if seen.last_hand else None
    state.earlier = tuple(_last(hand, state.table) for hand in seen.earlier)
    if seen.pending is not None:
        asked = seen.pending
        state.pending = Pending(asked.verb, asked.card, asked.target, asked.own, asked.slots)
    state.rows = list(map(list, seen.rows))
    state.derive()
    return state


def played(view: PlayView, table: CardTable) -> Played:
    """The card in the hand as the rules hold it."""
    bits = table.announced[view.card].get(view.power, table.bits[view.card])
    if view.dead:
        bits = DEAD
    elif view.plus_five:
        bits |= PLUS_FIVE
    return (view.number2, view.card, view.seat, bits, view.power)


def _last(view: HandView, table: CardTable) -> LastHand:
    return LastHand(view.round, view.hand, view.leader, tuple(played(play, table) for play in view.plays))


def _any_power(state: AtomDuelState, card: int, rng: random.Random) -> str:
    choices = state.table.choices[card]
    return rng.choice(choices) if choices else ""


def _seal(state: AtomDuelState, seen: Observation, rng: random.Random) -> None:
    """The viewer's own row is known; of the others only whether it is complete."""
    for seat, row in enumerate(state.rows):
        if seat == seen.viewer:
            state.sealed.append(list(seen.sealed))
            continue
        cards = [card for card in row if card]
        # any length fits an unfinished row; the longer of two draws shows more orders for the price
        short = max(rng.randrange(len(cards)), rng.randrange(len(cards)))
        done = short if seat in seen.to_act else len(cards)
        state.sealed.append([(card, _any_power(state, card, rng)) for card in rng.sample(cards, done)])


def _announce(state: AtomDuelState, seen: Observation, rng: random.Random) -> None:
    known = dict(seen.announced)
    for row in state.rows:
        for card in row:
            if state.table.choices[card]:
                state.announced[card] = known.get(card) or _any_power(state, card, rng)
