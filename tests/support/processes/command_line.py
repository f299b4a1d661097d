"""Command lines, called as a shell would call them, without a new process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

TRACEBACK = "Traceback"


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.out)


Command = Callable[..., Said]


def command(capsys: Any, run: Callable[[list[str]], int]) -> Command:
    """Return a function that calls `run` with words and tells its exit code and what it printed."""

    def call(*words: object) -> Said:
        capsys.readouterr()
        code = run([str(word) for word in words])
        said = capsys.readouterr()
        assert TRACEBACK not in said.err
        return Said(code, said.out, said.err)

    return call


TOKEN = "M" + "a1" * 12 + ".Gabcde." + "b2" * 15
