"""How the commands answer: tables for people, JSON for programs, a progress bar on a terminal's stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from engine.arena import Progress as Step


def console() -> Console:
    """The console that answers go to; made anew so that it follows a redirected stdout."""
    return Console(highlight=False, markup=False, emoji=False)


def as_json(value: object) -> None:
    """Print a value as JSON."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def as_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a title; columns of numbers are aligned to the right."""
    table = Table(title=title or None, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for place, name in enumerate(columns):
        numbers = all(isinstance(row[place], int | float) for row in rows)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(figure, row))
    console().print(table)


def figure(value: object) -> str:
    """A value in a table: thousands apart, small numbers with the digits that count."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 1 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@contextmanager
def progress(what: str) -> Iterator[Step | None]:
    """A bar on stderr while something runs; None where stderr is no terminal."""
    stderr = Console(stderr=True)
    if not stderr.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def step(done: int, total: int) -> None:
            # drawing takes longer than a short game, so only about a hundred steps are told
            if done % max(1, total // 100) == 0 or done == total:
                bar.update(task, completed=done, total=total)

        yield step
