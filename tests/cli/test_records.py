"""`valence record`: show, replay, verify."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import record
from tests.cli.conftest import Valence
from tests.support.tables.records import FAIR, game


def write(folder: Path, **fields: Any) -> Path:
    path = folder / "game.json"
    path.write_bytes(record.to_json(msgspec.structs.replace(game(), **fields)))
    return path


def test_show_tells_what_a_record_holds(valence: Valence, tmp_path: Path) -> None:
    said = valence("record", "show", write(tmp_path))
    assert said.code == 0
    for text in ("probe, rules 2", "rounds 1", FAIR.digest, FAIR.seed.hex(), "entropy: 7", "7 actions"):
        assert text in said.out
    # names are shown as they are, never as markup, and an empty one by its seat
    assert "seats: Ada, [b]Ben[/b], seat 3" in said.out
    assert "    1  Ada: bid" in said.out


def test_a_record_of_earlier_rules_is_shown_and_holds(valence: Valence, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    old.write_bytes(record.to_json(game(version=1)))
    assert "probe, rules 1" in valence("record", "show", old).out
    assert valence("record", "verify", old).code == 0
    assert "step 3: the position differs" in valence("record", "verify", write(tmp_path, version=1)).err
    unknown = write(tmp_path, version=9)
    assert "probe, rules 9" in valence("record", "show", unknown).out
    said = valence("record", "verify", unknown)
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert "probe is not played by rules 9 here, but by rules 1 and 2" in said.err


def test_show_in_json_is_the_record(valence: Valence, tmp_path: Path) -> None:
    said = valence("record", "show", write(tmp_path), "--json")
    assert record.from_json(said.out.encode()) == game()


def test_verify_says_that_it_holds(valence: Valence, tmp_path: Path) -> None:
    assert "It holds: the seed gives the commitment" in valence("record", "verify", write(tmp_path)).out
    assert valence("record", "verify", write(tmp_path), "--json").json == {
        "holds": True,
        "steps": 7,
        "fair": True,
    }


def test_verify_says_what_does_not_hold(valence: Valence, tmp_path: Path) -> None:
    steps = game().steps
    steps[4] = msgspec.structs.replace(steps[4], digest="0" * 16)
    said = valence("record", "verify", write(tmp_path, steps=steps))
    assert (said.code, said.out) == (1, "")
    assert "does not hold: step 5: the position differs" in said.err
    assert said.err.count("\n") == 1
    told = valence("record", "verify", write(tmp_path, steps=steps), "--json")
    assert told.code == 1
    assert (told.json["holds"], told.json["step"]) == (False, 5)


def test_replay_tells_everything_when_nobody_looks(valence: Valence, tmp_path: Path) -> None:
    said = valence("record", "replay", write(tmp_path))
    assert said.code == 0
    assert "looked place 0, card " in said.out
    assert "1. Ada: " in said.out


def test_replay_tells_a_seat_no_more_than_it_saw(valence: Valence, tmp_path: Path) -> None:
    mine = valence("record", "replay", write(tmp_path), "--seat", 1)
    other = valence("record", "replay", write(tmp_path), "--seat", 2)
    assert "looked place 0, card " in mine.out
    assert "looked place 0\n" in other.out
    assert other.out.startswith(
        "    1  Ada has chosen.\n    2  [b]Ben[/b] has chosen.\n    3  Ada opened bids"
    )


def test_replay_stops_and_shows_the_position(valence: Valence, tmp_path: Path) -> None:
    said = valence("record", "replay", write(tmp_path), "--until", 3, "--seat", 2)
    assert "Round 1 of 1: look" in said.out
    assert "Your hand: " in said.out
    assert "    4  " not in said.out
    figures = valence("record", "replay", write(tmp_path), "--until", 3, "--json").json
    assert [step["step"] for step in figures["steps"]] == [0, 1, 2, 3]
    assert figures["position"]["phase"] == "look"
    assert figures["outcome"] is None


def test_replay_stops_at_what_does_not_hold(valence: Valence, tmp_path: Path) -> None:
    steps = game().steps
    steps[4] = msgspec.structs.replace(steps[4], action=["fly"])
    said = valence("record", "replay", write(tmp_path, steps=steps))
    assert said.code == 2
    assert "step 5: this is no action" in said.err


@pytest.mark.parametrize("command", ["show", "replay", "verify"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read: No such file"),
        (b"", "not a record"),
        (b"{}", "not a record"),
        (b"\x00\xff", "not a record"),
        (b'{"game": "probe", "steps": [[0, ' + b"[" * 99_999, "not a record"),
        (
            record.to_json(game()).replace(b'"seats": 3', b'"seats": 1000000000'),
            "no game has 1000000000 seats",
        ),
        (record.to_json(game()).replace(b'"format": 1', b'"format": 9'), "another format"),
    ],
)
def test_a_file_that_is_no_record_is_one_line(
    valence: Valence, tmp_path: Path, command: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / "game.json"
    if content is not None:
        path.write_bytes(content)
    said = valence("record", command, path)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert says in said.err


@pytest.mark.parametrize("words", [("--seat", 4), ("--seat", 0), ("--until", 99), ("--until", -1)])
def test_replay_refuses_what_the_record_does_not_have(
    valence: Valence, tmp_path: Path, words: tuple[object, ...]
) -> None:
    said = valence("record", "replay", write(tmp_path), *words)
    assert said.code == 2
    assert said.err.count("\n") == 1


def test_a_folder_is_no_record(valence: Valence, tmp_path: Path) -> None:
    assert valence("record", "show", tmp_path).code == 2


def test_a_command_is_needed(valence: Valence) -> None:
    said = valence("record")
    assert said.code == 2
    assert "valence record --help" in said.err


def test_export_makes_a_page_and_a_gif(valence: Valence, tmp_path: Path) -> None:
    page, gif = tmp_path / "game.html", tmp_path / "game.gif"
    said = valence("record", "export", write(tmp_path), "--html", page, "--gif", gif)
    assert said.code == 0
    assert f"{page}: {page.stat().st_size:,} bytes" in said.out
    assert page.read_bytes().startswith(b"<!doctype html>")
    assert gif.read_bytes().startswith(b"GIF89a")
    told = valence("record", "export", write(tmp_path), "--html", page, "--seat", 2, "--json")
    assert msgspec.json.decode(told.out)[0]["bytes"] == page.stat().st_size


def test_export_of_what_does_not_hold_makes_nothing(valence: Valence, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    said = valence("record", "export", write(tmp_path, seed="00" * 32), "--html", page)
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert not page.exists()
    assert valence("record", "export", write(tmp_path)).code == 2
    assert valence("record", "export", write(tmp_path), "--html", page, "--seat", 9).code == 2
