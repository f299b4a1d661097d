"""The review of a game: what a decision cost is found, what was luck is no fault."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine import catalog
from engine.ai.review import LEAST, Judged, Review, damped, review
from engine.ai.review import _left as left
from engine.ai.review import _met as met_in
from engine.ai.review import _share as share_of
from engine.ai.review import _told_apart as told_apart
from engine.arena import key_of
from engine.game import Action, Outcome, Seat, Setup, Standing
from tests.support.games.probe import GAME, Act, ProbeGame
from tests.support.games.probe_study import policy, taught

Acts = list[tuple[Seat, Action]]


def played(
    seed: int = 1, blunders: tuple[int, ...] = (), *, rounds: int = 3
) -> tuple[Setup, Acts, list[int]]:
    """A game in which both play well, but for these acts, which pass or bid all; those of them that came."""
    setup = GAME.setup(2, key_of(seed, 3), rounds=rounds)
    state, acts, made = GAME.deal(setup), Acts(), []
    while waiting := state.to_act():
        seat = waiting[0]
        action = policy(state, seat, random.Random(7))
        if len(acts) in blunders:
            action = state.legal_actions(seat)[-1]
            made.append(len(acts))
        acts.append((seat, action))
        state.apply(seat, action)
    return setup, acts, made


@pytest.fixture(autouse=True)
def _taught(monkeypatch: pytest.MonkeyPatch) -> None:
    taught(monkeypatch)


@pytest.mark.parametrize("blunder", [0, 3, 8])
def test_a_planted_blunder_is_found_and_costs_most(blunder: int) -> None:
    setup, acts, made = played(blunders=(blunder,))
    assert acts[blunder] in {(0, Act("bid", 3)), (0, Act("pass"))}
    found = review(GAME, setup, acts, 0)
    assert found.costly[0].act == made[0]
    assert found.costly[0].loss == max(one.loss for one in found.decisions) > LEAST
    assert found.costly[0].best != list(acts[blunder][1])
    (points,) = found.costly[0].differences
    assert points.better > points.other


def test_a_perfect_game_has_cost_nothing() -> None:
    setup, acts, _ = played()
    for seat in (0, 1):
        found = review(GAME, setup, acts, seat)
        assert found.costly == []
        assert len(found.decisions) == sum(who == seat for who, _ in acts)
        assert found.luck == pytest.approx(found.share - found.decisions[0].chance)


def test_chance_changes_by_choice_and_luck_and_nothing_else() -> None:
    setup, acts, _ = played(blunders=(0, 4, 8))
    found = review(GAME, setup, acts, 0)
    steps = zip(found.decisions, found.curve()[1:], strict=True)
    assert all(one.chance - one.loss + one.luck == pytest.approx(then) for one, then in steps)


def test_it_is_the_same_each_time_and_shorter_when_stopped() -> None:
    setup, acts, _ = played(blunders=(3,))
    assert review(GAME, setup, acts, 0) == review(GAME, setup, acts, 0)
    assert review(GAME, setup, acts, 0, stop=lambda: True).decisions == ()


class Patience:
    """Is asked so often whether the time is up before it says yes."""

    def __init__(self, most: int) -> None:
        self.most, self.asked = most, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self.most


def test_what_was_cut_short_is_not_told() -> None:
    """A single world says 0 or 100 %: that is no chance, neither where nothing else is known of a decision,
    nor in the place of what is."""
    setup, acts, (blunder,) = played(blunders=(3,))
    enough = Patience(10**9)
    whole = review(GAME, setup, acts, 0, stop=enough)
    plain = {one.act: one for one in whole.decisions if one.act != blunder}
    blamed = set()
    for most in range(0, enough.asked, 29):
        cut = review(GAME, setup, acts, 0, stop=Patience(most))
        met = [one.act for one in cut.decisions]
        assert met == [one.act for one in whole.decisions][: len(met)]
        assert all(one.chance == plain[one.act].chance for one in cut.decisions if one.act != blunder)
        blamed |= {(len(met) == len(whole.decisions), one.act) for one in cut.costly}
    assert (True, blunder) in blamed


def test_nobody_is_taught_what_somebody_else_decided() -> None:
    setup, acts, _ = played(blunders=(3,))
    found = review(GAME, setup, acts, 0, by_others=(3,))
    assert 3 not in {one.act for one in found.decisions}
    assert found.costly == []


def test_who_knew_no_better_has_lost_nothing() -> None:
    """Either card of the stock may be looked at: what lies there nobody knows, and nothing comes of it."""
    setup, acts, _ = played(blunders=(2,))
    assert acts[2] == (0, Act("look", 1))
    found = review(GAME, setup, acts, 0)
    assert next(one for one in found.decisions if one.act == 2).loss == 0


def test_the_turnings_are_where_the_curve_changes_most() -> None:
    def point(act: int, chance: float) -> Judged:
        return Judged(act=act, best=["x"], chance=chance, loss=0.0, error=0.0)

    found = Review(0, tuple(point(n, c) for n, c in enumerate((0.5, 0.6, 0.2, 0.2, 0.7, 0.65))), 1.0)
    assert found.turnings() == (1, 3, 5)
    assert found.turnings(1) == (3,)
    assert Review(0, (point(0, 1.0),), 1.0).turnings() == ()


def test_a_game_without_a_study_or_an_end_is_not_reviewed(monkeypatch: pytest.MonkeyPatch) -> None:
    setup, acts, _ = played()
    with pytest.raises(ValueError, match="not over"):
        review(GAME, setup, acts[:-1], 0)
    monkeypatch.setattr(ProbeGame, "study", None)
    with pytest.raises(ValueError, match="no study"):
        review(GAME, setup, acts, 0)


def test_a_loss_that_the_next_decision_makes_good_is_none() -> None:
    def point(act: int, chance: float, loss: float) -> Judged:
        return Judged(act=act, best=["x"], chance=chance, loss=loss, error=0.0)

    judged = [point(0, 0.5, 0.2), point(1, 0.4, 0.2)]
    known, unknown = (told_apart(judged, [0.4, 0.0], left) for left in ({0: 0.4}, {}))
    assert [(one.loss, one.luck) for one in known] == [
        (pytest.approx(0.1), pytest.approx(0.0)),
        (0.2, pytest.approx(-0.2)),
    ]
    assert (unknown[0].loss, unknown[0].luck) == (0.2, pytest.approx(0.1))


def test_a_game_without_a_choice_has_an_end_to_show() -> None:
    game, acts = catalog.get("chemistry_battle"), Acts()
    setup = game.setup(2, key_of(1, 1), blind=True)
    state = game.deal(setup)
    while waiting := state.to_act():
        acts.append((waiting[0], *state.legal_actions(waiting[0])))
        state.apply(*acts[-1])
    found = review(game, setup, acts, 0)
    assert (found.decisions, found.curve()) == ((), (found.share,))


@pytest.mark.parametrize(("bid", "certain"), [(True, True), (False, False)])
def test_what_was_left_is_known_where_no_world_brings_anything_else(bid: bool, certain: bool) -> None:
    """Who sits alone bids, then looks: after the bid nothing can be otherwise, after the look much can."""
    setup = GAME.setup(1, key_of(1, 3), rounds=1)
    state, acts = GAME.deal(setup), Acts()
    while state.to_act():
        acts.append((0, state.legal_actions(0)[-1]))
        state.apply(*acts[-1])
    found, _ = met_in(GAME.deal(setup), acts, 0, ())
    assert [one.at_once for one in found] == [True, True, False]
    one = Judged(act=0, best=["x"], chance=0.9, loss=0.4, error=0.0)
    met = found[0 if bid else 1]
    met.tries = 60
    assert (left(GAME, met, one, 0.125) == 0.125) is certain
    assert left(GAME, met, msgspec.structs.replace(one, error=0.4), 0.125) == (0.125 if certain else 0.5)


def test_partners_win_all_of_it_together() -> None:
    def share(*standings: tuple[int, int]) -> list[float]:
        outcome = Outcome(tuple(Standing(rank, 0.0, team) for rank, team in standings))
        return [share_of(outcome, seat) for seat in range(len(standings))]

    assert share((1, 0), (2, 1), (1, 0), (2, 1)) == [1, 0, 1, 0]
    assert share((1, -1), (1, -1), (3, -1)) == [0.5, 0.5, 0]
    assert share((1, 0), (1, 1), (1, 0), (1, 1)) == [0.5] * 4


@pytest.mark.parametrize(
    ("chance", "left"), [(0.5, 1.0), (0.12, 1.0), (0.05, 0.475), (0.95, 0.475), (0.0, 0.0)]
)
def test_near_certainty_a_loss_is_damped_where_the_study_makes_too_much_of_it(
    chance: float, left: float
) -> None:
    assert damped(0.2, chance, 0.1) == pytest.approx(0.2 * left)
    assert damped(0.2, chance, 0.0) == 0.2
