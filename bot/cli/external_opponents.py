"""External opponents for `valence arena`: programs, and Python files.

A program reads questions from its standard input and answers on its standard output, one line of JSON each.
Its standard error appears in the terminal.
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
"""Time limit of a program for one decision, in seconds."""
CLOSE_SECONDS: Final = 1.0
LONGEST: Final = 2**16
"""The maximum number of characters of an answer. An action has fewer than a hundred."""


class Program:
    """An opponent in another program.

    A question is an object with `game`, `version`, `seat`, `observation`, `actions` (the legal ones) and
    `random`, a seed from 0 to 2^32 - 1. The answer is one of the actions, or its index. A program that was
    late or has ended is restarted for the next game.
    """

    def __init__(self, game: AnyGame, command: str, *, seconds: float = ANSWER_SECONDS) -> None:
        self._game = game
        self._words = _words(command)
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._asking: threading.Thread | None = None

    def __call__(self, observation: Any, actions: Sequence[Any], rng: Random) -> Any:
        """Ask the program for an action.

        Raises:
            Forfeit: it gave no legal action in time.
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
        # in a thread: if the program does not read, writing blocks forever
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
                self._process = subprocess.Popen(  # noqa: S603 - the person who runs the arena names it
                    self._words, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
                )
            except OSError as error:
                raise Stop(f"{self._words[0]} cannot be started: {error.strerror or error}") from error
        return self._process

    def close(self) -> None:
        """End the program. Kill it after a second."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._asking is not None:
            self._asking.join(CLOSE_SECONDS)
        # a child of the program may keep the pipes open, and a thread that reads one holds its lock
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
    """Ask, and append the next line to `said`: an empty one, or none, if the program has ended.

    Only one line is read, so a program that writes without being asked blocks. Bytes that are not text count
    as an end.
    """
    asking, answering = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
    with suppress(OSError, ValueError):
        asking.write(question + "\n")
        asking.flush()
        said.append(answering.readline(LONGEST))


def _words(command: str) -> list[str]:
    """Split a command line into words.

    Raises:
        Stop: it is empty, or a quotation does not end.
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
    """Yield the programs among these players by name, and end them afterwards."""
    found = {name: Program(game, name.removeprefix(PREFIX)) for name in names if name.startswith(PREFIX)}
    try:
        yield found
    finally:
        for program in found.values():
            program.close()


def load(file: Path) -> None:
    """Run a Python file that registers opponents.

    Raises:
        Stop: the file cannot be run.
    """
    spec = util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise Stop(f"{file} is not a Python file")
    try:
        spec.loader.exec_module(util.module_from_spec(spec))
    except Exception as error:
        raise Stop(f"{file} cannot be run: {type(error).__name__}: {error}") from error
