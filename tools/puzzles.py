"""Make the puzzles of a game, or audit them with many more tries: `python -m tools puzzles`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import carry_out
from bot.cli.arguments import GameKey, Stop, the_game
from bot.cli.executors import Scheduler, spread
from bot.cli.output import console
from engine import puzzles
from engine.game import UnknownRules

commands = typer.Typer(
    help="Puzzles: positions in which one decision is best beyond doubt.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@commands.command()
def make(
    game: GameKey,
    *,
    append: Annotated[Path, typer.Option(metavar="FILE", help="Go on where this file ends, and add to it.")],
    count: Annotated[int, typer.Option(min=1, help="How many puzzles it is to hold in the end.")] = 300,
    scheduler: Scheduler = None,
) -> None:
    """Cut puzzles from games of Steady against itself; each is kept as soon as it is found."""
    rules = the_game(game)
    known, out = _read(append), console()
    if rules.study is None:
        raise Stop(f"nothing tries the decisions of {rules.key}, so it has no puzzles")
    if strange := {puzzle.game for puzzle in known} - {rules.key}:
        raise Stop(f"{append} holds puzzles of {', '.join(sorted(strange))}")
    found, none = len(known), 0
    with spread(scheduler) as (port, width):
        for puzzle in puzzles.make(rules, known, count, Ahead(port, width)):
            if isinstance(puzzle, int):
                none += 1
                continue
            found += 1
            _add(append, puzzle)
            out.print(f"{found} of {count}: game {puzzle.number}, {none} games gave none", style="dim")
            none = 0


class Ahead:
    """Finds puzzles in an executor, working on the next numbers while one is awaited.

    Whether a puzzle may be a plain one depends on those before it. Work based on a wrong assumption is
    repeated, so the result is the same as that of a single process.
    """

    def __init__(self, port: Executor, width: int) -> None:
        self._port, self._width = port, width
        self._asked: dict[tuple[int, bool], Future[puzzles.Puzzle | None]] = {}

    def __call__(self, key: str, number: int, plain_too: bool) -> puzzles.Puzzle | None:
        """Return the puzzle of this number."""
        for each in range(number, number + self._width):
            if (each, plain_too) not in self._asked:
                self._asked[each, plain_too] = self._port.submit(puzzles.cut, key, each, plain_too)
        found = self._asked[number, plain_too].result()
        for old in [asked for asked in self._asked if asked[0] <= number]:
            self._asked.pop(old).cancel()
        return found


@commands.command()
def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of puzzles.")],
    *,
    games: Annotated[int, typer.Option(min=1, help="How many that nobody has looked through yet.")] = 100,
    tries: Annotated[int, typer.Option(min=1, help="So many times as often as when they were made.")] = 20,
    scheduler: Scheduler = None,
) -> None:
    """Search again, and take out what the search no longer says."""
    if not (known := _read(file)):
        raise Stop(f"{file} holds no puzzles")
    looked, refuted = 0, list[int]()
    try:
        with spread(scheduler) as (port, width):
            chosen = puzzles.to_audit(known, games)
            look = partial(puzzles.audited, times=tries)
            # without an executor each is checked when its turn comes and written before the next
            found = port.map(look, chosen) if width > 1 else map(look, chosen)
            for before, after in zip(chosen, found, strict=True):
                looked += 1
                at = next(nth for nth, puzzle in enumerate(known) if puzzle.number == before.number)
                known[at : at + 1] = [] if after is None else [after]
                if after is None:
                    refuted.append(before.number)
                _replace(file, known)
    except (puzzles.StalePuzzle, UnknownRules) as error:
        raise Stop(f"{error}: the rules have moved on without it", code=1) from error
    names = ": " + ", ".join(map(str, refuted)) if refuted else ""
    console().print(f"{looked} puzzles looked through, {len(refuted)} refuted{names}; {len(known)} stand")


def _read(file: Path) -> list[puzzles.Puzzle]:
    try:
        return puzzles.read(file.read_text(encoding="utf-8")) if file.exists() else []
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise Stop(f"{file} holds no puzzles: {error}") from error


def _add(file: Path, puzzle: puzzles.Puzzle) -> None:
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(puzzles.line(puzzle))
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}") from error


def _replace(file: Path, every: Iterable[puzzles.Puzzle]) -> None:
    """Rewrite the file atomically."""
    fresh = file.with_suffix(".new")
    try:
        fresh.write_text("".join(map(puzzles.line, every)), encoding="utf-8")
        fresh.replace(file)
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}") from error


def main(words: Sequence[str]) -> int:
    """Run the command that the words name and return the exit code."""
    return carry_out(commands, "puzzles", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
