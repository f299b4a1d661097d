"""The command line, called as a shell would call it, without a new process."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
import rich

from bot.__main__ import main

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


Valence = Callable[..., Said]


@pytest.fixture
def valence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Valence]:
    """Call `valence …`; answers hold no line breaks that a narrow terminal would put in."""
    heard = {sign: signal.getsignal(sign) for sign in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setitem(sys.modules, "rich", rich)  # `run` hides it, and other tests want it back

    def call(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["valence", *map(str, words)])
        capsys.readouterr()
        code = main()
        said = capsys.readouterr()
        assert TRACEBACK not in said.err
        return Said(code, said.out, said.err)

    yield call
    for sign, handler in heard.items():  # `run` takes them over
        signal.signal(sign, handler)
