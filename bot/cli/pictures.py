"""`valence render`: any picture of any position, or all kinds of pictures on one sheet."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.asking import (
    Choices,
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
from bot.cli.showing import as_json, console, progress
from engine import catalog
from engine.arena import key_of
from engine.game import AnyGame, AnyState, IllegalSetup

if TYPE_CHECKING:
    from bot.render.scene import Scene


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(render)


def render(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; with --all only its pictures.")
    ] = None,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the picture goes (PNG).")] = Path(
        "valence.png"
    ),
    every: Annotated[
        bool,
        typer.Option("--all", help="One sheet with every kind of picture; draws every table there can be."),
    ] = False,
    after: Annotated[int, typer.Option("--after", min=0, help="After this many random actions.")] = 0,
    seat: Annotated[
        int | None, typer.Option("--seat", min=1, help="This seat's hand; the table when not given.")
    ] = None,
    seats: Seats = None,
    option: Choices = None,
    seed: Seed = 1,
    palette: Annotated[str, typer.Option("--palette", help="The colours.")] = "default",
    json: Json = False,
) -> None:
    """Draw the table or a hand of a random game, or one of every kind of picture."""
    from bot import presenters
    from bot.render.encode import encode
    from bot.render.scene import Look
    from bot.render.theme import PALETTES

    if every:
        writable(out)
        _sheet([the_game(game).key] if game else None, out, json=json)
        return
    if palette not in PALETTES:
        raise Stop(f"there is no palette {palette!r}{suggestion(palette, PALETTES)}")
    if game is None:
        raise Stop(f"which game? there are: {', '.join(catalog.listed())}; or --all")
    rules = the_game(game)
    options = chosen(rules, option)
    on = number_of_seats(rules, options, seats)
    if seat is not None and seat > on:
        raise Stop(f"there are {on} seats, so there is no hand of seat {seat}")
    try:
        state = rules.deal(rules.setup(on, key_of(seed, 0), **options))
    except IllegalSetup as refusal:
        raise why_not(rules, refusal) from refusal
    done = _advance(rules, state, after, seed)
    look = Look(names=tuple(f"Seat {place + 1}" for place in range(on)), palette=palette)
    presenter = presenters.get(rules.key)
    if seat is None:
        scene = presenter.table(state.observe(None), look)
    else:
        scene = presenter.hand(state.observe(seat - 1), look)
    picture = encode(scene)
    _write(out, picture)
    if json:
        size = {"width": scene.width, "height": scene.height, "bytes": len(picture)}
        as_json({"file": str(out), "actions": done, **size, "alt": scene.alt})
        return
    say = console()
    say.print(f"{out}: {scene.width}x{scene.height}, {len(picture) / 1024:.0f} KiB, after {done} actions")
    say.print(scene.alt, soft_wrap=True)


def _advance(rules: AnyGame, state: AnyState, after: int, seed: int) -> int:
    """Play so many random actions, fewer where the game ends; how many it were."""
    rng = random.Random(f"render/{rules.key}/{seed}")
    for done in range(after):
        waiting = state.to_act()
        if not waiting:
            return done
        state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
    return after


def _sheet(keys: list[str] | None, out: Path, *, json: bool) -> None:
    """The sheet of every kind of picture and of a table with each number of seats; before that, all tables
    that can be opened are drawn and looked over, and the first that is wrong stops the command. Without
    `keys` of all games, and the pictures that belong to none."""
    from bot import presenters
    from bot.render.sheet import contact_sheet
    from bot.views.showcase import showcase

    drawn = 0
    entries: list[tuple[str, Scene]] = []
    if keys is None:
        keys = list(catalog.listed())
        entries += showcase()
    for key in keys:
        before = f"{key}: " if len(keys) > 1 else ""
        count, tables = _look_over(key)
        drawn += count
        entries += [(before + title, scene) for title, scene in presenters.get(key).gallery()]
        entries += [(before + title, scene) for title, scene in tables]
    sheet = contact_sheet(entries)
    file = io.BytesIO()
    sheet.save(file, "PNG")
    _write(out, file.getvalue())
    if json:
        size = {"width": sheet.width, "height": sheet.height, "bytes": len(file.getvalue())}
        as_json({"file": str(out), "pictures": [title for title, _ in entries], "drawn": drawn, **size})
        return
    console().print(
        f"{out}: {len(entries)} pictures, {sheet.width}x{sheet.height}; "
        f"{drawn} of all kinds of tables drawn and found sound"
    )


def _look_over(key: str) -> tuple[int, list[tuple[str, Scene]]]:
    """Draw the tables and hands of a game at every choice that people have; how many it were, and the table
    in the middle of a game for each number of seats."""
    from bot.presenters.everywhere import shown
    from bot.render.check import faults

    every = list(shown(key))
    tables: dict[int, Scene] = {}
    with progress(key) as step:
        for done, one in enumerate(every, 1):
            scene = one.scene()
            if wrong := faults(scene):
                raise Stop(f"{one}: {'; '.join(wrong)}", 1)
            if one.viewer is None and one.phase == "middle":
                tables.setdefault(one.kind.seats, scene)
            if step is not None:
                step(done, len(every))
    return len(every), [(f"Table, {seats} seats", tables[seats]) for seats in sorted(tables)]


def _write(out: Path, picture: bytes) -> None:
    try:
        out.write_bytes(picture)
    except OSError as error:
        raise Stop(f"{out} cannot be written: {error.strerror or error}") from error
