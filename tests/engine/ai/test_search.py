"""Search by sampled worlds: it finds what is better, gives the same answer again, and stops when told."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from engine.ai import at_random
from engine.ai.search import Search
from engine.arena import arena, credited, key_of
from engine.game import AnyState
from engine.verdict import Candidate
from tests.support.games.probe import GAME, Act

SETUP = GAME.setup(3, key_of(1, 1))


def flat(_seen: Any, actions: Sequence[Any], _rng: random.Random) -> list[float]:
    """A heuristic that has no opinion."""
    return [0.0] * len(actions)


def played_on(world: AnyState, seat: int, rng: random.Random) -> Any:
    """A policy that plays at random."""
    return at_random(None, world.legal_actions(seat), rng)


def share(world: AnyState, seat: int) -> float:
    """A judge of games that are over."""
    outcome = world.outcome()
    assert outcome is not None
    return credited(outcome)[seat]


def points(world: AnyState, seat: int) -> float:
    """A judge of any position: the points so far."""
    made: list[int] = world.points  # type: ignore[attr-defined]
    return made[seat] / 100


def worlds(seen: Any) -> Callable[[random.Random], AnyState]:
    return partial(GAME.sample, seen)


def searching(**more: Any) -> Search:
    """A search of the probe game, with a small budget."""
    given: dict[str, Any] = {"scores": flat, "budget": 40, "judge": share, **more}
    return Search(worlds, given.pop("scores"), played_on, given.pop("judge"), **given)


def to_lay() -> tuple[Any, Sequence[Act]]:
    """What a seat sees when it may lay cards, and its choices."""
    state = GAME.deal(SETUP)
    rng = random.Random(4)
    while state.phase != "lay":
        seat = state.to_act()[0]
        state.push(seat, rng.choice(state.legal_actions(seat)))
    seat = state.to_act()[0]
    return state.observe(seat), state.legal_actions(seat)


@pytest.mark.repeats
def test_it_beats_chance() -> None:
    mine = arena(GAME, [("search", searching(top=8)), "random"], {}, games=40, seed=2, timer=lambda: 0.0)
    assert mine.contenders[0].ci95[0] > 0.5


def test_the_same_seed_gives_the_same_answer() -> None:
    seen, actions = to_lay()
    first, again = (searching().think(seen, actions, random.Random(7)) for _ in range(2))
    assert first == again
    assert first.action in actions


def test_the_better_half_meets_more_worlds_and_all_that_race_the_same_ones() -> None:
    seen, actions = to_lay()
    verdict = searching(budget=120, top=4).think(seen, actions, random.Random(1))
    met = [len(candidate.values) for candidate in verdict.candidates]
    # two rounds of sixty tries: four candidates in 15 worlds, then two in 30 more
    assert sorted(met, reverse=True) == [45, 45, 15, 15]
    assert met[0] == 45
    assert verdict.tries == sum(met) == 120


def test_only_the_most_promising_are_tried() -> None:
    seen, actions = to_lay()
    liked = [float(place) for place in range(len(actions))]
    verdict = searching(scores=lambda *_: liked, top=3).think(seen, actions, random.Random(1))
    assert {candidate.place for candidate in verdict.candidates} == {len(actions) - n for n in (1, 2, 3)}


def test_without_a_difference_the_heuristic_is_followed() -> None:
    seen, actions = to_lay()
    liked = [1.0 if place == 2 else 0.0 for place in range(len(actions))]
    search = searching(scores=lambda *_: liked, judge=lambda *_: 0.5, depth=0)
    assert search.think(seen, actions, random.Random(1)).candidates[0].place == 2


def test_a_search_that_is_cut_short_has_an_answer() -> None:
    seen, actions = to_lay()
    verdict = searching(budget=10_000).think(seen, actions, random.Random(1), stop=lambda: True)
    assert verdict.action in actions
    assert verdict.tries == len(verdict.candidates)


def test_a_game_that_is_left_early_is_judged_as_it_stands() -> None:
    seen, actions = to_lay()
    short = searching(judge=points, depth=0, top=len(actions), lean=0.0).think(
        seen, actions, random.Random(1)
    )
    laid = [len(candidate.action.cards) for candidate in short.candidates]
    assert laid[0] == max(laid)


def test_a_forced_decision_costs_nothing() -> None:
    seen, actions = to_lay()
    verdict = searching().think(seen, actions[:1], random.Random(1))
    assert (verdict.action, verdict.tries) == (actions[0], 0)


def test_a_lead_has_an_error() -> None:
    better, worse = Candidate("a", 0, 0.0, [1.0, 0.0, 1.0, 1.0]), Candidate("b", 1, 0.0, [0.0, 0.0, 1.0])
    lead, error = better.lead(worse)
    assert lead == pytest.approx(1 / 3)
    assert error == pytest.approx(1 / 3)
    assert Candidate("c", 2, 0.0, [1.0]).lead(worse) == (0.0, 1.0)
