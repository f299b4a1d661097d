"""Two hundred small worlds, faults that are planted and found, and whole days in `make soak`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from tests.sim.__main__ import main
from tests.sim.plan import Kind, Plan, draw, from_json, games, to_json
from tests.sim.planted import FAULTS
from tests.sim.series import HOURS, many, replay_line, run, shrunk
from tests.sim.world import Report, play
from tests.support.share import share

SMALL = 1.0
"""The hours of a small world."""
PARTS, EACH = 8, 25
SOON = 20
"""Worlds of which one shows a fault that half of all worlds show; two are needed on average."""
DAYS = 10_000
ROOT = Path(__file__).parents[2]


def told(report: Report, hours: float, fault: str = "") -> str:
    """What was wrong, and how to see it again."""
    return "\n".join([*report.wrong, replay_line(report.seed, hours, fault)])


@pytest.mark.repeats
@pytest.mark.parametrize("part", share(range(PARTS), PARTS))
def test_two_hundred_small_worlds(part: int) -> None:
    played, acts = set[str](), 0
    for seed in range(part * EACH, (part + 1) * EACH):
        report = play(draw(seed, SMALL))
        assert not report.wrong, told(report, SMALL)
        played |= {name.removeprefix("played ") for name in report.counts if name.startswith("played ")}
        acts += sum(report.acts)
    assert played == set(games())
    assert acts > 8 * EACH  # otherwise they prove little


@pytest.mark.repeats
@pytest.mark.parametrize("name", share([name for name, fault in FAULTS.items() if fault.often], 3))
def test_a_planted_fault_is_found_soon(name: str) -> None:
    first_that_shows(name, SOON)


@pytest.mark.parametrize(("text", "says"), [(None, "cannot be read"), ("{}", "is no plan")])
def test_a_plan_that_is_none_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, says: str
) -> None:
    file = tmp_path / "plan.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["--plan", str(file)])
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.repeats
def test_a_plan_replays_in_another_process() -> None:
    """The same act by act, though that one hashes otherwise; also after its plan was written and read."""
    plan = draw(5, SMALL)
    trace = play(plan).trace
    assert play(from_json(to_json(plan))).trace == trace
    words = (sys.executable, "-m", "tests.sim", "--seed", "5", "--hours", str(SMALL))
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"}
    said = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout
    assert f"trace {trace}," in said


@pytest.mark.long
@pytest.mark.repeats
def test_a_plan_that_fails_is_cut_down() -> None:
    name = "a_hand_is_rendered_for_the_wrong_seat"
    plan, report = first_that_shows(name, SOON)
    small, tries = shrunk(plan, report, name)
    assert run(small, name).wrong
    assert not run(small).wrong
    assert len(small.acts) < len(plan.acts) / 4
    assert tries < 200


@pytest.mark.soak
@pytest.mark.repeats
def test_ten_thousand_table_days() -> None:
    reports = many(range(DAYS * 5 // 4), HOURS, min(4, os.cpu_count() or 1))
    wrong = [told(report, HOURS) for report in reports if report.wrong]
    assert not wrong, "\n".join(wrong)
    assert sum(acts >= 60 for report in reports for acts in report.acts) >= DAYS


@pytest.mark.long
@pytest.mark.repeats
@pytest.mark.parametrize("name", [name for name, fault in FAULTS.items() if not fault.often])
def test_a_planted_fault_is_found_within_150_worlds(name: str) -> None:
    first_that_shows(name, 150)


def first_that_shows(name: str, most: int) -> tuple[Plan, Report]:
    """Return the first of the worlds that shows a planted fault, and what was wrong in it.

    A world that is wrong without the fault shows nothing."""
    fault = FAULTS[name]
    for plan in islice(_worlds(fault.kind), most):
        report = run(plan, name)
        if any(wrong.startswith(fault.shows) for wrong in report.wrong) and not run(plan).wrong:
            return plan, report
    pytest.fail(f"{name} was not found in {most} worlds")


def _worlds(kind: Kind | None) -> Iterator[Plan]:
    """Yield the plans of small worlds that no other test plays; with a kind, those that have such acts."""
    for seed in count(10_000):
        plan = draw(seed, SMALL)
        if kind is None or any(act.do == kind for act in plan.acts):
            yield plan
