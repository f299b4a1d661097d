"""`python -m tools puzzles`: making goes on where the file ends, an audit writes down what it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import puzzles
from tools.puzzles import main


def test_puzzles_are_made_and_audited(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "canasta.jsonl"
    assert main(["make", "canasta", "--append", str(file), "--count", "1"]) == 0
    (first,) = puzzles.read(file.read_text(encoding="utf-8"))
    # nothing is left to be done
    assert main(["make", "canasta", "--append", str(file), "--count", "1"]) == 0
    assert puzzles.read(file.read_text(encoding="utf-8")) == [first]
    assert main(["audit", str(file), "--tries", "2"]) == 0
    assert "1 puzzles looked through" in capsys.readouterr().out
    left = puzzles.read(file.read_text(encoding="utf-8"))
    assert all(puzzle.audited for puzzle in left)


def test_what_cannot_be_used_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.jsonl"
    assert main(["audit", str(file)]) == 2
    file.write_text("no puzzle\n", encoding="utf-8")
    assert main(["audit", str(file)]) == 2
    assert main(["make", "canasta", "--append", str(file)]) == 2
    file.write_text("".join(map(puzzles.line, puzzles.kept("canasta").values())), encoding="utf-8")
    assert main(["make", "molecular", "--append", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 4
