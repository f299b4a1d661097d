"""`valence record`: records of finished games: look at them, check them, make files; and open reports."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from bot.cli import words
from bot.cli.arguments import Json, Stop, the_game
from bot.cli.output import as_json, console
from engine import problem_report, record
from engine.game import Event, format_value

File: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="A record of a finished game, or a report (JSON).")
]

MOST_BYTES = 32 * 1024 * 1024
MOST_SEATS = 100


def add_to(app: typer.Typer) -> None:
    """Add these commands as a group."""
    group = typer.Typer(help="Records of finished games.")
    group.command()(show)
    group.command()(replay)
    group.command()(verify)
    group.command()(export)
    app.add_typer(group, name="record")


def read(path: Path) -> record.Record:
    """The record in a file, also in that of a report; stops with one line where there is none."""
    found = opened(path)
    if isinstance(found, record.Record):
        return found
    if found.record is None:
        raise Stop(f"{path} is a report from a game that was not over: it has no record, see `record replay`")
    return found.record


def opened(path: Path) -> record.Record | problem_report.Report:
    """The record or report in a file; stops with one line where there is none."""
    found: record.Record | problem_report.Report
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Stop(f"{path} is too large for a record")
        raw = path.read_bytes()
        found = problem_report.from_json(raw) if problem_report.is_one(raw) else record.from_json(raw)
    except OSError as error:
        raise Stop(f"{path} cannot be read: {error.strerror or error}") from error
    except record.BadRecord as error:
        raise Stop(f"{path}: {error}") from error
    except (RecursionError, UnicodeDecodeError) as error:
        raise Stop(f"{path}: this is not a record: {error}") from error
    if not 1 <= found.seats <= MOST_SEATS:
        raise Stop(f"{path}: no game has {found.seats} seats")
    return found


def _tell(found: problem_report.Report) -> None:
    """Say what somebody reported: of what, and what they expected."""
    out = console()
    who = "somebody who watched" if found.seat is None else f"seat {found.seat + 1}"
    options = ", ".join(f"{key} {format_value(value)}" for key, value in found.options.items())
    out.print(f"Valence {found.valence}, source {found.source[:12]}", markup=False)
    out.print(f"{found.game}, rules {found.version}{f' ({options})' if options else ''}", markup=False)
    out.print(f"reported by {who} after {found.move:,} actions", markup=False)
    if found.error:
        out.print(f"error: {found.error}", markup=False)
    out.print(f"expected: {found.expected}", markup=False, soft_wrap=True)


def _tell_seen(found: problem_report.Report, *, json: bool) -> None:
    """Say what one seat saw of a game that was not over."""
    if json:
        as_json(found)
        return
    _tell(found)
    for line in found.lines:
        console().print(line, markup=False, soft_wrap=True)


def show(file: File, json: Json = False) -> None:
    """Show what a record holds, without checking it."""
    game = read(file)
    rules = the_game(game.game)
    if game.version in rules.versions:
        rules = rules.at(game.version)
    if json:
        as_json(game)
        return
    out = console()
    options = ", ".join(f"{key} {format_value(value)}" for key, value in game.options.items())
    names = [words.name_of(game.names, seat) for seat in range(game.seats)]
    out.print(f"{game.game}, rules {game.version}{f' ({options})' if options else ''}")
    out.print(f"seats: {', '.join(names)}")
    if game.commitment:
        out.print(f"commitment: {game.commitment}")
        out.print(f"seed: {game.seed}")
        out.print(f"nonce: {game.nonce}")
        out.print(f"entropy: {' '.join(map(str, game.entropy)) or 'none'}")
    else:
        out.print(f"deal key: {game.key}")
    out.print(f"{len(game.steps):,} actions")
    for number, step in enumerate(game.steps, 1):
        out.print(
            f"{number:>5}  {words.name_of(names, step.seat)}: {words.step(rules, step.action)}",
            soft_wrap=True,
        )
    if game.outcome is not None:
        for line in words.TerminalVoice(game.game, names).ending(game.outcome):
            out.print(line)


def replay(
    file: File,
    until: Annotated[
        int | None,
        typer.Option("--until", min=0, help="Stop after this many actions, and show the position."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, help="Tell only what this seat could see.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a record again, action by action, checking each, and tell what happens; or open a report."""
    found = opened(file)
    if isinstance(found, problem_report.Report):
        if found.record is None:
            _tell_seen(found, json=json)
            return
        if not json:
            _tell(found)
        found = found.record
    game = found
    if seat is not None and seat > game.seats:
        raise Stop(f"the record has {game.seats} seats, not {seat}")
    if until is not None and until > len(game.steps):
        raise Stop(f"the record has {len(game.steps)} actions, not {until}")
    viewer = None if seat is None else seat - 1
    names = [words.name_of(game.names, place) for place in range(game.seats)]
    try:
        record.setup_of(game)
    except record.BadRecord as error:
        raise Stop(f"{file}: {error}") from error
    voice = words.TerminalVoice(game.game, names)
    out = console()
    told = []
    try:
        for number, state in record.replay(game, events=True):
            happened, state.events = state.events or [], []
            if seat is not None:
                happened = [view for one in happened if (view := one.seen_by(viewer)) is not None]
            else:  # the game is over and its seed is known: nothing is secret any more
                happened = [Event(one.kind, one.seat, {**one.facts, **one.secret}) for one in happened]
            if json:
                told.append({"step": number, "events": happened})
            elif number:
                who = words.name_of(names, game.steps[number - 1].seat)
                lines = voice.events(happened, viewer) or [f"{who} has chosen."]
                for place, line in enumerate(lines):
                    out.print(f"{number:>5}  {line}" if place == 0 else f"       {line}", soft_wrap=True)
            if number == (len(game.steps) if until is None else until):
                break
    except record.BadRecord as error:
        raise Stop(f"{file}: {error}") from error
    if json:
        as_json({"steps": told, "position": state.observe(viewer), "outcome": state.outcome()})
        return
    end = state.outcome()
    for line in voice.ending(end) if end else voice.position(state.observe(viewer), viewer):
        out.print(line, soft_wrap=True)


def export(
    file: File,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="A page with every turn, for any browser.")
    ] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="FILE", help="The turns one after the other.")
    ] = None,
    *,
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, help="From what this seat saw; the table when not given.")
    ] = None,
    hands: Annotated[bool, typer.Option("--hands", help="With all hands open (the page).")] = False,
    language: Annotated[str, typer.Option("--language", help="The language, such as zh-CN.")] = "en",
    json: Json = False,
) -> None:
    """Make a page or a GIF of a record, and tell their sizes and the seconds of CPU that they took."""
    from bot.presenters.film import OPEN, TABLE, Film
    from bot.presenters.film_files import gif_of, page_of
    from bot.render.scene import Look
    from bot.ui.names import inert, plain

    game = read(file)
    if html is None and gif is None:
        raise Stop("which file? --html FILE, --gif FILE, or both")
    if seat is not None and seat > game.seats:
        raise Stop(f"the record has {game.seats} seats, not {seat}")
    try:
        record.verify(game)
        setup = record.setup_of(game)
    except record.BadRecord as error:
        raise Stop(f"{file} does not hold: {error}", code=1) from error
    names = [plain(words.name_of(game.names, place)) for place in range(game.seats)]
    film = Film(
        game.game,
        setup,
        [(step.seat, step.action, False) for step in game.steps],
        Look(language, names=tuple(names)),
        Look(language, names=tuple(map(inert, names))),
        str(seat - 1) if seat is not None else OPEN if hands else TABLE,
    )
    made = []
    for out, make in ((html, page_of), (gif, gif_of)):
        if out is None:
            continue
        begun = time.process_time()
        data = make(film)
        try:
            out.write_bytes(data)
        except OSError as error:
            raise Stop(f"{out} cannot be written: {error.strerror or error}") from error
        made.append(
            {"file": str(out), "bytes": len(data), "cpu_seconds": round(time.process_time() - begun, 1)}
        )
    if json:
        as_json(made)
        return
    for one in made:
        console().print(f"{one['file']}: {one['bytes']:,} bytes, {one['cpu_seconds']} s of CPU")


def verify(file: File, json: Json = False) -> None:
    """Check a record: the commitment, the deal, every action, the outcome. Exit code 1 where it fails."""
    game = read(file)
    try:
        record.verify(game)
    except record.BadRecord as error:
        if not json:
            raise Stop(f"{file} does not hold: {error}", code=1) from error
        as_json({"holds": False, "problem": error.problem, "step": error.step, "facts": error.facts})
        raise typer.Exit(1) from error
    if json:
        as_json({"holds": True, "steps": len(game.steps), "fair": bool(game.commitment)})
        return
    fair = "the seed gives the commitment, " if game.commitment else ""
    console().print(f"It holds: {fair}all {len(game.steps):,} actions are legal, the outcome is right.")
