"""Whatever is typed and whatever a file holds: an answer, never a traceback."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli import main
from engine import record
from tests.support.tables.records import game

RECORD = record.to_json(game())
WORDS = st.sampled_from(
    [
        *("games", "simulate", "arena", "play", "record", "show", "replay", "verify", "db", "check"),
        *(
            "render",
            "probe",
            "press",
            "--json",
            "--games",
            "--seats",
            "-o",
            "--option",
            "--seed",
            "--players",
        ),
        *(
            "--seat",
            "--until",
            "--save",
            "--after",
            "--out",
            "--all",
            "--help",
            "--",
            "-",
            "",
            "0",
            "-1",
            "1",
        ),
        *(
            "2",
            "99999999999999999999",
            "1.5",
            "nan",
            "rounds=1",
            "=",
            "rounds=",
            "random",
            "random,,",
            ",",
            "ä",
        ),
        *("/", ".", "no/such", "\x00", "a" * 300, "%s", "{0}", "[red]", "🃏"),
    ]
)


def call(words: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(autouse=True)
def nothing_heavy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Junk may ask for real things: in an empty folder, with nobody at the keyboard, and few games."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///valence.db")
    monkeypatch.setattr("builtins.input", lambda *_: (_ for _ in ()).throw(EOFError))


@given(st.lists(WORDS, min_size=1, max_size=7).filter(lambda words: "--games" not in words))
def test_any_words(words: list[str]) -> None:
    code, _out, err = call(words)
    assert code in (0, 1, 2, 130)
    if code == 2:
        assert err.startswith("valence: ")
        assert err.count("\n") == 1


def parts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to every part of a JSON value."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += parts(inner, (*path, key))
    return found


JUNK = st.sampled_from(
    [None, True, -1, 0, 3, 2**63, 2**70, 1.5, "", "x", "00", [], [[]], {}, {"a": 1}, "\ud800"]
)
PATHS = parts(json.loads(RECORD))


@given(st.sampled_from(PATHS), JUNK, st.sampled_from(["show", "replay", "verify"]))
def test_a_record_with_anything_anywhere(path: tuple[Any, ...], junk: Any, command: str) -> None:
    changed = json.loads(RECORD)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = junk
    Path("game.json").write_text(json.dumps(changed))
    code, _, err = call(["record", command, "game.json"])
    assert code in (0, 1, 2)
    assert (err == "") == (code == 0)
    assert err.count("\n") <= 1


@given(st.integers(0, len(RECORD) - 1), st.integers(0, 255), st.booleans())
def test_a_record_with_a_wrong_byte(at: int, byte: int, cut: bool) -> None:
    raw = bytearray(RECORD)
    raw[at] = byte
    Path("game.json").write_bytes(raw[: at + 1] if cut else raw)
    code, _, err = call(["record", "verify", "game.json"])
    assert code in (0, 1, 2)
    assert (err == "") == (code == 0)
