"""Many rounds, checked and counted."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tests.jepsen import real
from tests.jepsen import virtual as virtual_rounds
from tests.jepsen.crowd import Round
from tests.jepsen.databases import Lane, Server, endings, lanes
from tests.jepsen.history import Press, Violation, check, shrink
from tests.jepsen.player import marks_listed

AROUND_SECONDS = 1.0
"""Faults so long before a press may have to do with it."""


@dataclass(slots=True)
class Found:
    """What rounds came to."""

    figures: dict[str, Any]
    failures: list[str] = field(default_factory=list)
    """A text for each round that is at odds with itself."""


@dataclass(slots=True)
class Tally:
    answers: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    store: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    rounds: int = 0
    stuck: int = 0
    tables: int = 0
    entries: int = 0

    async def add(self, found: Round, store: Counter[str], url: str) -> None:
        """Check a round that is over."""
        ends = await endings(url)
        violations = check(found.history, ends)
        self.rounds += 1
        self.tables += len(ends)
        self.entries += sum(len(end.journal) for end in ends)
        self.answers.update(_heard(press) for press in found.history)
        self.wrong.update(violation.kind for violation in violations)
        self.faults.update(fault.kind for fault in found.faults)
        self.store.update(store)
        self.stuck += found.stuck
        if found.stuck:
            self.failures.append(f"seed {found.seed}: nobody was answered any more")
        if violations:
            self.failures.append(_story(found, ends, violations))


def _heard(press: Press) -> str:
    if press.answered is None:
        return "none"
    return press.why if press.why in ("standby", "fenced") else press.out


def _story(found: Round, ends: list[Any], violations: list[Violation]) -> str:
    """The seed, what is wrong, and for each rule that was broken the fewest presses that show it."""
    lines = [f"seed {found.seed}"]
    told = set[tuple[str, str]]()
    for violation in violations:
        lines.append(str(violation))
        if (violation.kind, violation.rule) not in told:
            told.add((violation.kind, violation.rule))
            lines += _shown(found, ends, violation)
    return "\n".join(lines)


def _shown(found: Round, ends: list[Any], violation: Violation) -> list[str]:
    lines = []
    few = shrink(found.history, ends, violation)
    if few:
        began = min(press.invoked for press in few) - AROUND_SECONDS
        ended = max(press.answered or press.invoked for press in few) + AROUND_SECONDS
        told = [(press.invoked, msgspec.json.encode(press).decode()) for press in few]
        told += [(f.at, f"      {f.kind} {f.to}") for f in found.faults if began <= f.at <= ended]
        first = min(at for at, _ in told)
        lines = [f"  {at - first:8.3f} {text}" for at, text in sorted(told)]
    table = next((end for end in ends if end.id == violation.table), None)
    if table is not None:
        lines.append(f"  in the end {msgspec.json.encode(table).decode()}")
    return lines


def play(
    rounds: int,
    database: str,
    *,
    virtual: bool,
    seed: int = 1,
    at_once: int = 4,
    until_it_fails: bool = False,
    server: Server | None = None,
) -> Found:
    """Play rounds with the seeds from this one on."""
    began, tally = time.monotonic(), Tally()

    all_seeds = range(seed, seed + rounds)
    seeds = itertools.takewhile(lambda _: not (until_it_fails and tally.failures), all_seeds)
    # virtual rounds on SQLite wait for nothing: at once they would be no faster, and no longer the same
    number = 1 if virtual and database == "sqlite" else at_once
    with marks_listed(), lanes(database, number, server) as found:
        if virtual:
            with ThreadPoolExecutor(len(found)) as pool:
                list(pool.map(lambda lane: _all(seeds, lane, tally), found))
        else:
            asyncio.run(real.play(seeds, found, tally.add))
    wrong = {kind: tally.wrong[kind] for kind in ("lost", "doubled", "contradicted")}
    figures = {
        "rounds": tally.rounds,
        "database": database,
        "processes": "virtual" if virtual else "real",
        "seed": seed,
        "presses": sum(tally.answers.values()),
        "answers": {out: tally.answers[out] for out in ("ok", "no", "fenced", "unknown", "none", "standby")},
        **wrong,
        "stuck": tally.stuck,
        "tables": tally.tables,
        "entries": tally.entries,
        "faults": dict(tally.faults.most_common()),
        "failed_calls": dict(tally.store.most_common()),
        "seconds": round(time.monotonic() - began, 1),
    }
    return Found(figures, tally.failures)


def _all(seeds: Iterator[int], lane: Lane, tally: Tally) -> None:
    for seed in seeds:
        asyncio.run(_virtual(seed, lane, tally))


async def _virtual(seed: int, lane: Lane, tally: Tally) -> None:
    found, faults = await virtual_rounds.play(seed, lane)
    await tally.add(found, sum((each.done for each in faults), Counter[str]()), lane.url)
