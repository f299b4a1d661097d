"""`valence render`: the table or a hand of a game, as a picture."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.arguments import (
    Choices,
    Json,
    Seats,
    Seed,
    Stop,
    chosen,
    number_of_seats,
    report_refusals,
    suggestion,
    the_game,
)
from bot.cli.output import as_json, console
from engine.arena import key_of
from engine.game import AnyGame, AnyState


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(render)


def render(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game.")],
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the picture goes (PNG).")] = Path(
        "valence.png"
    ),
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
    """Draw the table or a hand of a random game."""
    from bot import presenters
    from bot.render.encode import encode
    from bot.render.scene import Look
    from bot.render.theme import PALETTES

    if palette not in PALETTES:
        raise Stop(f"there is no palette {palette!r}{suggestion(palette, PALETTES)}")
    rules = the_game(game)
    options = chosen(rules, option)
    on = number_of_seats(rules, options, seats)
    if seat is not None and seat > on:
        raise Stop(f"there are {on} seats, so there is no hand of seat {seat}")
    with report_refusals(rules):
        state = rules.deal(rules.setup(on, key_of(seed, 0), **options))
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


def _write(out: Path, picture: bytes) -> None:
    try:
        out.write_bytes(picture)
    except OSError as error:
        raise Stop(f"{out} cannot be written: {error.strerror or error}") from error
