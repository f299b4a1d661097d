"""The engine against itself: equal arguments give equal games, luck cancels, times are counted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from engine import arena as machine
from engine import catalog
from engine.game import IllegalAction, IllegalSetup, Outcome, Standing
from tests.support.games.probe import Act, ProbeGame, ProbeState

PROBE = catalog.get("probe")


def ticks() -> machine.Timer:
    """A timer that moves on by one second each time it is read."""
    numbers = count()
    return lambda: float(next(numbers))


def lays_all(observation: Any, actions: Sequence[Act], _rng: random.Random) -> Act:
    """Bids nothing and lays as many cards as it can: better than chance."""
    if observation.phase != "lay":
        return actions[0]
    return max(actions, key=lambda action: len(action.cards))


class Skilled(ProbeGame):
    opponents = {**ProbeGame.opponents, "greedy": lays_all}  # noqa: RUF012 - of the contract


def simulate(**more: Any) -> machine.SimulationResult:
    arguments: dict[str, Any] = {"games": 40, "seed": 1, "timer": ticks(), **more}
    game, seats, options = (arguments.pop(k, d) for k, d in (("game", PROBE), ("seats", 3), ("options", {})))
    return machine.simulate(game, seats, options, **arguments)


def arena(players: Sequence[str], **more: Any) -> machine.ArenaResult:
    arguments: dict[str, Any] = {"games": 60, "seed": 1, "timer": ticks(), **more}
    game = arguments.pop("game", Skilled())
    return machine.arena(game, players, arguments.pop("options", {}), **arguments)


def test_the_sums_add_up() -> None:
    result = simulate(options={"rounds": 3})
    assert result.games == 40
    assert result.shortest == result.longest == 3 * 7
    assert result.actions == 40 * 21
    assert result.actions_per_game == 21
    assert sum(result.won) == pytest.approx(40)
    assert result.reasons == {"played_out": 40}
    assert 0 < result.ties < 40
    # the timer is read at the deal and at the end of each game
    assert result.seconds == 40
    assert result.games_per_s == 1
    assert result.actions_per_s == 21


def test_the_same_seed_gives_the_same_games() -> None:
    assert simulate(seed=7) == simulate(seed=7)
    assert simulate(seed=7).scores != simulate(seed=8).scores
    assert arena(["greedy", "random"]) == arena(["greedy", "random"])
    assert arena(["random", "random"], seed=7) != arena(["random", "random"], seed=8)


def test_keys_of_a_series_differ() -> None:
    keys = {machine.key_of(seed, number) for seed in range(-1, 12) for number in range(12)}
    assert len(keys) == 13 * 12
    assert {len(key) for key in keys} == {32}


def test_nothing_takes_no_time_and_no_division() -> None:
    result = simulate(games=3, timer=lambda: 0.0)
    assert (result.seconds, result.games_per_s, result.actions_per_s) == (0, 0, 0)
    assert machine.SimulationResult().actions_per_game == 0
    nobody = machine.Contender("nobody")
    assert (nobody.win_share, nobody.ms_per_decision) == (0, 0)


def test_progress_is_told_after_each_game() -> None:
    told: list[tuple[int, int]] = []
    simulate(games=3, progress=lambda *step: told.append(step))
    assert told == [(1, 3), (2, 3), (3, 3)]
    told.clear()
    arena(["random", "greedy"], games=3, progress=lambda *step: told.append(step))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_the_bare_loop_makes_no_observation() -> None:
    class Blind(ProbeState):
        __slots__ = ()

        def observe(self, viewer: Any) -> Any:
            raise AssertionError("observed")

        def verify(self, seat: int, action: Act) -> None:
            raise AssertionError("verified")

    assert simulate(game=dealing(Blind)).games == 40


def dealing(kind: type[ProbeState], **opponents: Any) -> ProbeGame:
    """The probe game with another kind of state, and more opponents."""

    class Other(ProbeGame):
        def deal(self, setup: Any) -> ProbeState:
            state = kind(setup.seats, int(setup.options["rounds"]), setup.key)
            state._gather()
            return state

    Other.opponents = {**ProbeGame.opponents, **opponents}
    return Other()


@pytest.mark.parametrize(
    ("games", "players", "seats", "deals", "played"),
    [(60, 2, None, 30, 60), (61, 2, None, 31, 62), (1, 3, None, 1, 3), (10, 2, 4, 5, 10), (5, 1, 3, 5, 5)],
)
def test_games_are_whole_deals(games: int, players: int, seats: int | None, deals: int, played: int) -> None:
    result = arena(["random"] * players, games=games, seats=seats)
    assert (result.deals, result.games) == (deals, played)
    assert result.seats == (seats or players)
    assert sum(c.win_share for c in result.contenders) == pytest.approx(1)
    assert all(len(c.shares) == deals for c in result.contenders)


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (2, 3), (2, 4), (3, 4), (4, 4), (1, 3)])
def test_everybody_holds_every_seat_of_every_deal_once(players: int, seats: int) -> None:
    met: list[tuple[str, int, tuple[int, ...]]] = []

    def spy(name: str) -> Any:
        def choose(observation: Any, actions: Sequence[Act], rng: random.Random) -> Act:
            if observation.phase == "bid" and observation.round == 0:
                met.append((name, observation.viewer, observation.hand))
            return rng.choice(actions)

        return choose

    names = [f"spy {number}" for number in range(players)]
    game = dealing(ProbeState, **{name: spy(name) for name in names})
    arena(names, game=game, games=3 * players, seats=seats)
    hands = {(seat, hand) for _, seat, hand in met}
    assert len(hands) == 3 * seats  # three deals
    assert sorted(met) == sorted((name, *hand) for name in names for hand in hands)


def test_equal_players_without_chance_of_their_own_share_alike() -> None:
    """Each deal is won once by each, whatever the luck of the cards: the shares have no spread."""
    result = arena(["greedy", "greedy"], games=100)
    assert {share for c in result.contenders for share in c.shares} == {0.5}
    low, high = result.contenders[0].ci95
    assert 0.4 < low < 0.5 < high < 0.6


def test_the_stronger_one_is_found() -> None:
    greedy, chance = arena(["greedy", "random"], games=80).contenders
    assert greedy.win_share > 0.9
    assert greedy.ci95[0] > 0.5 > chance.ci95[1]
    assert greedy.win_share + chance.win_share == pytest.approx(1)


def test_only_real_choices_are_timed() -> None:
    result = arena(["random", "greedy"], games=20)
    for contender in result.contenders:
        assert contender.decisions > 0
        assert contender.seconds == contender.decisions  # one tick each
        assert contender.ms_per_decision == contender.ms_at_most == 1000

    def none_left(_observation: Any, actions: Sequence[Act], _rng: random.Random) -> Act:
        assert len(actions) > 1
        return actions[0]

    arena(["careful"], game=dealing(ProbeState, careful=none_left), games=5)


def test_the_slowest_decision_is_kept() -> None:
    times = iter([0.0, 1.0, 1.0, 4.0, *map(float, range(5, 500))])
    result = arena(["random"], games=1, timer=lambda: next(times))
    assert result.contenders[0].slowest == 3.0


def test_a_cheat_is_caught() -> None:
    game = dealing(ProbeState, cheat=lambda *_: Act("bid", 99))
    with pytest.raises(IllegalAction, match="unknown_action"):
        arena(["cheat"], game=game)


def test_an_endless_game_is_caught() -> None:
    class Endless(ProbeState):
        __slots__ = ()

        def push(self, seat: int, action: Act) -> None:
            """Nothing ever happens."""

    for play in (lambda: simulate(game=dealing(Endless)), lambda: arena(["random"], game=dealing(Endless))):
        with pytest.raises(machine.Endless, match="more than the"):
            play()


def test_a_game_that_just_stops_is_caught() -> None:
    class Lost(ProbeState):
        __slots__ = ()

        def outcome(self) -> Outcome | None:
            return None

    for play in (lambda: simulate(game=dealing(Lost)), lambda: arena(["random"], game=dealing(Lost))):
        with pytest.raises(machine.Endless, match="no outcome"):
            play()


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(IllegalSetup):
        simulate(seats=9)
    with pytest.raises(IllegalSetup):
        arena(["random"], options={"rounds": 99})
    with pytest.raises(IllegalSetup):
        arena(["random"], seats=0)
    with pytest.raises(machine.UnknownOpponent, match=r"nobody.*random, greedy"):
        arena(["random", "nobody"])
    with pytest.raises(ValueError, match="do not fit"):
        arena(["random"] * 3, seats=2)
    with pytest.raises(ValueError, match="do not fit"):
        arena(["random"] * 5)
    with pytest.raises(ValueError, match="do not fit"):
        arena([])


def test_a_shared_win_is_shared() -> None:
    tie = Outcome((Standing(1, 3.0), Standing(3, 1.0), Standing(1, 3.0)))
    assert machine.credited(tie) == [0.5, 0.0, 0.5]


@pytest.mark.parametrize(("true", "deals"), [(0.5, 12), (0.5, 100), (0.8, 40), (0.95, 60), (0.99, 30)])
def test_the_interval_holds_the_truth_as_often_as_it_says(true: float, deals: int) -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(600):
        low, high = machine.interval([float(rng.random() < true) for _ in range(deals)])
        held += low <= true <= high
    assert held >= 0.93 * 600


def test_the_interval_counts_deals_not_games() -> None:
    """Where both games of a deal always go alike, twice the games tell nothing more."""
    rng = random.Random(1)
    held = 0
    for _ in range(600):
        low, high = machine.interval([float(rng.random() < 0.5) for _ in range(50)])
        held += low <= 0.5 <= high
        assert high - low > 0.2  # what 100 independent games would give is narrower
    assert held < 600


@pytest.mark.parametrize("shares", [[], [1.0], [0.0], [1.0] * 30, [0.0] * 500, [0.5] * 10])
def test_the_interval_has_a_width_and_stays_in_bounds(shares: list[float]) -> None:
    low, high = machine.interval(shares)
    assert 0 <= low < high <= 1
    if shares:
        assert low <= shares[0] <= high
