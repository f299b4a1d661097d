"""Worlds of one observation: every deal that fits is as likely as any other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from engine.atom import GAME
from engine.atom.moves import PASS, Move
from engine.atom.sample import sample, sampler
from engine.atom.sides import teams_of
from engine.atom.state import AtomState
from tests.engine.atom.positions import arrange, card, cards

pytestmark = pytest.mark.repeats

TURNED = card("7C")
"""The card turned up in an arranged position with the Blade 7."""


def handed(pool: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All ways to hand out the pool, each copy of a card counted as a card of its own."""
    if not sizes:
        yield ()
        return
    for places in combinations(range(len(pool)), sizes[0]):
        rest = [one for place, one in enumerate(pool) if place not in places]
        for others in handed(rest, sizes[1:]):
            yield (tuple(pool[place] for place in places), *others)


def held(state: AtomState) -> tuple[tuple[int, ...], ...]:
    """The hands, as sorted cards."""
    return tuple(
        tuple(one for one, many in enumerate(state.observe(seat).hand) for _ in range(many))
        for seat in range(state.seats)
    )


def expected(state: AtomState, viewer: int) -> Counter[tuple[tuple[int, ...], ...]]:
    """By deal: in how many ways the hidden cards can lie so, tried one by one."""
    hands = held(state)
    receiver = state.receiver
    fixed = receiver != viewer and TURNED in hands[receiver]
    pool = [one for seat, hand in enumerate(hands) if seat != viewer for one in hand]
    if fixed:
        pool.remove(TURNED)
    sizes = [
        0 if seat == viewer else len(hand) - (fixed and seat == receiver) for seat, hand in enumerate(hands)
    ]
    found = Counter[tuple[tuple[int, ...], ...]]()
    for dealt in handed(pool, sizes):
        world = [list(hand) for hand in dealt]
        world[viewer] = list(hands[viewer])
        if fixed:
            world[receiver].append(TURNED)
        if state.seats == 5:
            copies = [
                hand.count(state.called) + laid
                for hand, laid in zip(world, state.copies_laid(state.called), strict=True)
            ]
            sides = teams_of(receiver, copies)
            going = {side for side, hand in zip(sides, world, strict=True) if hand}
            if state.called in world[receiver] or len(going) < 2:
                continue
        found[tuple(tuple(sorted(hand)) for hand in world)] += 1
    return found


FOUR = arrange("3C 4D", "3C 5D", "3C 6D 6D", "8C")
CALLED = arrange("AH 4D", "AS AS 9D", "AS 6C", "AS 4C", "AS 9D", caller=0, called="AS")
TURNED_UP = arrange(
    "AS 4D", "7C 7C 9D", "AS AS", "4C 9H", "3D 9D", caller=1, called="AS", gone=("", "", "AS", "AS")
)


@pytest.mark.long
@pytest.mark.parametrize(("state", "viewer"), [(FOUR, 0), (CALLED, 4), (CALLED, 0), (TURNED_UP, 4)])
def test_every_deal_that_fits_is_as_likely(state: AtomState, viewer: int) -> None:
    wanted = expected(state, viewer)
    draw, rng = sampler(state.observe(viewer)), random.Random(1)
    draws = 20 * len(wanted) + 4000
    found = Counter(held(draw(rng)) for _ in range(draws))
    assert found.keys() <= wanted.keys()
    ways = wanted.total()
    error = sum(
        (found[deal] - draws * many / ways) ** 2 / (draws * many / ways) for deal, many in wanted.items()
    )
    # chi-square: its mean is the degrees of freedom, its deviation the root of twice as many
    free = len(wanted) - 1
    assert abs(error - free) < 4 * (2 * free) ** 0.5


def test_the_sides_of_a_world_are_those_of_its_cards() -> None:
    """And all else that is kept beside the cards, for every viewer and moment of a game."""
    rng = random.Random(2)
    for seats in (4, 5):
        state = GAME.deal(GAME.setup(seats, bytes([seats] * 32)))
        while turn := state.to_act():
            if rng.random() < 0.1:
                for viewer in (*range(seats), None):
                    world = sample(state.observe(viewer), rng)
                    sides = world.teams
                    world.derive()
                    assert world.teams == sides
                    assert [len(hand) for hand in held(world)] == world.left
            state.push(turn[0], rng.choice(state.legal_actions(turn[0])))
        world = sample(state.observe(0), rng)
        assert world.teams == state.teams
        assert world.outcome() == state.outcome()


def test_cards_laid_before_anybody_has_looked_are_gone_from_the_offers() -> None:
    state = sampler(FOUR.observe(0))(random.Random(3))
    state.push(0, Move("play", cards("3C")))
    assert [one.every for one in state.offered(0) if one.every] == [(Move("play", cards("4D")),)]
    state.push(1, PASS)
    state.push(2, PASS)
    state.push(3, PASS)
    assert state.legal_actions(0) == [Move("play", cards("4D"))]
