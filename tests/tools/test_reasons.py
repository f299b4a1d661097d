"""`python -m tools reasons`: what hints give as their reason, counted and printed."""

from __future__ import annotations

import pytest

from tools.reasons import main


def test_hints_are_counted_and_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main("molecular", count=4, read=2)
    told = capsys.readouterr().out
    assert told.count("--- ") == 2
    assert "of 4 give a pattern or a happening first" in told


def test_the_same_seed_examines_the_same_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    main("compound_capture", count=3, read=3, seed=5)
    first = capsys.readouterr().out
    main("compound_capture", count=3, read=3, seed=5)
    assert capsys.readouterr().out == first
