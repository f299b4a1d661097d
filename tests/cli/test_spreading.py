"""Series computed in parts have the same results as in one process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from time import perf_counter
from typing import Any

import pytest

from bot.cli import chunks as in_parts
from bot.cli.executors import Here
from engine import arena, catalog, ladder
from tests.cli.conftest import Valence
from tools.puzzles import Ahead

NOWHERE = "tcp://127.0.0.1:9"
SHORT = {"rounds": 1}


@pytest.fixture
def port() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as port:
        yield port


def clock() -> float:
    return 0.0


def test_an_arena_in_parts_is_the_same_arena(port: Executor) -> None:
    game, players = catalog.get("compound_capture"), ["steady", "random"]
    how: dict[str, Any] = {"games": 31, "seed": 3, "timer": clock}
    steps: list[tuple[int, int]] = []
    parts = in_parts.arena(
        game, players, SHORT, **how, port=port, width=2, progress=lambda *step: steps.append(step)
    )
    assert parts == arena.arena(game, players, SHORT, **how)
    assert steps[-1] == (32, 32)


def test_a_simulation_in_parts_is_the_same_simulation(port: Executor) -> None:
    game = catalog.get("chemistry_battle")
    parts = in_parts.simulate(game, 2, {}, games=450, seed=3, port=port, width=2)
    whole = arena.simulate(game, 2, {}, games=450, seed=3, timer=perf_counter)
    parts.seconds = whole.seconds
    assert parts == whole


def test_a_ladder_in_parts_is_the_same_ladder(port: Executor) -> None:
    game = catalog.get("compound_capture")
    how: dict[str, Any] = {"games": 4, "seats": 2, "options": SHORT, "date": "", "timer": clock}

    def play(*args: Any, **named: Any) -> arena.ArenaResult:
        return in_parts.arena(*args, **named, port=port, width=2)

    assert list(ladder.climb(game, [], **how, play=play)) == list(ladder.climb(game, [], **how))


def test_puzzles_are_cut_ahead_and_again_where_the_supposition_was_wrong() -> None:
    asked: list[tuple[int, bool]] = []

    class Noting(Here):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            asked.append(args[1:])
            return super().submit(lambda *about: about, *args)

    ahead = Ahead(Noting(), 2)
    assert ahead("x", 1, True) == ("x", 1, True)
    assert ahead("x", 2, False) == ("x", 2, False)
    assert ahead("x", 3, False) == ("x", 3, False)
    assert asked == [(1, True), (2, True), (2, False), (3, False), (4, False)]


def test_what_breaks_here_breaks_when_it_is_asked_for() -> None:
    broken = Here().submit(int, "no number")
    with pytest.raises(ValueError, match="no number"):
        broken.result()


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "chemistry_battle", "--games", "2"],
        ["arena", "chemistry_battle", "--players", "casual,newcomer", "--games", "2"],
    ],
)
def test_a_cluster_that_cannot_be_used_is_one_sentence(
    valence: Valence, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = valence(*words, "--scheduler", NOWHERE)
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert "pip install '.[cluster]'" in done.err


@pytest.mark.parametrize("address", ["nonsense", "10.0.0.5:8786", "http://10.0.0.5:8786", "tcp://10.0.0.5"])
def test_an_address_that_is_none_is_not_called(valence: Valence, address: str) -> None:
    done = valence("simulate", "chemistry_battle", "--games", 2, "--scheduler", address)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "tcp://10.0.0.5:8786" in done.err


def test_a_player_of_this_machine_is_not_sent_away(valence: Valence) -> None:
    words = ("arena", "duel52", "--players", "cmd:cat,casual", "--games", "2", "--scheduler", NOWHERE)
    done = valence(*words)
    assert done.code == 2
    assert "this machine alone" in done.err
