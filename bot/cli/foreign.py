"""Opponents from outside for `valence arena`: programs that answer on a line, and Python files.

A program reads questions on its standard input and writes answers on its standard output, a line of JSON
each; what it writes on standard error is seen by whoever runs the arena.
"""

from __future__ import annotations

import json
import queue
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

from bot.cli.asking import Stop
from engine.arena import Forfeit
from engine.game import AnyGame

PREFIX: Final = "cmd:"
ANSWER_SECONDS: Final = 10.0
"""How long a program may think about one decision."""
CLOSE_SECONDS: Final = 1.0


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
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

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
        except ValueError:
            raise Forfeit(f"no JSON: {said!r:.60}") from None
        if type(answer) is int and 0 <= answer < len(actions):
            return actions[answer]
        legal = json.loads(msgspec.json.encode(actions))
        if answer in legal and type(answer) is list:
            return actions[legal.index(answer)]
        raise Forfeit(f"not a legal action: {said!r:.60}")

    def _ask(self, question: str) -> str:
        process = self._started()
        asking = cast("IO[str]", process.stdin)
        try:
            asking.write(question + "\n")
            asking.flush()
            said = self._lines.get(timeout=self._seconds)
        except queue.Empty:
            process.kill()
            self.close()
            raise Forfeit(f"no answer within {self._seconds:g} seconds") from None
        except OSError:
            said = ""
        if not said:
            self.close()
            raise Forfeit("the program has ended")
        return said

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(  # noqa: S603 - whoever runs the arena names it
                    self._words, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
                )
            except OSError as error:
                raise Stop(f"{self._words[0]} cannot be started: {error.strerror or error}") from error
            self._lines = queue.SimpleQueue()
            threading.Thread(target=_hear, args=(self._process, self._lines), daemon=True).start()
        return self._process

    def close(self) -> None:
        """End the program; it may have a second for it."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            cast("IO[str]", process.stdin).close()
        try:
            process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


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


def _hear(process: subprocess.Popen[str], lines: queue.SimpleQueue[str]) -> None:
    """Its lines, then an empty one; bytes that are no text count as an end."""
    with suppress(ValueError), cast("IO[str]", process.stdout) as said:
        for line in said:
            lines.put(line)
    lines.put("")


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
