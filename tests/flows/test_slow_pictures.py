"""Discord gives a press three seconds; a painter that starts anew may need more."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.render.scene import Scene
from bot.views import router
from bot.views.parts import page
from bot.views.router import Answer

SCENE = Scene(320, 80, (), alt="A hand")


class Discord:
    """Takes one answer to one press, and writes down what came in which order."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.done = False
        self.response = self
        self.followup = SimpleNamespace(send=self._later("followup"))
        self.edit_original_response = self._later("edit")
        self.message = None

    def is_done(self) -> bool:
        return self.done

    def _later(self, name: str) -> Any:
        async def take(**_: Any) -> None:
            assert self.done, "nothing follows what was never answered"
            self.said.append(name)

        return take

    async def _first(self, name: str) -> None:
        assert not self.done, "a press is answered once"
        self.done = True
        self.said.append(name)

    async def send_message(self, **_: Any) -> None:
        await self._first("message")

    async def edit_message(self, **_: Any) -> None:
        await self._first("update")

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        await self._first("thinking" if thinking and ephemeral else "deferred")


def studio(seconds: float) -> Any:
    async def paint(*_: Any) -> bytes:
        await asyncio.sleep(seconds)
        return b"picture"

    return SimpleNamespace(paint=paint)


@pytest.mark.parametrize(
    ("seconds", "how", "said"),
    [
        (0.0, "private", ["message"]),
        (0.0, "update", ["update"]),
        (0.3, "private", ["thinking", "followup"]),
        (0.3, "update", ["deferred", "edit"]),
    ],
)
async def test_a_picture_that_takes_long_is_announced(
    monkeypatch: pytest.MonkeyPatch, seconds: float, how: str, said: list[str]
) -> None:
    monkeypatch.setattr(router, "PATIENCE", 0.15)
    discord = Discord()
    discord.client = SimpleNamespace(app=SimpleNamespace(studio=studio(seconds)))  # type: ignore[attr-defined]
    answer = Answer(discord)  # type: ignore[arg-type]
    await getattr(answer, how)(page("Words", SCENE))
    assert discord.said == said


async def test_what_was_spent_before_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """An act may have taken its time; then a picture has less."""
    monkeypatch.setattr(router, "PATIENCE", 0.3)
    discord = Discord()
    discord.client = SimpleNamespace(app=SimpleNamespace(studio=studio(0.2)))  # type: ignore[attr-defined]
    answer = Answer(discord)  # type: ignore[arg-type]
    await asyncio.sleep(0.25)
    await answer.private(page("Words", SCENE))
    assert discord.said == ["thinking", "followup"]


async def test_words_alone_wait_for_nothing() -> None:
    discord = Discord()
    discord.client = SimpleNamespace(app=SimpleNamespace(studio=None))  # type: ignore[attr-defined]
    await Answer(discord).private(page("Words"))  # type: ignore[arg-type]
    assert discord.said == ["message"]
