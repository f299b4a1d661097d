"""The summary at the end of a CI run: failed tests and flaky ones."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import ci, dev

pytestmark = pytest.mark.long
"""Each runs pytest as CI does, with processes side by side."""

PASSES = "def test_passes():\n    pass\n\n"
FAILS = "def test_fails():\n    assert 1 + 1 == 3\n\n"
FAILS_ONCE = """
import pathlib, pytest

@pytest.mark.parametrize("way", ["time-out"])
def test_fails_once(way):
    mark = pathlib.Path("was-here")
    before = mark.exists()
    mark.touch()
    assert before, "too early"

"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose only test module is still to be written; both scripts work in it as in CI."""
    for name in os.environ:
        if name.startswith(("PYTEST", "COV")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("VALENCE_MUST", "1")
    # loading all plugins takes most of the time of these runs
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist.plugin,pytest_cov.plugin")
    monkeypatch.setattr(dev, "cores", lambda: 1)
    monkeypatch.setattr(dev, "in_venv", lambda _: Path(sys.executable))
    for script in (ci, dev):
        monkeypatch.setattr(script, "ROOT", tmp_path)
        monkeypatch.setattr(script, "REPORTS", tmp_path / "dist")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = soak\n")
    return tmp_path


def run_suite(project: Path, suite: str) -> ci.TargetRun:
    (project / "test_it.py").write_text(suite)
    code = dev.pytest("test", "not soak")
    reports = [ci.read_report(project / "dist" / f"test{end}.xml") for end in ("", "-again")]
    return ci.TargetRun("test", 90.0, code, ["Already failed: lint"], *reports)


def test_a_test_that_passes_at_its_second_try_is_flaky_and_ci_goes_on(project: Path) -> None:
    part = run_suite(project, PASSES + FAILS_ONCE)
    assert part.code == 0
    assert ci.summary([part]) == [
        "== summary",
        "make test     1.5 min  green  1 passed, 1 flaky",
        "FLAKY test_it.py::test_fails_once[time-out]",
        "    first: test_it.py:12: AssertionError: too early",
        "    again, by itself: passed",
    ]


def test_a_test_that_fails_twice_is_told_with_its_line_and_assertion(project: Path) -> None:
    part = run_suite(project, PASSES + FAILS + FAILS_ONCE)
    assert part.code == 1
    assert ci.summary([part])[1:4] == [
        "make test     1.5 min  RED (exit code 1)  1 passed, 1 flaky, 1 failed",
        "FAILED test_it.py::test_fails",
        "    test_it.py:5: assert (1 + 1) == 3",
    ]


def test_where_half_of_the_tests_fail_the_second_run_is_short(project: Path) -> None:
    many = "".join(FAILS.replace("fails", f"fails_{n}") for n in range(3 * dev.MOST_AGAIN))
    part = run_suite(project, PASSES + many)
    assert len(part.again.failed) == dev.MOST_AGAIN
    assert len(part.failed) == 3 * dev.MOST_AGAIN
    lines = ci.summary([part] * 3)
    assert len(lines) <= ci.MOST_LINES
    assert lines[-1].startswith("… and ")


def test_a_module_that_cannot_be_read_is_no_matter_of_luck(project: Path) -> None:
    part = run_suite(project, "import nowhere\n")
    assert part.code not in (0, 1)
    assert any("No module named 'nowhere'" in line for line in ci.summary([part]))


def test_outside_ci_a_test_that_fails_is_not_run_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VALENCE_MUST")
    part = run_suite(project, PASSES + FAILS_ONCE)
    assert part.code == 1
    assert not (project / "dist").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no make")
def test_the_first_part_that_fails_is_the_last_to_run(
    project: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    steps = "test:\n\t@echo fine\nlong:\n\t@echo Already failed: lint; exit 3\nsmoke:\n\t@echo not run\n"
    (project / "Makefile").write_text(steps)
    assert ci.main(["test", "long", "smoke"]) == 2  # make's own exit code
    out = capfdbinary.readouterr().out.decode()
    assert "fine\n" in out
    assert "not run" not in out
    *_, summary = out.partition("== summary\n")
    lines = summary.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [["make", "test"], ["make", "long"]]
    assert lines[2] == "make long ended with:"
    assert "    Already failed: lint" in lines


def test_a_test_that_two_modules_run_counts_twice(tmp_path: Path) -> None:
    cases = [
        f'<testcase classname="tests.{name}" file="tests/one.py" name="test_it"/>' for name in ("one", "two")
    ]
    (tmp_path / "test.xml").write_text(f"<testsuite>{''.join(cases)}</testsuite>")
    assert ci.read_report(tmp_path / "test.xml").passed == {"tests/one.py::test_it", "tests/two.py::test_it"}
