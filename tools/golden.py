"""The golden games: games that were played once, and what everybody saw of them, kept with the tests.

    python tools/golden.py [GAME…]                     adds what is missing: games, what was seen of them
    python tools/golden.py --accept [GAME…]            takes what is seen now for what was seen
    python tools/golden.py --show FILE NUMBER STEP     prints what is seen of a game after a step, as JSON

Of each version of a game's rules there are two files. `GAME-vN.json.gz` has the games: setup, actions, end.
They prove that the version still means the same rules, so what stands there is never written again: rules
that have changed are a new version. `GAME-vN.seen.gz` has short digests of what each seat and a spectator
could see after each action: observation, events, and what the seat may decide. They may change on purpose:
`--accept` writes them, and its commit says why. tests/conformance/test_golden.py holds both.

The games of a version are at least `EACH` for every number of seats and every value of an option, and at
least one for each kind of table of `engine.setups.covering`, so that any two choices meet that can. Every
other one is played at random, the rest mostly by the strongest opponent.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from engine.game import AnyGame, AnyState

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine import catalog, digests, record
from engine.arena import key_of
from engine.game import Outcome, Refusal, Seat, Setup, Value, Viewer, as_json
from engine.record import Record
from engine.setups import Kind, covering

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "conformance" / "golden"
SEED = 10
EACH = 20
"""Minimum number of games with each number of seats and each value of an option."""
LEAST = 40
"""Minimum number of games. A detail that shows in one random game of ten is then missed once in seventy; four
of these games show a change in Duel 52 that six games did not show."""
STRAY = 0.25
"""Probability of a random action by the opponent that plays every other game, so that its games differ."""
catalog.PACKAGES.setdefault("probe", "tests.support.games.probe")

PARTS = ("the observation", "the events", "what may be decided")


class Short(msgspec.Struct, frozen=True, array_like=True):
    """A finished game without a record's data for every step. Its end represents them all."""

    seats: int
    options: dict[str, Value]
    key: str
    acts: list[tuple[Seat, list[Any]]]
    digest: str
    outcome: Outcome


class Golden(msgspec.Struct, frozen=True):
    """The golden games of a version: a whole record of a game with default options, and many short ones."""

    record: Record
    games: list[Short]


class SeenGame(msgspec.Struct, frozen=True, array_like=True):
    """Digests of the views of one game: 8 bytes for everything, and a row for the deal and each action.

    A row has one byte for each of `PARTS` over all viewers, then one for each seat and one for a spectator
    over all parts. A row misses one change in 65536; `all` misses none.
    """

    all: bytes
    rows: bytes


class GoldenRefused(Exception):
    """The request would break a promise; the message says what to do."""


T = TypeVar("T")


def path_of(game: AnyGame, folder: Path) -> Path:
    """Return the file with the golden games of a game under one version of its rules."""
    return folder / f"{game.key}-v{game.version}.json.gz"


def seen_path_of(game: AnyGame, folder: Path) -> Path:
    """Return the file with what viewers saw of them."""
    return folder / f"{game.key}-v{game.version}.seen.gz"


def read(path: Path) -> Golden:
    """Return the games of a file.

    Raises:
        ValueError: it holds something else.
    """
    return _read(path, Golden)


def read_seen(path: Path) -> list[SeenGame]:
    """Return what viewers saw of the games of a file, in order.

    Raises:
        ValueError: it holds something else.
    """
    return _read(path, list[SeenGame])


def _read(path: Path, kind: type[T]) -> T:
    return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=kind)


def _write(path: Path, what: object) -> None:
    path.write_bytes(gzip.compress(msgspec.json.encode(what), mtime=0))


# -- which games ------------------------------------------------------------------------------


def kind_of(game: AnyGame, short: Short) -> Kind:
    """Return the kind of table of a game; options added later had their defaults there."""
    return Kind(short.seats, {**game.defaults(), **short.options})


def choices(kind: Kind) -> list[tuple[str, Value]]:
    """Return the number of seats and the value of each option."""
    return [("seats", kind.seats), *kind.options.items()]


def missing(game: AnyGame, have: Sequence[Kind]) -> list[Kind]:
    """Return the kinds of tables to add to these (see above). The result is deterministic."""
    played, shown = Counter(map(str, have)), Counter(choice for kind in have for choice in choices(kind))
    kinds, out = covering(game), list[Kind]()

    def add(kind: Kind) -> None:
        out.append(kind)
        played[str(kind)] += 1
        shown.update(choices(kind))

    if not have:
        defaults = game.defaults()
        add(Kind(game.seats(defaults)[0], defaults))
    for kind in kinds:
        if not played[str(kind)]:
            add(kind)

    def gain(kind: Kind) -> tuple[int, int]:
        return sum(shown[choice] < EACH for choice in choices(kind)), -played[str(kind)]

    while gain(best := max(kinds, key=gain))[0] or len(have) + len(out) < LEAST:
        add(best)
    return out


def played(game: AnyGame, kind: Kind, number: int) -> tuple[Setup, list[tuple[Seat, Any]], Short]:
    """Play the game of this number at such a table to its end."""
    setup = Setup(game.key, game.version, kind.seats, kind.options, key_of(SEED, number))
    state, rng = game.deal(setup), random.Random(setup.key)
    opponent = list(game.opponents.values())[-1] if number % 2 else None
    done: list[tuple[Seat, Any]] = []
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        legal = state.legal_actions(seat)
        if opponent is None or rng.random() < STRAY:
            action = rng.choice(legal)
        else:
            action = opponent(state.observe(seat), legal, rng)
        state.apply(seat, action)
        done.append((seat, action))
    outcome = state.outcome()
    if outcome is None:
        raise ValueError(f"{game.key} stops without an outcome")
    acts = [(seat, as_json(action)) for seat, action in done]
    short = Short(setup.seats, setup.options, setup.key.hex(), acts, digests.digest(game.key, state), outcome)
    return setup, done, short


# -- what is seen -----------------------------------------------------------------------------


def seen_now(state: AnyState, viewer: Viewer) -> tuple[bytes, ...]:
    """Return a viewer's view of a position and its latest events as JSON, in the order of `PARTS`.

    Names of fields and facts matter, but not the order of their declarations. The order of lists matters, and
    with it the order in which a seat's actions are offered.
    """
    events = [view for event in state.events or () if (view := event.seen_by(viewer)) is not None]
    menu = state.legal_actions(viewer) if viewer in state.to_act() and viewer is not None else None
    return tuple(msgspec.json.encode(part, order="sorted") for part in (state.observe(viewer), events, menu))


class GameWatch:
    """A recorder of what every viewer sees of one game: one row per position."""

    def __init__(self, seats: int) -> None:
        self._viewers: tuple[Viewer, ...] = (*range(seats), None)
        self._all = blake2b(digest_size=8)
        self._rows = bytearray()

    def look(self, state: AnyState) -> None:
        """Record what viewers see of this position and its events, then drop the events."""
        table = [
            [blake2b(part, digest_size=8).digest() for part in seen_now(state, viewer)]
            for viewer in self._viewers
        ]
        for line in (*zip(*table, strict=True), *table):
            digest = blake2b(b"".join(line), digest_size=8).digest()
            self._all.update(digest)
            self._rows.append(digest[0])
        state.events = []

    def seen(self) -> SeenGame:
        """Return everything recorded."""
        return SeenGame(self._all.digest(), bytes(self._rows))


def difference(seats: int, before: SeenGame, now: SeenGame) -> tuple[int, str] | None:
    """Return the first step (0: the deal) seen differently and a description, or None if nothing differs."""
    if before == now:
        return None
    width = len(PARTS) + seats + 1
    for at in range(0, len(now.rows), width):
        old, new = before.rows[at : at + width], now.rows[at : at + width]
        if old != new:
            differs = [a != b for a, b in zip(old.ljust(width), new, strict=True)]
            parts = [part for part, other in zip(PARTS, differs, strict=False) if other]
            who = [*(f"seat {seat + 1}" for seat in range(seats)), "a spectator"]
            by = [name for name, other in zip(who, differs[len(PARTS) :], strict=True) if other]
            whom = ", ".join(by) or "somebody"
            return at // width, f"{' and '.join(parts) or 'something'} for {whom}"
    return len(now.rows) // width - 1, "something, here or before, that the short digests do not show"


class Changed(Exception):
    """A game is no longer played as it was; the message names the step."""


def again(game: AnyGame, short: Short, *, upto: int | None = None) -> Iterator[AnyState]:
    """Replay a golden game and yield each position. The state changes in place; events are kept.

    Raises:
        Changed: the rules lead to a different game.
    """
    options = {**game.defaults(), **short.options}  # options added later keep the old behaviour
    setup = Setup(game.key, game.version, short.seats, options, bytes.fromhex(short.key))
    if refusal := game.check(setup):
        raise Changed(f"its setup is refused: {refusal.rule} {refusal.facts}")
    state = game.deal(setup)
    state.events = []
    yield state
    for step, (seat, data) in enumerate(short.acts[:upto], 1):
        try:
            state.apply(seat, game.action(data))
        except (Refusal, ValueError) as error:
            raise Changed(f"step {step}: {data} is refused: {error}") from error
        yield state
    if upto is not None:
        return
    if not record.agrees(short.outcome, state.outcome()):
        raise Changed(f"it ends otherwise: {state.outcome()} instead of {short.outcome}")
    if digests.digest(game.key, state) != short.digest:
        raise Changed("its last position differs")


def watched(game: AnyGame, short: Short) -> SeenGame:
    """Replay a golden game and return what every viewer sees.

    Raises:
        Changed: the rules lead to a different game.
    """
    watch = GameWatch(short.seats)
    for state in again(game, short):
        watch.look(state)
    return watch.seen()


# -- what the script does ---------------------------------------------------------------------


def check(game: AnyGame, golden: Golden) -> None:
    """Replay the golden games of a version without recording them.

    Raises:
        Refused: one of them is not played as it was.
    """
    for number, short in enumerate(golden.games, 1):
        try:
            for state in again(game, short):
                state.events = None
        except Changed as changed:
            raise GoldenRefused(
                f"{game.key} no longer plays its golden games of rules {game.version}, and they stay as they "
                f"are (game {number}: {changed}). Have its rules changed? "
                "Then raise its version (docs/add-a-game.md)."
            ) from changed


def add(game: AnyGame, folder: Path) -> str:
    """Add what is missing for a version. Return what was added, or an empty string.

    Earlier versions get no more games.

    Raises:
        Refused: existing games are not played as they were.
    """
    path, seen_path = path_of(game, folder), seen_path_of(game, folder)
    golden = read(path) if path.exists() else None
    games = list(golden.games) if golden else []
    if golden:
        check(game, golden)
    first = golden.record if golden else None
    present = catalog.get(game.key).version == game.version
    for kind in missing(game, [kind_of(game, short) for short in games]) if present else ():
        setup, done, short = played(game, kind, len(games))
        first = first or record.write(setup, done)
        games.append(short)
    added = len(games) - (len(golden.games) if golden else 0)
    if first and added:
        _write(path, Golden(first, games))
    seen = read_seen(seen_path) if seen_path.exists() else []
    if len(seen) < len(games):
        _write(seen_path, seen + [watched(game, short) for short in games[len(seen) :]])
    elif not added:
        return ""
    return f"{path.name}: {added} games more, {len(games)} in all"


def accept(game: AnyGame, folder: Path) -> str:
    """Accept what viewers now see of the golden games of a version. Return what changed.

    Raises:
        Refused: the rules themselves have changed, so that nothing can be accepted.
    """
    path = seen_path_of(game, folder)
    golden = read(path_of(game, folder))
    check(game, golden)
    before = read_seen(path) if path.exists() else []
    now = [watched(game, short) for short in golden.games]
    if before == now:
        return ""
    _write(path, now)
    changed = len(now) - sum(a == b for a, b in zip(before, now, strict=False))
    return f"{path.name}: {changed} of {len(now)} games are seen otherwise"


def show(name: str, number: int, step: int, folder: Path) -> str:
    """Return what viewers see of a golden game (numbered from 1) after a step, as JSON to compare by eye.

    Raises:
        Refused: there is no such game.
    """
    path = folder / f"{name.removesuffix('.seen.gz').removesuffix('.json.gz')}.json.gz"
    if not path.exists():
        raise GoldenRefused(
            f"there is no {path.name}; there are: {', '.join(sorted(p.name for p in folder.iterdir()))}"
        )
    golden = read(path)
    if not 0 < number <= len(golden.games):
        raise GoldenRefused(f"{path.name} has games 1 to {len(golden.games)}")
    game, short = catalog.get(golden.record.game).at(golden.record.version), golden.games[number - 1]
    last: AnyState | None = None
    for last in again(game, short, upto=step):
        seen = {
            "a spectator" if viewer is None else f"seat {viewer + 1}": dict(
                zip(PARTS, map(msgspec.Raw, seen_now(last, viewer)), strict=True)
            )
            for viewer in (*range(short.seats), None)
        }
        last.events = []
    acts = [f"seat {seat + 1}: {action}" for seat, action in short.acts[max(0, step - 1) : step]]
    told = {"table": str(kind_of(game, short)), "step": step, "action": acts, "seen": seen}
    return msgspec.json.format(msgspec.json.encode(told), indent=1).decode()


def main(words: Sequence[str], folder: Path = FOLDER) -> int:
    """Run the command line and return the exit code."""
    try:
        if words and words[0] == "--show":
            if len(words) != 4 or not (words[2] + words[3]).isdecimal():
                print((__doc__ or "").strip(), file=sys.stderr)
                return 2
            print(show(words[1], int(words[2]), int(words[3]), folder))
            return 0
        do = accept if "--accept" in words else add
        for key in [word for word in words if word != "--accept"] or catalog.listed():
            game = catalog.get(key)
            for version in game.versions:
                if said := do(game.at(version), folder):
                    print(said, flush=True)
    except (catalog.UnknownGame, GoldenRefused) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
