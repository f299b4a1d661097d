"""`valence print`: a game to cut out and play at a real table, where its makers allow that."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.arguments import GameKey, Json, Seats, Stop, number_of_seats, suggestion, the_game
from bot.cli.output import as_json, console
from bot.locales import FALLBACK, languages


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command("print")(print_)


def print_(
    game: GameKey,
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the PDF goes; else valence-GAME.pdf.")
    ] = None,
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    seats: Seats = None,
    blanks: Annotated[
        int,
        typer.Option(
            "--blanks", min=0, max=99, help="So many blank cards at least; more fill the last sheet."
        ),
    ] = 0,
    backs: Annotated[
        bool, typer.Option("--backs/--no-backs", help="A sheet of backs behind each sheet of fronts.")
    ] = True,
    language: Annotated[
        str, typer.Option("--language", help="Of the rules and of what cards say.")
    ] = FALLBACK,
    json: Json = False,
) -> None:
    """Make a PDF to print a game that its makers let everybody print: nine cards a sheet, and the rules."""
    from bot import presenters
    from bot.presenters.extras import FPDF
    from bot.presenters.printing import deck, plain, rule_blocks
    from bot.render.pdf import pdf
    from bot.render.printing import EACH, PALETTE, PAPERS, blank, card_sheets, rule_sheets
    from bot.render.scene import Look

    rules = the_game(game)
    if paper not in PAPERS:
        raise Stop(f"there is no paper {paper!r}{suggestion(paper, PAPERS)}")
    if language not in languages():
        raise Stop(f"there is no language {language!r}{suggestion(language, languages())}")
    presenter, look = presenters.get(rules.key), Look(locale=language, palette=PALETTE)
    title = presenter.title(language)
    made = deck(rules.key, number_of_seats(rules, rules.defaults(), seats), look)
    if made is None:
        raise Stop(f"{title} is its makers' and is not printed here. {plain(presenter.about(language))}", 1)
    if not FPDF.there:
        lacking = f"{FPDF.name} writes the file and is not installed here"
        raise Stop(f"{lacking}. To add it, in a checkout of Valence: {FPDF.install}", 1)
    size, path = PAPERS[paper], out or Path(f"valence-{rules.key}.pdf")
    if not path.parent.is_dir():
        raise Stop(f"{path} cannot be written: there is no folder {path.parent}")
    cards = [*made.fronts, *[blank(look)] * blanks]
    sheets = list(card_sheets(cards, look, size, backs=backs))
    told = list(rule_sheets(rule_blocks(rules.key, made.rules, language), title, look, size))
    data = pdf([*sheets, *told], size.width, size.height, title)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error.strerror or error}") from error
    fronts = -(-len(cards) // EACH)
    spare = fronts * EACH - len(made.fronts)
    if json:
        counts = {"cards": len(made.fronts), "blanks": spare, "sheets": fronts, "rule_pages": len(told)}
        as_json({"file": str(path), "paper": paper, **counts, "backs": backs, "bytes": len(data)})
        return
    say = console()
    say.print(
        f"{path}: {len(made.fronts)} cards and {spare} blanks on {fronts} sheets of {paper}, "
        f"{len(told)} pages of rules, {len(data) / 1024:.0f} KiB"
    )
    sides = "on both sides, flipped along the long edge" if backs else "on one side"
    say.print(f"Print it at 100 %, {sides}; cut along the marks.")
