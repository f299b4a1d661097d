"""Compare two sets of rules, played by computer opponents: `python -m tools lab`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from bot import presenters
from bot.cli import carry_out
from bot.cli.arguments import (
    Json,
    Seats,
    Seed,
    Stop,
    chosen,
    number_of_seats,
    suggestion,
    the_game,
    why_not,
    writable,
)
from bot.cli.executors import Scheduler, named, spread
from bot.cli.output import as_json, as_table, console, progress
from bot.presenters.rulebook import named_value
from bot.presenters.voice import unmarked
from bot.render.scene import Look
from bot.workers.cores import cores
from engine import lab
from engine.arena import Endless
from engine.game import AnyGame, IllegalSetup, Setup, Value
from engine.lab import Batch, Findings, LabRules
from engine.levels import STEADY, renamed
from tools.lab.page import EXPECTED, chance_line, length_rows, page, seat_rows, share, summary

SHOWN: Final = 10
"""Cards of each kind that the terminal shows. JSON and page have all."""
STOPPED: Final = 130
"""The exit code after Ctrl-C."""
_RULES: Final = "A set of rules: GAME, GAME:key=value,key=value, or a JSON file with game and options."


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def compare(
    one: Annotated[str, typer.Argument(metavar="A", help=_RULES)],
    other: Annotated[str, typer.Argument(metavar="B", help="Another set of rules of the same game.")],
    *,
    games: Annotated[int, typer.Option("--games", min=1, help="Games of each set of rules.")] = 1000,
    level: Annotated[str, typer.Option("--level", help="Level of every seat; newcomer is fast.")] = STEADY,
    seats: Seats = None,
    seed: Seed = 1,
    processes: Annotated[
        int, typer.Option("--processes", min=1, help="Maximum number of processes; never more than cores.")
    ] = 64,
    scheduler: Scheduler = None,
    append: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue from the games in this file, and add to it.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with plots.")
    ] = None,
    json: Json = False,
) -> int:
    """Compare two sets of rules of a game: seat advantage, length, and the worth of each card.

    A and B are written as atom_duel, atom_duel:level=3, atom_duel:level=3,rounds=2, or as a JSON file with
    "game" and "options" (and "seats" if you like): house rules saved as a file, or a record. Both are dealt
    from the same seed, so they have the same cards as far as the rules allow. Ctrl-C reports the games
    played so far.
    """
    pair = _pair(one, other, renamed(level.lower()), seats)
    kept = _kept(append)
    if html is not None:
        writable(html)
    todo = _in_turns([list(lab.missing(kept, rules, seed, games)) for rules in pair])

    def keep(batch: Batch) -> None:
        kept.append(batch)
        _append(append, batch)

    batches = _batches(pair, todo, seed, scheduler, min(processes, cores()))
    stopped = _play(batches, keep, sum(count for _, _, count in todo), pair[0].game)
    findings = [lab.findings(rules, kept, seed) for rules in pair]
    first, second = findings
    about = (
        f"{first.games:,} games of A and {second.games:,} of B, seed {seed}, {pair[0].level} opponents"
        f" on every seat, both dealt from the same keys. {datetime.now(tz=UTC).date().isoformat()}."
    )
    if stopped:
        about = f"Stopped early: {about}"
    if html is not None:
        options = {key: _options(rules) for key, rules in zip("AB", pair, strict=True)}
        try:
            html.write_text(page(first, second, _card_names(pair[0].game), options, about), encoding="utf-8")
        except OSError as error:
            raise Stop(f"{html} cannot be written: {error.strerror or error}") from error
    if json:
        as_json(_figures(first, second, seed))
    else:
        _show(first, second, about)
    return STOPPED if stopped else 0


# -- sets of rules --------------------------------------------------------------------------------


def _pair(one: str, other: str, level: str, seats: int | None) -> tuple[LabRules, LabRules]:
    read = [_read(text) for text in (one, other)]
    (game, options, _, wanted), (second, others, _, also) = read
    if second.key != game.key:
        raise Stop(f"A and B must be rules of one game, not of {game.key} and {second.key}")
    if level not in game.opponents:
        raise Stop(f"{game.key} has no opponent {level!r}{suggestion(level, game.opponents)}")
    allowed = [game.seats(each) for each in (options, others)]
    several = sorted(n for n in {*allowed[0]} & {*allowed[1]} if n > 1)
    usual = several[0] if several else None
    on = [
        number_of_seats(game, each, seats or own or usual)
        for each, own in ((options, wanted), (others, also))
    ]
    return _rules(game, read[0], on[0], level), _rules(game, read[1], on[1], level)


Read = tuple[AnyGame, dict[str, Value], str, int | None]
"""A game, all its options, the name of the set, and the seats if a file sets them."""


def _rules(game: AnyGame, read: Read, seats: int, level: str) -> LabRules:
    _, options, name, _ = read
    if refusal := game.check(Setup(game.key, game.version, seats, options, bytes(32))):
        raise why_not(game, refusal)
    return LabRules(game.key, options, seats, level, name)


def _read(text: str) -> Read:
    """Parse a set of rules, or read it from a file.

    Raises:
        Stop: it is not a set of rules.
    """
    if text.lower().endswith(".json"):
        return _read_file(Path(text))
    key, _, typed = text.partition(":")
    game = the_game(key)
    options = chosen(game, [part for part in typed.split(",") if part.strip()])
    return game, {**game.defaults(), **options}, text, None


class _Written(msgspec.Struct):
    """The fields read from house rules saved as a file, a setup, or a record."""

    game: str
    options: dict[str, Value] = {}
    seats: int | None = None
    name: str = ""
    house_rules: str = ""


def _read_file(file: Path) -> Read:
    try:
        written = msgspec.json.decode(file.read_bytes(), type=_Written)
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror or error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Stop(f"{file} holds no rules: {error}") from error
    game = the_game(written.game)
    known = {option.key: option for option in game.options}
    for key, value in written.options.items():
        if key not in known:
            raise Stop(f"{game.key} has no option {key!r}{suggestion(key, known)}")
        if value not in known[key].values:
            raise Stop(f"{file}: {key} cannot be {value!r}")
    name = written.name or written.house_rules or file.stem
    return game, {**game.defaults(), **written.options}, name, written.seats


# -- playing --------------------------------------------------------------------------------------

Job = tuple[int, int, int]
"""The index of the set of rules (0 or 1), the number of the first game, and the number of games."""


def _in_turns(todo: Sequence[Sequence[tuple[int, int]]]) -> list[Job]:
    """Alternate between both sets of rules, so that an early stop leaves about as many games of each."""
    jobs = [(first, which, count) for which, spans in enumerate(todo) for first, count in spans]
    return [(which, first, count) for first, which, count in sorted(jobs)]


def _play(batches: Iterator[Batch], keep: Callable[[Batch], None], todo: int, what: str) -> bool:
    """Store each batch as soon as it is played. Return whether Ctrl-C stopped the series."""
    done = 0
    try:
        with progress(what) as step:
            for batch in batches:
                keep(batch)
                done += batch.count
                if step is not None:
                    step(done, todo)
    except KeyboardInterrupt:
        return True
    except IllegalSetup as refusal:
        raise Stop(f"{what} cannot be dealt: {refusal.rule}") from refusal
    except Endless as error:
        raise Stop(str(error), code=1) from error
    return False


def _batches(
    pair: Sequence[LabRules], jobs: Sequence[Job], seed: int, scheduler: str | None, processes: int
) -> Iterator[Batch]:
    alone = not named(scheduler) and (processes == 1 or len(jobs) < 2)
    if alone:
        for which, first, count in jobs:
            yield lab.play(pair[which], seed, first, count)
        return
    with _executor(scheduler, processes) as port:
        waiting = [port.submit(lab.play, pair[which], seed, first, count) for which, first, count in jobs]
        given = set()
        try:
            for each in as_completed(waiting):
                given.add(each)
                yield each.result()
        except KeyboardInterrupt:
            # batches in progress are finished and counted
            last = [each for each in waiting if not each.cancel() and each not in given]
            wait(last)
            yield from (each.result() for each in last)
            raise


@contextmanager
def _executor(scheduler: str | None, processes: int) -> Iterator[Executor]:
    """Yield the cluster if a scheduler is named, else local processes. Drop jobs that have not begun."""
    if named(scheduler):
        with spread(scheduler) as (cluster, _):
            yield cluster
        return
    # Ctrl-C is for this process alone: it reports the games of the others
    ignore_interrupts = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=ignore_interrupts)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _kept(file: Path | None) -> list[Batch]:
    if file is None or not file.exists():
        return []
    try:
        lines = file.read_bytes().splitlines()
        return [msgspec.json.decode(line, type=Batch) for line in lines if line.strip()]
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise Stop(f"{file} holds no games of the lab: {error}") from error


def _append(file: Path | None, batch: Batch) -> None:
    if file is None:
        return
    try:
        with file.open("ab") as out:
            out.write(msgspec.json.encode(batch) + b"\n")
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}") from error


# -- showing --------------------------------------------------------------------------------------


def _card_names(game: str) -> dict[str, str]:
    """Return the names of the cards by key. Empty for a game without a presenter."""
    if not presenters.offers(game):
        return {}
    return {card.key: unmarked(card.title) for card in presenters.get(game).cards("en")}


def _options(rules: LabRules) -> list[str]:
    """Return the options in words."""
    if not presenters.offers(rules.game):
        return [f"{key}: {value}" for key, value in rules.options.items()]
    presenter, look = presenters.get(rules.game), Look()
    return [named_value(presenter.option, key, value, look) for key, value in rules.options.items()]


def _show(one: Findings, other: Findings, about: str) -> None:
    out, card_names = console(), _card_names(one.rules.game)
    out.print(
        f"A  {one.rules}, {one.rules.seats} seats\nB  {other.rules}, {other.rules.seats} seats\n{about}"
    )
    rows = [
        (name, share(mine or lab.Count()), share(theirs or lab.Count()))
        for name, mine, theirs in seat_rows(one, other)
    ]
    as_table("Wins of each seat (95 %; games)", ("", "A", "B"), rows)
    as_table("Length, margins, draws", ("", "A", "B"), length_rows(one, other))
    every = []
    for how in lab.HOWS:
        found = lab.compared(one, other, how)
        every += found
        shown = [
            (
                card_names.get(each.card, each.card),
                share(each.one),
                share(each.other),
                f"{100 * each.differs:+.1f} ({100 * each.ci95[0]:+.1f} to {100 * each.ci95[1]:+.1f})",
            )
            for each in found[:SHOWN]
        ]
        if shown:
            title = f"Cards {how}: {len(shown)} of {len(found)}, largest difference first"
            as_table(title, ("card", "A (95 %; seats)", "B (95 %; seats)", "A − B, points"), shown)
    every.sort(key=lambda each: -abs(each.differs))
    for line in [*summary(one, other, every, card_names), chance_line(every, one, other)]:
        out.print(line)


def _figures(one: Findings, other: Findings, seed: int) -> dict[str, Any]:
    def count(found: lab.Count) -> dict[str, Any]:
        known = found.won / found.seats if found.seats else None
        return {"seats": found.seats, "share": known, "ci95": lab.wilson(found.won, found.seats)}

    def side(found: Findings) -> dict[str, Any]:
        rules = found.rules
        return {
            "game": rules.game,
            "name": str(rules),
            "options": rules.options,
            "seats": rules.seats,
            "level": rules.level,
            "games": found.games,
            "even": found.even,
            "wins_of_seats": [count(each) for each in found.seats],
            "wins_of_who_begins": count(found.began),
            "draws": found.draws,
            "decisions": found.decisions,
            "turns": found.turns,
            "margin": found.margin,
            "cards": {
                card: {how: count(each) for how, each in by.items()}
                for card, by in sorted(found.cards.items())
            },
        }

    every = [each for how in lab.HOWS for each in lab.compared(one, other, how)]
    return {
        "seed": seed,
        "A": side(one),
        "B": side(other),
        "longer_on_the_same_deals": lab.paired(one, other),
        "compared": len(every),
        "telling": sum(each.telling for each in every),
        "by_chance": EXPECTED * len(every),
        "differences": [
            {"card": each.card, "how": each.how, "differs": each.differs, "ci95": each.ci95} for each in every
        ],
    }


def main(words: Sequence[str]) -> int:
    """Run the command that the words name and return the exit code."""
    return carry_out(app, "lab", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
