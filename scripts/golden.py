"""Write the golden records: games played at random by each game's present rules, kept with the tests.

    python scripts/golden.py            writes those of every version that has none
    python scripts/golden.py GAME       writes those of this game; refuses where its version has some

They prove that a version still means the same rules (tests/conformance/test_golden.py), so they are written
once, while the version is the present one, and never again: rules that have changed are a new version.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine import catalog, record
from engine.arena import key_of
from engine.game import Game, Outcome, Refusal, Seat, Setup, Value, as_json
from engine.record import Record

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "conformance" / "golden"
SEED = 10
LEAST = 40
"""How many games there are at least. What shows in one random game of ten is then missed once in seventy; a
changed detail of Duel 52 that six games did not show is seen by four of these."""
TRIES = 200
"""How many setups are drawn in search of those that show something new."""
catalog.PACKAGES.setdefault("probe", "tests.support.probe")


class Short(msgspec.Struct, frozen=True, array_like=True):
    """A finished game without what a record has for every step: its end stands for all of them."""

    seats: int
    options: dict[str, Value]
    key: str
    acts: list[tuple[Seat, list[Any]]]
    digest: str
    outcome: Outcome


class Golden(msgspec.Struct, frozen=True):
    """What is kept of a version: a whole record of a game at the default options, and many short ones."""

    record: Record
    games: list[Short]


class Exists(Exception):
    """The version has its records; the message says what to do."""


def path_of(game: Game[Any, Any], folder: Path) -> Path:
    """The file with the golden records of a game by one version of its rules."""
    return folder / f"{game.key}-v{game.version}.json.gz"


def setups(game: Game[Any, Any]) -> Iterator[Setup]:
    """Setups drawn at random, the default one first: `LEAST` of them, and then those that show a value of an
    option or a number of seats that none before did.
    """
    rng, shown, found = random.Random(SEED), set[tuple[str, Value]](), 0
    defaults = game.defaults()
    for number in range(TRIES):
        options = {o.key: rng.choice(o.values) for o in game.options} if number else defaults
        allowed = game.seats(options)
        if not allowed:
            continue
        setup = Setup(game.key, game.version, rng.choice(allowed), options, key_of(SEED, number))
        shows = {*options.items(), ("seats", setup.seats)}
        if game.check(setup) is None and (found < LEAST or not shows <= shown):
            shown, found = shown | shows, found + 1
            yield setup


def played(game: Game[Any, Any], setup: Setup) -> tuple[list[tuple[Seat, Any]], Short]:
    """A game of this setup, played at random to its end."""
    state, rng = game.deal(setup), random.Random(setup.key)
    done: list[tuple[Seat, Any]] = []
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        action = rng.choice(state.legal_actions(seat))
        state.apply(seat, action)
        done.append((seat, action))
    outcome = state.outcome()
    if outcome is None:
        raise ValueError(f"{game.key} stops without an outcome")
    acts = [(seat, as_json(action)) for seat, action in done]
    return done, Short(setup.seats, setup.options, setup.key.hex(), acts, record.digest(state), outcome)


def write(game: Game[Any, Any], folder: Path) -> Path:
    """Write the golden records of a game by its present rules, as compressed JSON.

    Raises:
        Exists: this version has some.
    """
    path = path_of(game, folder)
    if path.exists():
        raise Exists(
            f"{game.key} has golden records of rules {game.version}, and they stay as they are. "
            "Have its rules changed? Then raise its version (docs/add-a-game.md)."
        )
    every = list(setups(game))
    games = [played(game, setup) for setup in every]
    golden = Golden(record.write(every[0], games[0][0]), [short for _, short in games])
    path.write_bytes(gzip.compress(msgspec.json.encode(golden), mtime=0))
    return path


def read(path: Path) -> Golden:
    """What `write` wrote.

    Raises:
        ValueError: it is something else.
    """
    return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=Golden)


def check(game: Game[Any, Any], short: Short) -> str:
    """What is not as it was when this game is played again, or nothing."""
    options = {**game.defaults(), **short.options}  # an option that came later plays as before
    setup = Setup(game.key, game.version, short.seats, options, bytes.fromhex(short.key))
    if refusal := game.check(setup):
        return f"its setup is refused: {refusal.rule} {refusal.facts}"
    state = game.deal(setup)
    for step, (seat, data) in enumerate(short.acts, 1):
        try:
            state.apply(seat, game.action(data))
        except (Refusal, ValueError) as error:
            return f"step {step}: {data} is refused: {error}"
    if state.outcome() != short.outcome:
        return f"it ends otherwise: {state.outcome()} instead of {short.outcome}"
    return "" if record.digest(state) == short.digest else "its last position differs"


def main(keys: Sequence[str], folder: Path = FOLDER) -> int:
    """Write what is asked for; the exit code."""
    try:
        games = [catalog.get(key) for key in keys or catalog.listed()]
        for game in games:
            if keys or not path_of(game, folder).exists():
                path = write(game, folder)
                print(f"{path.name}: {len(read(path).games)} games")
    except (catalog.UnknownGame, Exists) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
