"""Puzzles: how they are cut, and that those which are kept still stand."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from engine import catalog, puzzles
from engine.data import folder
from engine.puzzles import Puzzle, StalePuzzle

KEPT = [(key, number) for key in catalog.listed() for number in puzzles.kept(key)]
MOST_BYTES = 1_000_000


def kept(key: str) -> list[Puzzle]:
    return list(puzzles.kept(key).values())


@pytest.mark.repeats
@pytest.mark.parametrize("key", dict.fromkeys(key for key, _ in KEPT))
def test_every_puzzle_replays_and_its_answers_are_legal(key: str) -> None:
    for puzzle in kept(key):
        state, seat = puzzle.position()
        legal = state.legal_actions(seat)
        second = puzzle.rules().action(puzzle.second)
        assert puzzle.game == key
        assert puzzle.version in catalog.get(key).versions
        assert len(legal) >= puzzles.LEAST_CHOICES
        assert all(answer in legal for answer in puzzle.right())
        assert all(puzzle.solves(state, seat, answer) for answer in puzzle.right())
        assert second in legal
        assert second not in puzzle.right()
        assert puzzle.gap > 2 * puzzle.error
        assert puzzle.gap >= puzzles.STANDING
        assert puzzle.technique in catalog.get(key).measures
        # what is told speaks for the answer
        assert (puzzle.better < puzzle.other) is (puzzle.technique in catalog.get(key).lower_is_better)
        assert 0 <= puzzle.difficulty <= 1


@pytest.mark.parametrize("key", catalog.listed())
def test_what_a_seat_wants_less_of_is_measured(key: str) -> None:
    assert catalog.get(key).lower_is_better <= set(catalog.get(key).measures)


def test_a_game_gives_one_puzzle_at_most() -> None:
    assert len(KEPT) == len(set(KEPT))
    for key in catalog.listed():
        file = folder() / "puzzles" / f"{key}.jsonl"
        if file.exists():
            assert len(puzzles.read(file.read_text(encoding="utf-8"))) == len(kept(key))


def test_all_puzzles_together_stay_small() -> None:
    assert sum(file.stat().st_size for file in (folder() / "puzzles").glob("*.jsonl")) <= MOST_BYTES


@pytest.mark.long
def test_making_goes_on_where_the_file_ends() -> None:
    game = catalog.get("canasta")
    first = list(islice((each for each in puzzles.make(game, [], 2) if isinstance(each, Puzzle)), 2))
    again = puzzles.read(puzzles.line(first[0]))
    assert again == first[:1]
    assert [each for each in puzzles.make(game, again, 2) if isinstance(each, Puzzle)] == first[1:]


def test_a_puzzle_that_leads_elsewhere_is_told() -> None:
    puzzle = kept(KEPT[0][0])[0]
    with pytest.raises(StalePuzzle):
        replace(puzzle, digest="0" * 16).position()
    with pytest.raises(StalePuzzle):
        replace(puzzle, way=puzzle.way + ".9999").position()


def test_an_audit_takes_out_what_it_does_not_find_again() -> None:
    puzzle = replace(kept("canasta")[0], audited=0)
    assert puzzles.to_audit([puzzle], 1) == [puzzle]
    after = puzzles.audited(puzzle, 2)
    assert after is not None
    assert after.audited == 2 * puzzle.rules().puzzle_tries[1]
    assert puzzles.to_audit([after], 1) == []
    wrong = replace(puzzle, answers=(puzzle.second,), second=puzzle.answers[0], audited=0)
    assert puzzles.audited(wrong, 2) is None


def test_an_audit_takes_out_what_is_sure_and_nobody_feels(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = replace(kept("canasta")[0], audited=0)
    after = puzzles.audited(puzzle, 2)
    assert after is not None
    monkeypatch.setattr(puzzles, "STANDING", after.gap + 0.001)
    assert puzzles.audited(puzzle, 2) is None


def test_a_game_that_nothing_tries_has_no_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.get("canasta")
    monkeypatch.setattr(type(game), "study", None)
    with pytest.raises(ValueError, match="no study"):
        next(puzzles.make(game, [], 1))
