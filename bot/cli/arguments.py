"""What the commands ask for: a game, options, a file. Whatever cannot be used stops with one line."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from bot.settings import BadSetting, Settings
from bot.settings import settings as read_settings
from engine import catalog
from engine.arena import Endless
from engine.game import AnyGame, IllegalAction, IllegalSetup, Option, Value, format_value

GameKey: TypeAlias = Annotated[str, typer.Argument(metavar="GAME", help="A key that `valence games` lists.")]
Choices: TypeAlias = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option; repeatable.")
]
Seats: TypeAlias = Annotated[
    int | None, typer.Option("--seats", min=1, help="How many seats; the fewest that will do when not given.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")]
MOST_ID = 2**63 - 1
"""The largest number of a person or a table that a database can hold."""
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Stop(Exception):
    """A command that cannot go on: its one line, and the exit code (2 where the input is to blame)."""

    def __init__(self, line: str, code: int = 2) -> None:
        super().__init__(line)
        self.code = code


def complain(line: str) -> None:
    """Say one line on stderr."""
    print("valence:", " ".join(line.split()), file=sys.stderr)  # noqa: T201 - the one place for it


def the_game(key: str) -> AnyGame:
    """The game of a key as typed; hyphens and capitals do not matter."""
    wanted = key.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted in catalog.PACKAGES:
        return catalog.get(wanted)
    raise Stop(f"there is no game {key!r}{suggestion(wanted, catalog.listed())}")


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: what was probably meant, or what there is."""
    words = list(known)
    near = get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(words)}"


def chosen(game: AnyGame, choices: Sequence[str] | None) -> dict[str, Value]:
    """The options of `-o key=value`, each checked against what the game declares."""
    options: dict[str, Option] = {option.key: option for option in game.options}
    out: dict[str, Value] = {}
    for choice in choices or ():
        key, equals, typed = (part.strip().lower() for part in choice.partition("="))
        if not equals:
            raise Stop(f"an option is written key=value, not {choice!r}")
        if not options:
            raise Stop(f"{game.key} has no options")
        if key not in options:
            raise Stop(f"{game.key} has no option {key!r}{suggestion(key, options)}")
        try:
            out[key] = options[key].read(typed)
        except ValueError:
            allowed = ", ".join(map(format_value, options[key].values))
            raise Stop(f"{key} cannot be {typed!r}; it can be: {allowed}") from None
    return out


def number_of_seats(game: AnyGame, options: Mapping[str, Value], seats: int | None) -> int:
    """The seats asked for, or the fewest that these options allow."""
    allowed = game.seats({**game.defaults(), **options})
    if not allowed:
        raise Stop(f"{game.key} cannot be played with these options")
    if seats is not None and seats not in allowed:
        raise Stop(f"{game.key} cannot be played on {seats} seats; it can on: {', '.join(map(str, allowed))}")
    return seats if seats is not None else allowed[0]


def why_not(game: AnyGame, refusal: IllegalSetup) -> Stop:
    """The line for a setup that the game refuses."""
    facts = ", ".join(f"{name} {value}" for name, value in refusal.facts.items())
    rule = refusal.rule.replace("_", " ")
    return Stop(f"{game.key} cannot be dealt like this: {rule}{f' ({facts})' if facts else ''}")


@contextmanager
def report_refusals(game: AnyGame) -> Iterator[None]:
    """Stop with one line if a game cannot be dealt, an opponent breaks a rule, or a game does not end.

    Raises:
        Stop: one of these happened.
    """
    try:
        yield
    except IllegalSetup as refusal:
        raise why_not(game, refusal) from refusal
    except IllegalAction as refusal:
        raise Stop(f"an opponent broke a rule: {refusal.rule} {refusal.facts}", code=1) from refusal
    except Endless as error:
        raise Stop(str(error), code=1) from error


def settings() -> Settings:
    """The settings; stops with one line where the environment or `.env` holds what cannot be used."""
    try:
        return read_settings()
    except BadSetting as found:
        raise Stop(f"{found.name} cannot be used: {found.why}") from found


def writable(file: Path) -> None:
    """Look whether a file can be written once there is something to write; nothing is left behind.

    Raises:
        Stop: it cannot.
    """
    there = file.exists()
    try:
        with file.open("ab"):
            pass
        if not there:
            file.unlink()
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}") from error


def fresh_seed() -> int:
    """A seed that nobody chose, short enough to be typed again."""
    return random.SystemRandom().randrange(1_000_000)
