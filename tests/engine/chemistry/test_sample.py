"""Sampled worlds: what the history of a round allows, and nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import pytest

from engine.chemistry import capture, filling, worlds
from engine.chemistry.deck import compounds
from engine.chemistry.filling import FillingStory, NoWorld, read, solve
from engine.chemistry.moves import DRAWS, STOCK
from engine.chemistry.observation import DRAW, HIDDEN, SHUFFLE, entry, known_cards, parts
from engine.chemistry.position import top_of
from engine.chemistry.sample import hands_of, sample
from engine.chemistry.state import CollectState
from engine.chemistry.worlds import sampler
from engine.fair import shuffled
from tests.engine.chemistry.positions import arrange, card, cards, discard, natural, take

GAME = capture.GAME


def walk(seats: int, games: int, decks: str = "ionic") -> Iterator[CollectState]:
    """Positions of random games."""
    for seed in range(games):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(seats, seed.to_bytes(32, "big"), decks=decks))
        while state.to_act():
            yield state
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))


def test_a_card_taken_openly_is_known_until_it_is_laid() -> None:
    state = natural(decks="ionic", hands=("Na Na Cl Cl Mg O *", "K K F F Ca O *"))
    state.turn = state.dealer = 0
    state.phase = 0
    top = state.discard[-1]
    state.apply(0, DRAWS[1])
    assert state.observe(1).known[0] == (top,)
    for seed in range(20):
        assert sample(state.observe(1), random.Random(seed)).hands[0][top]
    state.apply(0, next(move for move in state.legal_actions(0) if move == discard("Na")))
    assert state.observe(1).known[0] == ((top,) if top != card("Na") else ())


def test_equal_cards_cannot_be_told_apart() -> None:
    take_o, lay_o = entry(1, 0, 8), entry(2, 0, 8)
    assert known_cards([take_o, lay_o], 2) == [[], []]
    assert known_cards([take_o, take_o, lay_o], 2) == [[8], []]
    assert known_cards([lay_o, take_o], 2) == [[8], []]


def test_after_a_reshuffle_two_players_know_each_others_hands() -> None:
    """The new stock is the discard pile, so whatever is not in it or on the table is in the other hand."""
    found = 0
    for state in walk(2, 120):
        if not state.log or len(state.orders) == 1:
            continue
        last = [parts(one) for one in state.log[-2:]]
        if last[0][0] == SHUFFLE and last[1][0] == DRAW:
            viewer = last[1][1]
            other = 1 - viewer
            found += 1
            for seed in range(5):
                world = sample(state.observe(viewer), random.Random(seed))
                assert world.hands[other] == state.hands[other]
    assert found >= 3


@pytest.mark.repeats
def test_every_sampled_world_lives_through_its_history() -> None:
    """In each world every card that was laid had been drawn before: replaying it never goes below nothing."""
    rng = random.Random(1)
    checked = 0
    for state in walk(3, 25):
        if rng.random() > 0.15:
            continue
        for viewer in (None, 0, 2):
            seen = state.observe(viewer)
            world = sample(seen, rng)  # its hands are the replay; a bytearray refuses to go below 0
            assert [sum(hand) for hand in world.hands] == state.sizes
            assert world.observe(viewer) == seen
            for order, real in zip(world.orders, state.orders, strict=True):
                assert Counter(order) == Counter(real)
            checked += len(state.orders) > 1
    assert checked > 20


@pytest.mark.repeats
@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long)])
def test_a_sampler_draws_the_worlds_that_sample_draws(seats: int) -> None:
    """Each lives through its history, and what another seat holds is as likely in both."""
    rng = random.Random(2)
    checked, gap = 0, 0.0
    for state in walk(seats, 30):
        if rng.random() > 0.04:
            continue
        seen = state.observe(0)
        draw = sampler(seen)
        one, two = Counter[int](), Counter[int]()
        for _ in range(60):
            world, other = draw(rng), sample(seen, rng)
            assert world.observe(0) == seen
            assert world.hands == hands_of(seen, world.orders)
            assert world.key != state.key
            one += Counter(dict(enumerate(world.hands[1])))
            two += Counter(dict(enumerate(other.hands[1])))
        assert one.total() == two.total()
        gap += sum(abs(one[kind] - two[kind]) for kind in one | two) / max(1, one.total())
        checked += 1
    assert checked > 10
    assert gap / checked < 0.25


def test_a_sampler_leaves_riddles_to_the_repairs() -> None:
    """Long rounds of six, where the cards laid now and then find no draw: every world fits all the same."""
    state = GAME.deal(GAME.setup(6, bytes(32), rounds=1))
    rng = random.Random(3)
    checked = 0
    while state.to_act():
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
        if len(state.orders) > 2 and rng.random() < 0.1:
            seen = state.observe(2)
            draw = sampler(seen)
            assert all(draw(rng).observe(2) == seen for _ in range(5))
            checked += 1
    assert checked


def test_few_repaired_worlds_serve_many_and_nobody_changes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs a hundred attempts: what is played in a copy stays out of the next one.

    Four are made at once, and each eighth is a new one, so that in the long run none is left out.
    """
    repairs = list[object]()

    def fill(*asked: Any) -> list[list[int]]:
        repairs.append(asked)
        return filling.fill(*asked)

    monkeypatch.setattr(worlds, "fill", fill)
    monkeypatch.setattr(worlds._Worlds, "_lay", lambda *_: None)
    seen = next(state for state in walk(3, 20) if len(state.orders) > 1 and state.to_act()).observe(0)
    rng = random.Random(4)
    draw = sampler(seen)
    for _ in range(25):
        world = draw(rng)
        assert world.observe(0) == seen
        while world.to_act():
            world.push(world.turn, rng.choice(world.legal_actions(world.turn)))
    assert len(repairs) == 4 + 25 // 8


def test_own_draws_stay_where_they_were() -> None:
    for state in walk(2, 3):
        seen = state.observe(1)
        world = sample(seen, random.Random(0))
        for order, mask in zip(world.orders, seen.orders, strict=True):
            assert all(real == known for real, known in zip(order, mask, strict=True) if known != HIDDEN)


def test_the_key_of_a_world_is_its_own() -> None:
    state = next(walk(2, 1))
    assert sample(state.observe(0), random.Random(1)).key != state.key


def explained(story: FillingStory, kinds: Sequence[int]) -> bool:
    """Whether these kinds explain every card laid."""
    times: dict[tuple[int, int], list[int]] = {key: list(own) for key, own in story.known.items()}
    for token, kind in enumerate(kinds):
        times.setdefault((story.seat[token], kind), []).append(story.time[token])
    for key, laid in story.laid.items():
        had = times.get(key, [])
        if any(sum(t < time for t in had) < n for n, time in enumerate(laid, 1)):
            return False
    return True


def story(tokens: str, pools: list[str], laid: str) -> FillingStory:
    """A story in signs: tokens as seat-stock-time, pools as cards, cards laid as seat-kind-time."""
    found = FillingStory()
    for token in tokens.split():
        seat, epoch, time = map(int, token.split("-"))
        found.add(seat, epoch, found.epoch.count(epoch), time)
    found.pools = [Counter(cards(pool)) for pool in pools]
    for one in laid.split():
        seat, kind, time = one.split("-")
        found.laid.setdefault((int(seat), card(kind)), []).append(int(time))
    return found


def test_what_chance_leads_astray_is_repaired() -> None:
    """Seat 0's oxygen must come from the second stock, or seat 1 has nowhere to get its own from."""
    told = story("0-0-0 0-0-1 0-0-2 1-0-3 0-1-5 0-1-6", ["O H H H", "O H"], "0-O-9 1-O-10")
    for seed in range(60):
        kinds = solve(told, random.Random(seed))
        assert kinds[3] == card("O")
        assert card("O") in kinds[4:]
        assert explained(told, kinds)


def test_a_card_cannot_be_laid_before_it_is_drawn() -> None:
    told = story("0-0-0 0-0-5", ["O H"], "0-O-3")
    assert {tuple(solve(told, random.Random(seed))) for seed in range(20)} == {tuple(cards("O H"))}


def test_every_world_that_fits_comes_out() -> None:
    told = story("0-0-0 0-0-1 1-0-2 1-0-3", ["O O H S"], "0-O-9")
    found = {tuple(solve(told, random.Random(seed))) for seed in range(400)}
    every = {kinds for kinds in permutations(cards("O O H S")) if card("O") in kinds[:2]}
    assert found == every


def test_a_history_that_cannot_be_is_refused() -> None:
    with pytest.raises(NoWorld):
        solve(story("0-0-0", ["H"], "0-O-3"), random.Random(0))


def test_six_players_and_ten_stocks_are_no_riddle() -> None:
    """Long rounds, where a search in order would run for years: what comes out explains every card laid."""
    checked = 0
    for seed in range(12):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(6, seed.to_bytes(32, "big"), rounds=1))
        while state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
            if len(state.orders) > 3 and rng.random() < 0.1:
                told = read(state.observe(None))
                assert explained(told, solve(told, rng))
                checked += 1
    assert checked > 10


def test_hands_that_were_laid_open_at_the_end_are_sampled_as_they_are() -> None:
    ends = 0
    for seed in range(5):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(3, seed.to_bytes(32, "big"), rounds=1))
        while state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
        for viewer in (None, 0):
            assert sample(state.observe(viewer), rng).hands == state.hands
            ends += 1
    assert ends == 10


def test_an_observation_shows_no_hidden_card() -> None:
    state = arrange("H H O", "S S", stock="Fe Zn")
    state.apply(0, take("H2O", "H H O"))
    state.apply(1, DRAWS[STOCK])
    assert state.observe(0).hand == ()
    assert state.observe(1).hand == (16, 16, 26)


@pytest.mark.parametrize("count", [0, 1, 6, 14, 47, 48])
def test_the_top_of_a_pile_is_that_of_the_whole_shuffle(count: int) -> None:
    """The deal stays checkable: it is the fair shuffle of the label, read from its end."""
    whole = shuffled(bytes(32), "compounds/1", range(48))[::-1]
    assert top_of(bytes(32), "compounds/1", range(48), count) == whole[:count]


def test_the_pile_goes_on_where_it_was_looked_up() -> None:
    for state in walk(3, 12, decks="ionic"):
        whole = shuffled(state.key, f"compounds/{state.round}", compounds("ionic"))[::-1]
        assert state.stack[: state.up] == whole[: state.up]
