"""What can be deduced after looks and shuffles is exactly what fits: compared with trying everything."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import permutations

import pytest

from engine.atom_duel.knowledge import EVERYBODY, Knowledge, Recalled, ReplayedKnowledge, place, relive

Rows = tuple[tuple[int, ...], ...]


def row_mask(seat: int, row: Sequence[int]) -> int:
    """The occupied places of a row."""
    return sum(place(seat, slot) for slot, card in enumerate(row) if card)


class Worlds:
    """All arrangements that a viewer must think possible, kept one by one."""

    def __init__(self, rows: Rows, hidden: list[int], viewer: int) -> None:
        own = rows[viewer]
        slots = [(seat, slot) for seat, row in enumerate(rows) for slot in range(len(row)) if seat != viewer]
        self.worlds: set[frozenset[tuple[int, tuple[int, int]]]] = set()
        for cards in permutations(hidden, len(slots)):
            laid = {(viewer, slot): card for slot, card in enumerate(own)}
            laid.update(zip(slots, cards, strict=True))
            self.worlds.add(frozenset((card, at) for at, card in laid.items()))

    def see(self, card: int, at: tuple[int, int]) -> None:
        self.worlds = {world for world in self.worlds if (card, at) in world}

    def leave(self, card: int, at: tuple[int, int]) -> None:
        self.see(card, at)
        self.worlds = {world - {(card, at)} for world in self.worlds}

    def shuffle(self, parts: list[list[tuple[int, int]]]) -> None:
        for part in parts:
            after = set()
            for world in self.worlds:
                inside = [card for card, at in world if at in part]
                outside = frozenset((card, at) for card, at in world if at not in part)
                after |= {outside | set(zip(order, part, strict=True)) for order in permutations(inside)}
            self.worlds = {frozenset(world) for world in after}

    def places(self) -> dict[int, int]:
        """Where each card can be, for the cards that lie in the rows of every world."""
        certain = set.intersection(*({card for card, _ in world} for world in self.worlds))
        found = dict.fromkeys(certain, 0)
        for world in self.worlds:
            for card, (seat, slot) in world:
                if card in certain:
                    found[card] |= place(seat, slot)
        return found


@pytest.mark.long
@pytest.mark.repeats
@pytest.mark.rule("atom_duel", 36, "3.8")
@pytest.mark.parametrize("seed", range(25))
def test_places_are_those_of_all_worlds_that_fit(seed: int) -> None:
    rng = random.Random(seed)
    cards = list(range(1, 8))
    rng.shuffle(cards)
    rows = [cards[:2], cards[2:4], cards[4:6]]
    knowledge = Knowledge.of_rows(rows)
    worlds = Worlds(tuple(map(tuple, rows)), sorted(cards[2:]), 0)
    chlorine, germanium = rng.sample(range(6), 2) if rng.random() < 0.7 else (0, 9)
    for step in range(6):
        taken = [(seat, slot) for seat in range(3) for slot in range(2) if rows[seat][slot]]
        if len(taken) < 2:
            break
        everywhere = 0
        for seat, row in enumerate(rows):
            everywhere |= row_mask(seat, row)
        if step == chlorine:
            mixed = [rows[seat][slot] for seat, slot in taken]
            rng.shuffle(mixed)
            for (seat, slot), card in zip(taken, mixed, strict=True):
                rows[seat][slot] = card
            knowledge.shuffle([everywhere])
            worlds.shuffle([taken])
            if step < germanium:  # the owner may look at the new row
                for slot, card in enumerate(rows[0]):
                    if card:
                        knowledge.see(0, {card: place(0, slot)})
                        worlds.see(card, (0, slot))
        elif step == germanium:
            parts = [[at for at in taken if at[0] == seat] for seat in range(3)]
            for part in parts:
                mixed = [rows[seat][slot] for seat, slot in part]
                rng.shuffle(mixed)
                for (seat, slot), card in zip(part, mixed, strict=True):
                    rows[seat][slot] = card
            knowledge.shuffle(row_mask(seat, row) for seat, row in enumerate(rows))
            worlds.shuffle([part for part in parts if part])
        else:
            seat, slot = rng.choice(taken)
            card = rows[seat][slot]
            if rng.random() < 0.5:
                knowledge.see(0, {card: place(seat, slot)})
                worlds.see(card, (seat, slot))
            else:
                knowledge.leave(card, place(seat, slot))
                worlds.leave(card, (seat, slot))
                rows[seat][slot] = 0
        # cards that only counting can place may be missing; what is stated must be exact
        possible = worlds.places()
        for card, mask in knowledge.known[0].items():
            assert possible[card] == mask


@pytest.mark.rule("atom_duel", 36, "3.8")
def test_moves_carry_knowledge_along() -> None:
    knowledge = Knowledge.of_rows([[5, 6], [7, 8]])
    a, b, c = place(0, 0), place(0, 1), place(1, 0)
    knowledge.move({a: c, c: a})
    assert knowledge.known[0] == {5: c, 6: b}
    assert knowledge.known[1] == {7: a, 8: place(1, 1)}


def test_the_past_is_relived_as_it_may_have_been() -> None:
    """The observer relives a shuffle: its own knowledge comes back, and that of others is possible."""
    knowledge = Knowledge.of_rows([[5, 6], [7, 8]])
    knowledge.see(2, {5: place(0, 0)})
    knowledge.shuffle([3, 3 << 8])
    knowledge.leave(8, place(1, 1))
    log, memories = knowledge.log, [memory[2] for memory in knowledge.memories]
    public = set()
    for seed in range(30):
        # the spectator saw card 5 in seat 0, so it knows nothing of 6 and 7
        again = relive([[6, 5], [9, 0]], log, memories, random.Random(seed))
        assert again.known[2] == knowledge.known[2] == {5: 3}
        assert again.known[0] == {5: 3, 6: 3}
        assert again.known[1] == {9: place(1, 0)}
        assert again.memories[0][2] == memories[0]
        public.add(again.memories[0][1])
    assert public == {((8, 1 << 9), (9, 1 << 8)), ((8, 1 << 8), (9, 1 << 9))}


@pytest.mark.parametrize("asked", range(5))
def test_a_past_is_the_same_whenever_somebody_asks_for_it(asked: int) -> None:
    """Acts after a sampled world was drawn are noted until then, and clones of it remember the same."""
    knowledge = Knowledge.of_rows([[5, 6], [7, 8]])
    knowledge.see(2, {5: place(0, 0)})
    knowledge.shuffle([3, 3 << 8])
    rows, memories = [[6, 5], [7, 8]], [memory[2] for memory in knowledge.memories]
    once = relive(rows, knowledge.log, memories, random.Random(b"key"))
    again = Recalled(rows, knowledge.log, memories, b"key")
    to = {place(0, 0): place(1, 0), place(1, 0): place(0, 0)}
    acts: list[Callable[[Knowledge], None]] = [
        lambda it: it.see(EVERYBODY, {6: place(0, 0)}),
        lambda it: it.move(to),
        lambda it: it.leave(6, place(1, 0)),
        lambda it: it.shuffle(part for part in (3,)),
    ]
    for number, act in enumerate(acts):
        if number == asked:
            assert again.parts() == once.parts()
        act(once)
        twin = again.clone()
        act(again)
        act(twin)
        assert twin.clone().parts() == once.parts()
    rows[0][0] = 0  # the world goes on
    assert again.parts() == once.parts()
    assert again.known == once.known


def test_with_a_shuffle_each_world_has_a_past_of_its_own() -> None:
    knowledge = Knowledge.of_rows([[5, 6], [7, 8]])
    knowledge.shuffle([3, 3 << 8])
    memories = [memory[2] for memory in knowledge.memories]
    worlds = [Recalled([[6, 5], [7, 8]], knowledge.log, memories, bytes([seed])) for seed in range(20)]
    assert {world.memories[0][0] for world in worlds} == {((5, 1), (6, 2)), ((5, 2), (6, 1))}


def test_only_what_is_missing_is_recalled() -> None:
    assert not hasattr(Recalled([[5], [6]], [], [], b""), "memory")


@pytest.mark.parametrize("where", [(), {5: 1}])
def test_nobody_lives_through_what_is_no_act(where: tuple[int, ...] | dict[int, int]) -> None:
    with pytest.raises(ValueError, match=r"^burn$"):
        ReplayedKnowledge.of_rows([[5]]).live(("burn", 0, where))
