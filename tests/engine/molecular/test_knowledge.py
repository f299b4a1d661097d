"""What seats know of hidden things, and that sampled worlds respect it (tests/conformance/laws.py)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.molecular import GAME
from engine.molecular.hidden_pieces import MARK, PUBLIC, HiddenPieces, entry, epoch_of, kind_of
from engine.molecular.moves import FORFEIT, PASS, REVEAL, Move
from engine.molecular.observation import HIDDEN, Mixed
from engine.molecular.sample import _imagined
from engine.molecular.sample import sample_pieces as sampled_pieces
from engine.molecular.state import MolecularState
from engine.molecular.view import _held
from tests.engine.molecular.positions import g, game, give_hand, give_pool, stack, tile

Lying = tuple[str, int]
"""Where a piece lies, and its kind."""


def samples(state: MolecularState, viewer: int | None, count: int = 300) -> list[MolecularState]:
    rng = random.Random(1)
    seen = state.observe(viewer)
    return [GAME.sample(seen, rng) for _ in range(count)]


def test_own_tiles_are_seen_and_those_of_others_are_not() -> None:
    state = game(3)
    seen = state.observe(1)
    assert seen.tiles.held[1] == tuple(state.tiles.kinds(1))
    assert set(seen.tiles.held[0]) == set(seen.cards.held[2]) == {HIDDEN}
    assert set(state.observe(None).tiles.held[1]) == {HIDDEN}


def test_returned_tiles_are_not_in_pools_filled_before() -> None:
    """After a forfeit its owner knows: those tiles lie in the supply, or were drawn since."""
    state = game(2)
    rare = ("N12-1", "N12-2", "N12-3", "C22-1", "C22-2")  # one of each exists
    give_pool(state, 0, *rare)
    state.scores[0] = 1
    state.apply(0, FORFEIT)
    state.tiles.pile += state.tiles.kinds(0)
    state.tiles.held[0] = []
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    wanted = {tile(name) for name in rare}
    drawn_again = 0
    for world in samples(state, 0):
        assert not wanted & set(world.tiles.kinds(1))
    # a spectator and the other player do not know it
    assert any(wanted & set(world.tiles.kinds(1)) for world in samples(state, None))
    # once seat 1 has drawn from the mixed supply it may hold one
    state.tiles.held[1] = state.tiles.held[1][:3]
    state.tiles.draw(1)
    for world in samples(state, 0):
        assert not wanted & set(world.tiles.kinds(1)[:3])
        drawn_again += bool(wanted & set(world.tiles.kinds(1)[3:]))
    assert drawn_again


def test_a_mark_goes_when_its_tile_is_seen_again() -> None:
    state = game(2)
    give_pool(state, 0, "N12-1", "H1-1", "H1-1", "H1-1", "H1-1")
    state.scores[0] = 1
    state.apply(0, FORFEIT)
    marks = Counter(mark & 63 for mark in state.observe(0).tiles.marks)
    held = Counter(state.tiles.kinds(0))
    assert marks == Counter({tile("N12-1"): 1, tile("H1-1"): 4}) - held
    assert state.observe(1).tiles.marks == ()


def test_a_card_given_at_a_conference_stays_known_until_it_moves_on() -> None:
    state = game(3)
    give_hand(state, 0, "ether", "amide", "urea")
    give_hand(state, 1, "azo", "diene", "ketone")
    stack(state, "conference")
    state.apply(0, REVEAL)
    state.apply(0, Move("give", g("ether")))
    assert state.observe(1).gift == -1
    state.apply(1, Move("give", g("azo")))
    state.apply(2, state.legal_actions(2)[0])
    assert g("ether") in state.observe(0).cards.held[1]
    assert g("ether") not in state.observe(2).cards.held[1]
    assert g("azo") in state.observe(1).cards.held[2]
    for world in samples(state, 0, 50):
        assert world.cards.holds(1, g("ether"))
    assert any(not world.cards.holds(1, g("ether")) for world in samples(state, 2, 50))


def test_a_known_card_that_is_forfeited_is_known_to_be_in_the_deck() -> None:
    state = game(3)
    give_hand(state, 0, "diacid", "amide", "urea")
    stack(state, "conference")
    state.apply(0, REVEAL)
    state.apply(0, Move("give", g("diacid")))
    for seat in (1, 2):
        state.apply(seat, state.legal_actions(seat)[0])
    state.apply(0, PASS)
    state.scores[1] = 1
    state.apply(1, FORFEIT)
    assert state.observe(0).cards.marks == (g("diacid") | 1 << 6,)
    assert state.observe(2).cards.marks == ()
    fresh = 0
    for world in samples(state, 0):
        assert not world.cards.holds(2, g("diacid"))
        fresh += world.cards.holds(1, g("diacid"))
    assert fresh  # seat 1 may have drawn it again
    assert any(world.cards.holds(2, g("diacid")) for world in samples(state, None))


def test_both_sides_know_what_a_poached_student_brought_and_took() -> None:
    state = game(3)
    give_hand(state, 0, "ether", "amide", "urea")
    give_hand(state, 1, "azo", "diene", "ketone")
    stack(state, "poach")
    state.apply(0, REVEAL)
    state.apply(0, Move("poach", 1))
    taken = state.cards.kinds(0)[-1]
    assert state.observe(1).cards.held[0] == (HIDDEN, HIDDEN, HIDDEN, taken)
    assert set(state.observe(2).cards.held[0]) == {HIDDEN}
    state.apply(0, Move("give", g("urea")))
    assert state.observe(0).cards.held[1][-1] == g("urea")
    events = [ev for ev in state.events or () if ev.kind in ("poach", "gave_back")]
    assert [("group" in (ev.seen_by(2) or ev).facts) for ev in events] == [False, False]
    assert [("group" in (ev.seen_by(1) or ev).facts) for ev in events] == [True, True]


def test_the_observation_holds_neither_key_nor_order() -> None:
    state = game(2)
    seen = state.observe(0)
    twin = state.clone()
    twin.tiles.pile.reverse()
    twin.cards.pile.reverse()
    twin.effectors.reverse()
    twin.key = bytes([7]) * 32
    assert twin.observe(0) == seen


# the pile made anew: every piece of it is known to all


def reshuffled(seats: int = 2) -> HiddenPieces:
    """A deck of four cards that ran out, hands of two, and the discard shuffled in."""
    made = HiddenPieces(seats, [])
    made.held = [[entry(seat * 2, 0), entry(seat * 2 + 1, 0)] for seat in range(seats)]
    made.mix_in(PUBLIC, [entry(10, 0), entry(11, 0), entry(12, 0), entry(13, 0)], list)
    return made


def sampled(made: HiddenPieces, viewer: int | None, count: int = 200) -> list[HiddenPieces]:
    kinds = Counter(made.pile + [k for s in range(len(made.held)) for k in made.kinds(s)])
    rng = random.Random(2)
    return [sampled_pieces(_held(made, viewer), viewer, kinds, rng) for _ in range(count)]


def test_a_deck_made_from_the_discard_holds_just_that() -> None:
    made = reshuffled()
    made.draw(0)
    for world in sampled(made, 1):
        assert set(world.kinds(0)[:2]) == {0, 1}
        assert set(world.kinds(0)[2:] + world.pile) == {10, 11, 12, 13}


def test_after_a_forfeit_into_it_old_draws_are_still_of_the_discard() -> None:
    made = reshuffled(3)
    made.draw(0)
    gone, made.held[2] = made.held[2], []
    made.mix_in(2, gone, list)
    made.draw(2)
    fresh = set()
    for world in sampled(made, 1):
        assert set(world.kinds(0)[:2]) <= {0, 1, 4, 5}
        assert world.kinds(0)[2] in {10, 11, 12, 13}
        fresh.add(world.kinds(2)[0])
    assert fresh & {0, 1, 4, 5}
    assert fresh & {10, 11, 12, 13}


def test_the_latest_mark_that_fits_is_taken_away() -> None:
    """Two equal pieces known from two mixings; one drawn after the second may be either."""
    made = HiddenPieces(2, [1, 2])
    for _ in range(2):
        made.mix_in(0, [entry(7, 0)], list)
    made.pile = [1, 2, 7, 7]
    made.held[1].append(entry(9, 0))  # an old hidden piece keeps the marks alive
    made.draw(0)
    assert [mark >> 6 for mark in made.marks_of(0)] == [1]


def test_marks_that_say_nothing_are_not_shown() -> None:
    made = HiddenPieces(2, [1, 2, 3])
    made.mix_in(0, [entry(7, 0)], list)
    made.draw(1)
    assert made.marks_of(0) == ()  # all other hands are as young as the mark
    assert made.marks_of(1) == ()


def test_which_of_equal_pieces_leaves_is_chance_only_where_they_differ() -> None:
    made = HiddenPieces(2, [])
    made.held[0] = [entry(5, 0), entry(5, 0)]

    def never(_: int) -> int:
        raise AssertionError("no roll is needed")

    assert kind_of(made.take(0, 5, never)) == 5
    made.held[0] = [entry(5, 0), entry(5, 3)]
    rolled = {epoch_of(made.clone().take(0, 5, lambda n, roll=roll: roll)) for roll in range(2)}
    assert rolled == {0, 3}


@pytest.mark.parametrize("seed", range(6))
def test_sampled_worlds_can_be_played_to_the_end(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.deal(GAME.setup(4, bytes([seed]) * 32, rounds=12))
    played = 0
    while state.to_act():
        seat = rng.choice(state.to_act())
        if rng.random() < 0.03:
            world = GAME.sample(state.observe(seat), rng)
            assert world.census() == state.census()
            while world.to_act():
                actor = world.to_act()[0]
                world.apply(actor, rng.choice(world.legal_actions(actor)))
            assert world.outcome() is not None
            assert world.census() == state.census()
            played += 1
        state.push(seat, rng.choice(state.legal_actions(seat)))
    assert played


@pytest.mark.repeats
@pytest.mark.parametrize("seats", [2, 3])
def test_a_sampler_draws_the_worlds_that_sample_draws(seats: int) -> None:
    """Each fits, has a secret of its own, and what lies unseen is as likely in both: the two are no
    further apart than two runs of `sample`."""
    rng = random.Random(seats)
    marked, gap, noise = 0, 0, 0
    for seed in range(4):
        state = game(seats, seed=seed)
        while waiting := state.to_act():
            if rng.random() < 0.06:
                seen = state.observe(0)
                draw = GAME.sampler(seen)
                drawn, once, again = Counter[Lying](), Counter[Lying](), Counter[Lying]()
                for _ in range(60):
                    world = draw(rng)
                    assert world.observe(0) == seen
                    assert world.census() == state.census()
                    assert world.key != state.key
                    drawn.update(lying(world))
                    once.update(lying(GAME.sample(seen, rng)))
                    again.update(lying(GAME.sample(seen, rng)))
                gap += sum(abs(drawn[piece] - once[piece]) for piece in drawn | once)
                noise += sum(abs(again[piece] - once[piece]) for piece in again | once)
                marked += bool(seen.tiles.marks or seen.cards.marks)
            moves = state.legal_actions(waiting[0])
            state.push(waiting[0], REVEAL if REVEAL in moves and rng.random() < 0.3 else rng.choice(moves))
    assert marked > 3
    assert gap < 1.1 * noise


def lying(state: MolecularState) -> list[Lying]:
    """What seat 1 holds, and the next pieces of each pile."""
    drawn = (state.tiles.pile[-5:], state.cards.pile[-5:], state.effectors[-5:])
    return [
        *(("tile", kind) for kind in state.tiles.kinds(1)),
        *(("card", kind) for kind in state.cards.kinds(1)),
        *(
            (name, kind)
            for name, kinds in zip(("tiles", "cards", "effectors"), drawn, strict=True)
            for kind in kinds
        ),
    ]


def test_what_another_has_put_in_may_have_left_again() -> None:
    """A carbon went in for all to see, then one piece of seat 2's own; now a single piece is hidden, drawn
    after a third mixing. Seat 2 may take it for either of the two."""
    made = HiddenPieces(3, [])
    made.held = [[], [entry(0, 3, 0)], []]
    mixes = (Mixed(PUBLIC, 1, 1, (0,), ()), Mixed(2, 1, 1, (), ()), Mixed(1, 1, 1, (), ()))
    found = {tuple(_imagined(made, mixes, 2, random.Random(seed))) for seed in range(200)}
    assert {(0 | 1 << MARK,), (0 | 2 << MARK,)} <= found
