"""`python -m tools lab`: sets of rules, the report, and the page."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future, wait
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from engine import catalog, lab, record
from tests.support.processes.command_line import Command
from tools.lab import __main__ as command
from tools.lab.plots import PlotMark, PlotRow, spreads, whiskers

FAST = ("--level", "random", "--processes", 1)
VOID = {"meta"}


class Page(HTMLParser):
    """Reads a page to its end; every element that opens closes, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Page:
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    return page


def test_two_sets_of_rules_are_compared(run_lab: Command) -> None:
    said = run_lab("probe:rounds=1", "probe:rounds=3", "--games", 12, *FAST, "--json")
    assert said.code == 0
    one, other = said.json["A"], said.json["B"]
    assert (one["options"]["rounds"], other["options"]["rounds"]) == (1, 3)
    assert one["games"] == other["games"] == 12
    assert sum(seat["share"] for seat in one["wins_of_seats"]) == pytest.approx(1)
    assert one["decisions"]["mean"] < other["decisions"]["mean"]
    assert said.json["longer_on_the_same_deals"]["ci95"][1] < 0


def test_people_get_tables_and_the_number_expected_by_chance(run_lab: Command) -> None:
    said = run_lab("chemistry-battle", "chemistry-battle:blind=yes", "--games", 60, *FAST)
    assert said.code == 0
    assert "Wins of each seat" in said.out
    assert "First player" in said.out
    assert "B: the first player wins" in " ".join(said.out.split())
    assert "would by chance alone" in " ".join(said.out.split())


def test_the_same_rules_show_no_difference(run_lab: Command) -> None:
    said = run_lab("probe", "probe", "--games", 12, *FAST, "--json").json
    assert said["telling"] == 0
    assert said["longer_on_the_same_deals"]["mean"] == 0
    assert said["A"]["wins_of_seats"] == said["B"]["wins_of_seats"]


def test_rules_come_from_files_too(run_lab: Command, tmp_path: Path) -> None:
    """House rules as the bot gives them, and records."""
    house = tmp_path / "house-rules-1.json"
    house.write_text(json.dumps({"game": "probe", "name": "Friday", "options": {"rounds": 3}}))
    game = catalog.get("probe")
    setup = game.setup(2, bytes(32), rounds=1)
    state, actions = game.deal(setup), []
    while waiting := state.to_act():
        actions.append((waiting[0], state.legal_actions(waiting[0])[0]))
        state.apply(*actions[-1])
    kept = tmp_path / "record.json"
    kept.write_bytes(record.to_json(record.write(setup, actions, house_rules="Monday")))
    said = run_lab(house, kept, "--games", 2, *FAST, "--json").json
    assert (said["A"]["name"], said["A"]["options"]["rounds"]) == ("Friday", 3)
    assert (said["B"]["name"], said["B"]["options"]["rounds"]) == ("Monday", 1)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("probe", "duel52"), "one game"),
        (("probe", "probe:rounds=9"), "rounds cannot be '9'"),
        (("probe", "probe:colour=1"), "no option 'colour'"),
        (("probe", "probe", "--level", "steady"), "no opponent 'steady'"),
        (("probe", "missing.json"), "cannot be read"),
        (("probe", "probe", "--seats", 9), "9 seats"),
    ],
)
def test_wrong_input_is_one_line(run_lab: Command, words: Any, line: str) -> None:
    said = run_lab(*words, *(() if "--level" in words else ("--level", "random")))
    assert said.code == 2
    assert line in said.err


def test_a_file_keeps_what_was_played(
    run_lab: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.jsonl"
    words = ("probe", "probe:rounds=1", *FAST, "--append", file, "--json")
    first = run_lab(*words, "--games", 11).json
    kept = file.read_text()
    monkeypatch.setattr(lab, "play", None)  # so that a second game would fail
    assert run_lab(*words, "--games", 11).json == first
    assert file.read_text() == kept
    file.write_text("no games\n")
    assert "holds no games" in run_lab(*words).err


def test_a_stop_reports_what_has_been_played(run_lab: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = command._batches

    def stopped(*args: Any) -> Iterator[Any]:
        for n, batch in enumerate(real(*args)):
            if n == 3:
                raise KeyboardInterrupt
            yield batch

    monkeypatch.setattr(command, "_batches", stopped)
    said = run_lab("probe", "probe:rounds=1", "--games", 60, *FAST)
    assert said.code == command.STOPPED
    assert "Stopped early: 20 games of A and 10 of B" in " ".join(said.out.split())


def test_a_stop_counts_the_games_in_other_processes(
    run_lab: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(waiting: list[Future[Any]]) -> Iterator[Future[Any]]:
        wait(waiting)
        yield waiting[1]
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "cores", lambda: 2)
    monkeypatch.setattr(command, "as_completed", stopped)
    battle = ("chemistry_battle", "chemistry_battle:blind=yes")
    said = run_lab(*battle, "--games", 20, "--level", "random", "--processes", 2, "--json")
    assert said.code == command.STOPPED
    assert (said.json["A"]["games"], said.json["B"]["games"]) == (20, 20)


def test_the_report_asks_for_more_games(run_lab: Command) -> None:
    said = run_lab("chemistry_battle", "chemistry_battle:blind=yes", "--games", 2, *FAST)
    assert "No card came to 30 seats under both; more games would tell." in " ".join(said.out.split())


def test_several_processes_play_the_same_games(run_lab: Command) -> None:
    battle = ("chemistry_battle", "chemistry_battle:blind=yes")
    words = (*battle, "--games", 20, "--level", "random", "--json")
    alone, together = (run_lab(*words, "--processes", n).json for n in (1, 2))
    assert alone == together


def test_a_cluster_that_cannot_be_used_is_one_sentence(
    run_lab: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    battle = ("chemistry_battle", "chemistry_battle")
    said = run_lab(*battle, "--games", 2, "--scheduler", "tcp://127.0.0.1:9")
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert "pip install '.[cluster]'" in said.err


def test_the_page_stands_alone(run_lab: Command, tmp_path: Path) -> None:
    file = tmp_path / "lab.html"
    words = ("chemistry_battle", "chemistry_battle:blind=yes", "--games", 50, *FAST, "--html", file)
    assert run_lab(*words).code == 0
    text = file.read_text("utf-8")
    page = read(text)
    tags = [tag for tag, _ in page.seen]
    assert tags.count("svg") >= 4
    assert "table" in tags
    assert not {"script", "link", "img", "iframe", "a", "object"} & set(tags)
    assert not re.search(r"https?:|//|url\(|@import|javascript:", text), "nothing from elsewhere"
    assert not any({"src", "href", "onload"} & set(attributes) for _, attributes in page.seen)
    drawn = [attributes for tag, attributes in page.seen if tag == "svg"]
    assert all(each.get("role") == "img" and each.get("aria-label") for each in drawn)
    assert "prefers-color-scheme" in text
    assert "by chance alone" in text


def test_names_cannot_break_the_page(run_lab: Command, tmp_path: Path) -> None:
    house, file = tmp_path / "rules.json", tmp_path / "lab.html"
    house.write_text(json.dumps({"game": "probe", "name": "<script>x</script>", "options": {}}))
    assert run_lab(house, "probe", "--games", 2, *FAST, "--html", file).code == 0
    assert "script" not in [tag for tag, _ in read(file.read_text("utf-8")).seen]


def test_plots_have_axes_and_intervals() -> None:
    rows = [
        PlotRow("one", (PlotMark(0.5, 0.4, 0.6), PlotMark(0.7, 0.6, 0.8))),
        PlotRow("two & more", (None, PlotMark(1, 0.9, 1))),
    ]
    drawn = whiskers("shares", "share of wins", rows, 0.5)
    assert drawn.count('class="dot a"') == 1
    assert drawn.count('class="dot b"') == 2
    assert drawn.count('class="bar') == 3
    assert "share of wins" in drawn
    assert "50 %" in drawn
    assert "two &amp; more" in drawn
    read(drawn)
    read(whiskers("nothing", "share", [], None))
    read(spreads("lengths", "decisions", [("A", [3, 3, 3]), ("B", [])]))
    spread = spreads("lengths", "decisions", [("A", [1, 2, 2, 90]), ("B", [5_000])])
    assert spread.count('class="column') == 2, "one bin holds 1 to 90"
    assert "4,000" in spread


def test_a_page_that_cannot_be_written_stops_before_the_games(run_lab: Command, tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    words = ("probe", "probe", "--games", 2, *FAST, "--append", kept, "--html", tmp_path / "no" / "x")
    said = run_lab(*words)
    assert (said.code, said.out, kept.exists()) == (2, "", False)
    assert "cannot be written" in said.err
