"""Opponents from outside for `valence arena`: programs that answer on a line, and Python files.

A program reads questions on its standard input and writes answers on its standard output, a line of JSON
each; what it writes on standard error is seen by whoever runs the arena.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import util
from pathlib import Path
from random import Random
from typing import IO, Any, Final, cast

import msgspec

from bot.cli.arguments import Stop
from engine.arena import Forfeit
from engine.game import AnyGame

PREFIX: Final = "cmd:"
ANSWER_SECONDS: Final = 10.0
"""How long a program may think about one decision."""
CLOSE_SECONDS: Final = 1.0
LONGEST: Final = 2**16
"""An answer may have so many signs; an action of ours has less than a hundred."""


class Program:
    """An opponent in another program. A question is one object:

    `game`, `version`, `seat`, `observation`, `actions` (the legal ones) and `random`, a number from 0 to
    2^32 - 1 that makes its luck repeatable. The answer is one of the actions, or its place among them.
    A program that is late or gone is started anew for the next game.
    """

    def __init__(self, game: AnyGame, command: str, *, seconds: float = ANSWER_SECONDS) -> None:
        self._game = game
        self._words = _words(command)
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._asking: threading.Thread | None = None

    def __call__(self, observation: Any, actions: Sequence[Any], rng: Random) -> Any:
        """Its choice.

        Raises:
            Forfeit: it gave none in time, or none that is legal.
        """
        question = {
            "game": self._game.key,
            "version": self._game.version,
            "seat": observation.viewer,
            "observation": observation,
            "actions": actions,
            "random": rng.getrandbits(32),
        }
        said = self._ask(msgspec.json.encode(question).decode())
        try:
            answer = json.loads(said)
        except (ValueError, RecursionError):
            raise Forfeit(f"no JSON: {said!r:.60}") from None
        if type(answer) is int and 0 <= answer < len(actions):
            return actions[answer]
        legal = json.loads(msgspec.json.encode(actions))
        if answer in legal and type(answer) is list:
            return actions[legal.index(answer)]
        raise Forfeit(f"not a legal action: {said!r:.60}")

    def _ask(self, question: str) -> str:
        process = self._started()
        said = list[str]()
        # in a thread: it may not even read, and then writing would wait for ever
        self._asking = threading.Thread(target=_exchange, args=(process, question, said), daemon=True)
        self._asking.start()
        self._asking.join(self._seconds)
        if self._asking.is_alive():
            process.kill()
            self.close()
            raise Forfeit(f"no answer within {self._seconds:g} seconds")
        if not said or not said[0]:
            self.close()
            raise Forfeit("the program has ended")
        if len(said[0]) == LONGEST and not said[0].endswith("\n"):
            process.kill()
            self.close()
            raise Forfeit(f"an answer of more than {LONGEST:,} signs")
        return said[0]

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(  # noqa: S603 - whoever runs the arena names it
                    self._words, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
                )
            except OSError as error:
                raise Stop(f"{self._words[0]} cannot be started: {error.strerror or error}") from error
        return self._process

    def close(self) -> None:
        """End the program; it may have a second for it."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._asking is not None:
            self._asking.join(CLOSE_SECONDS)
        # what it has started itself may keep the pipes open, and who waits on one holds its lock
        if self._asking is None or not self._asking.is_alive():
            for end in (process.stdin, process.stdout):
                with suppress(OSError):
                    cast("IO[str]", end).close()
        try:
            process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _exchange(process: subprocess.Popen[str], question: str, said: list[str]) -> None:
    """Ask, and note the next line; an empty one, or none, where it has ended. No more is read than that, so
    who writes without being asked waits. Bytes that are no text count as an end."""
    asking, answering = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
    with suppress(OSError, ValueError):
        asking.write(question + "\n")
        asking.flush()
        said.append(answering.readline(LONGEST))


def _words(command: str) -> list[str]:
    """A command line in its words.

    Raises:
        Stop: there are none, or a quotation does not end.
    """
    try:
        found = shlex.split(command)
    except ValueError as error:
        raise Stop(f"{PREFIX}{command} cannot be read: {error}") from error
    if not found:
        raise Stop(f"{PREFIX} is followed by the command that starts the program")
    return found


@contextmanager
def programs(game: AnyGame, names: Sequence[str]) -> Iterator[dict[str, Program]]:
    """The programs among these players by name, and their end."""
    found = {name: Program(game, name.removeprefix(PREFIX)) for name in names if name.startswith(PREFIX)}
    try:
        yield found
    finally:
        for program in found.values():
            program.close()


def load(file: Path) -> None:
    """Run a Python file, which registers its opponents.

    Raises:
        Stop: it cannot be run.
    """
    spec = util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Stop(f"{file} is no Python file")
    try:
        spec.loader.exec_module(util.module_from_spec(spec))
    except Exception as error:
        raise Stop(f"{file} cannot be run: {type(error).__name__}: {error}") from error
