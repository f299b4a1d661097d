"""`valence games`, `simulate`, `arena`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engine import arena, catalog
from engine.data import BrokenData
from engine.game import IllegalAction, IllegalSetup
from tests.cli.conftest import Valence
from tests.house.tree import ROOT


def test_games_are_listed(valence: Valence) -> None:
    said = valence("games")
    assert said.code == 0
    assert all(key in said.out for key in catalog.listed())
    assert "rounds = 2 (of 1, 2, 3)" in said.out


def test_games_in_json(valence: Valence) -> None:
    listed = valence("games", "--json").json
    assert [game["key"] for game in listed] == list(catalog.listed())
    probe = next(game for game in listed if game["key"] == "probe")
    assert probe["seats"] == [1, 2, 3, 4]
    assert probe["opponents"] == ["random"]
    assert probe["options"][1] == {"key": "loud", "values": [False, True], "default": False}


@pytest.mark.parametrize("key", catalog.listed())
def test_every_game_can_be_simulated(valence: Valence, key: str) -> None:
    said = valence("simulate", key, "--games", 3, "--json")
    assert said.code == 0
    figures = said.json
    assert figures["games"] == 3
    assert figures["actions_per_game"] > 0
    assert figures["games_per_s"] == pytest.approx(3 / figures["seconds"])
    assert figures["actions_per_s"] == pytest.approx(3 * figures["actions_per_game"] / figures["seconds"])
    # alone one may lose to the game itself
    assert sum(figures["results"]["win_share"]) == pytest.approx(1) or figures["seats"] == 1


@pytest.mark.long
@pytest.mark.parametrize("key", catalog.listed())
def test_every_opponent_can_enter_the_arena(valence: Valence, key: str) -> None:
    names = list(catalog.get(key).opponents)[:2]
    figures = valence("arena", key, "--players", ",".join(names), "--games", 2, "--json").json
    assert figures["players"] == names
    # alone one may lose to the game itself
    assert sum(figures["win_share"]) == pytest.approx(1) or len(names) == 1
    assert len(figures["ms_per_decision"]) == len(names)
    for share, (low, high) in zip(figures["win_share"], figures["ci95"], strict=True):
        assert low <= share <= high


def test_simulate_takes_options_and_seats(valence: Valence) -> None:
    figures = valence("simulate", "probe", "--games", 2, "--seats", 4, "-o", "rounds=3", "--json").json
    assert figures["options"] == {"rounds": 3, "loud": False}
    assert figures["seats"] == 4
    assert figures["actions_per_game"] == 27


@pytest.mark.parametrize("word", ["yes", "TRUE", "on", "1"])
def test_switches_understand_plain_words(valence: Valence, word: str) -> None:
    said = valence("simulate", "probe", "--games", 1, "-o", f"loud={word}", "--json")
    assert said.json["options"]["loud"] is True


def test_the_same_seed_gives_the_same_results(valence: Valence) -> None:
    one, two, other = (
        valence("simulate", "probe", "--games", 30, "--seats", 3, "--seed", seed, "--json").json["results"]
        for seed in (4, 4, 5)
    )
    assert one == two != other


def test_simulate_for_people(valence: Valence) -> None:
    said = valence("simulate", "probe", "--games", 10, "--seats", 2)
    assert "10 games of Probe on 2 seats" in said.out
    assert "actions/s" in said.out
    assert said.err == ""  # no progress bar where stderr is no terminal


def test_arena_for_people(valence: Valence) -> None:
    said = valence("arena", "probe", "--players", "random, random,random", "--games", 4)
    assert "2 deals, 6 games on 3 seats" in said.out
    assert "33.3 %" in said.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("simulate", "porbe"), "did you mean probe?"),
        (("simulate", "zzzz"), "there are: "),
        (("simulate", "probe", "-o", "rounds=9"), "rounds cannot be '9'; it can be: 1, 2, 3"),
        (("simulate", "probe", "-o", "round=1"), "did you mean rounds?"),
        (("simulate", "probe", "-o", "rounds"), "key=value"),
        (("simulate", "probe", "--seats", "9"), "cannot be played on 9 seats; it can on: 1, 2, 3, 4"),
        (("simulate", "probe", "--games", "0"), "--games"),
        (("simulate", "probe", "--games", "many"), "--games"),
        (("simulate", "probe", "--seed", "x"), "--seed"),
        (("simulate",), "GAME"),
        (("arena", "probe"), "--players"),
        (("arena", "probe", "--players", "randon"), "did you mean random?"),
        (("arena", "probe", "--players", ""), "there are: random"),
        (("arena", "probe", "--players", "random,random,random", "--seats", "2"), "do not fit on 2 seats"),
        (("arena", "probe", "--players", ",".join(["random"] * 5)), "at most 4 seats"),
        (("arena", "probe", "--players", "random", "--seats", "7"), "it can on: 1, 2, 3, 4"),
        (("simulat", "probe"), "did you mean 'simulate'"),
        (("games", "--jsn"), "--json"),
    ],
)
def test_wrong_input_is_one_line_and_2(valence: Valence, words: tuple[str, ...], says: str) -> None:
    said = valence(*words)
    assert said.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert says.lower() in said.err.lower()


def test_game_keys_may_be_typed_loosely(valence: Valence) -> None:
    assert valence("simulate", "Probe", "--games", 1, "--json").json["game"] == "probe"


def test_help_names_every_command(valence: Valence) -> None:
    said = valence("--help")
    assert said.code == 0
    for command in (
        "run",
        "playground",
        "doctor",
        "games",
        "simulate",
        "arena",
        "play",
        "render",
        "record",
        "db",
    ):
        assert f"  {command} " in said.out


def test_the_version_is_told(valence: Valence) -> None:
    assert valence("--version").out.startswith("valence ")


def test_a_bar_shows_how_far_it_is_where_somebody_watches(
    valence: Valence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    said = valence("simulate", "probe", "--games", 300, "--json")
    assert said.json["games"] == 300  # the bar leaves stdout alone
    assert "probe, 1 seats" in said.err
    assert "300/300" in said.err


GOES_ON = arena.Endless("it goes on")
NO_CARDS = IllegalSetup("not_enough_cards", needed=60, cards=54)


@pytest.mark.parametrize(
    ("command", "error", "code"),
    [
        (("simulate", "probe"), GOES_ON, 1),
        (("simulate", "probe"), NO_CARDS, 2),
        (("arena", "probe", "--players", "random"), GOES_ON, 1),
        (("arena", "probe", "--players", "random"), NO_CARDS, 2),
        (("arena", "probe", "--players", "random"), IllegalAction("not_in_hand", card=3), 1),
    ],
)
def test_what_goes_wrong_in_a_game_is_one_line(
    valence: Valence,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    error: Exception,
    code: int,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(arena, command[0], fail)
    said = valence(*command)
    assert (said.code, said.out) == (code, "")
    assert said.err.count("\n") == 1
    if code == 2:
        assert "not enough cards (needed 60, cards 54)" in said.err


def test_broken_card_data_is_one_line(valence: Valence, monkeypatch: pytest.MonkeyPatch) -> None:
    def get(_key: str) -> None:
        raise BrokenData("probe.json, line 3: expected `int`, got `str`")

    monkeypatch.setattr(catalog, "get", get)
    said = valence("simulate", "probe")
    assert (said.code, said.out) == (1, "")
    assert said.err == "valence: probe.json, line 3: expected `int`, got `str`\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
def test_a_reader_that_has_had_enough_ends_it_quietly() -> None:
    ask = "from bot.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", ask, "games", "--json"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
