"""Everything stored or visible outside the project, as sorted lines of text.

`tests/house/outside/` holds the recorded lines, one file per kind; `tests/house/test_outside.py` compares.

    python -m tests.support.outside             record new lines; refuse if a recorded line is missing
    python -m tests.support.outside --replace   record all lines as they are now
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from tests.support import outside_play, outside_running, outside_stored

FOLDER = Path(__file__).parents[1] / "house" / "outside"
ACCEPT = "python -m tests.support.outside"


class Kind(NamedTuple):
    """A kind of name that something outside the project uses."""

    lines: Callable[[], Iterable[str]]
    """Collect the lines as they are now."""
    used_by: str
    """The dependence, for the message of a failed test."""


KINDS: dict[str, Kind] = {
    "cli": Kind(outside_running.cli, "scripts, services and pages call these commands"),
    "commands": Kind(outside_play.slash_commands, "people and Discord know these commands and options"),
    "custom_ids": Kind(outside_play.custom_ids, "messages already posted hold buttons and forms with these"),
    "formats": Kind(outside_stored.formats, "stored rows, saved files and other programs have these fields"),
    "games": Kind(outside_play.games, "stored games and records name these games, options and levels"),
    "health": Kind(outside_running.health, "monitors ask these addresses and read these fields"),
    "locales": Kind(outside_play.locale_keys, "translators' files have these keys"),
    "logs": Kind(outside_running.logs, "the documentation tells operators to search logs for these"),
    "metrics": Kind(outside_running.metrics, "dashboards and alerts name these metrics and labels"),
    "package": Kind(outside_running.package, "installations call these programs and name these extras"),
    "rows": Kind(outside_stored.rows, "existing databases hold rows with these values"),
    "settings": Kind(outside_running.settings, "environments and .env files set these"),
    "tables": Kind(outside_stored.tables, "existing databases have these tables, columns and indexes"),
}


class Difference(NamedTuple):
    """Lines of one kind that were recorded and are missing, and lines that are not recorded yet."""

    gone: list[str]
    new: list[str]


def now(kind: str) -> list[str]:
    """Collect the lines of a kind, sorted and without repetition."""
    return sorted(set(KINDS[kind].lines()))


def recorded(kind: str, folder: Path = FOLDER) -> list[str]:
    """Read the recorded lines of a kind."""
    path = folder / f"{kind}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def compare(kind: str, folder: Path = FOLDER) -> Difference:
    """Compare a kind with what is recorded."""
    before, after = recorded(kind, folder), now(kind)
    return Difference(sorted({*before} - {*after}), sorted({*after} - {*before}))


def explain(kind: str, found: Difference) -> str:
    """Describe a difference and what to do about it. Return an empty text if nothing differs."""
    out = list[str]()
    if found.gone:
        out += [
            f"{kind}: {len(found.gone)} recorded lines are missing or changed, but {KINDS[kind].used_by}.",
            *(f"  - {line}" for line in found.gone),
            *(f"  + {line}" for line in found.new),
            f"Restore them. Only if nothing outside can use them any more: {ACCEPT} --replace",
        ]
    elif found.new:
        out += [
            f"{kind}: {len(found.new)} lines are new.",
            *(f"  + {line}" for line in found.new),
            f"Record them: {ACCEPT}",
        ]
    return "\n".join(out)


def accept(kinds: Iterable[str] = KINDS, folder: Path = FOLDER, *, replace: bool = False) -> list[str]:
    """Record new lines. Return a description of missing ones, which only `replace` drops."""
    refused = list[str]()
    for kind in kinds:
        found = compare(kind, folder)
        if found.gone and not replace:
            refused.append(explain(kind, found))
        elif found.gone or found.new:
            (folder / f"{kind}.txt").write_text("\n".join(now(kind)) + "\n", encoding="utf-8")
    return refused


if __name__ == "__main__":
    problems = accept(replace="--replace" in sys.argv[1:])
    sys.exit("\n\n".join(problems) or None)
