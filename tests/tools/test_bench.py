"""`python -m tools bench`."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine.game import IllegalAction
from tests.support.processes.command_line import Command
from tools.bench import molecular
from tools.bench.floor import FLOOR


def test_a_game_is_measured_on_each_number_of_seats(bench: Command) -> None:
    lines = bench("probe", "--seconds", 0.05, "-o", "rounds=1", "--json").json["lines"]
    assert [line["seats"] for line in lines] == [1, 2, 3, 4]
    assert [line["actions_per_game"] for line in lines] == [3, 5, 7, 9]
    assert all(value > 0 for line in lines for value in line.values())


def test_the_figures_of_a_game_are_a_table(bench: Command) -> None:
    said = bench("probe", "--seconds", 0.05)
    assert "actions/s" in said.out


def test_a_game_is_measured_beside_a_trivial_one(bench: Command) -> None:
    asked = ("probe", "--floor", "--seconds", 0.05, "-o", "rounds=1")
    figures = bench(*asked, "--json").json
    assert (figures["game"], figures["rounds"]) == ("probe", 11)
    assert [line["seats"] for line in figures["lines"]] == [1, 2, 3, 4]
    for line in figures["lines"]:
        assert 0 < line["least"] <= line["per_mille"] <= line["most"]
    assert "per mille" in bench(*asked).out


def test_a_game_with_a_board_is_measured_on_a_large_one(
    bench: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(molecular, "measure", partial(molecular.measure, boards=1))
    figures = bench("molecular", "--tiles", 20, "--json").json
    assert (figures["tiles"], figures["boards"]) == (20, 1)
    assert "picture bytes" in bench("molecular", "--tiles", 20).out
    said = bench("probe", "--tiles", 20)
    assert said.code == 2
    assert "has no board to measure" in said.err


def test_the_trivial_game_keeps_the_contract() -> None:
    state, rng = FLOOR.deal(FLOOR.setup(2, bytes([5, 20, 255]))), random.Random(1)
    assert state.heaps == [25, 40, 23]
    state.events = []
    while waiting := state.to_act():
        (seat,) = waiting
        assert FLOOR.sample(state.observe(seat), rng).fingerprint() == state.clone().fingerprint()
        actions = state.legal_actions(seat)
        assert len(actions) == sum(min(heap, 3) for heap in state.heaps)
        assert not state.legal_actions(1 - seat)
        assert state.outcome() is None
        with pytest.raises(IllegalAction):
            state.apply(seat, FLOOR.action(["take", 0, 4]))
        state.apply(seat, FLOOR.action(list(rng.choice(actions))))
    assert sum(event.facts["sticks"] for event in state.events) == 25 + 40 + 23
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners() == (state.events[-1].seat,)
    assert state.census() == ()


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    asked: dict[str, Any] = {}

    async def measure(**arguments: Any) -> dict[str, Any]:
        asked.update(arguments)
        return {"presses": 2, "p50_ms": 1.5, "kinds": {"act": {"n": 2, "p50_ms": 1.5}}}

    monkeypatch.setattr("tools.bench.press.measure", measure)
    return asked


def test_presses_are_measured_as_asked(bench: Command, measured: dict[str, Any]) -> None:
    said = bench("press", "--people", 5, "--rate", 20, "--seconds", 2, "--game", "probe", "--json")
    assert said.json["p50_ms"] == 1.5
    assert measured == {
        "people": 5,
        "rate": 20,
        "seconds": 2,
        "game": "probe",
        "seed": 1,
        "minutes": False,
        "opponent": None,
    }
    bench("press", "--game", "probe", "--minutes")
    assert measured["minutes"] is True
    bench("press", "--game", "chemistry_battle", "--opponent", "steady")
    assert (measured["game"], measured["opponent"]) == ("chemistry_battle", "steady")
    assert "act: n 2, p50_ms 1.5" in bench("press", "--game", "probe").out


def test_an_opponent_that_nobody_knows_is_one_line(bench: Command) -> None:
    said = bench("press", "--game", "chemistry_battle", "--opponent", "stedy")
    assert said.code == 2
    assert "there is no opponent 'stedy'" in said.err
    assert "steady" in said.err


def test_a_rehearsal_that_fails_is_one_line(bench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.bench import press as presses

    async def measure(**_: Any) -> dict[str, Any]:
        raise presses.BenchFailed("the bot did not connect")

    monkeypatch.setattr(presses, "measure", measure)
    said = bench("press", "--game", "probe")
    assert (said.code, said.err) == (1, "valence: the bot did not connect\n")


@pytest.mark.long
def test_the_queries_of_a_large_database_are_timed(bench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.bench.__main__.CALLS", 12)
    figures = bench("store", "--games", 1000, "--json").json
    assert (figures["games"], figures["entries"]) == (1000, 13_000)
    assert figures["results"] > 2000
    assert figures["totals"] > figures["results"] / 4
    times = figures["queries"]
    assert {"leaderboard_here", "leaderboard_everywhere", "stats", "append_act", "settle"} <= set(times)
    for row in times.values():
        assert row["calls"] == 12
        assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["most_ms"]


def test_nothing_is_measured_on_somebodys_own_games(
    bench: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.bench.__main__.CALLS", 2)
    url = f"sqlite:///{tmp_path / 'mine.db'}"
    assert "settle" in bench("store", "--games", 1000, "--database", url).out
    before = (tmp_path / "mine.db").read_bytes()
    said = bench("store", "--games", 1000, "--database", url)
    assert (said.code, said.err) == (2, "valence: the database has games in it; name an empty one\n")
    assert (tmp_path / "mine.db").read_bytes() == before
    assert bench("store", "--database", "nonsense").code == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pres",), "did you mean press?"),
        (("press", "--game", "porbe"), "did you mean probe?"),
        (("press", "--people", 1), "--people"),
        (("probe", "-o", "rounds=9"), "it can be: 1, 2, 3"),
        (("probe", "--seconds", 0), "--seconds"),
        (("store", "--games", 10), "--games"),
        (("stor",), "did you mean store?"),
        ((), "press|presses|pictures|store|start|GAME"),
        (("start", "--tables", 5), "--tables"),
    ],
)
def test_wrong_input_is_one_line_and_2(bench: Command, words: tuple[object, ...], says: str) -> None:
    said = bench(*words)
    assert (said.code, said.out) == (2, "")
    assert says in said.err


def test_a_press_is_measured_beside_a_bare_bot(bench: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.bench import press as presses

    asked = dict[str, Any]()

    async def beside(**words: Any) -> dict[str, Any]:
        asked.update(words)
        line = {"presses": 80, "p50_ms": 2.0, "cpu_ms_per_press": 2.0, "kinds": {}}
        ours = {**line, "p50_ms": 3.0, "cpu_ms_per_press": 5.0}
        still = {**line, "p50_ms": 2.5}
        compared = {"valence": presses.times(ours, line), "still": presses.times(still, line)}
        return {"bare": line, "valence": ours, "still": still, "times": compared}

    monkeypatch.setattr(presses, "beside_the_floor", beside)
    said = bench("press", "--floor", "--rate", 40, "--people", 6, "--game", "probe")
    assert "valence: p50 ×1.5, cpu ×2.5" in said.out
    assert "still: p50 ×1.25, cpu ×1.0" in said.out
    assert asked == {"people": 6, "rate": 40, "seconds": 40, "game": "probe", "seed": 1}
    assert bench("press", "--floor", "--minutes", "--game", "probe").code == 2


@pytest.mark.long
async def test_both_bots_answer_the_same_people(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.bench import press as presses

    monkeypatch.setattr(presses, "WARM_SECONDS", 2.0)  # the figures are compared roughly
    found = await presses.beside_the_floor(people=4, rate=10, seconds=4, game="atom_duel", seed=1)
    for bot in ("bare", "valence", "still"):
        assert found[bot]["presses"] > 20
        assert found[bot]["failed"] == 0
    # the bare bot answers and that is all; an act changes the table and the other hand, too
    assert 1 <= found["bare"]["requests_per_press"] < found["valence"]["requests_per_press"] < 4
    assert found["times"]["valence"]["cpu"] > 1


async def test_each_minute_is_summed_up_by_itself_and_all_of_them_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tools.bench import press as presses

    class Played(presses.Rehearsal):
        """Somebody presses three times a minute, each minute a little more slowly."""

        def __init__(self) -> None:
            self.figures, self.cpu, self.requests, self.minute = presses.Figures(), 0.0, 0, 0
            self.bot = type("Process", (), {"pid": 0})()

        async def press(self, rate: float, seconds: float, _rng: object) -> None:
            self.minute += 1
            self.cpu += 0.03
            self.requests += 4
            self.figures.add(
                presses.Figures(3, seconds, late=1, kinds={"act": [10.0 * self.minute] * 3, "walk": []})
            )
            assert (rate, seconds) == (40, presses.MINUTE)

    monkeypatch.setattr(presses, "_memory", lambda _bot: {"bot_rss_mib": 128.0})
    played = Played()
    rows = [row async for row in presses._each_minute(played, 40, 180, random.Random(1))]
    assert [(row["minute"], row["act_ms"], row["cpu_ms"]) for row in rows] == [
        (1, 10.0, 10.0),
        (2, 20.0, 10.0),
        (3, 30.0, 10.0),
    ]
    whole = played.summary()
    assert whole["requests_per_press"] == 1.33
    assert (whole["presses"], whole["late"], whole["seconds"], whole["p50_ms"]) == (9, 3, 180.0, 20.0)
