"""Draw every kind of picture on one sheet, after checking every table that can be opened."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import carry_out
from bot.cli.arguments import Json, Stop, the_game, writable
from bot.cli.output import as_json, console, progress
from bot.render.check import faults
from bot.render.scene import Scene
from engine import catalog
from tools.contact_sheet import around_games
from tools.contact_sheet.galleries import gallery
from tools.contact_sheet.sheet import contact_sheet
from tools.contact_sheet.tables import shown

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def draw(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Draw only this game.")] = None,
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the sheet goes (PNG).")] = Path(
        "valence.png"
    ),
    json: Json = False,
) -> None:
    """Draw one sheet with every kind of picture and a table for each number of seats.

    Before that, every table that can be opened is drawn and checked; the first faulty one stops the command.
    Without a game, the sheet shows all of them and the pictures that belong to none.
    """
    writable(out)
    keys = [the_game(game).key] if game else list(catalog.listed())
    entries: list[tuple[str, Scene]] = [] if game else [*around_games.gallery()]
    drawn = 0
    for key in keys:
        before = f"{key}: " if len(keys) > 1 else ""
        count, tables = _checked(key)
        drawn += count
        entries += [(before + title, scene) for title, scene in (*gallery(key), *tables)]
    sheet = contact_sheet(entries)
    file = io.BytesIO()
    sheet.save(file, "PNG")
    try:
        out.write_bytes(file.getvalue())
    except OSError as error:
        raise Stop(f"{out} cannot be written: {error.strerror or error}") from error
    if json:
        size = {"width": sheet.width, "height": sheet.height, "bytes": len(file.getvalue())}
        as_json({"file": str(out), "pictures": [title for title, _ in entries], "drawn": drawn, **size})
        return
    console().print(
        f"{out}: {len(entries)} pictures, {sheet.width}x{sheet.height}; "
        f"{drawn} pictures of all kinds of tables drawn and checked"
    )


def _checked(key: str) -> tuple[int, list[tuple[str, Scene]]]:
    """Draw and check the tables and hands of a game with every option.

    Return how many were drawn, and the table in the middle of a game for each number of seats.
    """
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


def main(words: Sequence[str]) -> int:
    """Run the command that the words name and return the exit code."""
    return carry_out(app, "contact_sheet", words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
